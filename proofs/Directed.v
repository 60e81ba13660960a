(* Directed graphs under edge privacy: an edge is one arc, one person pointing at another. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Tiles.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Directed.
Variable n : nat.
Implicit Types (g h : rel 'I_n) (u v w a b : 'I_n).

(* h is g and the one arc from a to b. *)
Definition adds_arc g h a b : Prop :=
  [/\ a != b, ~~ g a b & forall u w, h u w = g u w || ((u == a) && (w == b))].
Definition arc_neighbours g h : Prop := exists a b, adds_arc g h a b \/ adds_arc h g a b.
Definition arc_sensitivity (I : finType) (f : rel 'I_n -> I -> nat) (s : nat) : Prop :=
  forall g h, arc_neighbours g h -> distance (f g) (f h) <= s.

Lemma arc_sensitivity_by_adding (I : finType) (f : rel 'I_n -> I -> nat) s :
  (forall g h a b, adds_arc g h a b -> distance (f g) (f h) <= s) -> arc_sensitivity f s.
Proof. by move=> H g h [a [b [/H //|/H]]]; rewrite distance_sym. Qed.

Definition out_degree g u : nat := #|[pred w | g u w]|.
Definition in_degree g u : nat := #|[pred w | g w u]|.

Lemma one_more_place (P Q : pred 'I_n) x : ~~ P x -> (forall w, Q w = P w || (w == x)) -> #|Q| = #|P|.+1.
Proof.
move=> px E; rewrite (cardD1 x) unfold_in E eqxx orbT add1n; congr _.+1; apply: eq_card => w.
rewrite !inE !unfold_in E; case: (altP (w =P x)) => [->|_] /=; by rewrite ?(negbTE px) ?orbF.
Qed.

Lemma out_degree_rises g h a b u : adds_arc g h a b -> out_degree h u = out_degree g u + (u == a).
Proof.
case=> _ gab E; case: (altP (u =P a)) => [->|ua]; last first.
  by rewrite addn0; apply: eq_card => w; rewrite !inE E (negbTE ua) orbF.
by rewrite addn1; apply: (@one_more_place _ _ b) => // w /=; rewrite E eqxx.
Qed.

Lemma in_degree_rises g h a b u : adds_arc g h a b -> in_degree h u = in_degree g u + (u == b).
Proof.
case=> _ gab E; case: (altP (u =P b)) => [->|ub]; last first.
  by rewrite addn0; apply: eq_card => w; rewrite !inE E (negbTE ub) andbF orbF.
by rewrite addn1; apply: (@one_more_place _ _ a) => // w /=; rewrite E eqxx andbT.
Qed.

(* Tiles of either list of degrees, whatever the bands of levels are. *)
Section LevelTiles.
Variables (N : nat) (T : finType) (tile : 'I_N -> T).
Definition out_degree_tiles_constant := 1.
(* One arc changes the tiles of the out-degrees, people above each level summed over bands of levels, by 1 in total. *)
Theorem out_degree_tiles_sensitivity : arc_sensitivity (fun g => tiles tile (out_degree g)) out_degree_tiles_constant.
Proof.
apply: arc_sensitivity_by_adding => g h a b H; apply: leq_trans (tiles_move _ _ _) _.
by rewrite (one_person_moves (fun u => out_degree_rises u H)).
Qed.

Definition in_degree_tiles_constant := 1.
(* One arc changes the tiles of the in-degrees by 1 in total. *)
Theorem in_degree_tiles_sensitivity : arc_sensitivity (fun g => tiles tile (in_degree g)) in_degree_tiles_constant.
Proof.
apply: arc_sensitivity_by_adding => g h a b H; apply: leq_trans (tiles_move _ _ _) _.
by rewrite (one_person_moves (fun u => in_degree_rises u H)).
Qed.
End LevelTiles.

(* Entry true: pairs that point at each other. Entry false: pairs with at least one arc. *)
Definition dyad_counts g (both : bool) : nat :=
  \sum_(p : 'I_n * 'I_n | p.1 < p.2) (if both then g p.1 p.2 && g p.2 p.1 else g p.1 p.2 || g p.2 p.1).
Definition dyads_constant := 1.
(* One arc changes the numbers of mutual and of connected pairs by 1 in total: it joins two people, or answers an arc. *)
Theorem dyads_sensitivity : arc_sensitivity dyad_counts dyads_constant.
Proof.
apply: arc_sensitivity_by_adding => g h a b [ab gab E].
apply: leq_trans (distance_sums _ _ _) _.
apply: leq_trans (_ : \sum_(p : 'I_n * 'I_n | p.1 < p.2) ((p == (a, b)) + (p == (b, a))) <= 1); last first.
  have one x : \sum_(p : 'I_n * 'I_n | p.1 < p.2) (p == x) <= (x.1 < x.2).
    rewrite big_mkcond (bigD1 x) //= big1 => [|p /negbTE ->]; last by case: ifP.
    by rewrite eqxx; case: ifP.
  rewrite big_split; apply: leq_trans (leq_add (one _) (one _)) _ => /=; by case: (ltngtP a b).
apply: leq_sum => -[x y] /= lt; rewrite /distance big_bool /= !E !xpair_eqE.
have first : ~~ ((x == a) && (y == b) && g x y) by apply: contra gab => /andP [/andP [/eqP -> /eqP ->]].
have second : ~~ ((y == a) && (x == b) && g y x) by apply: contra gab => /andP [/andP [/eqP -> /eqP ->]].
have apart : ~~ (((x == a) && (y == b)) && ((y == a) && (x == b))).
  by apply: contraTN lt => /andP [/andP [/eqP -> _] /andP [/eqP -> _]]; rewrite ltnn.
move: first second apart; rewrite [(x == b) && _]andbC /dist.
by case: ((x == a) && _); case: ((y == a) && _); case: (g x y); case: (g y x).
Qed.
End Directed.
