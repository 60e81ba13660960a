(* Friends of a person who are friends: what one edge changes, person by person, and in sums by class of degree. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Degrees Pairs EdgeSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section AtPerson.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n) (p : 'I_n * 'I_n).

(* v is a friend of both ends of a pair; the triangles at v are the edges between two of its friends. *)
Definition friend_of_both g v p : bool := adj g v p.1 && adj g v p.2.
Definition triangles_at g v : nat := \sum_p pairs g p * friend_of_both g v p.

Lemma edges_among_friends g h v : \sum_p pairs h p * friend_of_both g v p <= 'C(deg g v, 2).
Proof.
rewrite /deg -pairs_within; apply: leq_sum => p _; rewrite /friend_of_both !inE leq_mul2r /pairs.
by apply/orP; right; case: (adj h p.1 p.2); case: (p.1 < p.2).
Qed.

Lemma triangles_at_most g v : triangles_at g v <= 'C(deg g v, 2).
Proof. exact: edges_among_friends. Qed.

(* With a new edge a is a friend of both ends of more pairs: b and one of a's friends. *)
Definition with_new_friend g a b p : bool := (p.1 == b) && adj g a p.2 || (p.2 == b) && adj g a p.1.
Lemma friend_of_both_rises g h a b p : adds g h a b -> p.1 != p.2 ->
  friend_of_both h a p = friend_of_both g a p + with_new_friend g a b p :> nat.
Proof.
move=> H; have [_ gab _ _] := H; case: p => x y /= xy; rewrite /friend_of_both /with_new_friend /= !(adds_at _ H).
case: (altP (x =P b)) xy => [->|_] xy; first by rewrite (negbTE gab) [y == b]eq_sym (negbTE xy) /= !orbF.
by case: (altP (y =P b)) => [->|_]; rewrite ?(negbTE gab) ?andbF ?andbT ?orbF ?addn0.
Qed.

Lemma friend_of_both_elsewhere g h a b v p : adds g h a b -> v != a -> v != b -> friend_of_both h v p = friend_of_both g v p.
Proof. by move=> H va vb; rewrite /friend_of_both !(adds_elsewhere _ H). Qed.

(* Edges from b to friends of a: one for each common friend of the two. *)
Lemma edges_to_new_friend g a b : ~~ adj g a b -> \sum_p pairs g p * with_new_friend g a b p = #|common g a b|.
Proof.
move=> gab; rewrite (eq_bigr (fun p => pairs g p * ((p.1 == b) && adj g a p.2 + ((p.2 == b) && adj g a p.1)))) => [|p _].
  rewrite (both_ways g (fun u w => (u == b) && adj g a w)) (bigD1 b) //= [X in _ + X]big1 ?addn0 => [|u /negbTE ->]; last first.
    by rewrite big1 // => w _; rewrite muln0.
  rewrite -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => w _; rewrite inE eqxx /= andbC.
  by case: (adj g b w); case: (adj g a w).
case on: (adj g p.1 p.2); last by rewrite /pairs on.
congr (_ * _); rewrite /with_new_friend; case: (altP (p.1 =P b)) on => [->|_] //=; case: (altP (p.2 =P b)) => [->|_] /=; rewrite ?orbF ?addn0 //.
by rewrite adj_irr.
Qed.

Lemma common_below g u v : #|common g u v| <= deg g u.
Proof. by apply: subset_leq_card; apply/subsetP => w; rewrite !inE => /andP []. Qed.

Lemma on_differs g p : pairs g p != 0 -> p.1 != p.2.
Proof. by rewrite /pairs; apply: contraNneq => ->; rewrite adj_irr. Qed.

(* The ends of a new edge are in as many new triangles as they have common friends, each of these in one. *)
Lemma triangles_at_end g h a b : adds g h a b -> triangles_at h a = triangles_at g a + #|common g a b|.
Proof.
move=> H; have [_ gab _ _] := H; rewrite -(edges_to_new_friend gab) /triangles_at -big_split /=.
have same : \sum_p pairs h p * friend_of_both h a p = \sum_p pairs g p * friend_of_both h a p.
  by rewrite (edge_sum_of_adding H) /friend_of_both /= adj_irr ?andbF ?addn0.
rewrite same; apply: eq_bigr => p _; rewrite -mulnDr.
case: (posnP (pairs g p)) => [->//|on]; congr (_ * _); apply: friend_of_both_rises H _.
by apply: (@on_differs g); rewrite -lt0n.
Qed.

Lemma triangles_at_other g h a b v : adds g h a b -> v != a -> v != b ->
  triangles_at h v = triangles_at g v + (v \in common g a b).
Proof.
move=> H va vb; have same p : friend_of_both h v p = friend_of_both g v p by exact: friend_of_both_elsewhere H va vb.
rewrite /triangles_at; under eq_bigr do rewrite same.
rewrite (edge_sum_of_adding H); last by rewrite /friend_of_both /= andbC.
by rewrite inE /friend_of_both /= ![adj g v _]adj_sym.
Qed.
End AtPerson.

(* What one end with d friends raises and lowers in a class as its degree rises by one, and the larger of the two. *)
Definition weight_rise (weight : nat -> nat) (d : nat) : nat := weight d.+1 - weight d.
Definition weight_fall (weight : nat -> nat) (d : nat) : nat := weight d - weight d.+1.
Definition raises (weight : nat -> nat) (d : nat) : nat := d * weight d.+1 + 'C(d, 2) * weight_rise weight d.
Definition lowers (weight : nat -> nat) (d : nat) : nat := 'C(d, 2) * weight_fall weight d.
Definition end_change (weight : nat -> nat) (d : nat) : nat := maxn (raises weight d) (lowers weight d).

(* Sums by class of degree: an edge collects the weights of its common friends in a class, up to a cap. *)
Section Classes.
Variables (n : nat) (K : finType) (weight : K -> nat -> nat) (cap noise : K -> nat).
Implicit Types (g h : graph n) (u v w a b : 'I_n) (p : 'I_n * 'I_n) (k : K).

Definition collected g k p : nat := \sum_v friend_of_both g v p * weight k (deg g v).
Definition class_sum g k : nat := \sum_p pairs g p * minn (cap k) (collected g k p).

(* In units of the noise of each class: what the new edge collects, and twice the most of an end. *)
Definition class_bound : nat := \sum_k noise k * cap k + 2 * \max_(d < n.-1) \sum_k noise k * end_change (weight k) d.

(* A friend of both weighs y and not x; a new one weighs y. *)
Lemma weighs_anew (old new : bool) x y : (old + new) * y <= old * x + (old * (y - x) + new * y).
Proof. by case: old; case: new; rewrite ?mul1n ?mul0n; lia. Qed.
Lemma weighed_before (old new : bool) x y : old * x <= (old + new) * y + old * (x - y).
Proof. by case: old; case: new; rewrite ?mul1n ?mul0n; lia. Qed.

(* For an edge that stays, each end of the new edge weighs anew, if it is a friend of both. *)
Lemma collected_rises g h a b k p : adds g h a b -> p.1 != p.2 ->
  collected h k p <= collected g k p
    + (friend_of_both g a p * weight_rise (weight k) (deg g a) + with_new_friend g a b p * weight k (deg g a).+1)
    + (friend_of_both g b p * weight_rise (weight k) (deg g b) + with_new_friend g b a p * weight k (deg g b).+1)
  /\ collected g k p <= collected h k p
    + friend_of_both g a p * weight_fall (weight k) (deg g a) + friend_of_both g b p * weight_fall (weight k) (deg g b).
Proof.
move=> H xy; have H' := adds_swap H; have [ab _ _ _] := H; have ba : b != a by rewrite eq_sym.
have [up_a up_b] := (friend_of_both_rises H xy, friend_of_both_rises H' xy).
have [da db] := (deg_at H, deg_at H').
rewrite /collected; split.
  rewrite -[X in _ + X + _](one_term a) -[X in _ <= _ + X](one_term b) -!big_split /=; apply: leq_sum => v _.
  case: (altP (v =P a)) => [->|va].
    rewrite up_a da (negbTE ab) mul1n mul0n addn0; exact: weighs_anew.
  case: (altP (v =P b)) => [->|vb].
    rewrite up_b db mul1n mul0n addn0; exact: weighs_anew.
  by rewrite (friend_of_both_elsewhere _ H va vb) (deg_elsewhere H va vb) !mul0n !addn0.
rewrite -[X in _ + X + _](one_term a) -[X in _ <= _ + X](one_term b) -!big_split /=; apply: leq_sum => v _.
case: (altP (v =P a)) => [->|va].
  rewrite up_a da (negbTE ab) mul1n mul0n addn0; exact: weighed_before.
case: (altP (v =P b)) => [->|vb].
  rewrite up_b db mul1n mul0n addn0; exact: weighed_before.
by rewrite (friend_of_both_elsewhere _ H va vb) (deg_elsewhere H va vb) !mul0n !addn0.
Qed.

(* Over all edges: an end is a friend of both in as many as it has pairs of friends, and newly so in as many as it has friends. *)
Lemma sum_of_end g c d x y : ~~ adj g c d ->
  \sum_p pairs g p * (friend_of_both g c p * x + with_new_friend g c d p * y) <= 'C(deg g c, 2) * x + deg g c * y.
Proof.
move=> gcd; under eq_bigr do rewrite mulnDr !mulnA.
rewrite big_split -!big_distrl /= edges_to_new_friend //; apply: leq_add; rewrite leq_mul2r ?edges_among_friends ?orbT //.
by rewrite common_below orbT.
Qed.

Lemma class_sum_moves g h a b k : adds g h a b ->
  class_sum h k <= class_sum g k + (cap k + raises (weight k) (deg g a) + raises (weight k) (deg g b)) /\
  class_sum g k <= class_sum h k + (lowers (weight k) (deg g a) + lowers (weight k) (deg g b)).
Proof.
move=> H; have [ab gab _ _] := H; have gba : ~~ adj g b a by rewrite adj_sym.
have sym p q : p = (q.2, q.1) -> collected h k p = collected h k q.
  by move=> ->; apply: eq_bigr => v _; rewrite /friend_of_both /= andbC.
have new : class_sum h k = \sum_p pairs g p * minn (cap k) (collected h k p) + minn (cap k) (collected h k (a, b)).
  by rewrite /class_sum (edge_sum_of_adding H) // (sym (a, b) (b, a)).
pose up c d p := friend_of_both g c p * weight_rise (weight k) (deg g c) + with_new_friend g c d p * weight k (deg g c).+1.
split.
  rewrite new; apply: leq_trans (_ : class_sum g k + \sum_p pairs g p * up a b p + \sum_p pairs g p * up b a p + cap k <= _).
    apply: leq_add; last exact: geq_minl.
    rewrite /class_sum -!big_split /=; apply: leq_sum => p _; rewrite -!mulnDr.
    case: (posnP (pairs g p)) => [->//|on]; rewrite leq_mul2l; apply/orP; right.
    have [le _] := collected_rises k H (on_differs (lt0n_neq0 on)); rewrite -/(up a b p) -/(up b a p) in le; lia.
  have := @sum_of_end g _ _ (weight_rise (weight k) (deg g a)) (weight k (deg g a).+1) gab.
  have := @sum_of_end g _ _ (weight_rise (weight k) (deg g b)) (weight k (deg g b).+1) gba.
  rewrite -/(up a b _) /raises; move: (\sum_p _) (\sum_p _); lia.
rewrite new; apply: leq_trans (_ : \sum_p pairs g p * minn (cap k) (collected h k p) +
  \sum_p pairs g p * (friend_of_both g a p * weight_fall (weight k) (deg g a)) + \sum_p pairs g p * (friend_of_both g b p * weight_fall (weight k) (deg g b)) <= _).
  rewrite /class_sum -!big_split /=; apply: leq_sum => p _; rewrite -!mulnDr.
  case: (posnP (pairs g p)) => [->//|on]; rewrite leq_mul2l; apply/orP; right.
  have [_ le] := collected_rises k H (on_differs (lt0n_neq0 on)); lia.
have total c : \sum_p pairs g p * (friend_of_both g c p * weight_fall (weight k) (deg g c)) <= lowers (weight k) (deg g c).
  by under eq_bigr do rewrite mulnA; rewrite -big_distrl /= leq_mul2r edges_among_friends orbT.
have := total a; have := total b; lia.
Qed.

(* Whatever the weights, the caps and the noise are. *)
Lemma class_sums_move g h : edge_neighbours g h ->
  \sum_k noise k * dist (class_sum g k) (class_sum h k) <= class_bound.
Proof.
have main g' h' a b : adds g' h' a b -> \sum_k noise k * dist (class_sum g' k) (class_sum h' k) <= class_bound.
  move=> H; have [ab gab _ _] := H.
  pose ends d := \sum_k noise k * end_change (weight k) d.
  apply: leq_trans (_ : \sum_k noise k * cap k + (ends (deg g' a) + ends (deg g' b)) <= _).
    rewrite /ends -!big_split /=; apply: leq_sum => k _; rewrite -!mulnDr leq_mul2l; apply/orP; right.
    have [l1 l2] := class_sum_moves k H; rewrite /dist /end_change; lia.
  have most c : deg h' c = (deg g' c).+1 -> ends (deg g' c) <= \max_(d < n.-1) ends d.
    move=> dc; have lt : deg g' c < n.-1 by have := deg_below h' c; rewrite dc; lia.
    exact: (leq_bigmax (Ordinal lt)).
  rewrite /class_bound leq_add2l mul2n -addnn; apply: leq_add; apply: most; [exact: deg_at H | exact: deg_at (adds_swap H)].
case=> a [b [H|H]]; first exact: main H.
by under eq_bigr do rewrite dist_sym; exact: main H.
Qed.
End Classes.

(* The classes of the code, around 2, 4, 8, ... friends: in parts of Q, what a friend of degree d adds to class k, and the
   cap of an edge. *)
Definition degree_weight (Q k d : nat) : nat := if d <= 1 then 0 else 2 * Q * soft_class k d %/ (d * d.-1 * 2 ^ k).
Definition degree_cap (Q k : nat) : nat := 3 * Q %/ 2 ^ k.
Definition degree_class_sums n (Q m : nat) : graph n -> 'I_m -> nat :=
  class_sum (fun i : 'I_m => degree_weight Q i.+1) (fun i : 'I_m => degree_cap Q i.+1).
(* With Q = 64: what an end with 1 to 6 friends changes in class k; and the cap. *)
Definition class_end_constant (k : nat) := [seq end_change (degree_weight 64 k) d | d <- iota 1 6].
Definition class_cap_constant (k : nat) := degree_cap 64 k.
Definition class_ends_constant := 2.

(* One edge changes the sums of the classes 1 to m, each times its noise, by what a new edge collects at most and twice
   what an end changes at most. *)
Theorem degree_class_sums_sensitivity n Q m (noise : 'I_m -> nat) (g h : graph n) : edge_neighbours g h ->
  \sum_i noise i * dist (degree_class_sums Q g i) (degree_class_sums Q h i)
  <= \sum_i noise i * degree_cap Q i.+1
     + class_ends_constant * \max_(d < n.-1) \sum_i noise i * end_change (degree_weight Q i.+1) d.
Proof. exact: class_sums_move. Qed.
