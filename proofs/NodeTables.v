(* Truncation under node privacy beyond one count of edges: cell by cell between groups, and with weights. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Projection.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* Everybody belongs to a group. A cell is a set of one or two groups, and holds the edges between them. *)
Section Cells.
Variables (n : nat) (order : seq ('I_n * 'I_n)) (C : finType) (group : 'I_n -> C).
Implicit Types (g h : graph n) (u v w : 'I_n) (c : {set C}).

Definition cell_adj g c u w := adj g u w && ([set group u; group w] == c).
Lemma cell_sym g c : symmetric (cell_adj g c).
Proof. by move=> u w; rewrite /cell_adj adj_sym setUC. Qed.
Lemma cell_irr g c : irreflexive (cell_adj g c).
Proof. by move=> u; rewrite /cell_adj adj_irr. Qed.
Lemma cell_in g c u w : cell_adj g c u w -> u \in people g.
Proof. by case/andP => /adj_in. Qed.
(* The graph of one cell, in which edges are kept up to a bound of its own. *)
Definition cell_graph g c : graph n := Graph (@cell_sym g c) (@cell_irr g c) (@cell_in g c).

Lemma cells_join g h v c : joins g h v -> joins (cell_graph g c) (cell_graph h c) v.
Proof. by case=> vg pp E; split=> // u w uv wv; rewrite /= /cell_adj E. Qed.

Lemma without_edges_nothing_is_kept D g v : (forall w, adj g v w = false) -> scan D order g v = 0.
Proof.
move=> none; have main s (d : 'I_n -> nat) : d v = 0 -> foldl (scan_step D g) d s v = 0.
  elim: s d => [|p s IH] d // d0; apply: IH; rewrite /scan_step; case: ifP => // /andP [e _].
  rewrite d0; case: (altP (v =P p.1)) e => [<-|_]; first by rewrite none.
  by case: (altP (v =P p.2)) => [<-|_ _]; [rewrite adj_sym none | rewrite addn0].
exact: main.
Qed.

(* A person keeps [own] edges within the own group and [other] towards each other group, at most; a cell within one
   group has the weight [w_own] in the noise, any other [w_other]. *)
Variables (own other w_own w_other : nat).
Definition cell_bound c := if #|c| == 1 then own else other.
Definition cell_weight c := if #|c| == 1 then w_own else w_other.
Definition kept_in_cell g c : nat := kept_edges order (cell_bound c) (cell_graph g c).

Definition cells_sensitivity (own other w_own w_other groups : nat) := w_own * own + (groups - 1) * (w_other * other).

(* One person is in the cells of the own group alone: by weight, all cells change by what these may hold. *)
Theorem node_cells_sensitivity g h v : joins g h v ->
  \sum_c cell_weight c * dist (kept_in_cell g c) (kept_in_cell h c) <= cells_sensitivity own other w_own w_other #|C|.
Proof.
move=> H; pose a := group v; pose F c := cell_weight c * cell_bound c.
have moved c : cell_weight c * dist (kept_in_cell g c) (kept_in_cell h c) <= \sum_(b | [set a; b] == c) F c.
  have S := truncation_stability (cell_bound c) order (cells_join c H).
  have := half_sum_grows S; have [_ _ hD _] := S; have := hD v; rewrite -/(kept_edges order _ _) -/(kept_in_cell _ c).
  case: (pickP [pred b | [set a; b] == c]) => [b /= /eqP E|none].
    rewrite (bigD1 b) /= ?E // => lD lk; apply: leq_trans (leq_addr _ _); rewrite /F leq_mul2l; apply/orP; right.
    by move: lk; rewrite -/(kept_edges order _ _) -/(kept_in_cell h c) /dist; lia.
  rewrite without_edges_nothing_is_kept => [_ lk|w]; last first.
    by apply/negP => /andP [_ /eqP E]; have := none (group w); rewrite /= E eqxx.
  rewrite big_pred0 // (_ : dist _ _ = 0) ?muln0 //.
  by move: lk; rewrite -/(kept_edges order _ _) -/(kept_in_cell h c) /dist; lia.
apply: leq_trans (leq_sum _ (fun c _ => moved c)) _.
rewrite (exchange_big_dep predT) //= (eq_bigr (fun b => F [set a; b])) => [|b _]; last first.
  by rewrite (big_pred1 [set a; b]) // => c; rewrite eq_sym.
rewrite (bigD1 a) //= /F /cell_weight /cell_bound setUid cards1 eqxx /cells_sensitivity leq_add2l.
rewrite (eq_bigr (fun=> w_other * other)) => [|b ba]; last by rewrite cards2 [a == b]eq_sym ba.
by rewrite sum_nat_const subn1 -(cardC1 a) leq_mul2r; apply/orP; right; apply/eq_leq/eq_card.
Qed.
End Cells.

(* With bounds d and d, and d and 4 d, weights 1 and 1, and 2 and 1, for one to six groups. *)
Definition node_cells_constant (d : nat) := [seq [:: cells_sensitivity d d 1 1 c; cells_sensitivity d (4 * d) 2 1 c] | c <- iota 1 6].

(* Weights: an edge of weight w is w parallel edges that follow one another; layer k has the edges of weight above k. *)
Section Weights.
Variables (n S : nat).
Implicit Types (u v w x y : 'I_n) (d e : 'I_n -> nat).

Definition layered (layer : nat -> graph n) (order : seq (nat * ('I_n * 'I_n))) : 'I_n -> nat :=
  foldl (fun d kp => scan_step S (layer kp.1) d kp.2) (fun=> 0) order.
Definition kept_weight layer order : nat := (\sum_u layered layer order u)./2.
Definition kept_weight_constant (S : nat) := S.

(* One person changes the kept weight by at most S, the room of everybody. *)
Theorem kept_weight_sensitivity (g h : nat -> graph n) order v : (forall k, joins (g k) (h k) v) ->
  dist (kept_weight g order) (kept_weight h order) <= kept_weight_constant S.
Proof.
move=> H; have main s d e : side_by_side S v d e ->
    side_by_side S v (foldl (fun d kp => scan_step S (g kp.1) d kp.2) d s) (foldl (fun d kp => scan_step S (h kp.1) d kp.2) e s).
  by elim: s d e => [|kp s IH] d e //= /(scan_step_side_by_side kp.2 (H kp.1)); exact: IH.
have side : side_by_side S v (layered g order) (layered h order).
  by apply: main; split=> //; rewrite big1 // => u _; rewrite dist_self.
have := half_sum_grows side; have [_ _ hS _] := side; have := hS v.
rewrite /kept_weight /kept_weight_constant /dist; lia.
Qed.

(* So much of one edge is kept: as much of its weight as both ends have room for. *)
Theorem parallel_edges_take_what_fits (layer : nat -> graph n) x y weight W d u :
  x != y -> weight <= W -> (forall k, adj (layer k) x y = (k < weight)) ->
  foldl (fun d kp => scan_step S (layer kp.1) d kp.2) d [seq (k, (x, y)) | k <- iota 0 W] u
    = d u + minn weight (minn (S - d x) (S - d y)) * ((u == x) + (u == y)).
Proof.
move=> xy le all; rewrite -{1}(minn_idPl le); have yx : y != x by rewrite eq_sym.
elim: W u {le} => [|W IH] u; first by rewrite minn0 min0n mul0n addn0.
rewrite -addn1 iotaD map_cat foldl_cat /= add0n {1}/scan_step /keeps /= all !IH !eqxx (negbTE xy) (negbTE yx) !addn0 add0n !muln1.
case: ifP => le; rewrite IH.
  rewrite -addnA -mulSnr; congr (_ + _ * _); move: le; lia.
by congr (_ + _ * _); move: le; lia.
Qed.
End Weights.
