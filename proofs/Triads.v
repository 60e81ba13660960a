(* Directed patterns of three people under edge privacy: what one arc makes, and the ladders of their counts. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Pairs Directed ArcLadders.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Triads.
Variable n : nat.
Implicit Types (g h : rel 'I_n) (u v w a b c x y z p q : 'I_n).

(* Sums over triples of different people, and what one pair of places collapses to. *)
Definition distinct x y z : bool := [&& x != y, y != z & x != z].
Lemma first_and_second a b (G : 'I_n -> 'I_n -> 'I_n -> nat) :
  \sum_x \sum_y \sum_z ((x == a) && (y == b)) * G x y z = \sum_z G a b z.
Proof.
rewrite (bigD1 a) //= (bigD1 b) //= eqxx [X in _ + X]big1 => [|x /negbTE ->]; last by rewrite big1 // => y _; rewrite big1.
rewrite [X in _ + X + _]big1 => [|y /negbTE ->]; last by rewrite big1.
by rewrite !addn0; apply: eq_bigr => z _; rewrite eqxx mul1n.
Qed.
Lemma second_and_third a b (G : 'I_n -> 'I_n -> 'I_n -> nat) :
  \sum_x \sum_y \sum_z ((y == a) && (z == b)) * G x y z = \sum_x G x a b.
Proof.
apply: eq_bigr => x _; rewrite (bigD1 a) //= (bigD1 b) //= !eqxx mul1n big1 => [|z /negbTE ->]; last by [].
by rewrite big1 => [|y /negbTE ->]; [rewrite !addn0 | rewrite big1].
Qed.
Lemma first_and_third a b (G : 'I_n -> 'I_n -> 'I_n -> nat) :
  \sum_x \sum_y \sum_z ((x == a) && (z == b)) * G x y z = \sum_y G a y b.
Proof.
rewrite (bigD1 a) //= eqxx [X in _ + X]big1 => [|x /negbTE ->]; last by rewrite big1 // => y _; rewrite big1.
rewrite addn0; apply: eq_bigr => y _; rewrite (bigD1 b) //= eqxx mul1n big1 ?addn0 // => z /negbTE ->; by [].
Qed.

Lemma as_others a b (P : pred 'I_n) (G : 'I_n -> bool) : a != b ->
  (forall c, P c = other a b c && G c) -> \sum_c P c = \sum_(c | other a b c) G c.
Proof. by move=> _ E; rewrite [RHS]big_mkcond /=; apply: eq_bigr => c _; rewrite E; case: (other a b c). Qed.

(* How often one person points at a second, who points at a third. *)
Definition two_paths g : nat := \sum_x \sum_y \sum_z [&& distinct x y z, g x y & g y z].
Definition two_paths_of_an_arc g u v : nat := \sum_(c | other u v c) (g c u + g v c).

Lemma two_paths_made g h a b : adds_arc g h a b -> two_paths h = two_paths g + two_paths_of_an_arc g a b.
Proof.
case=> ab gab E; have E2 x y z : [&& distinct x y z, h x y & h y z] = [&& distinct x y z, g x y & g y z]
    + (((x == a) && (y == b)) * (distinct x y z && g y z) + ((y == a) && (z == b)) * (distinct x y z && g x y)) :> nat.
  rewrite !E; case: (distinct x y z) => /=; last by rewrite !muln0.
  have f1 : ~~ ((y == a) && (y == b)) by apply: contra ab => /andP [/eqP <- /eqP <-].
  have f2 : ~~ [&& x == a, y == b & g x y] by apply: contra gab => /and3P [/eqP <- /eqP <-].
  have f3 : ~~ [&& y == a, z == b & g y z] by apply: contra gab => /and3P [/eqP <- /eqP <-].
  move: f1 f2 f3; by case: (x == a); case: (y == b); case: (y == a); case: (z == b); case: (g x y); case: (g y z).
rewrite /two_paths; under eq_bigr do under eq_bigr do under eq_bigr do rewrite E2.
under eq_bigr do under eq_bigr do rewrite big_split /=; under eq_bigr do rewrite big_split /=; rewrite big_split /=.
congr (_ + _); under eq_bigr do under eq_bigr do rewrite big_split /=; under eq_bigr do rewrite big_split /=.
rewrite big_split /= (first_and_second a b (fun x y z => distinct x y z && g y z)).
rewrite (second_and_third a b (fun x y z => distinct x y z && g x y)) addnC /two_paths_of_an_arc big_split /=.
by congr (_ + _); apply: as_others => // c; rewrite /distinct /other ab ?[a == c]eq_sym ?[b == c]eq_sym;
  case: (c == a); case: (c == b) => //=; rewrite ?andbF.
Qed.

(* Triples in which everybody points at the next one, each counted once for each person who may be named first. *)
Definition cyclic_starts g : nat := \sum_x \sum_y \sum_z [&& distinct x y z, g x y, g y z & g z x].
Definition cyclic_triples g : nat := cyclic_starts g %/ 3.
Definition cyclic_of_an_arc g u v : nat := \sum_(c | other u v c) (g c u && g v c).

(* How often somebody points at a person and also at whom that person points at. *)
Definition transitive_triples g : nat := \sum_x \sum_y \sum_z [&& distinct x y z, g x y, g y z & g x z].
Definition transitive_of_an_arc g u v : nat :=
  \sum_(c | other u v c) ((g u c && g c v) + (g u c && g v c) + (g c u && g c v)).

Lemma transitive_made g h a b : adds_arc g h a b ->
  transitive_triples h = transitive_triples g + transitive_of_an_arc g a b.
Proof.
case=> ab gab E; have E3 x y z : [&& distinct x y z, h x y, h y z & h x z] = [&& distinct x y z, g x y, g y z & g x z]
    + (((x == a) && (y == b)) * [&& distinct x y z, g y z & g x z]
      + (((y == a) && (z == b)) * [&& distinct x y z, g x y & g x z]
      + ((x == a) && (z == b)) * [&& distinct x y z, g x y & g y z])) :> nat.
  rewrite !E; case D: (distinct x y z) => /=; last by rewrite !muln0.
  have [xy yz xz] := and3P D.
  have f1 : ~~ ((y == a) && (y == b)) by apply: contra ab => /andP [/eqP <- /eqP <-].
  have f2 : ~~ ((x == a) && (y == a)) by apply: contra xy => /andP [/eqP -> /eqP ->].
  have f3 : ~~ ((y == b) && (z == b)) by apply: contra yz => /andP [/eqP -> /eqP ->].
  have g1 : ~~ [&& x == a, y == b & g x y] by apply: contra gab => /and3P [/eqP <- /eqP <-].
  have g2 : ~~ [&& y == a, z == b & g y z] by apply: contra gab => /and3P [/eqP <- /eqP <-].
  have g3 : ~~ [&& x == a, z == b & g x z] by apply: contra gab => /and3P [/eqP <- /eqP <-].
  move: f1 f2 f3 g1 g2 g3 => {E D xy yz xz}.
  by case: (x == a); case: (y == a) => //; case: (y == b) => //; case: (z == b) => //;
    case: (g x y); case: (g y z); case: (g x z).
rewrite /transitive_triples; under eq_bigr do under eq_bigr do under eq_bigr do rewrite E3.
under eq_bigr do under eq_bigr do rewrite big_split /=; under eq_bigr do rewrite big_split /=; rewrite big_split /=.
congr (_ + _); under eq_bigr do under eq_bigr do rewrite big_split /=; under eq_bigr do rewrite big_split /=.
rewrite big_split /= (first_and_second a b (fun x y z => [&& distinct x y z, g y z & g x z])).
under [X in _ + X]eq_bigr do under eq_bigr do rewrite big_split /=.
under [X in _ + X]eq_bigr do rewrite big_split /=.
rewrite [X in _ + X]big_split /= (second_and_third a b (fun x y z => [&& distinct x y z, g x y & g x z])).
rewrite (first_and_third a b (fun x y z => [&& distinct x y z, g x y & g y z])).
have e1 : \sum_z [&& distinct a b z, g b z & g a z] = \sum_(c | other a b c) (g a c && g b c) by rewrite ?/cyclic_of_an_arc [RHS]big_mkcond; apply: eq_bigr => c _; rewrite /distinct /other ab ?[a == c]eq_sym ?[b == c]eq_sym; case: (c == a); case: (c == b); case: (g b c); case: (g a c).
have e2 : \sum_x [&& distinct x a b, g x a & g x b] = \sum_(c | other a b c) (g c a && g c b) by rewrite ?/cyclic_of_an_arc [RHS]big_mkcond; apply: eq_bigr => c _; rewrite /distinct /other ab ?[a == c]eq_sym ?[b == c]eq_sym; case: (c == a); case: (c == b); case: (g c a); case: (g c b).
have e3 : \sum_y [&& distinct a y b, g a y & g y b] = \sum_(c | other a b c) (g a c && g c b) by rewrite ?/cyclic_of_an_arc [RHS]big_mkcond; apply: eq_bigr => c _; rewrite /distinct /other ab ?[a == c]eq_sym ?[b == c]eq_sym; case: (c == a); case: (c == b); case: (g a c); case: (g c b).
rewrite e1 e2 e3 /transitive_of_an_arc !big_split /=; lia.
Qed.

Lemma cyclic_made g h a b : adds_arc g h a b -> cyclic_triples h = cyclic_triples g + cyclic_of_an_arc g a b.
Proof.
case=> ab gab E; have E3 x y z : [&& distinct x y z, h x y, h y z & h z x] = [&& distinct x y z, g x y, g y z & g z x]
    + (((x == a) && (y == b)) * [&& distinct x y z, g y z & g z x]
      + (((y == a) && (z == b)) * [&& distinct x y z, g x y & g z x]
      + ((x == b) && (z == a)) * [&& distinct x y z, g x y & g y z])) :> nat.
  rewrite !E; case D: (distinct x y z) => /=; last by rewrite !muln0.
  have [xy yz xz] := and3P D.
  have f1 : ~~ ((y == a) && (y == b)) by apply: contra ab => /andP [/eqP <- /eqP <-].
  have f2 : ~~ ((x == a) && (x == b)) by apply: contra ab => /andP [/eqP <- /eqP <-].
  have f3 : ~~ ((z == a) && (z == b)) by apply: contra ab => /andP [/eqP <- /eqP <-].
  have f4 : ~~ ((x == a) && (y == a)) by apply: contra xy => /andP [/eqP -> /eqP ->].
  have f5 : ~~ ((x == b) && (y == b)) by apply: contra xy => /andP [/eqP -> /eqP ->].
  have f6 : ~~ ((y == b) && (z == b)) by apply: contra yz => /andP [/eqP -> /eqP ->].
  have f7 : ~~ ((y == a) && (z == a)) by apply: contra yz => /andP [/eqP -> /eqP ->].
  have g1 : ~~ [&& x == a, y == b & g x y] by apply: contra gab => /and3P [/eqP <- /eqP <-].
  have g2 : ~~ [&& y == a, z == b & g y z] by apply: contra gab => /and3P [/eqP <- /eqP <-].
  have g3 : ~~ [&& z == a, x == b & g z x] by apply: contra gab => /and3P [/eqP <- /eqP <-].
  move: f1 f2 f3 f4 f5 f6 f7 g1 g2 g3 => {E D xy yz xz}.
  by case: (x == a); case: (y == a) => //; case: (x == b) => //; case: (y == b) => //; case: (z == a) => //;
    case: (z == b) => //; case: (g x y); case: (g y z); case: (g z x).
have starts : cyclic_starts h = cyclic_starts g + 3 * cyclic_of_an_arc g a b.
  rewrite /cyclic_starts; under eq_bigr do under eq_bigr do under eq_bigr do rewrite E3.
  under eq_bigr do under eq_bigr do rewrite big_split /=; under eq_bigr do rewrite big_split /=; rewrite big_split /=.
  congr (_ + _); under eq_bigr do under eq_bigr do rewrite big_split /=; under eq_bigr do rewrite big_split /=.
  rewrite big_split /= (first_and_second a b (fun x y z => [&& distinct x y z, g y z & g z x])).
  under [X in _ + X]eq_bigr do under eq_bigr do rewrite big_split /=.
  under [X in _ + X]eq_bigr do rewrite big_split /=.
  rewrite [X in _ + X]big_split /= (second_and_third a b (fun x y z => [&& distinct x y z, g x y & g z x])).
  rewrite (first_and_third b a (fun x y z => [&& distinct x y z, g x y & g y z])).
  have e1 : \sum_z [&& distinct a b z, g b z & g z a] = cyclic_of_an_arc g a b by rewrite ?/cyclic_of_an_arc [RHS]big_mkcond; apply: eq_bigr => c _; rewrite /distinct /other ab ?[a == c]eq_sym ?[b == c]eq_sym; case: (c == a); case: (c == b); case: (g b c); case: (g c a).
  have e2 : \sum_x [&& distinct x a b, g x a & g b x] = cyclic_of_an_arc g a b by rewrite ?/cyclic_of_an_arc [RHS]big_mkcond; apply: eq_bigr => c _; rewrite /distinct /other ab ?[a == c]eq_sym ?[b == c]eq_sym; case: (c == a); case: (c == b); case: (g c a); case: (g b c).
  have e3 : \sum_y [&& distinct b y a, g b y & g y a] = cyclic_of_an_arc g a b.
    by rewrite /cyclic_of_an_arc [RHS]big_mkcond; apply: eq_bigr => c _; rewrite /distinct /other [b == a]eq_sym ab ?[b == c]eq_sym;
      case: (c == a); case: (c == b); case: (g c a); case: (g b c).
  rewrite e1 e2 e3; lia.
by rewrite /cyclic_triples starts mulnC addnC divnMDl // addnC.
Qed.

(* The steps of the ladders, by what the best arc makes, among seven people: growth and cap. *)
Definition triad_ladders_constant (t : nat) :=
  [seq [:: step_from 2 15 first t; step_from 1 5 first t; step_from 1 10 first t] | first <- iota 0 6].

Lemma transitive_grows g h a b u v : adds_arc g h a b -> u != v ->
  transitive_of_an_arc g u v <= transitive_of_an_arc h u v <= transitive_of_an_arc g u v + 2.
Proof.
by move=> H uv; have := @sums_of_others n (fun i j k l => (i && l) + (i && k) + (j && l)) 2 _ g h a b u v H uv; apply; move=> [] [] [] [].
Qed.

Lemma cyclic_grows g h a b u v : adds_arc g h a b -> u != v ->
  cyclic_of_an_arc g u v <= cyclic_of_an_arc h u v <= cyclic_of_an_arc g u v + 1.
Proof.
by move=> H uv; have := @sums_of_others n (fun i j k l => (j && k)) 1 _ g h a b u v H uv; apply; move=> [] [] [] [].
Qed.

Lemma two_paths_grows g h a b u v : adds_arc g h a b -> u != v ->
  two_paths_of_an_arc g u v <= two_paths_of_an_arc h u v <= two_paths_of_an_arc g u v + 1.
Proof.
by move=> H uv; have := @sums_of_others n (fun i j k l => j + k) 1 _ g h a b u v H uv; apply; move=> [] [] [] [].
Qed.

(* These steps bound what one arc changes in the number of transitive triples, now and after further arcs. *)
Theorem transitive_triples_ladder :
  ladder_function (@arc_neighbours n) transitive_triples (rising_step transitive_of_an_arc 2 (3 * (n - 2))).
Proof.
apply: rising_ladder => [g h a b H|g h a b u v H uv|g u v uv].
- by rewrite (transitive_made H) leq_addr leqnn.
- exact: transitive_grows H uv.
by apply: capped_by_others uv _ => c; case: (g u c); case: (g c v); case: (g v c); case: (g c u).
Qed.

(* These steps bound what one arc changes in the number of cyclic triples, now and after further arcs. *)
Theorem cyclic_triples_ladder :
  ladder_function (@arc_neighbours n) cyclic_triples (rising_step cyclic_of_an_arc 1 (n - 2)).
Proof.
apply: rising_ladder => [g h a b H|g h a b u v H uv|g u v uv].
- by rewrite (cyclic_made H) leq_addr leqnn.
- exact: cyclic_grows H uv.
by rewrite -[n - 2]mul1n; apply: capped_by_others uv _ => c; exact: leq_b1.
Qed.

(* These steps bound what one arc changes in the number of 2-paths, now and after further arcs. *)
Theorem two_paths_ladder :
  ladder_function (@arc_neighbours n) two_paths (rising_step two_paths_of_an_arc 1 (2 * (n - 2))).
Proof.
apply: rising_ladder => [g h a b H|g h a b u v H uv|g u v uv].
- by rewrite (two_paths_made H) leq_addr leqnn.
- exact: two_paths_grows H uv.
by apply: capped_by_others uv _ => c; case: (g c u); case: (g v c).
Qed.
End Triads.
