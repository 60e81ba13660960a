(* Joint degrees in soft bins: how many edges join people of degree about 2^k and about 2^l. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Lemma dist_product x y x' y' : dist (x * y) (x' * y') <= dist x x' * y + x' * dist y y'.
Proof.
apply: leq_trans (dist_triangle _ (x' * y) _) _; apply: leq_add.
  by rewrite /dist -!mulnBl mulnDl.
by rewrite /dist -!mulnBr mulnDr.
Qed.

Section Soft.
Variables (n : nat) (K : finType) (Q c : nat) (share : nat -> K -> nat).
(* A degree is shared out over knots, Q in all; d people who stand at a degree d move by at most c Q at its next step. *)
Hypothesis shares_sum : forall d, \sum_k share d k <= Q.
Hypothesis shares_step : forall d, d * distance (share d) (share d.+1) <= c * Q.
Implicit Types (g h : graph n) (u v w a b : 'I_n).

(* Every edge from both of its ends: cell (k, l) for k != l, and half of it for k = l, is what is released. *)
Definition soft_joint g (p : K * K) : nat :=
  \sum_(q : 'I_n * 'I_n) adj g q.1 q.2 * (share (deg g q.1) p.1 * share (deg g q.2) p.2).

Lemma product_distance (x y x' y' : K -> nat) :
  \sum_k y k <= Q -> \sum_k x' k <= Q ->
  distance (fun p : K * K => x p.1 * y p.2) (fun p => x' p.1 * y' p.2) <= Q * (distance x x' + distance y y').
Proof.
move=> sy sx; apply: leq_trans (_ : \sum_(p : K * K) (dist (x p.1) (x' p.1) * y p.2 + x' p.1 * dist (y p.2) (y' p.2)) <= _).
  by apply: leq_sum => p _; exact: dist_product.
rewrite big_split /= mulnDr; apply: leq_add.
  rewrite -(pair_big xpredT xpredT (fun k l => dist (x k) (x' k) * y l)) /= mulnC /distance big_distrl /=.
  by apply: leq_sum => k _; rewrite -big_distrr /= leq_mul2l sy orbT.
rewrite -(pair_big xpredT xpredT (fun k l => x' k * dist (y l) (y' l))) /= exchange_big /= /distance big_distrr /=.
by apply: leq_sum => l _; rewrite -big_distrl /= leq_mul2r sx orbT.
Qed.

Lemma product_size (x y : K -> nat) : \sum_k x k <= Q -> \sum_k y k <= Q ->
  distance (fun=> 0) (fun p : K * K => x p.1 * y p.2) <= Q * Q.
Proof.
move=> sx sy; rewrite distance_rise // [X in _ - X]big1 // subn0 -(pair_big xpredT xpredT (fun k l => x k * y l)) /=.
rewrite (eq_bigr (fun k => x k * \sum_l y l)) => [|k _]; last by rewrite big_distrr.
by rewrite -big_distrl /=; exact: leq_mul.
Qed.

Definition moved g h u : nat := distance (share (deg g u)) (share (deg h u)).

(* One edge changes the cells by at most 4 c + 2 in total, in units of the two shares. *)
Theorem soft_joint_sensitivity : edge_sensitivity soft_joint ((4 * c + 2) * (Q * Q)).
Proof.
apply: edge_sensitivity_by_adding => g h a b H; have [ab gab _ E] := H.
apply: leq_trans (distance_sums _ _ _) _.
pose fresh (q : 'I_n * 'I_n) : nat := (q == (a, b)) + (q == (b, a)).
apply: leq_trans (_ : \sum_q (adj g q.1 q.2 * (Q * (moved g h q.1 + moved g h q.2)) + fresh q * (Q * Q)) <= _).
  apply: leq_sum => -[u w] _ /=; case guw: (adj g u w).
    rewrite (adds_more H guw) mul1n; apply: leq_trans (leq_addr _ _).
    rewrite /distance (eq_bigr (fun p => dist (share (deg g u) p.1 * share (deg g w) p.2)
      (share (deg h u) p.1 * share (deg h w) p.2))) => [|p _]; last by rewrite !mul1n.
    exact: product_distance.
  rewrite mul0n add0n /fresh; case huw: (adj h u w); last first.
    by rewrite /distance big1 // => p _; rewrite !mul0n.
  apply: leq_trans (_ : 1 * (Q * Q) <= _).
    rewrite mul1n; apply: leq_trans (product_size (shares_sum (deg h u)) (shares_sum (deg h w))).
    by rewrite /distance; apply: leq_sum => p _; rewrite mul0n mul1n.
  rewrite leq_mul2r; apply/orP; right; move: huw; rewrite E guw /= !xpair_eqE.
  by case/orP => ->; rewrite ?addn1 ?addn0 //; lia.
rewrite big_split /= mulnDl; apply: leq_add; last first.
  rewrite -big_distrl /= leq_mul2r; apply/orP; right; rewrite big_split /=.
  have one (x : 'I_n * 'I_n) : \sum_q (q == x) = 1 by rewrite (bigD1 x) //= eqxx big1 // => q /negbTE ->.
  by rewrite !one.
have total : \sum_q adj g q.1 q.2 * (Q * (moved g h q.1 + moved g h q.2)) = 2 * Q * \sum_u deg g u * moved g h u.
  have half (F : 'I_n -> nat) : \sum_(q : 'I_n * 'I_n) adj g q.1 q.2 * F q.1 = \sum_u deg g u * F u.
    rewrite -(pair_big xpredT xpredT (fun u w => adj g u w * F u)) /=; apply: eq_bigr => u _.
    by rewrite -big_distrl /=; congr (_ * _); rewrite /deg -sum1_card [RHS]big_mkcond; apply: eq_bigr => w _; rewrite inE; case: adj.
  have half' (F : 'I_n -> nat) : \sum_(q : 'I_n * 'I_n) adj g q.1 q.2 * F q.2 = \sum_u deg g u * F u.
    rewrite -half -(pair_big xpredT xpredT (fun u w => adj g u w * F w)) exchange_big /=.
    by rewrite -(pair_big xpredT xpredT (fun u w => adj g u w * F u)) /=; apply: eq_bigr => u _; apply: eq_bigr => w _; rewrite adj_sym.
  rewrite (eq_bigr (fun q => Q * (adj g q.1 q.2 * moved g h q.1) + Q * (adj g q.1 q.2 * moved g h q.2))) => [|q _].
    by rewrite big_split /= -!big_distrr /= half half' addnn -mul2n mulnA.
  by rewrite mulnCA mulnDr mulnDr.
rewrite total; have ends : \sum_u deg g u * moved g h u = deg g a * moved g h a + deg g b * moved g h b.
  rewrite (bigD1 a) //= (bigD1 b) 1?eq_sym //= big1 ?addn0 // => u /andP [ua ub].
  by rewrite /moved (deg_elsewhere H ua ub) distance_self muln0.
rewrite ends /moved (deg_at H) (deg_at (adds_swap H)).
have := shares_step (deg g a); have := shares_step (deg g b); move: (deg g a * _) (deg g b * _) => x y; nia.
Qed.
End Soft.

(* Knots 2^0, 2^1, ..., 2^last, shares in units of 1 / 2^last: between two knots a degree counts for both in straight
   lines, above the last one for that one alone. *)
Section Knots.
Variable last : nat.
Definition knot_share (d : nat) (k : 'I_last.+1) : nat :=
  if 2 ^ last <= d then (k == last :> nat) * 2 ^ last
  else let j := trunc_log 2 d in
    (k == j :> nat) * (2 ^ (last - j) * (2 ^ j.+1 - d)) + (k == j.+1 :> nat) * (2 ^ (last - j) * (d - 2 ^ j)).

Definition piece j d (k : 'I_last.+1) : nat :=
  (k == j :> nat) * (2 ^ (last - j) * (2 ^ j.+1 - d)) + (k == j.+1 :> nat) * (2 ^ (last - j) * (d - 2 ^ j)).

Lemma powers j : j < last -> 2 ^ (last - j) * 2 ^ j = 2 ^ last.
Proof. by move=> lt; rewrite -expnD subnK // ltnW. Qed.

Lemma share_is_piece j d k : j < last -> 2 ^ j <= d <= 2 ^ j.+1 -> knot_share d k = piece j d k.
Proof.
move=> jl /andP [lo hi]; have pj := powers jl; rewrite /knot_share.
have d0 : 0 < d by apply: leq_trans lo; rewrite expn_gt0.
case: (leqP (2 ^ last) d) => [top|below_top].
  have E : d = 2 ^ j.+1 by apply/eqP; rewrite eqn_leq hi (leq_trans _ top) // leq_exp2l.
  have El : last = j.+1 by apply/eqP; rewrite eqn_leq jl andbT -(leq_exp2l (m := 2)) // -E.
  rewrite /piece E subnn muln0 muln0 add0n -El; congr (_ * _).
  by rewrite -[LHS]pj; congr (_ * _); rewrite El expnS mul2n -addnn addnK.
case: (ltnP d (2 ^ j.+1)) => [lt|ge]; first by rewrite (trunc_log_eq (n := j)) // lo lt.
have E : d = 2 ^ j.+1 by apply/eqP; rewrite eqn_leq hi ge.
have jl' : j.+1 < last by move: below_top; rewrite E ltn_exp2l.
have -> : trunc_log 2 d = j.+1 by rewrite E trunc_expnK.
have pj' := powers jl'.
rewrite /piece E !subnn !muln0 addn0 add0n; congr (_ * _); rewrite -[RHS]mulnC.
have e1 : 2 ^ j.+2 - 2 ^ j.+1 = 2 ^ j.+1 by rewrite [2 ^ j.+2]expnS mul2n -addnn addnK.
have e2 : 2 ^ j.+1 - 2 ^ j = 2 ^ j by rewrite expnS mul2n -addnn addnK.
by rewrite e1 e2 pj' mulnC pj.
Qed.

Lemma only (k0 : 'I_last.+1) x : \sum_(k < last.+1) (k == k0 :> nat) * x = x.
Proof. by rewrite (bigD1 k0) //= eqxx mul1n big1 ?addn0 // => k; rewrite -val_eqE => /negbTE ->. Qed.

Lemma only_nat (m x : nat) : m <= last -> \sum_(k < last.+1) (k == m :> nat) * x = x.
Proof. by move=> le; rewrite -{2}(only (Ordinal (n := last.+1) (m := m) le) x). Qed.

Lemma between d : 0 < d -> d < 2 ^ last -> exists2 j, j < last & 2 ^ j <= d < 2 ^ j.+1.
Proof.
move=> d0 lt; exists (trunc_log 2 d); last exact: trunc_log_bounds.
have /andP [lo _] := trunc_log_bounds (isT : 1 < 2) d0.
by have := leq_ltn_trans lo lt; rewrite ltn_exp2l.
Qed.

Lemma knot_shares_sum d : 0 < d -> \sum_k knot_share d k <= 2 ^ last.
Proof.
move=> d0; case: (leqP (2 ^ last) d) => [top|lt].
  rewrite (eq_bigr (fun k : 'I_last.+1 => (k == last :> nat) * 2 ^ last)) => [|k _]; last by rewrite /knot_share top.
  by rewrite only_nat.
have [j jl /andP [lo hi]] := between d0 lt.
rewrite (eq_bigr (piece j d)) => [|k _]; last by apply: share_is_piece; rewrite // lo ltnW.
rewrite big_split /= (only_nat _ (ltnW jl)) (only_nat _ jl) -mulnDr -(powers jl) leq_mul2l; apply/orP; right.
by move: lo hi; rewrite expnS; lia.
Qed.

Lemma knot_shares_step d : 0 < d -> d * distance (knot_share d) (knot_share d.+1) <= 4 * 2 ^ last.
Proof.
move=> d0; case: (leqP (2 ^ last) d) => [top|lt].
  by rewrite /distance big1 ?muln0 // => k _; rewrite /knot_share top (leq_trans top (leqnSn _)) dist_self.
have [j jl /andP [lo hi]] := between d0 lt.
have -> : distance (knot_share d) (knot_share d.+1) = distance (piece j d) (piece j d.+1).
  by apply: eq_bigr => k _; rewrite !(@share_is_piece j) // ?lo ?hi ?(ltnW hi) ?(leq_trans lo).
have step : distance (piece j d) (piece j d.+1) <= 2 ^ (last - j) + 2 ^ (last - j).
  apply: (@leq_trans (\sum_(k < last.+1) ((k == j :> nat) * 2 ^ (last - j) + (k == j.+1 :> nat) * 2 ^ (last - j)))).
    apply: leq_sum => k _; rewrite /piece; move: (2 ^ (last - j)) => x.
    have -> : 2 ^ j.+1 - d = (2 ^ j.+1 - d.+1).+1 by rewrite subnSK.
    have -> : d.+1 - 2 ^ j = (d - 2 ^ j).+1 by rewrite subSn.
    by rewrite !mulnS /dist; case: (_ == j :> nat); case: (_ == j.+1 :> nat); rewrite ?mul1n ?mul0n; lia.
  by rewrite big_split /= (only_nat _ (ltnW jl)) (only_nat _ jl).
apply: leq_trans (leq_mul (leqnn d) step) _; rewrite -(powers jl); move: hi; rewrite expnS.
by move: (2 ^ (last - j)) (2 ^ j) => x y; nia.
Qed.

(* In units of 2^-last for each of the two shares, and with every edge from both ends: at most 9 edges. *)
Definition soft_joint_degrees_constant := 9.
Definition shares (d : nat) (k : 'I_last.+1) : nat := (0 < d) * knot_share d k.
(* With knots at powers of 2, one edge changes the joint degrees in soft bins by at most 9 edges in total. *)
Theorem soft_joint_degrees_sensitivity n :
  edge_sensitivity (@soft_joint n _ shares) (2 * soft_joint_degrees_constant * (2 ^ last * 2 ^ last)).
Proof.
apply: (@soft_joint_sensitivity _ _ (2 ^ last) 4) => d; rewrite /shares.
  case: (posnP d) => [->|d0]; first by rewrite big1.
  by rewrite (eq_bigr (knot_share d)) ?knot_shares_sum // => k _; rewrite mul1n.
case: (posnP d) => [->|d0]; first by rewrite mul0n.
rewrite /distance (eq_bigr (fun k => dist (knot_share d k) (knot_share d.+1 k))) ?knot_shares_step // => k _.
by rewrite !mul1n.
Qed.
End Knots.
