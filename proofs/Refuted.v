(* Published claims that fail, each with its counterexample. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base Graphs Degrees Privacy.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Clear.
Variables (R : realFieldType) (G : Type) (neighbours : G -> G -> Prop).

(* A report that is possible for one input and impossible for a neighbour has no finite epsilon. *)
Lemma impossible_outcome (T : Type) (M : G -> T -> R) g h t r :
  neighbours g h -> 0 < M g t -> M h t = 0 -> 0 < r -> ~ costs neighbours r M.
Proof.
move=> nb pos zero r0 /(_ g h t nb); rewrite zero leNgt => /negP []; exact: mulr_gt0.
Qed.
End Clear.

(* GS-LDP, algorithm 1: the group d / L of a degree in the clear, and its place d mod L with any noise. Degrees L - 1
   and L differ in one friend and lie in different groups. *)
Section GroupedDegrees.
Variables (R : realFieldType) (L : nat) (Y : Type) (noise : nat -> Y -> R).
Definition one_friend (d e : nat) : Prop := (dist d e <= 1)%N.
Definition grouped_report (d : nat) (t : nat * Y) : R := (t.1 == d %/ L)%N%:R * noise (d %% L)%N t.2.

(* So GS-LDP's grouped degrees have no finite epsilon: degrees L - 1 and L can be told apart for certain. *)
Theorem grouped_degrees_have_no_epsilon (y : Y) r :
  (0 < L)%N -> 0 < noise L.-1 y -> 0 < r -> ~ costs one_friend r grouped_report.
Proof.
move=> L0 pos; apply: (@impossible_outcome _ _ _ _ _ L.-1 L (0%N, y)).
- by rewrite /one_friend /dist; lia.
- rewrite /grouped_report /= divn_small ?modn_small ?prednK // eqxx mul1r; exact: pos.
by rewrite /grouped_report /= divnn L0 mul0r.
Qed.
End GroupedDegrees.

(* GS-LDP, algorithm 2: the list of a person with few friends is filled up with others to theta places, and the places
   are named. A place is never left out where it holds a friend. *)
Section PrunedLists.
Variables (R : realFieldType) (n theta : nat) (places : {set 'I_n} -> {set 'I_n} -> R).
Hypothesis friends_are_listed : forall B S : {set 'I_n}, ~~ (B \subset S) -> places B S = 0.
Hypothesis others_are_chosen : forall B S : {set 'I_n}, B \subset S -> #|S| = theta -> 0 < places B S.
Definition one_entry (B C : {set 'I_n}) : Prop := exists j, C = j |: B \/ B = j |: C.

(* So GS-LDP's pruned lists have no finite epsilon: a named place without a friend tells the lists apart for certain. *)
Theorem pruned_lists_have_no_epsilon r : (theta < n)%N -> 0 < r -> ~ costs one_entry r places.
Proof.
move=> lt; have n0 : (0 < n)%N by lia.
pose j : 'I_n := Ordinal n0; have room : (theta <= #|~: [set j]|)%N by rewrite cardsC1 card_ord; lia.
have [S SE] : exists S : {set 'I_n}, S \subset ~: [set j] /\ #|S| = theta.
  exists [set x in take theta (enum (~: [set j]))]; split.
    by apply/subsetP => x; rewrite inE => /mem_take; rewrite mem_enum.
  by rewrite cardsE (card_uniqP _) ?take_uniq ?enum_uniq // size_take -cardE; case: ltnP => //; lia.
case: SE => Sj S_theta; apply: (@impossible_outcome _ _ _ _ _ set0 [set j] S).
- by exists j; left; rewrite setU0.
- by apply: others_are_chosen; rewrite ?sub0set.
by apply: friends_are_listed; rewrite sub1set; apply: contraTN Sj => jS; apply/subsetPn; exists j; rewrite // !inE eqxx.
Qed.
End PrunedLists.

(* BCPA: noise on those pairs of degrees alone that occur. Which ones occur is seen. *)
Definition path_adj (m : nat) : rel 'I_3 := fun u w => ((u.+1 == w) && (u < m)%N) || ((w.+1 == u) && (w < m)%N).
Lemma path_sym m : symmetric (path_adj m).
Proof. by move=> u w; rewrite /path_adj orbC. Qed.
Lemma path_irr m : irreflexive (path_adj m).
Proof. by move=> u; rewrite /path_adj orbb; case: eqP => //; lia. Qed.
Lemma path_in m u w : path_adj m u w -> u \in [set: 'I_3].
Proof. by rewrite inE. Qed.
(* The path of m edges among three people, m at most 2. *)
Definition path m : graph 3 := Graph (@path_sym m) (@path_irr m) (@path_in m).

Lemma paths_are_neighbours : adds (path 1) (path 2) (inord 1) (inord 2).
Proof.
split=> //; first by rewrite -val_eqE /= !inordK.
  by rewrite /path /= /path_adj !inordK.
by case=> [[|[|[|u]]] hu] [[|[|[|w]]] hw] //; rewrite /path /= /path_adj -!val_eqE /= !inordK.
Qed.

(* How many edges join people of degrees x and y, x below or at y. *)
Definition joint_degrees (g : graph 3) (x y : nat) : nat :=
  #|[pred p : 'I_3 * 'I_3 | [&& adj g p.1 p.2, (p.1 < p.2)%N, minn (deg g p.1) (deg g p.2) == x
    & maxn (deg g p.1) (deg g p.2) == y]]|.

Lemma path_degrees m u : (m <= 2)%N -> deg (path m) u = ((u < m) + (0 < u <= m))%N.
Proof.
move=> m2; rewrite /deg -sum1_card big_mkcond /= !big_ord_recl big_ord0 /= /path_adj.
by case: u => [[|[|[|u]]] hu] //=; case: m m2 => [|[|[|m]]].
Qed.

Lemma count_pairs (P : pred ('I_3 * 'I_3)) : #|P| = (\sum_(u : 'I_3) \sum_(w : 'I_3) P (u, w))%N.
Proof. by rewrite pair_big /= -sum1_card big_mkcond /=; apply: eq_bigr => -[u w] _; rewrite unfold_in; case: (P _). Qed.

Lemma path_joint m x y : (m <= 2)%N -> joint_degrees (path m) x y =
  (\sum_(u : 'I_3) \sum_(w : 'I_3) [&& path_adj m u w, u < w, minn ((u < m) + (0 < u <= m)) ((w < m) + (0 < w <= m)) == x
    & maxn ((u < m) + (0 < u <= m)) ((w < m) + (0 < w <= m)) == y])%N.
Proof.
move=> m2; rewrite /joint_degrees count_pairs; apply: eq_bigr => u _; apply: eq_bigr => w _ /=.
by rewrite !path_degrees.
Qed.

(* One edge moves more than one cell: (1, 1) loses its edge, (1, 2) gains two. So groups of cells are not independent,
   and noise for the change of one group does not cover the change of all. *)
Theorem groups_of_tuples_are_not_independent :
  [/\ edge_neighbours (path 1) (path 2),
      joint_degrees (path 1) 1 1 = 1%N, joint_degrees (path 2) 1 1 = 0%N,
      joint_degrees (path 1) 1 2 = 0%N & joint_degrees (path 2) 1 2 = 2%N].
Proof.
split; first by exists (inord 1), (inord 2); left; exact: paths_are_neighbours.
all: by rewrite path_joint // !big_ord_recl !big_ord0.
Qed.

(* Showing which pairs of degrees occur has no finite epsilon, whatever the noise on their numbers. *)
Theorem tuples_that_occur_have_no_epsilon (R : realFieldType) (Y : Type) (noise : graph 3 -> Y -> R) (y : Y) r :
  0 < noise (path 1) y -> 0 < r ->
  ~ costs (@edge_neighbours 3) r (fun g (t : bool * Y) => (t.1 == (joint_degrees g 1 1 != 0)%N)%:R * noise g t.2).
Proof.
have [nb e1 e2 _ _] := groups_of_tuples_are_not_independent.
move=> pos; apply: (@impossible_outcome _ _ _ _ _ (path 1) (path 2) (true, y)) => //=.
  by rewrite e1 mul1r.
by rewrite e2 mul0r.
Qed.

(* GAP: sums of the neighbours' rows, each of length 1, with noise for one entry of the symmetric matrix. One edge is two
   entries: already for rows (1) the squared distance is 2 and not 1. *)
Definition gap_claim := 1%N.
Definition gap_constant := 2%N.
(* One edge moves GAP's sums by a squared distance of 2, twice what its accounting takes. *)
Theorem gap_counts_one_entry_of_two n (g h : graph n) a b :
  adds g h a b -> (\sum_u dist (deg g u) (deg h u) ^ 2 = gap_constant)%N /\ (gap_claim < gap_constant)%N.
Proof.
move=> H; split=> //; rewrite -[RHS](degrees_of_adding H); apply: eq_bigr => u _.
have /andP [l1 l2] := degree_scores_monotone u H; move: l1 l2; rewrite /degree_score_constant.
by case: (ltngtP (deg g u) (deg h u)) => [lt _ le|//|-> _ _]; [have -> : deg h u = (deg g u).+1 by lia |]; rewrite /dist; lia.
Qed.

(* Degrees with noise for one friend, read as reports about whole lists: the chance of the report y, such as 0, falls by
   the factor a with every friend, here and where reports are cut to a range. *)
Section NearbyJumps.
Variables (R : realFieldType) (n : nat) (a : R) (Y : Type) (jump : nat -> Y -> R) (y : Y).
Hypothesis falls : forall d, jump d.+1 y = a * jump d y.
Definition any_degrees (d e : nat) : Prop := (d < n)%N /\ (e < n)%N.

(* So noise for one friend does not cover a whole list: epsilon fails as soon as a person may have two friends. *)
Theorem nearby_jumps_do_not_cover_a_list : 0 < a < 1 -> 0 < jump 0%N y -> (2 < n)%N -> ~ costs any_degrees a jump.
Proof.
move=> /andP [a0 a1] pos n2 /(_ 0%N 2%N y (conj (ltn_trans _ n2) n2)) => /(_ isT).
rewrite !falls ler_pmul2l // -{1}[jump 0%N y]mul1r ler_pmul2r // => le.
by have := le_lt_trans le a1; rewrite ltxx.
Qed.
End NearbyJumps.
