(* Triangles of mutual ties under edge privacy, and what the best arc makes of each directed pattern. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Triangles Directed ArcLadders Triads.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section MutualTriads.
Variable n : nat.
Implicit Types (g h : rel 'I_n) (u v w a b : 'I_n).

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
  [/\ arc_sensitivity (fun g (_ : unit) => over 2 (most_of_an_arc (@transitive_of_an_arc n) g)) triad_bounds_constant,
      arc_sensitivity (fun g (_ : unit) => over 1 (most_of_an_arc (@cyclic_of_an_arc n) g)) triad_bounds_constant,
      arc_sensitivity (fun g (_ : unit) => over 1 (most_of_an_arc (@two_paths_of_an_arc n) g)) triad_bounds_constant
    & arc_sensitivity (fun g (_ : unit) => over 1 (most_of_an_arc mutual_of_an_arc g)) triad_bounds_constant].
Proof.
split; apply: bound_moves_by_one => // g h a b u v H uv.
- exact: transitive_grows H uv.
- exact: cyclic_grows H uv.
- exact: two_paths_grows H uv.
exact: mutual_of_an_arc_grows H uv.
Qed.
End MutualTriads.
