(* Groups of people: edges between groups under edge privacy, and what one person adds under node privacy. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Degrees.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Groups.
Variables (n : nat) (C : finType).

(* Edges by cell: every pair of people belongs to one cell, for public reasons such as the groups of the two. *)
Definition mixing (cell : 'I_n * 'I_n -> C) (g : graph n) (c : C) : nat := \sum_(p | cell p == c) pairs g p.
Definition mixing_constant := 1.
(* One edge is counted in one cell: the table of groups changes by 1 in total. *)
Theorem mixing_sensitivity cell : edge_sensitivity (mixing cell) mixing_constant.
Proof.
move=> g h nb; apply: leq_trans (pairs_sensitivity nb).
rewrite /distance [X in _ <= X](partition_big cell xpredT) //=; apply: leq_sum => c _; exact: dist_sum.
Qed.

(* People by value: everybody has one, which is hidden with the person. *)
Definition with_value (value : 'I_n -> C) (g : graph n) (c : C) : nat := \sum_(u in people g) (value u == c).
Definition attribute_histogram_constant := 1.

Lemma sums_of_joining (I : finType) (F : 'I_n -> I -> nat) s : (forall u, \sum_i F u i <= s) ->
  node_sensitivity (fun g i => \sum_(u in people g) F u i) s.
Proof.
move=> own; apply: node_sensitivity_by_joining => g h v [vg pp _]; apply: leq_trans (own v); rewrite /distance.
by apply: leq_sum => i _; rewrite pp big_setU1 //= /dist; lia.
Qed.

(* One person changes the numbers of people with each value by 1 in total. *)
Theorem attribute_histogram_sensitivity value : node_sensitivity (with_value value) attribute_histogram_constant.
Proof.
apply: sums_of_joining => u; rewrite (bigD1 (value u)) //= big1 => [|c]; first by rewrite eqxx.
by rewrite eq_sym => /negbTE ->.
Qed.

(* Steps of a number from the lower and from the upper end of a public range of [grid] steps. *)
Definition sums_from_both_ends grid (steps : 'I_n -> option nat) (g : graph n) (upper : bool) : nat :=
  \sum_(u in people g) (if steps u is Some x then if upper then grid - x else minn x grid else 0).
Definition attribute_mean_constant (grid : nat) := grid.
(* One person changes the two sums by the length of the grid in total, wherever their number lies. *)
Theorem attribute_mean_sensitivity grid steps :
  node_sensitivity (sums_from_both_ends grid steps) (attribute_mean_constant grid).
Proof. by apply: sums_of_joining => u; rewrite big_bool /= /attribute_mean_constant; case: (steps u) => [x|]; lia. Qed.
End Groups.
