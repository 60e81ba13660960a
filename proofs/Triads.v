(* Directed patterns of three people under edge privacy: what one arc makes, and the ladders of their counts. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Triangles Directed.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Triads.
Variable n : nat.
Implicit Types (g h : rel 'I_n) (u v w a b c x y z p q : 'I_n).

Definition other u v c : bool := (c != u) && (c != v).

(* Steps that start at [first], grow by [growth] each and end at [cap]; and a number in units of the growth, rounded up. *)
Definition step_from (growth cap first t : nat) : nat := minn (first + growth * t) cap.
Definition over (growth x : nat) : nat := (x + (growth - 1)) %/ growth.

(* L(a, b): what an arc from a to b makes, were it there. Its largest value, then as many more for each further arc as
   one arc can add, up to a public cap. *)
Section Rising.
Variables (f : rel 'I_n -> nat) (L : rel 'I_n -> 'I_n -> 'I_n -> nat) (growth cap : nat).
Hypothesis makes : forall g h a b, adds_arc g h a b -> f g <= f h <= f g + L g a b.
Hypothesis grows : forall g h a b u v, adds_arc g h a b -> u != v -> L g u v <= L h u v <= L g u v + growth.
Hypothesis capped : forall g u v, u != v -> L g u v <= cap.

Definition most_of_an_arc g : nat := \max_(e : 'I_n * 'I_n | e.1 != e.2) L g e.1 e.2.
Definition rising_step g t : nat := step_from growth cap (most_of_an_arc g) t.

Lemma of_an_arc g u v : u != v -> L g u v <= most_of_an_arc g.
Proof. by move=> uv; exact: (@over_pairs _ (fun e : 'I_n * 'I_n => L g e.1 e.2) u v uv). Qed.

Lemma most_grows g h a b : adds_arc g h a b ->
  most_of_an_arc g <= most_of_an_arc h /\ most_of_an_arc h <= most_of_an_arc g + growth.
Proof.
move=> H; split; apply/bigmax_leqP => -[u v] /= uv; have /andP [l1 l2] := grows H uv.
  by apply: leq_trans l1 _; exact: of_an_arc.
by apply: leq_trans l2 _; rewrite leq_add2r; exact: of_an_arc.
Qed.

Lemma bound_moves_by_one : 0 < growth -> arc_sensitivity (fun g (_ : unit) => over growth (most_of_an_arc g)) 1.
Proof.
move=> g0; apply: arc_sensitivity_by_adding => g h a b /most_grows [l1 l2].
rewrite /distance (big_pred1 tt) => [|[] //]; apply: dist_within.
  by apply: leq_trans (leq_addr _ _); apply: leq_div2r; rewrite leq_add2r.
have -> : over growth (most_of_an_arc g) + 1 = (most_of_an_arc g + growth + (growth - 1)) %/ growth.
  by rewrite /over [in RHS]addnAC [in RHS]divnDr ?dvdnn // divnn g0.
by apply: leq_div2r; rewrite leq_add2r.
Qed.

Lemma rising_ladder : ladder_function (@arc_neighbours n) f rising_step.
Proof.
have first g a b : a != b -> L g a b <= rising_step g 0.
  by move=> ab; rewrite /rising_step /step_from muln0 addn0 leq_min of_an_arc // capped.
split=> [g h|g h t] [a [b [H|H]]]; have [ab _ _] := H.
- by have := makes H; have := first g a b ab; rewrite /dist; lia.
- have := makes H; have /andP [l1 _] := grows H ab; have := first g a b ab; rewrite /dist; lia.
- by have [l1 l2] := most_grows H; rewrite /rising_step /step_from mulnS; lia.
by have [l1 l2] := most_grows H; rewrite /rising_step /step_from mulnS; lia.
Qed.
End Rising.

(* An arc meets a pair of people at one other person at most. *)
Definition meets p q u v : 'I_n := if (p == u) || (p == v) then q else p.
Lemma met g h p q u v c : adds_arc g h p q -> u != v -> other u v c -> c != meets p q u v ->
  [/\ h u c = g u c, h c u = g c u, h v c = g v c & h c v = g c v].
Proof.
case=> pq _ E uv /andP [cu cv]; rewrite /meets !E ![u == _]eq_sym ![v == _]eq_sym.
case: (altP (p =P u)) => [->|pu] /=; first by rewrite (negbTE uv) (negbTE cu) /= => /negbTE ->; rewrite !orbF.
case: (altP (p =P v)) => [->|pv] /=; first by rewrite (negbTE cv) /= => /negbTE ->; rewrite !orbF.
by move=> /negbTE ->; rewrite !orbF.
Qed.
Lemma more g h p q u v : adds_arc g h p q -> g u v -> h u v.
Proof. by case=> _ _ -> ->. Qed.

(* Sums over the other person of a count of arcs that one arc raises by at most [growth]. *)
Lemma sums_of_others (F : bool -> bool -> bool -> bool -> nat) growth :
  (forall i j k l, [/\ F false j k l <= F true j k l <= F false j k l + growth,
    F i false k l <= F i true k l <= F i false k l + growth,
    F i j false l <= F i j true l <= F i j false l + growth
    & F i j k false <= F i j k true <= F i j k false + growth]) ->
  let L g u v := \sum_(c | other u v c) F (g u c) (g c u) (g v c) (g c v) in
  forall g h p q u v, adds_arc g h p q -> u != v -> L g u v <= L h u v <= L g u v + growth.
Proof.
move=> step L g h p q u v H uv; apply/andP; split.
  have raise (G : bool -> nat) (i i' : bool) : G false <= G true -> (i -> i') -> G i <= G i'.
    by case: i => [_ /(_ isT) ->|le _] //; case: i'.
  apply: leq_sum => c _; set i' := h u c; set j' := h c u; set k' := h v c; set l' := h c v.
  apply: leq_trans (raise (fun i => F i _ _ _) _ i' _ (more H)) _; first by have [/andP []] := step true (g c u) (g v c) (g c v).
  apply: leq_trans (raise (fun j => F i' j _ _) _ j' _ (more H)) _; first by have [_ /andP []] := step i' true (g v c) (g c v).
  apply: leq_trans (raise (fun k => F i' j' k _) _ k' _ (more H)) _; first by have [_ _ /andP []] := step i' j' true (g c v).
  by apply: raise (more H); have [_ _ _ /andP []] := step i' j' k' true.
case oc: (other u v (meets p q u v)); last first.
  rewrite /L (eq_bigr (fun c => F (g u c) (g c u) (g v c) (g c v))) ?leq_addr // => c ouc.
  by have [|-> -> -> ->] := met H uv ouc => //; apply: contraTneq ouc => ->; rewrite oc.
rewrite /L (bigD1 (meets p q u v)) //= [X in _ <= X + _](bigD1 (meets p q u v)) //= addnAC.
rewrite (eq_bigr (fun c => F (g u c) (g c u) (g v c) (g c v))) => [|c /andP [ouc cm]]; last first.
  by have [-> -> -> ->] := met H uv ouc cm.
rewrite leq_add2r; move: (meets p q u v) oc => c /andP [cu cv]; have [pq gpq E] := H.
have uc : u != c by rewrite eq_sym.
have vc : v != c by rewrite eq_sym.
have only i j k l : [|| [&& i, ~~ j, ~~ k & ~~ l], [&& ~~ i, j, ~~ k & ~~ l], [&& ~~ i, ~~ j, k & ~~ l],
    [&& ~~ i, ~~ j, ~~ k & l] | [&& ~~ i, ~~ j, ~~ k & ~~ l]] ->
    F (g u c || i) (g c u || j) (g v c || k) (g c v || l) <= F (g u c) (g c u) (g v c) (g c v) + growth.
  have [/andP [_ s1] /andP [_ s2] /andP [_ s3] /andP [_ s4]] := step (g u c) (g c u) (g v c) (g c v).
  by case: i; case: j; case: k; case: l => //= _; rewrite ?orbF ?orbT ?leq_addr //;
    [case: (g u c) s1 | case: (g c u) s2 | case: (g v c) s3 | case: (g c v) s4]; rewrite ?leq_addr.
rewrite !E; apply: only.
case: (altP (u =P p)) => [up|_] /=.
  by rewrite -up (negbTE cu) [v == u]eq_sym (negbTE uv) /=; case: (c == q).
case: (altP (c =P p)) => [cp|_] /=; last by case: (v == p); case: (c == q).
rewrite -cp [v == c]eq_sym (negbTE cv) /=; case: (altP (u =P q)) => [uq|_] /=; last by case: (v == q).
by rewrite -uq [v == u]eq_sym (negbTE uv).
Qed.

Lemma capped_by_others most u v (G : 'I_n -> nat) : u != v -> (forall c, G c <= most) ->
  \sum_(c | other u v c) G c <= most * (n - 2).
Proof.
move=> uv le; have others : #|[pred c | other u v c]| = n - 2.
  have -> : #|[pred c | other u v c]| = #|predC (pred2 u v)| by apply: eq_card => c; rewrite !inE /other negb_or.
  by have := cardC (pred2 u v); rewrite card2 uv card_ord => E; rewrite -[X in _ = X - 2]E addKn; apply: eq_card => c; rewrite !inE.
apply: leq_trans (_ : \sum_(c | other u v c) most <= _); first by apply: leq_sum.
by rewrite sum_nat_const mulnC leq_mul2l; apply/orP; right; rewrite -others.
Qed.

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
by move=> H uv; have := @sums_of_others (fun i j k l => (i && l) + (i && k) + (j && l)) 2 _ g h a b u v H uv; apply; move=> [] [] [] [].
Qed.

Lemma cyclic_grows g h a b u v : adds_arc g h a b -> u != v ->
  cyclic_of_an_arc g u v <= cyclic_of_an_arc h u v <= cyclic_of_an_arc g u v + 1.
Proof.
by move=> H uv; have := @sums_of_others (fun i j k l => (j && k)) 1 _ g h a b u v H uv; apply; move=> [] [] [] [].
Qed.

Lemma two_paths_grows g h a b u v : adds_arc g h a b -> u != v ->
  two_paths_of_an_arc g u v <= two_paths_of_an_arc h u v <= two_paths_of_an_arc g u v + 1.
Proof.
by move=> H uv; have := @sums_of_others (fun i j k l => j + k) 1 _ g h a b u v H uv; apply; move=> [] [] [] [].
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

(* Mutual ties make a graph without directions. *)
Definition mutual_adj g u w : bool := [&& u != w, g u w & g w u].
Lemma mutual_sym g : symmetric (mutual_adj g).
Proof. by move=> u w; rewrite /mutual_adj eq_sym [g u w && _]andbC. Qed.
Lemma mutual_irr g : irreflexive (mutual_adj g).
Proof. by move=> u; rewrite /mutual_adj eqxx. Qed.
Lemma mutual_in g u w : mutual_adj g u w -> u \in [set: 'I_n].
Proof. by rewrite inE. Qed.
Definition mutual g : graph n := Graph (@mutual_sym g) (@mutual_irr g) (@mutual_in g).

Lemma mutual_grows g h a b : adds_arc g h a b ->
  if g b a then adds (mutual g) (mutual h) a b else mutual_adj h =2 mutual_adj g.
Proof.
case=> ab gab E; have both u w : ~~ (((u == a) && (w == b)) && ((w == a) && (u == b))).
  by apply: contra ab => /andP [/andP [/eqP <- _] /andP [_ /eqP <-]].
case: ifP => gba.
  split=> //; first by rewrite /= /mutual_adj (negbTE gab) andbF.
  move=> u w; rewrite /= /mutual_adj !E [(w == a) && _]andbC.
  have f1 : (u == a) && (w == b) ==> g w u && (u != w) by apply/implyP; case/andP => /eqP -> /eqP ->; rewrite gba.
  have f2 : (u == b) && (w == a) ==> g u w && (u != w) by apply/implyP; case/andP => /eqP -> /eqP ->; rewrite gba eq_sym.
  by move: f1 f2; case: ((u == a) && _); case: ((u == b) && _); case: (u != w); case: (g u w); case: (g w u).
move=> u w; rewrite /mutual_adj !E [(w == a) && _]andbC.
have f1 : (u == a) && (w == b) ==> ~~ g w u by apply/implyP; case/andP => /eqP -> /eqP ->; rewrite gba.
have f2 : (u == b) && (w == a) ==> ~~ g u w by apply/implyP; case/andP => /eqP -> /eqP ->; rewrite gba.
have := both u w; rewrite [(w == a) && _]andbC.
by move: f1 f2; case: ((u == a) && _); case: ((u == b) && _); case: (u != w); case: (g u w); case: (g w u).
Qed.

Definition mutual_of_an_arc g u v : nat := #|common (mutual g) u v|.
Lemma same_common g h u v : mutual_adj h =2 mutual_adj g -> mutual_of_an_arc h u v = mutual_of_an_arc g u v.
Proof. by move=> E; apply: eq_card => w; rewrite !inE /= !E. Qed.

Lemma mutual_of_an_arc_grows g h a b u v : adds_arc g h a b -> u != v ->
  mutual_of_an_arc g u v <= mutual_of_an_arc h u v <= mutual_of_an_arc g u v + 1.
Proof.
move=> /mutual_grows M uv; case: ifP M => _ M; last by rewrite (same_common u v M) leqnn leq_addr.
by rewrite /mutual_of_an_arc (common_rises M uv) andbT; apply: subset_leq_card; exact: common_more M.
Qed.

(* These steps bound what one arc changes in the number of mutual triangles, now and after further arcs. *)
Theorem mutual_triangles_ladder :
  ladder_function (@arc_neighbours n) (fun g => triangles (mutual g)) (rising_step mutual_of_an_arc 1 (n - 2)).
Proof.
apply: rising_ladder => [g h a b /mutual_grows|g h a b u v H uv|g u v uv].
- case: ifP => _ M; first by rewrite (triangles_of_adding M) leq_addr leqnn.
  have -> : triangles (mutual h) = triangles (mutual g).
    apply: eq_card => S; rewrite !inE; congr (_ && _).
    by apply: eq_forallb => u; congr (_ ==> _); apply: eq_forallb => w; rewrite /= M.
  by rewrite leqnn leq_addr.
- exact: mutual_of_an_arc_grows H uv.
have := @common_most _ (mutual g) u v; rewrite !inE /most_friends cardsT card_ord => /(_ isT isT uv); by [].
Qed.

Definition triad_bounds_constant := 1.
(* What the best arc makes, in units of what one more arc adds and rounded up, changes by at most 1 with one arc. *)
Theorem triad_bounds_sensitivity :
  [/\ arc_sensitivity (fun g (_ : unit) => over 2 (most_of_an_arc transitive_of_an_arc g)) triad_bounds_constant,
      arc_sensitivity (fun g (_ : unit) => over 1 (most_of_an_arc cyclic_of_an_arc g)) triad_bounds_constant,
      arc_sensitivity (fun g (_ : unit) => over 1 (most_of_an_arc two_paths_of_an_arc g)) triad_bounds_constant
    & arc_sensitivity (fun g (_ : unit) => over 1 (most_of_an_arc mutual_of_an_arc g)) triad_bounds_constant].
Proof.
split; apply: bound_moves_by_one => // g h a b u v H uv.
- exact: transitive_grows H uv.
- exact: cyclic_grows H uv.
- exact: two_paths_grows H uv.
exact: mutual_of_an_arc_grows H uv.
Qed.
End Triads.
