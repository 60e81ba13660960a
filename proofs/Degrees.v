(* Edges, degrees and sums over people of a function of their degree, under edge privacy. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Degrees.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n).

Lemma edges_of_adding g h a b : adds g h a b -> edges h = (edges g).+1.
Proof.
move=> H; wlog lt : a b H / a < b.
  move=> W; have [ab _ _ _] := H; case: (ltngtP a b) => [|/(W _ _ (adds_swap H)) //|/val_inj /eqP]; first exact: W.
  by rewrite (negbTE ab).
have [ab gab _ E] := H; rewrite /edges (cardD1 (a, b)) inE /= (adds_new H) lt add1n; congr _.+1.
apply: eq_card => -[x y]; rewrite !inE /= E xpair_eqE.
case: (altP (x =P a)) => [->|xa] /=.
  by case: (altP (y =P b)) => [->|yb] /=; rewrite ?(negbTE gab) //= ?(negbTE ab) ?orbF.
case: (altP (x =P b)) => [->|xb] /=; rewrite ?orbF //.
case: (altP (y =P a)) => [->|ya] /=; rewrite ?orbF // [b < a]ltnNge ltnW // !andbF //.
Qed.

Definition edges_constant := 1.
(* One edge changes the number of edges by 1. *)
Theorem edges_sensitivity : edge_sensitivity (number (@edges n)) edges_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b /edges_of_adding E.
by rewrite distance_number E /dist /edges_constant; lia.
Qed.

(* The matrix of friendships: each pair is one entry, and one edge is one entry. *)
Definition pairs g (p : 'I_n * 'I_n) : nat := adj g p.1 p.2 && (p.1 < p.2).
Definition pairs_constant := 1.
(* One edge changes one entry of the matrix of friendships. *)
Theorem pairs_sensitivity : edge_sensitivity pairs pairs_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b H.
rewrite distance_rise => [|p]; last first.
  by rewrite /pairs; case E: (adj g p.1 p.2) => //=; rewrite (adds_more H E).
have S k : \sum_p pairs k p = edges k by rewrite /edges -sum1_card [RHS]big_mkcond /=; apply: eq_bigr.
by rewrite !S (edges_of_adding H) subSnn.
Qed.

Lemma degrees_of_adding g h a b : adds g h a b -> distance (deg g) (deg h) = 2.
Proof.
move=> H; have [ab _ _ _] := H; rewrite /distance (bigD1 a) //= (bigD1 b) 1?eq_sym //=.
rewrite !(deg_rises _ H) !eqxx (negbTE ab) eq_sym (negbTE ab) big1 => [|u /andP [ua ub]].
  by rewrite /dist; lia.
by rewrite (deg_rises _ H) (negbTE ua) (negbTE ub) addn0 dist_self.
Qed.

Definition degrees_constant := 2.
(* One edge changes the degrees of all people by 2 in total. *)
Theorem degrees_sensitivity : edge_sensitivity (@deg n) degrees_constant.
Proof. by apply: edge_sensitivity_by_adding => g h a b /degrees_of_adding ->. Qed.

(* Degrees as scores: each moves by at most 1, and one more edge lowers none. *)
Definition degree_score_constant := 1.
Theorem degree_scores_monotone g h a b u :
  adds g h a b -> deg g u <= deg h u <= deg g u + degree_score_constant.
Proof.
move=> H; have [ab _ _ _] := H; rewrite (deg_rises _ H) /degree_score_constant.
case: (altP (u =P a)) => [->|_]; first by rewrite (negbTE ab); lia.
by case: (u == b); lia.
Qed.

Definition max_degree g := \max_(u : 'I_n) deg g u.
Definition max_degree_constant := 1.
(* One edge changes the largest degree by at most 1. *)
Theorem max_degree_sensitivity : edge_sensitivity (number max_degree) max_degree_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b H; rewrite distance_number; apply: dist_within.
  apply: leq_trans (leq_addr _ _); apply/bigmax_leqP => u _; have /andP [le _] := degree_scores_monotone u H.
  by apply: leq_trans le (leq_bigmax _).
apply/bigmax_leqP => u _; have /andP [_ le] := degree_scores_monotone u H.
by apply: leq_trans le _; rewrite leq_add2r; exact: leq_bigmax.
Qed.

(* Nobody has more friends than there are other people. *)
Definition most_degree g : nat := #|people g| - 1.
Lemma deg_most g u : deg g u <= most_degree g.
Proof.
case ug: (u \in people g); last by rewrite deg_absent // ug.
rewrite /most_degree (cardsD1 u) ug add1n subn1 /=; apply: subset_leq_card; apply/subsetP => w; rewrite !inE => guw.
rewrite (@adj_in _ g w u) ?andbT; last by rewrite adj_sym.
by apply: contraTneq guw => ->; rewrite adj_irr.
Qed.

(* Sums over people of a function F of the degree, with a list of values: a step of one degree moves them by at most s. *)
Section Sums.
Variables (I : finType) (F : nat -> I -> nat).
Definition sum_over_people g (i : I) : nat := \sum_(u in people g) F (deg g u) i.

Theorem sums_over_people s :
  (forall d, d.+1 < n -> distance (F d) (F d.+1) <= s) -> edge_sensitivity sum_over_people (2 * s).
Proof.
move=> step; apply: edge_sensitivity_by_adding => g h a b H; have [ab _ pp _] := H.
rewrite /sum_over_people pp; apply: leq_trans (distance_sums _ _ _) _.
have ag : a \in people g by rewrite -pp; exact: adj_in (adds_new H).
have bg : b \in people g by rewrite -pp; exact: adj_in (adds_new (adds_swap H)).
rewrite (bigD1 a) //= (bigD1 b) /= 1?bg 1?eq_sym //= big1 ?addn0 => [|u /andP [/andP [_ ua] ub]].
  rewrite (deg_at H) (deg_at (adds_swap H)) mul2n -addnn; apply: leq_add; apply: step.
    by rewrite -(deg_at H) deg_below.
  by rewrite -(deg_at (adds_swap H)) deg_below.
by rewrite (deg_elsewhere H ua ub) distance_self.
Qed.
End Sums.

(* How many people have each degree. *)
Definition histogram := sum_over_people (fun d (i : 'I_n) => nat_of_bool (d == i)).
Definition histogram_constant := 4.
(* One edge changes the numbers of people with each degree by at most 4 in total. *)
Theorem histogram_sensitivity : edge_sensitivity histogram histogram_constant.
Proof.
apply: (@sums_over_people _ _ 2) => d dn; rewrite /distance.
rewrite (bigD1 (Ordinal dn)) //= (bigD1 (Ordinal (ltnW dn))) /=; last by rewrite -val_eqE /= ltn_eqF.
rewrite big1 => [|i]; first by rewrite !eqxx ltn_eqF // gtn_eqF.
rewrite -!val_eqE /= => /andP [i1 i2]; by rewrite (eq_sym d) (negbTE i2) eq_sym (negbTE i1).
Qed.

(* How many people have more than j friends, summed over classes of levels j, whatever the classes are. *)
Section LevelTiles.
Variables (T : finType) (tile : 'I_n -> T).
Definition level_tiles := sum_over_people (fun d (t : T) => \sum_(j : 'I_n | tile j == t) (j < d)).
Definition level_tiles_constant := 2.
(* One edge changes the numbers of people with more than j friends, summed over classes of j, by at most 2 in total. *)
Theorem level_tiles_sensitivity : edge_sensitivity level_tiles level_tiles_constant.
Proof.
apply: (@sums_over_people _ _ 1) => d dn; apply: leq_trans (_ : \sum_(j : 'I_n) dist (j < d) (j < d.+1) <= 1).
  rewrite [X in _ <= X](partition_big tile xpredT) //=; apply: leq_sum => t _; exact: dist_sum.
rewrite (bigD1 (Ordinal (ltnW dn))) //= big1 => [|j]; first by rewrite ltnn ltnSn.
by rewrite -val_eqE /= => jd; rewrite ltnS [j <= d]leq_eqVlt (negbTE jd) dist_self.
Qed.
End LevelTiles.

(* Soft classes of degrees around 2, 4, 8, ...: 2^k times the weight of degree d in class k, for k = 1, ..., K. *)
Definition soft_class (k d : nat) : nat := minn (2 * (d - 2 ^ k.-1)) (2 ^ k.+1 - d).
Definition soft_classes K := sum_over_people (fun d (i : 'I_K) => soft_class i.+1 d).
Definition soft_classes_constant := 6.

Lemma one_power (K d s : nat) : \sum_(i < K) (2 ^ (i + s) <= d < 2 ^ (i + s).+1) <= 1.
Proof.
case: (pickP [pred i : 'I_K | 2 ^ (i + s) <= d < 2 ^ (i + s).+1]) => [i /= Hi|none]; last first.
  by rewrite big1 // => i _; move: (none i) => /= ->.
rewrite (bigD1 i) //= Hi big1 // => j; rewrite -val_eqE /= => ji; apply/eqP; rewrite eqb0; apply/negP => Hj.
case/andP: Hi => l1 l2; case/andP: Hj => l3 l4.
have := leq_ltn_trans l1 l4; rewrite ltn_exp2l // ltnS => H1.
by have := leq_ltn_trans l3 l2; rewrite ltn_exp2l // ltnS; lia.
Qed.

(* One edge changes the soft classes by at most 6 in total. *)
Theorem soft_classes_sensitivity K : edge_sensitivity (@soft_classes K) soft_classes_constant.
Proof.
apply: (@sums_over_people _ _ 3) => d _.
apply: leq_trans (leq_add (leq_mul (leqnn 2) (one_power K d 0)) (one_power K d 1)).
rewrite big_distrr -big_split /=; apply: leq_sum => i _; rewrite addn0 addn1 /soft_class /=.
have -> : 2 ^ i.+2 = 4 * 2 ^ i by rewrite !expnS mulnA.
have -> : 2 ^ i.+1 = 2 * 2 ^ i by rewrite expnS.
move: (2 ^ i) => x; rewrite /dist; lia.
Qed.
End Degrees.
