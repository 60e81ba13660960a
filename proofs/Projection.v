(* Truncation at a degree bound D under node privacy: edges are scanned in a public order and kept while both ends
   have fewer than D kept edges (Day, Li and Lyu 2016). *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Projection.
Variables (n D : nat) (order : seq ('I_n * 'I_n)).
Implicit Types (g h : graph n) (u v w x y : 'I_n) (d e : 'I_n -> nat).

(* One step of the scan: from the numbers of kept edges to the next ones. *)
Definition keeps g d (p : 'I_n * 'I_n) : bool := [&& adj g p.1 p.2, d p.1 < D & d p.2 < D].
Definition scan_step g d p : 'I_n -> nat := if keeps g d p then fun u => d u + ((u == p.1) + (u == p.2)) else d.
Definition scan g : 'I_n -> nat := foldl (scan_step g) (fun=> 0) order.

(* While both scans run side by side: the new person v has as many kept edges as all others have moved, or more. *)
Definition side_by_side v d e : Prop :=
  [/\ d v = 0, (forall u, d u <= D), (forall u, e u <= D) & \sum_(u | u != v) dist (d u) (e u) <= e v].

(* So half the sum of all, which is the number of kept edges, grows by what the new person keeps or less. *)
Lemma half_sum_grows v d e : side_by_side v d e -> (\sum_u d u)./2 <= (\sum_u e u)./2 <= (\sum_u d u)./2 + e v.
Proof.
case=> v0 _ _ le; rewrite [\sum_u d u](bigD1 v) // v0 [\sum_u e u](bigD1 v) //=.
have := dist_sum (fun u => u != v) d e; move: le; move: (\sum_(u | u != v) dist _ _) => m.
by move: (\sum_(u | u != v) d u) (\sum_(u | u != v) e u) (e v) => a b c; rewrite /dist; lia.
Qed.

Lemma one_of_sum (v x : 'I_n) (F : 'I_n -> nat) : x != v ->
  \sum_(u | u != v) F u = F x + \sum_(u | (u != v) && (u != x)) F u.
Proof. by move=> xv; rewrite (bigD1 x). Qed.

Lemma two_of_sum (v x y : 'I_n) (F : 'I_n -> nat) : x != v -> y != v -> x != y ->
  \sum_(u | u != v) F u = F x + (F y + \sum_(u | (u != v) && (u != x) && (u != y)) F u).
Proof. by move=> xv yv xy; rewrite (bigD1 x) //= (bigD1 y) // yv eq_sym. Qed.

Lemma scan_step_side_by_side g h v d e p :
  joins g h v -> side_by_side v d e -> side_by_side v (scan_step g d p) (scan_step h e p).
Proof.
case: p => x y H [dv dD eD le]; have [_ _ E] := H; rewrite /scan_step /keeps /=.
case: (altP (x =P y)) => [<-|xy]; first by rewrite !adj_irr.
have hop (z : 'I_n) : z != v -> e z < D -> e v < D -> side_by_side v d (fun u => e u + ((u == v) + (u == z))).
  move=> zv ez ev; split=> // [u|].
    case: (altP (u =P v)) => [->|uv]; first by rewrite eq_sym (negbTE zv); lia.
    by case: (altP (u =P z)) => [->|_]; rewrite ?addn0 //; lia.
  move: le; rewrite !(one_of_sum _ zv) !eqxx (negbTE zv) [v == z]eq_sym (negbTE zv) => le.
  rewrite [X in _ + X <= _](eq_bigr (fun u => dist (d u) (e u))) => [|u /andP [/negbTE -> /negbTE ->]]; last by rewrite !addn0.
  by move: (\sum_(u | _) _) le => S; rewrite /dist; lia.
case: (altP (x =P v)) => [xv|xv].
  rewrite xv adj_sym (joins_absent _ H) /=; case: ifP => // /and3P [_ ev ez]; apply: hop => //; by rewrite -xv eq_sym.
case: (altP (y =P v)) => [yv|yv].
  rewrite yv (joins_absent _ H) /=; case: ifP => // /and3P [_ ez ev].
  have [c1 c2 c3 c4] := hop x xv ez ev; split=> // [u|]; first by rewrite addnCA; move: (c3 u); rewrite addnA addnC; lia.
  rewrite (eq_bigr (fun u => dist (d u) (e u + ((u == v) + (u == x))))) => [|u _]; last by rewrite [_ + (u == v)]addnC.
  by rewrite [_ + (v == v)]addnC.
rewrite E // => {hop}; case: (adj g x y) => //=.
have split2 (d1 e1 : 'I_n -> nat) : (forall u, u != x -> u != y -> d1 u = d u /\ e1 u = e u) ->
    dist (d1 x) (e1 x) + dist (d1 y) (e1 y) <= dist (d x) (e x) + dist (d y) (e y) ->
    d1 v = 0 -> e1 v = e v -> (forall u, d1 u <= D) -> (forall u, e1 u <= D) -> side_by_side v d1 e1.
  move=> same le1 v1 v2 l1 l2; split=> //; rewrite v2; apply: leq_trans _ le; rewrite !(two_of_sum _ xv yv xy).
  rewrite (eq_bigr (fun u => dist (d u) (e u))) => [|u /andP [/andP [_ ux] uy]]; first by move: le1; rewrite !addnA leq_add2r /dist; lia.
  by have [-> ->] := same u ux uy.
have yx : y != x by rewrite eq_sym.
have vx : v != x by rewrite eq_sym.
have vy : v != y by rewrite eq_sym.
have up (f : 'I_n -> nat) : f x < D -> f y < D -> (forall u, f u <= D) -> forall u, f u + ((u == x) + (u == y)) <= D.
  move=> fx fy fD u; case: (altP (u =P x)) => [->|ux]; first by rewrite (negbTE xy); lia.
  by case: (altP (u =P y)) => [->|uy]; rewrite ?addn0 //; lia.
have lx := dD x; have ly := dD y; have lx' := eD x; have ly' := eD y.
case: (ltnP (d x) D) => dx; case: (ltnP (d y) D) => dy; case: (ltnP (e x) D) => ex; case: (ltnP (e y) D) => ey //=;
  apply: split2 => //; rewrite ?eqxx ?(negbTE xy) ?(negbTE yx) ?(negbTE vx) ?(negbTE vy) ?addn0 //;
  try exact: up; try (by move=> u /negbTE -> /negbTE ->; rewrite !addn0); by rewrite /dist; lia.
Qed.

(* The others' kept degrees move by at most the kept degree of the new person, which is at most D. *)
Theorem truncation_stability g h v : joins g h v ->
  [/\ scan g v = 0, (forall u, scan g u <= D), (forall u, scan h u <= D)
    & \sum_(u | u != v) dist (scan g u) (scan h u) <= scan h v].
Proof.
move=> H; have main s d e : side_by_side v d e -> side_by_side v (foldl (scan_step g) d s) (foldl (scan_step h) e s).
  by elim: s d e => [|p s IH] d e //= /(scan_step_side_by_side p H); exact: IH.
by apply: main; split=> //; rewrite big1 // => u _; rewrite dist_self.
Qed.

(* Sums over people of a function F of the kept degree, a list of values: if a step of a degree moves F by at most s in
   total and a person of kept degree k has F k of at most own k in total, one person changes them by s k + own k. *)
Section Sums.
Variables (I : finType) (F : nat -> I -> nat).
Definition kept_sums g (i : I) : nat := \sum_(u in people g) F (scan g u) i.

Theorem kept_sums_sensitivity s own total :
  (forall k, k < D -> distance (F k) (F k.+1) <= s) ->
  (forall k, k <= D -> \sum_i F k i <= own k) ->
  (forall k, k <= D -> s * k + own k <= total) -> node_sensitivity kept_sums total.
Proof.
move=> step top all; have far (x y : nat) : x <= D -> y <= D -> distance (F x) (F y) <= s * dist x y.
  wlog xy : x y / x <= y => [W xD yD|]; first by case: (leqP x y) => [/W|/ltnW /W]; [|rewrite distance_sym dist_sym]; apply.
  move=> _; have -> : dist x y = y - x by move: xy; rewrite /dist; lia.
  move: xy; elim: y => [|y IH] xy yD; first by move: xy; rewrite leqn0 => /eqP ->; rewrite distance_self.
  case: (leqP x y) => [{}xy|yx]; last by have -> : x = y.+1 by [lia]; rewrite distance_self.
  rewrite subSn // mulnS addnC.
  exact: leq_trans (distance_triangle _ (F y) _) (leq_add (IH xy (ltnW yD)) (step _ yD)).
apply: node_sensitivity_by_joining => g h v H; have [vg pp _] := H; have [v0 gD hD le] := truncation_stability H.
apply: leq_trans (all _ (hD v)).
apply: leq_trans (_ : \sum_(u in people g) distance (F (scan g u)) (F (scan h u)) + \sum_i F (scan h v) i <= _).
  rewrite /distance exchange_big /= -big_split /=; apply: leq_sum => i _; rewrite /kept_sums pp big_setU1 //=.
  by apply: leq_trans (dist_plus _ _ _) _; rewrite leq_add2r; exact: dist_sum.
apply: leq_add (top _ (hD v)); apply: leq_trans (leq_mul (leqnn s) le); rewrite big_distrr /=.
have each : \sum_(u in people g) distance (F (scan g u)) (F (scan h u))
    <= \sum_(u in people g) s * dist (scan g u) (scan h u) by apply: leq_sum => u _; exact: far.
apply: leq_trans each _.
rewrite [X in _ <= X](bigID (fun u => u \in people g)) /=; apply: leq_trans (leq_addr _ _).
rewrite [X in _ <= X](eq_bigl (fun u => u \in people g)) // => u; case ug: (u \in people g); rewrite ?andbF //= andbT.
by apply: contraNneq vg => <-.
Qed.
End Sums.
End Projection.

Section Counts.
Variables (n : nat) (order : seq ('I_n * 'I_n)).

(* Kept edges, as half the sum of the kept degrees. *)
Definition kept_edges D (g : graph n) : nat := (\sum_(u : 'I_n) scan D order g u)./2.
Definition kept_edges_constant (D : nat) := D.
(* One person changes the number of kept edges by at most the degree bound D. *)
Theorem kept_edges_sensitivity D : node_sensitivity (number (kept_edges D)) (kept_edges_constant D).
Proof.
apply: node_sensitivity_by_joining => g h v H; rewrite distance_number /kept_edges /kept_edges_constant.
have S := truncation_stability D order H; have [_ _ hD _] := S; have := half_sum_grows S; have := hD v.
rewrite /dist; lia.
Qed.

(* People below each level up to D, summed over bands of levels. *)
Section Tiles.
Variables (D : nat) (T : finType) (tile : 'I_D -> T).
Definition node_tiles := kept_sums D order (fun k (t : T) => \sum_(j < D | tile j == t) (k <= j)).
Definition node_tiles_constant (D : nat) := D.
(* One person changes the tiles, people below each level summed over bands of levels, by at most D in total. *)
Theorem node_tiles_sensitivity : node_sensitivity node_tiles (node_tiles_constant D).
Proof.
apply: (@kept_sums_sensitivity _ _ _ _ _ 1 (fun k => D - k)) => [k kD|k kD|k]; last by rewrite /node_tiles_constant; lia.
  apply: leq_trans (_ : \sum_(j < D) dist (k <= j) (k.+1 <= j) <= 1).
    rewrite [X in _ <= X](partition_big tile xpredT) //=; apply: leq_sum => t _; exact: dist_sum.
  rewrite (bigD1 (Ordinal kD)) //= big1 => [|j]; first by rewrite leqnn ltnn.
  by rewrite -val_eqE /= => jk; rewrite [k <= j]leq_eqVlt eq_sym (negbTE jk) dist_self.
have -> : \sum_t \sum_(j < D | tile j == t) (k <= j) = \sum_(j < D) (k <= j).
  by rewrite [RHS](partition_big tile xpredT).
have : \sum_(j < D) (k <= j) + \sum_(j < D) (j < k) = D.
  by rewrite -big_split -[RHS](card_ord D) -sum1_card; apply: eq_bigr => j _ /=; case: leqP.
by rewrite below // => E; rewrite -[X in _ <= X - _]E addnK.
Qed.
End Tiles.

(* Stars with k leaves among the kept edges. *)
Definition kept_stars k D := kept_sums D order (fun d (_ : unit) => 'C(d, k)).
Definition kept_two_stars_constant (D : nat) := 3 * 'C(D, 2).
Definition kept_three_stars_constant (D : nat) := 4 * 'C(D, 3).
(* One person changes the stars with k leaves among the kept edges by at most (k + 1) C(D, k). *)
Theorem kept_stars_sensitivity k D : node_sensitivity (kept_stars k.+1 D) (k.+2 * 'C(D, k.+1)).
Proof.
apply: (@kept_sums_sensitivity _ _ _ _ _ 'C(D.-1, k) (fun=> 'C(D, k.+1))) => [d dD|d dD|d dD].
- rewrite /distance (big_pred1 tt) => [|[] //]; rewrite binS /dist.
  have : 'C(d, k) <= 'C(D.-1, k) by apply: leq_bin2l; lia.
  lia.
- by rewrite (big_pred1 tt) => [|[] //]; apply: leq_bin2l.
rewrite mulSnr leq_add2r; apply: leq_trans (leq_mul (leqnn _) dD) _.
by case: D {dD} => [|D']; rewrite ?muln0 // mulnC mul_bin_diag.
Qed.
(* One person changes the 2-stars among the kept edges by at most 3 C(D, 2). *)
Theorem kept_two_stars_sensitivity D : node_sensitivity (kept_stars 2 D) (kept_two_stars_constant D).
Proof. exact: kept_stars_sensitivity. Qed.
(* One person changes the 3-stars among the kept edges by at most 4 C(D, 3). *)
Theorem kept_three_stars_sensitivity D : node_sensitivity (kept_stars 3 D) (kept_three_stars_constant D).
Proof. exact: kept_stars_sensitivity. Qed.
End Counts.
