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
move=> H; have S := truncation_stability cap order H; have [_ _ hD _] := S; have := half_sum_grows S; have := hD v.
rewrite /kept_edges; lia.
Qed.

(* So many accepted edges there can be among the people of a list. *)
Theorem accepted_edges_at_most n (order : seq ('I_n * 'I_n)) cap (g : graph n) :
  kept_edges order cap g <= (cap * #|people g|)./2.
Proof.
apply: half_leq; have inside s (d : 'I_n -> nat) : (forall u, d u <= cap * (u \in people g)) ->
    forall u, foldl (scan_step cap g) d s u <= cap * (u \in people g).
  elim: s d => [|p s IH] d //= le; apply: IH => u; rewrite /scan_step; case: ifP => // /and3P [e d1 d2].
  have p1 := adj_in e; have p2 : p.2 \in people g by move: e; rewrite adj_sym; exact: adj_in.
  have ne : p.1 != p.2 by apply: contraTneq e => ->; rewrite adj_irr.
  case: (altP (u =P p.1)) => [->|_]; first by rewrite p1 muln1 (negbTE ne); lia.
  by case: (altP (u =P p.2)) => [->|_]; rewrite ?p2 ?muln1 ?addn0 ?addn1.
rewrite mulnC -sum_nat_const [X in _ <= X]big_mkcond /=; apply: leq_sum => u _.
apply: leq_trans (inside order (fun=> 0) _ u) _ => [w|]; first exact: leq0n.
by case: (u \in people g); rewrite ?muln1 ?muln0.
Qed.

(* The pairs of a list of s people, which grow by bound - 1 for each person beyond the bound. *)
Definition capped_pairs (bound s : nat) : nat := 'C(minn s bound, 2) + (s - minn s bound) * (bound - 1).
Definition capped_pairs_constant (bound : nat) := [seq capped_pairs bound s | s <- iota 0 9].
Theorem capped_pairs_grow bound s : 0 < bound -> capped_pairs bound s.+1 = capped_pairs bound s + minn s (bound - 1).
Proof.
move=> b0; rewrite /capped_pairs; case: (ltnP s bound) => [lt|ge].
  rewrite ?(minn_idPl (ltnW lt)) (minn_idPl lt) !subnn !mul0n !addn0 binS bin1; congr (_ + _); lia.
rewrite ?(minn_idPr ge) (minn_idPr (leqW ge)) subSn // mulSn; have -> : minn s (bound - 1) = bound - 1 by lia.
lia.
Qed.

(* F = m f - c p, with f accepted edges and p the pairs of the list. One person more on a list of s people raises f by
   d <= min(cap, s) and p by min(s, bound - 1). All differences of F are written without subtraction. *)
Definition count_width (m c cap bound : nat) : nat := maxn ((m - c) * cap) (c * (bound - 1)).
(* With 8 for m, by c and cap. *)
Definition count_width_constant (bound : nat) := [seq [seq count_width 8 c cap bound | cap <- iota 1 bound] | c <- iota 1 7].
(* One entry changes F by no more than the width of its noise. *)
Theorem local_count_change m c cap bound s d f p :
  c <= m -> cap <= bound - 1 -> d <= minn cap s ->
  dist (m * (f + d) + c * p) (m * f + c * (p + minn s (bound - 1))) <= count_width m c cap bound.
Proof.
move=> cm cb dm; have [l1 l2] : d <= cap /\ d <= s by lia.
have dj : d <= minn s (bound - 1) by lia.
have jb := geq_minr s (bound - 1); rewrite /dist /count_width; move: (minn s _) dj jb => j dj jb.
have up : m * d <= c * j + (m - c) * cap by rewrite mulnBl; nia.
have down : c * j <= m * d + c * (bound - 1) by nia.
rewrite !mulnDr; lia.
Qed.

(* Where only reported pairs are looked at, those are counted as the noisy edges are, up to bound - 1 at a person. *)
Definition looked_width (m c cap bound : nat) : nat := maxn (m * cap) (c * (bound - 1)).
Definition looked_width_constant (bound : nat) := [seq [seq looked_width 8 c cap bound | cap <- iota 1 bound] | c <- iota 1 7].
(* One entry changes the count of reported pairs by no more than the width of its noise. *)
Theorem looked_count_change m c cap bound d e f p : d <= cap -> e <= bound - 1 ->
  dist (m * (f + d) + c * p) (m * f + c * (p + e)) <= looked_width m c cap bound.
Proof.
move=> dc eb; have := leq_mul (leqnn m) dc; have := leq_mul (leqnn c) eb; rewrite /dist /looked_width !mulnDr; lia.
Qed.

(* Two lists that may differ everywhere: f is at most [most], and p at most [top]. *)
Definition whole_range (m c most top : nat) : nat := m * most + c * top.
(* With 8 for m and lists of others = 9 people: a cap of bound - 1, by c. *)
Definition whole_range_constant (bound : nat) :=
  [seq whole_range 8 c (minn ((bound - 1) * 9)./2 'C(9, 2)) (capped_pairs bound 9) | c <- iota 1 7].
(* The whole list changes F by no more than its range. *)
Theorem whole_list_count_range m c most top f p f' p' : f <= most -> f' <= most -> p <= top -> p' <= top ->
  dist (m * f + c * p') (m * f' + c * p) <= whole_range m c most top.
Proof.
move=> l1 l2 l3 l4; have := leq_mul (leqnn m) l1; have := leq_mul (leqnn m) l2.
have := leq_mul (leqnn c) l3; have := leq_mul (leqnn c) l4; rewrite /dist /whole_range; lia.
Qed.

(* Lists that are cut at a threshold: f is at most p, and p at most the pairs of such a list. *)
Definition cut_range_constant (threshold : nat) := 8 * 'C(threshold, 2).
(* The whole list changes F by m times the pairs of a list as long as the threshold, at most. *)
Theorem cut_list_count_range m c threshold f p f' p' : c <= m -> f <= p -> f' <= p' ->
  p <= 'C(threshold, 2) -> p' <= 'C(threshold, 2) -> dist (m * f + c * p') (m * f' + c * p) <= m * 'C(threshold, 2).
Proof. move=> cm fp fp' l1 l2; move: 'C(threshold, 2) l1 l2 => top l1 l2; rewrite /dist; nia. Qed.
