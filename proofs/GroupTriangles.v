(* Triangles between each three groups of people under edge privacy: a ladder for each kind, and the kinds that one edge
   can move. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Triangles RisingSteps Cliques.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section GroupTriangles.
Variables (n : nat) (C : finType) (group : 'I_n -> C).
Implicit Types (g h : graph n) (u v w a b x : 'I_n) (S : {set 'I_n}).

(* The kind of three people: how many of them are in each group. *)
Definition kind_of S : {ffun C -> 'I_4} := [ffun c => inord (\sum_(x in S) (group x == c))].
Implicit Type k : {ffun C -> 'I_4}.
Definition three u v w : {set 'I_n} := w |: [set u; v].
Definition triangles_of_kind k g : nat := #|[set S in triangle_sets g | kind_of S == k]|.
Definition closing k g u v : {set 'I_n} := [set w in common g u v | kind_of (three u v w) == k].
Definition closed_of_kind k g u v : nat := #|closing k g u v|.
(* Everybody who makes a triangle of this kind with the best two people; a public cap is at least that. *)
Definition kind_cap k : nat := \max_(p : 'I_n * 'I_n | p.1 != p.2)
  #|[set w | [&& w != p.1, w != p.2 & kind_of (three p.1 p.2 w) == k]]|.

Lemma old_or_closed g h a b S : adds g h a b -> S \in triangle_sets h ->
  (S \in triangle_sets g) || (S \in [set three a b w | w in common g a b]).
Proof.
move=> H; rewrite !inE => /andP [S3 F]; rewrite S3 /=; case old: (friends_all g S) => //=.
have [ab _ _ _] := H.
have aS : a \in S by apply: contraFT old => aS; exact: friends_all_without H aS F.
have bS : b \in S by apply: contraFT old => bS; exact: friends_all_without (adds_swap H) bS F.
have bSa : b \in S :\ a by rewrite !inE eq_sym ab.
have /eqP/cards1P [w E] : #|S :\ a :\ b| = 1 by move: S3; rewrite (cardsD1 a S) aS (cardsD1 b (S :\ a)) bSa => /eqP [->].
have : w \in S :\ a :\ b by rewrite E inE.
rewrite !inE => /and3P [wb wa wS]; apply/imsetP; exists w.
  by rewrite -(common_of_ends H) inE !(elimT (friends_allP h S) F) // eq_sym.
by rewrite -[LHS](setD1K aS) -[S :\ a](setD1K bSa) E /three; apply/setP => y; rewrite !inE; do !case: eqP.
Qed.

Lemma kind_made k g h a b : adds g h a b ->
  triangles_of_kind k g <= triangles_of_kind k h <= triangles_of_kind k g + closed_of_kind k g a b.
Proof.
move=> H; apply/andP; split.
  apply: subset_leq_card; apply/subsetP => S; rewrite !inE => /andP [/andP [-> F] ->]; rewrite andbT /=; exact: friends_all_more H F.
have cover : [set S in triangle_sets h | kind_of S == k] \subset
    [set S in triangle_sets g | kind_of S == k] :|: [set three a b w | w in closing k g a b].
  apply/subsetP => S; rewrite in_set => /andP [Sh Sk]; rewrite in_setU in_set Sk andbT.
  case/orP: (old_or_closed H Sh) => [->//|/imsetP [w wc E]]; apply/orP; right; apply/imsetP; exists w => //.
  by rewrite in_set wc -E.
apply: leq_trans (subset_leq_card cover) (leq_trans (leq_card_setU _ _) _); rewrite leq_add2l; exact: leq_imset_card.
Qed.

Lemma closed_more k g h a b u v : adds g h a b -> closed_of_kind k g u v <= closed_of_kind k h u v.
Proof.
move=> H; apply: subset_leq_card; apply/subsetP => w; rewrite !in_set => /andP [wc ->]; rewrite andbT.
by have := subsetP (common_more u v H) w; rewrite !inE => /(_ wc).
Qed.

Lemma closed_grows k g h a b u v : adds g h a b -> u != v -> closed_of_kind k h u v <= closed_of_kind k g u v + 1.
Proof.
move=> H uv; have E : common h u v = common g u v :|: (common h u v :\: common g u v).
  by rewrite -[LHS](setID _ (common g u v)) (setIidPr (common_more u v H)).
have one : #|common h u v :\: common g u v| <= 1.
  by rewrite cardsD (setIidPr (common_more u v H)); have := common_rises H uv; lia.
apply: leq_trans (_ : #|closing k g u v :|: (common h u v :\: common g u v)| <= _).
  apply: subset_leq_card; apply/subsetP => w; rewrite /closing [in X in X -> _]in_set {1}E in_setU => /andP [/orP [wg|wh] wk].
    by rewrite in_setU in_set wg wk.
  by rewrite in_setU wh orbT.
by apply: leq_trans (leq_card_setU _ _) _; rewrite leq_add2l.
Qed.

Lemma kind_ladder k cap : kind_cap k <= cap -> ladder_function (@edge_neighbours n) (triangles_of_kind k)
  (rising_ladder_step (closed_of_kind k) (fun _ _ => 1) (fun=> cap)).
Proof.
move=> room; apply: rising_steps_ladder => [g h a b|g h a b u v H _|g h a b u v|g u v _ _ uv|//].
- exact: kind_made.
- exact: closed_more H.
- exact: closed_grows.
apply: leq_trans room; apply: leq_trans (@over_pairs _ (fun p : 'I_n * 'I_n => #|[set w | [&& w != p.1, w != p.2 & kind_of (three p.1 p.2 w) == k]]|) u v uv).
apply: subset_leq_card; apply/subsetP => w; rewrite !inE => /andP [/andP [gu gv] ->]; rewrite andbT.
by apply/andP; split; [apply: contraTneq gu => -> | apply: contraTneq gv => ->]; rewrite adj_irr.
Qed.

(* A kind whose count or whose ladder an edge moves. *)
Definition moved g h k : bool := (triangles_of_kind k g != triangles_of_kind k h)
  || [exists p : 'I_n * 'I_n, (p.1 != p.2) && (closed_of_kind k g p.1 p.2 != closed_of_kind k h p.1 p.2)].
Definition with_third a b (c : C) : {ffun C -> 'I_4} := [ffun e => inord ((group a == e) + (group b == e) + (c == e))].

Lemma kind_of_three a b w : a != b -> w != a -> w != b -> kind_of (three a b w) = with_third a b (group w).
Proof.
move=> ab wa wb; apply/ffunP => e; rewrite !ffunE /three big_setU1 ?big_setU1 ?big_set1 /= ?inE ?negb_or ?wa ?wb //.
by congr inord; rewrite addnC.
Qed.

Lemma moved_has_third g h a b k : adds g h a b -> moved g h k -> k \in [set with_third a b c | c in C].
Proof.
move=> H; have [ab gab _ E] := H.
have third w : w != a -> w != b -> kind_of (three a b w) == k -> k \in [set with_third a b c | c in C].
  by move=> wa wb /eqP <-; rewrite kind_of_three //; apply: imset_f.
case/orP => [counts|/existsP [[u v] /= /andP [uv pairs]]].
  have /card_gt0P [w] : 0 < closed_of_kind k g a b.
    by rewrite lt0n; apply: contra counts => /eqP none; have := kind_made k H; rewrite none addn0 -eqn_leq.
  rewrite !inE => /andP [/andP [aw bw] wk]; apply: third wk.
    by apply: contraTneq aw => ->; rewrite adj_irr.
  by apply: contraTneq bw => ->; rewrite adj_irr.
have [w] : exists w, w \in closing k h u v :\: closing k g u v.
  apply/set0Pn; apply: contra pairs; rewrite setD_eq0 => /subset_leq_card le.
  by rewrite eqn_leq le (closed_more k u v H).
rewrite !inE => /andP [out /andP [/andP [uw vw] wk]]; move: out; rewrite wk andbT negb_and.
have wu : w != u by apply: contraTneq uw => ->; rewrite adj_irr.
have wv : w != v by apply: contraTneq vw => ->; rewrite adj_irr.
have vu : v != u by rewrite eq_sym.
have new c d : adj h c d -> ~~ adj g c d -> (a = c /\ b = d) \/ (a = d /\ b = c).
  by rewrite E => /or3P [->//|/andP [/eqP -> /eqP ->] _|/andP [/eqP -> /eqP ->] _]; [left | right].
have as_third x : x != a -> x != b -> three u v w = three a b x -> k \in [set with_third a b c | c in C].
  by move=> xa xb S; apply: third xa xb _; rewrite -S.
have same c d e x : three u v w = [set c; d; e] -> x = c -> three u v w = three d e x.
  by move=> -> ->; apply/setP => y; rewrite !inE; do !case: eqP.
have [s1 s2] : three u v w = [set v; u; w] /\ three u v w = [set v; w; u].
  by split; apply/setP => y; rewrite !inE; do !case: eqP.
have [s3 s4] : three u v w = [set u; v; w] /\ three u v w = [set u; w; v].
  by split; apply/setP => y; rewrite !inE; do !case: eqP.
have vw' : v != w by rewrite eq_sym.
have uw' : u != w by rewrite eq_sym.
case/orP => [/(new _ _ uw)|/(new _ _ vw)] [[ea eb]|[ea eb]].
- by apply: (as_third v); rewrite ?ea ?eb //; exact: same s1 _.
- by apply: (as_third v); rewrite ?ea ?eb //; exact: same s2 _.
- by apply: (as_third u); rewrite ?ea ?eb //; exact: same s3 _.
by apply: (as_third u); rewrite ?ea ?eb //; exact: same s4 _.
Qed.

Lemma kinds_moved g h a b : adds g h a b -> #|[set k | moved g h k]| <= #|C|.
Proof.
move=> H; apply: leq_trans (_ : #|[set with_third a b c | c in C]| <= _); last exact: leq_imset_card.
by apply: subset_leq_card; apply/subsetP => k; rewrite in_set; exact: moved_has_third.
Qed.

(* These steps, with any public cap of what an edge can make, bound what one edge changes in the triangles of a kind, now
   and after further edges; and an edge moves one kind for each group of a third person at most. *)
Definition kinds_moved_constant (groups : nat) := groups.
Theorem group_triangles_ladders :
  (forall k cap, kind_cap k <= cap -> ladder_function (@edge_neighbours n) (triangles_of_kind k)
    (rising_ladder_step (closed_of_kind k) (fun _ _ => 1) (fun=> cap))) /\
  (forall g h a b, adds g h a b -> #|[set k | moved g h k]| <= kinds_moved_constant #|C|).
Proof. by split; [exact: kind_ladder | exact: kinds_moved]. Qed.

(* The most that one edge closes of any kind changes by at most 1. *)
Definition kind_bound_constant := 1.
Theorem kind_bound_sensitivity :
  edge_sensitivity (number (fun g => \max_k most_of_pair (closed_of_kind k) g)) kind_bound_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b H; rewrite distance_number; apply: dist_within.
  apply: leq_trans (leq_addr _ _); apply/bigmax_leqP => k _.
  apply: leq_trans (leq_bigmax_cond (F := fun k => most_of_pair (closed_of_kind k) h) k isT).
  by rewrite -[X in _ <= X]addn0; apply: most_of_pair_le => u v _; rewrite addn0; exact: closed_more H.
apply/bigmax_leqP => k _; apply: leq_trans (_ : most_of_pair (closed_of_kind k) g + 1 <= _).
  by apply: most_of_pair_le => u v; exact: closed_grows H.
by rewrite leq_add2r; exact: (leq_bigmax_cond (F := fun k => most_of_pair (closed_of_kind k) g) k isT).
Qed.
End GroupTriangles.

(* The steps with a cap of 5, where the best edge makes 0 to 5 triangles of a kind. *)
Definition kind_ladder_constant (t : nat) := [seq rising first (fun=> 1) 5 t | first <- iota 0 6].
