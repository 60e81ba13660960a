(* What one edge changes for a pair of people: common friends, and the friends of each besides the other. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* A ladder function of f for a relation of neighbours: (a) and (b) of Zhang and others 2015. *)
Definition ladder_function (G : Type) (neighbours : G -> G -> Prop) (f : G -> nat) (step : G -> nat -> nat) : Prop :=
  (forall g h, neighbours g h -> dist (f g) (f h) <= step g 0) /\
  (forall g h t, neighbours g h -> step h t <= step g t.+1).

Lemma over_pairs (T : finType) (F : T * T -> nat) u v : u != v -> F (u, v) <= \max_(p : T * T | p.1 != p.2) F p.
Proof. by move=> uv; apply: (@leq_bigmax_cond _ _ F (u, v)). Qed.

Section Pairs.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n).

Definition common g u v : {set 'I_n} := [set w | adj g u w && adj g v w].
Definition friends_but g u v : nat := #|[pred w | adj g u w && (w != v)]|.
Definition most_friends g : nat := #|people g| - 2.

Lemma common_more g h a b u v : adds g h a b -> common g u v \subset common h u v.
Proof. by move=> H; apply/subsetP => w; rewrite !inE => /andP [/(adds_more H) -> /(adds_more H) ->]. Qed.

Lemma common_of_ends g h a b : adds g h a b -> common h a b = common g a b.
Proof.
move=> H; apply/setP => w; rewrite !inE (adds_at _ H) (adds_at _ (adds_swap H)).
case: (altP (w =P a)) => [->|_]; first by rewrite adj_irr /=; case: H => /negbTE ->.
by case: (altP (w =P b)) => [->|_]; rewrite ?orbF // adj_irr /= !andbF.
Qed.

Lemma common_besides g h a b u v : adds g h a b -> u != a -> v != a -> #|common h u v| <= #|common g u v| + 1.
Proof.
move=> [_ _ _ E] ua va; apply: leq_trans (_ : #|a |: common g u v| <= _); last first.
  by rewrite cardsU1 addnC leq_add2l leq_b1.
apply: subset_leq_card; apply/subsetP => w; rewrite !inE !E (negbTE ua) (negbTE va) /=.
by case: (altP (w =P a)) => //= wa; rewrite !andbF !orbF.
Qed.

(* One more edge makes at most one more common friend of a pair. *)
Lemma common_rises g h a b u v : adds g h a b -> u != v -> #|common h u v| <= #|common g u v| + 1.
Proof.
move=> H uv; have H' := adds_swap H.
case: (altP (u =P a)) => [ua|ua]; case: (altP (v =P a)) => [va|va]; last exact: common_besides H _ _.
- by rewrite ua va eqxx in uv.
- case: (altP (v =P b)) => [vb|vb]; first by rewrite ua vb (common_of_ends H) leq_addr.
  by apply: common_besides H' _ _; rewrite // ua; case: H.
case: (altP (u =P b)) => [ub|ub]; first by rewrite ub va (common_of_ends H') leq_addr.
by apply: common_besides H' _ _; rewrite // va; case: H.
Qed.

Lemma friends_but_at g h a b v : adds g h a b -> friends_but h a v = friends_but g a v + (b != v).
Proof.
move=> H; have [_ gab _ _] := H; rewrite /friends_but (cardD1 b) inE (adds_new H) addnC /=; congr (_ + _).
apply: eq_card => w; rewrite !inE (adds_at _ H).
by case: (altP (w =P b)) => [->|_]; rewrite ?orbF //= (negbTE gab).
Qed.

Lemma friends_but_rises g h a b u v : adds g h a b ->
  friends_but h u v = friends_but g u v + (((u == a) && (b != v)) + ((u == b) && (a != v))).
Proof.
move=> H; have [ab _ _ _] := H; case: (altP (u =P a)) => [->|ua] /=.
  by rewrite (friends_but_at _ H) (negbTE ab) addn0.
case: (altP (u =P b)) => [->|ub] /=; first by rewrite (friends_but_at _ (adds_swap H)).
by rewrite !addn0; apply: eq_card => w; rewrite !inE (adds_elsewhere _ H).
Qed.

(* One more edge raises the two numbers of a pair by at most 1 in total: their own edge counts for neither. *)
Lemma friends_of_pair g h a b u v : adds g h a b -> u != v ->
  [/\ friends_but g u v <= friends_but h u v, friends_but g v u <= friends_but h v u
    & friends_but h u v + friends_but h v u <= friends_but g u v + friends_but g v u + 1].
Proof.
move=> H uv; have [ab _ _ _] := H; rewrite !(friends_but_rises _ _ H); split; try exact: leq_addr.
case: (altP (u =P a)) => [ua|ua]; case: (altP (u =P b)) => [ub|ub]; case: (altP (v =P a)) => [va|va];
  case: (altP (v =P b)) => [vb|vb] /=; rewrite ?ua ?ub ?va ?vb ?eqxx ?ab /=; try lia;
  by [rewrite ua va eqxx in uv | rewrite ub vb eqxx in uv | rewrite -ua -ub eqxx in ab | rewrite -va -vb eqxx in ab].
Qed.

Lemma friends_of_ends g h a b : adds g h a b -> friends_but h a b = deg g a /\ friends_but g a b = deg g a.
Proof.
move=> H; have [_ gab _ _] := H; split; apply: eq_card => w; rewrite !inE ?(adds_at _ H).
  by case: (altP (w =P b)) => [->|_]; rewrite ?andbF ?andbT ?orbF ?(negbTE gab).
by case: (altP (w =P b)) => [->|_]; rewrite ?andbF ?andbT ?(negbTE gab).
Qed.

Lemma friends_but_most g u v : u \in people g -> v \in people g -> u != v -> friends_but g u v <= most_friends g.
Proof.
move=> ug vg uv; rewrite /most_friends (cardsD1 u) ug (cardsD1 v) !inE vg eq_sym uv /= !add1n subSS subSS subn0.
apply: subset_leq_card; apply/subsetP => w; rewrite !inE => /andP [guw ->] /=.
by rewrite (contraTneq _ guw) => [|->]; [apply: adj_in; rewrite adj_sym; exact: guw | rewrite adj_irr].
Qed.

Lemma two_common g u v : 2 * #|common g u v| <= friends_but g u v + friends_but g v u.
Proof.
rewrite mul2n -addnn; apply: leq_add; apply: subset_leq_card; apply/subsetP => w; rewrite !inE => /andP [gu gv].
  by rewrite gu; apply: contraTneq gv => ->; rewrite adj_irr.
by rewrite gv; apply: contraTneq gu => ->; rewrite adj_irr.
Qed.

(* One edge changes the most common friends of a pair by at most 1. *)
Definition most_common g := \max_(p : 'I_n * 'I_n | p.1 != p.2) #|common g p.1 p.2|.
Definition most_common_constant := 1.
Theorem most_common_sensitivity : edge_sensitivity (number most_common) most_common_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b H; rewrite distance_number; apply: dist_within.
  apply: leq_trans (leq_addr _ _); apply/bigmax_leqP => p uv.
  apply: leq_trans (subset_leq_card (common_more _ _ H)) _; exact: (leq_bigmax_cond (F := fun p => #|common h p.1 p.2|) p).
apply/bigmax_leqP => p uv; apply: leq_trans (common_rises H uv) _; rewrite leq_add2r.
exact: (leq_bigmax_cond (F := fun p => #|common g p.1 p.2|) p).
Qed.

Definition degree_sum g := \max_(p : 'I_n * 'I_n | p.1 != p.2) (friends_but g p.1 p.2 + friends_but g p.2 p.1).
Definition degree_sum_constant := 1.
(* One edge changes the largest sum of the other friends of two people by at most 1. *)
Theorem degree_sum_sensitivity : edge_sensitivity (number degree_sum) degree_sum_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b H; rewrite distance_number.
pose F (k : graph n) (p : 'I_n * 'I_n) := friends_but k p.1 p.2 + friends_but k p.2 p.1.
apply: dist_within.
  apply: leq_trans (leq_addr _ _); apply/bigmax_leqP => p uv; have [l1 l2 _] := friends_of_pair H uv.
  apply: leq_trans (leq_add l1 l2) _; exact: (leq_bigmax_cond (F := F h) p).
apply/bigmax_leqP => p uv; have [_ _ l3] := friends_of_pair H uv; apply: leq_trans l3 _; rewrite leq_add2r.
exact: (leq_bigmax_cond (F := F g) p).
Qed.
End Pairs.
