(* Weighted graphs under edge privacy: an edge is all that is between two people, with whatever weight. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Tiles.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Weighted.
(* Every pair of people stands once, with its weight; weight 0 is no edge. [ends p u]: u is one of the two. *)
Variables (n : nat) (pair : finType) (ends : pair -> 'I_n * 'I_n).
Implicit Types (g h : pair -> nat) (p : pair).

(* h is g and one edge. *)
Definition adds_weight g h p : Prop := g p = 0 /\ forall q, q != p -> h q = g q.
Definition weight_neighbours g h : Prop := exists p, adds_weight g h p \/ adds_weight h g p.
Definition weight_sensitivity (I : finType) (f : (pair -> nat) -> I -> nat) (s : nat) : Prop :=
  forall g h, weight_neighbours g h -> distance (f g) (f h) <= s.

(* Sums over pairs of a function of the weight that is 0 without an edge. *)
Lemma sums_over_pairs (I : finType) (F : pair -> nat -> I -> nat) s :
  (forall p i, F p 0 i = 0) -> (forall p x, \sum_i F p x i <= s) ->
  weight_sensitivity (fun g i => \sum_p F p (g p) i) s.
Proof.
move=> F0 Fs; have main g h p : adds_weight g h p ->
    distance (fun i => \sum_q F q (g q) i) (fun i => \sum_q F q (h q) i) <= s.
  case=> gp same; apply: leq_trans (distance_sums _ _ _) _; rewrite (bigD1 p) //= [X in _ + X]big1 => [|q /same ->].
    rewrite addn0 gp; apply: leq_trans (Fs p (h p)); apply: leq_sum => i _; rewrite F0 /dist; lia.
  exact: distance_self.
by move=> g h [p [/main //|/main]]; rewrite distance_sym.
Qed.

Definition weighted_total_constant (W : nat) := W.
(* With every weight cut at W, one edge changes the total weight by at most W. *)
Theorem weighted_total_sensitivity W :
  weight_sensitivity (fun g (_ : unit) => \sum_p minn (g p) W) (weighted_total_constant W).
Proof.
apply: (@sums_over_pairs _ (fun _ x _ => minn x W)) => [p i|p x]; first exact: min0n.
by rewrite (big_pred1 tt) => [|[] //]; exact: geq_minr.
Qed.

Definition weight_classes_constant := 1.
(* One edge changes the numbers of edges by class of weight by 1 in total. *)
Theorem weight_classes_sensitivity (C : finType) (class : nat -> C) :
  weight_sensitivity (fun g c => \sum_p (0 < g p) && (class (g p) == c)) weight_classes_constant.
Proof.
apply: (@sums_over_pairs _ (fun _ x c => (0 < x) && (class x == c))) => // p x.
rewrite (bigD1 (class x)) //= big1 => [|c]; first by rewrite eqxx; case: (0 < x).
by rewrite eq_sym => /negbTE ->; rewrite andbF.
Qed.

(* The strength of a person: the weight of all their edges, each cut at W. *)
Definition strength W g (u : 'I_n) : nat := \sum_p minn (g p) W * (((ends p).1 == u) + ((ends p).2 == u)).
Definition strength_tiles_constant (W : nat) := 2 * W.
(* One edge changes the tiles of the strengths, people above each level summed over bands of levels, by at most 2 W. *)
Theorem strength_tiles_sensitivity W N (T : finType) (tile : 'I_N -> T) :
  weight_sensitivity (fun g => tiles tile (strength W g)) (strength_tiles_constant W).
Proof.
have one (x : 'I_n) : \sum_u (x == u) = 1.
  by rewrite (bigD1 x) //= eqxx big1 // => u; rewrite eq_sym => /negbTE ->.
have S : weight_sensitivity (strength W) (2 * W).
  apply: (@sums_over_pairs _ (fun p x u => minn x W * (((ends p).1 == u) + ((ends p).2 == u)))) => [p u|p x].
    by rewrite min0n.
  by rewrite -big_distrr /= big_split /= !one mulnC leq_mul2l geq_minr orbT.
by move=> g h /S; apply: leq_trans; exact: tiles_move.
Qed.
End Weighted.
