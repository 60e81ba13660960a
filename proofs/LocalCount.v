(* The count of a local triangle protocol: noisy edges within the own list, and what one entry changes. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Projection.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* The published noisy graph among the people of a list is a graph that the next person joins. Edges are accepted in a
   public order while both ends have fewer than [cap] accepted ones: one person more raises the number of accepted edges
   by at most the cap, and lowers it never. *)
Theorem accepted_edges_rise n (order : seq ('I_n * 'I_n)) cap (g h : graph n) v : joins g h v ->
  kept_edges order cap g <= kept_edges order cap h <= kept_edges order cap g + cap.
Proof.
move=> H; have [v0 _ hD le] := truncation_stability cap order H; rewrite /kept_edges.
rewrite (bigD1 v) // v0 [X in _ <= X./2 <= _](bigD1 v) //=.
have := dist_sum (fun u => u != v) (scan cap order g) (scan cap order h); move: (hD v) le.
move: (\sum_(u | u != v) dist _ _) (\sum_(u | u != v) scan cap order g u) (\sum_(u | u != v) scan cap order h u) => a b c.
rewrite /dist; lia.
Qed.

(* F = m f - c p, with f accepted edges and p the pairs of the list, which grow by at most bound - 1 a person: a person
   more on a list of s people raises f by d <= min(cap, s) and p by min(s, bound - 1). F falls by at most c (bound - 1)
   and rises by at most (m - c) cap. *)
Theorem local_count_change m c cap bound s d f p :
  c <= m -> cap <= bound - 1 -> d <= minn cap s ->
  m * (f + d) + c * p <= m * f + c * (p + minn s (bound - 1)) + (m - c) * cap /\
  m * f + c * (p + minn s (bound - 1)) <= m * (f + d) + c * p + c * (bound - 1).
Proof.
move=> cm cb dm; split; last by have := geq_minr s (bound - 1); nia.
have [l1 l2] : d <= cap /\ d <= s by lia.
have : d <= minn s (bound - 1) by lia.
rewrite mulnBl; nia.
Qed.
