(* The Young diagram of the degrees: counts of its boxes, however it is cut into tiles, change by 2 in total. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Degrees.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Young.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b i j : 'I_n).

(* How many people have more than j friends. *)
Definition height g j : nat := \sum_(u : 'I_n) (j < deg g u).
(* Rank i has more than j friends: box (i, j) is there. *)
Definition box g (p : 'I_n * 'I_n) : bool := p.1 < height g p.2.

Lemma height_rises g h a b j : adds g h a b -> height g j <= height h j.
Proof.
move=> H; apply: leq_sum => u _; have /andP [le _] := degree_scores_monotone u H.
by case: (ltnP j (deg g u)) => // lt; rewrite (leq_trans lt le).
Qed.

Lemma all_boxes g : \sum_p box g p = \sum_u deg g u.
Proof.
rewrite -(pair_big xpredT xpredT (fun i j => nat_of_bool (i < height g j))) exchange_big /=.
rewrite (eq_bigr (height g)) => [|j _]; last first.
  apply: below; rewrite -[X in _ <= X](card_ord n) -sum1_card; apply: leq_sum => u _; exact: leq_b1.
rewrite /height exchange_big /=; apply: eq_bigr => u _; apply: below; exact: ltnW (deg_below g u).
Qed.

Section Tiles.
Variables (T : finType) (tile : 'I_n * 'I_n -> T).
Definition young_tiles g (t : T) : nat := \sum_(p | tile p == t) box g p.
Definition young_tiles_constant := 2.
(* One edge changes the counts of boxes by 2 in total, however the boxes are cut into tiles. *)
Theorem young_tiles_sensitivity : edge_sensitivity young_tiles young_tiles_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b H; rewrite distance_rise => [|t]; last first.
  apply: leq_sum => p _; rewrite /box; case: (ltnP p.1 (height g p.2)) => // lt.
  by rewrite (leq_trans lt (height_rises _ H)).
have S k : \sum_t young_tiles k t = \sum_u deg k u.
  by rewrite -all_boxes [RHS](partition_big tile xpredT).
rewrite !S -(distance_rise (x := deg g) (y := deg h)) ?(degrees_of_adding H) // => u.
by have /andP [] := degree_scores_monotone u H.
Qed.
End Tiles.

(* The rows of the diagram are the degrees from large to small. *)
Definition falling_degrees g : seq nat := sort geq [seq deg g u | u <- enum 'I_n].

Lemma nth_falling (s : seq nat) (i j : nat) : sorted geq s -> (j < nth 0 s i) = (i < count (fun d => j < d) s).
Proof.
elim: s i => [|x s IH] i /=; first by rewrite nth_nil !ltn0.
move=> p; have /allP top : all (geq x) s by apply: order_path_min p => y x' z /= l1 l2; apply: leq_trans l2 l1.
case: (ltnP j x) => [lt|le].
  by case: i => [|i] /=; rewrite ?lt // add1n ltnS; apply: IH; exact: path_sorted p.
have -> : count (fun d => j < d) s = 0.
  by apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn => y /top /= yx; rewrite -leqNgt (leq_trans yx le).
rewrite ltn0; apply/negbTE; rewrite -leqNgt; case: i => [|i] //=.
case: (ltnP i (size s)) => [lt|ge]; last by rewrite nth_default.
exact: leq_trans (top _ (mem_nth 0 lt)) le.
Qed.

Lemma rows_are_degrees g i : nth 0 (falling_degrees g) i = young_tiles fst g i.
Proof.
have sorted_falling : sorted geq (falling_degrees g) by apply: sort_sorted => x y; exact: leq_total.
have E (j : 'I_n) : (j < nth 0 (falling_degrees g) i) = (i < height g j).
  rewrite nth_falling // (permP (permEl (perm_sort _ _))) count_map /height -sum1_count big_enum_cond /= [in RHS]big_mkcond /=.
  by rewrite [in LHS]big_mkcond.
rewrite -(@below n (nth 0 (falling_degrees g) i)); last first.
  have sz : i < size (falling_degrees g) by rewrite size_sort size_map -cardE card_ord ltn_ord.
  have := mem_nth 0 sz; rewrite mem_sort => /mapP [u _ ->]; exact: ltnW (deg_below g u).
rewrite (eq_bigr (fun j : 'I_n => nat_of_bool (box g (i, j)))) => [|j _]; last by rewrite E.
rewrite /young_tiles (reindex_onto (fun j : 'I_n => (i, j)) snd) /=.
  by apply: eq_bigl => j; rewrite !eqxx.
by case=> x y /= /eqP ->.
Qed.

Definition falling_degrees_constant := 2.
(* One edge changes the degrees, sorted from large to small, by at most 2 in total. *)
Theorem falling_degrees_sensitivity :
  edge_sensitivity (fun g i => nth 0 (falling_degrees g) i) falling_degrees_constant.
Proof.
move=> g h H; rewrite /distance (eq_bigr (fun i : 'I_n => dist (young_tiles fst g i) (young_tiles fst h i))).
  exact: young_tiles_sensitivity H.
by move=> i _; rewrite !rows_are_degrees.
Qed.
End Young.
