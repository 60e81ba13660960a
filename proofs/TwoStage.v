(* Two stages: the group of a value by k-ary response, then its place in the group by unary response, or no place. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base Privacy Channels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TwoStages.
Variable R : realFieldType.
(* m groups of k places; a group is kept with probability t / g, and the bits of places are set with p / g and q / g. *)
Variables (m k g t p q : nat).
Hypothesis bits_range : (0 < q <= p)%N.
Hypothesis p_below : (p < g)%N.
Hypothesis groups_range : (1 < m)%N.
Hypothesis kept_range : (0 < t < g)%N.

Definition row (place : option 'I_k) (bits : {ffun 'I_k -> bool}) : R :=
  \prod_u coin R g (if Some u == place then p else q) (bits u).
(* A place is told where the group comes out right. *)
Definition two_stages (v : 'I_m * 'I_k) (y : 'I_m * {ffun 'I_k -> bool}) : R :=
  kary R g t v.1 y.1 * row (if y.1 == v.1 then Some v.2 else None) y.2.

Lemma row_ge0 o bits : 0 <= row o bits.
Proof. by apply: prodr_ge0 => u _; exact: coin_ge0. Qed.

(* The row of a place against that of no place, and the other way round: one bit differs. *)
Lemma place_to_none x bits : q%:R / p%:R * row (Some x) bits <= row None bits.
Proof.
have rest : \prod_(u | u != x) coin R g (if Some u == Some x then p else q) (bits u)
    = \prod_(u | u != x) coin R g (if Some u == None then p else q) (bits u).
  by apply: eq_bigr => u /negbTE ux; rewrite (_ : (Some u == Some x) = false).
rewrite /row (bigD1 x isT) [X in _ <= X](bigD1 x isT) rest eqxx mulrA.
by apply: ler_wpmul2r; [apply: prodr_ge0 => u _; exact: coin_ge0 | exact: coin_up].
Qed.
Lemma none_to_place x bits : (g - p)%:R / (g - q)%:R * row None bits <= row (Some x) bits.
Proof.
have rest : \prod_(u | u != x) coin R g (if Some u == Some x then p else q) (bits u)
    = \prod_(u | u != x) coin R g (if Some u == None then p else q) (bits u).
  by apply: eq_bigr => u /negbTE ux; rewrite (_ : (Some u == Some x) = false).
rewrite /row (bigD1 x isT) [X in _ <= X](bigD1 x isT) rest eqxx mulrA.
by apply: ler_wpmul2r; [apply: prodr_ge0 => u _; exact: coin_ge0 | exact: coin_down].
Qed.

Lemma group_ratio : lost R (kary_ratio g t m) = ((g - t)%:R / (g * (m - 1))%:R) / (t%:R / (g * 1)%:R).
Proof.
have [t0 tg] := andP kept_range; have g0 : (0 < g)%N by exact: leq_trans t0 (ltnW tg).
have m0 : (0 < m - 1)%N by rewrite subn_gt0.
rewrite /lost /kary_ratio /= invf_div mulf_div -!natrM; apply/eqP; rewrite eqr_div ?pnatr_eq0 -?lt0n ?muln_gt0 ?g0 ?t0 ?m0 //.
by rewrite -!natrM eqr_nat; apply/eqP; move: (g - t)%N (m - 1)%N => d e; lia.
Qed.

(* Two stages cost no more than the worst of three: two places of one group; a place and no place, with the group kept
   or not; no place and a place, the other way round. *)
Theorem two_stage_loss r : 0 <= r -> r <= lost R (unary_ratio g p q) ->
  r <= lost R (kary_ratio g t m) * (q%:R / p%:R) -> r * lost R (kary_ratio g t m) <= (g - p)%:R / (g - q)%:R ->
  costs (@any_two ('I_m * 'I_k)) r two_stages.
Proof.
move=> r0 r_same r_kept r_lost [v1 v2] [w1 w2] [y bits] _; rewrite /two_stages /=.
have [t0 tg] := andP kept_range; have g0 : (0 < g)%N by exact: leq_trans t0 (ltnW tg).
have [q0 qp] := andP bits_range; have p0 : (0 < p)%N by exact: leq_trans q0 qp.
have gq : (0 < g - q)%N by rewrite subn_gt0; exact: leq_ltn_trans qp p_below.
have m0 : (0 < m - 1)%N by rewrite subn_gt0.
have r1 : r <= 1.
  apply: le_trans r_same _; rewrite /lost /= ler_pdivr_mulr ?ltr0n ?muln_gt0 ?p0 // mul1r ler_nat.
  by apply: leq_trans (_ : (g - p) * p <= _)%N; [rewrite leq_mul2l qp orbT | rewrite mulnC leq_mul2l leq_sub2l ?orbT].
rewrite /kary /spread /two_levels.
set K := t%:R / (g * 1)%:R; set K' := (g - t)%:R / (g * (m - 1))%:R.
have K0 : 0 < K by rewrite divr_gt0 ?ltr0n ?muln_gt0 ?g0.
have K'0 : 0 < K' by rewrite divr_gt0 ?ltr0n ?muln_gt0 ?g0 ?subn_gt0.
rewrite group_ratio -/K -/K' in r_kept r_lost.
have alike x : 0 <= x -> r * x <= x by move=> x0; exact: ler_pimull.
case: (altP (y =P v1)) => [yv|yv]; case: (altP (y =P w1)) => [yw|yw].
- rewrite mulrCA; apply: ler_wpmul2l; first exact: ltW.
  have := @unary_loss R k g p q bits_range p_below v2 w2 bits I.
  have same x : row (Some x) bits = unary R g p q x bits.
    by apply: eq_bigr => u _; congr (coin _ _ (if _ then _ else _) _).
  by rewrite !same => le; apply: le_trans le; apply: ler_wpmul2r r_same; rewrite -same row_ge0.
- have step : r * K <= K' * (q%:R / p%:R).
    by have := ler_wpmul2r (ltW K0) r_kept; rewrite [X in _ <= X]mulrAC divfK ?gt_eqF.
  have := ler_wpmul2r (row_ge0 (Some v2) bits) step; rewrite -[X in _ <= X]mulrA -[X in X <= _]mulrA => le.
  by apply: le_trans le _; apply: ler_wpmul2l (place_to_none _ _); exact: ltW.
- have step : r * K' <= K * ((g - p)%:R / (g - q)%:R).
    by have := ler_wpmul2r (ltW K0) r_lost; rewrite -[X in X <= _]mulrA divfK ?gt_eqF // [X in _ <= X]mulrC.
  have := ler_wpmul2r (row_ge0 None bits) step; rewrite -[X in _ <= X]mulrA -[X in X <= _]mulrA => le.
  by apply: le_trans le _; apply: ler_wpmul2l (none_to_place _ _); exact: ltW.
by apply: alike; apply: mulr_ge0; [exact: ltW | exact: row_ge0].
Qed.
End TwoStages.

(* The three largest ratios, each as two numbers, by groups: with probabilities 5 / 7, 4 / 7 and 2 / 7. *)
Definition two_stage_ratios (g t m p q : nat) : seq (seq nat) :=
  [:: unary_ratio g p q; [:: t * (m - 1) * p; (g - t) * q]%N; [:: (g - q) * (g - t); (g - p) * (t * (m - 1))]%N].
Definition two_stage_constant (m : nat) := two_stage_ratios 7 5 m 4 2.
