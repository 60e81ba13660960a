(* Reports about one value of several, such as a degree or its bin: randomised response in all its forms.

   Probabilities are t / g with whole numbers t and g, as in the code. What a report costs follows from its largest ratio
   of two probabilities, which is written as two whole numbers, [:: x; y] for x / y. Any two values may be meant: these
   theorems protect whole lists. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base Privacy.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition any_two (V : Type) (v w : V) : Prop := True.

Section Channels.
Variable R : realFieldType.
Definition lost (ratio : seq nat) : R := (nth 0%N ratio 1)%:R / (nth 0%N ratio 0)%:R.

(* Two probabilities: the larger one for reports that are near the value. *)
Definition two_levels (V T : Type) (near : V -> T -> bool) (x y : R) v t := if near v t then x else y.

Lemma two_levels_loss (V T : Type) (near : V -> T -> bool) x y : 0 <= y -> y <= x -> 0 < x ->
  costs (@any_two V) (y / x) (two_levels near x y).
Proof.
move=> y0 yx x0 v w t _; rewrite /two_levels; have r1 : y / x <= 1 by rewrite ler_pdivr_mulr // mul1r.
have x_to_y : y / x * x = y by rewrite divfK // gt_eqF.
have y_to_y : y / x * y <= y by apply: ler_pimull.
case: (near v t); case: (near w t); rewrite ?x_to_y //; exact: le_trans y_to_y yx.
Qed.

(* With probability t / g one of a near reports, each alike, else one of b far ones. *)
Definition spread (V T : Type) (near : V -> T -> bool) (g t a b : nat) : V -> T -> R :=
  two_levels near (t%:R / (g * a)%:R) ((g - t)%:R / (g * b)%:R).

Lemma spread_loss (V T : Type) (near : V -> T -> bool) g t a b :
  (0 < t <= g)%N -> (0 < a)%N -> (0 < b)%N -> ((g - t) * a <= t * b)%N ->
  costs (@any_two V) (lost [:: t * b; (g - t) * a]%N) (spread near g t a b).
Proof.
move=> /andP [t0 tg] a0 b0 le; have g0 : (0 < g)%N by exact: leq_trans t0 tg.
have pos x : (0 < x)%N -> (x%:R != 0 :> R) by move=> x0; rewrite pnatr_eq0 -lt0n.
have E : lost [:: t * b; (g - t) * a]%N = ((g - t)%:R / (g * b)%:R) / (t%:R / (g * a)%:R).
  rewrite /lost /= invf_div mulf_div -!natrM; apply/eqP; rewrite eqr_div ?pos ?muln_gt0 ?g0 ?t0 ?a0 ?b0 //.
  by rewrite -!natrM eqr_nat; apply/eqP; move: (g - t)%N => d; lia.
rewrite E; apply: two_levels_loss.
- by apply: divr_ge0; exact: ler0n.
- rewrite ler_pdivr_mulr ?ltr0n ?muln_gt0 ?g0 // mulrAC ler_pdivl_mulr ?ltr0n ?muln_gt0 ?g0 //.
  by rewrite -!natrM ler_nat; move: le; nia.
by rewrite divr_gt0 ?ltr0n ?muln_gt0 ?g0.
Qed.

(* K-ary response: the value itself with probability t / g, else one of the k - 1 others. *)
Definition kary (k g t : nat) : 'I_k -> 'I_k -> R := spread (fun v w => w == v) g t 1 (k - 1).
Definition kary_ratio (g t k : nat) : seq nat := [:: t * (k - 1); g - t]%N.
(* An answer by k-ary response costs its largest ratio, t (k - 1) over g - t, between any two values. *)
Theorem kary_loss k g t : (1 < k)%N -> (0 < t <= g)%N -> (g - t <= t * (k - 1))%N ->
  costs (@any_two 'I_k) (lost (kary_ratio g t k)) (@kary k g t).
Proof. by move=> k1 tg le; rewrite /kary_ratio -[X in lost [:: _; X]]muln1; apply: spread_loss; rewrite ?muln1 // subn_gt0. Qed.

(* Square Wave on n places with half width h: the 2 h + 1 reports from the value on are near, n - 1 are far. *)
Definition wave (n h g t : nat) : 'I_n -> 'I_(n + 2 * h) -> R :=
  spread (fun (v : 'I_n) (y : 'I_(n + 2 * h)) => v <= y <= v + 2 * h)%N g t (2 * h + 1) (n - 1).
Definition wave_ratio (g t n h : nat) : seq nat := [:: t * (n - 1); (g - t) * (2 * h + 1)]%N.
(* A report by Square Wave costs t (n - 1) over (g - t)(2 h + 1) between any two places. *)
Theorem wave_loss n h g t : (1 < n)%N -> (0 < t <= g)%N -> ((g - t) * (2 * h + 1) <= t * (n - 1))%N ->
  costs (@any_two 'I_n) (lost (wave_ratio g t n h)) (@wave n h g t).
Proof. by move=> n1 tg le; apply: spread_loss; rewrite ?addn1 ?subn_gt0 // -addn1. Qed.

(* Subset selection: a set of s of n values, which holds the true one with probability t / g; all sets alike. *)
Definition subset_selection (n s g t : nat) : 'I_n -> {set 'I_n} -> R :=
  spread (fun v (S : {set 'I_n}) => v \in S) g t 'C(n - 1, s - 1) 'C(n - 1, s).
Definition subset_ratio (g t n s : nat) : seq nat := [:: t * (n - s); (g - t) * s]%N.

(* A set by subset selection costs t (n - s) over (g - t) s between any two values. *)
Theorem subset_loss n s g t : (0 < s < n)%N -> (0 < t <= g)%N -> ((g - t) * s <= t * (n - s))%N ->
  costs (@any_two 'I_n) (lost (subset_ratio g t n s)) (@subset_selection n s g t).
Proof.
case: s => [//|s] /andP [_ sn] tg le; case: n sn le => [//|n] sn le.
rewrite /subset_selection !subn1 /=; have bs : (0 < 'C(n, s))%N by rewrite bin_gt0; lia.
have bs1 : (0 < 'C(n, s.+1))%N by rewrite bin_gt0.
have down : (s.+1 * 'C(n, s.+1) = (n - s) * 'C(n, s))%N by rewrite mul_bin_left.
have -> : lost (subset_ratio g t n.+1 s.+1) = lost [:: t * 'C(n, s.+1); (g - t) * 'C(n, s)]%N.
  have t0 : (0 < t)%N by case/andP: tg.
  rewrite /lost /=; apply/eqP; rewrite eqr_div ?pnatr_eq0 -?lt0n ?muln_gt0 ?t0 ?bs1 //=; last by rewrite subn_gt0.
  rewrite -!natrM eqr_nat subSS; apply/eqP; move: (g - t)%N (n - s)%N 'C(n, s) 'C(n, s.+1) down => d m x y E; have : (t * d * (s.+1 * y) = t * d * (m * x))%N by rewrite E.
  lia.
apply: spread_loss => //; have : (n.+1 - s.+1 = n - s)%N by []; move: le; rewrite subSS => le _.
by move: (g - t)%N (n - s)%N 'C(n, s) 'C(n, s.+1) down bs bs1 le => d m x y; nia.
Qed.

(* Unary responses: a bit for each value; that of the true one is set with probability p / g, any other with q / g. *)
Definition coin (g x : nat) (set_bit : bool) : R := if set_bit then x%:R / g%:R else (g - x)%:R / g%:R.
Definition unary (n g p q : nat) (v : 'I_n) (bits : {ffun 'I_n -> bool}) : R :=
  \prod_u coin g (if u == v then p else q) (bits u).
Definition unary_ratio (g p q : nat) : seq nat := [:: p * (g - q); (g - p) * q]%N.

Lemma coin_ge0 g x b : 0 <= coin g x b.
Proof. by rewrite /coin; case: b; apply: divr_ge0; exact: ler0n. Qed.

(* A bit of the larger probability against the same bit of the smaller one. *)
Lemma coin_up g p q b : (0 < q <= p)%N -> (p < g)%N -> q%:R / p%:R * coin g p b <= coin g q b.
Proof.
case/andP=> q0 qp pg; have p0 : (0 < p)%N by exact: leq_trans q0 qp.
rewrite /coin; case: b.
  by rewrite mulrA divfK ?pnatr_eq0 -?lt0n.
apply: (@le_trans _ _ ((g - p)%:R / g%:R)).
  by rewrite ler_pimull ?divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
by rewrite ler_wpmul2r ?invr_ge0 ?ler0n // ler_nat leq_sub2l.
Qed.

Lemma coin_down g p q b : (0 < q <= p)%N -> (p < g)%N -> (g - p)%:R / (g - q)%:R * coin g q b <= coin g p b.
Proof.
case/andP=> q0 qp pg; have gq : (0 < g - q)%N by rewrite subn_gt0; exact: leq_ltn_trans qp pg.
rewrite /coin; case: b; last by rewrite mulrA divfK ?pnatr_eq0 -?lt0n.
apply: (@le_trans _ _ (q%:R / g%:R)).
  by rewrite ler_pimull ?divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r ler_nat leq_sub2l.
by rewrite ler_wpmul2r ?invr_ge0 ?ler0n // ler_nat.
Qed.

(* A unary report costs p (g - q) over (g - p) q between any two values, which differ in two of its bits. *)
Theorem unary_loss n g p q : (0 < q <= p)%N -> (p < g)%N ->
  costs (@any_two 'I_n) (lost (unary_ratio g p q)) (@unary n g p q).
Proof.
move=> qp pg v w bits _; have [q0 qlep] := andP qp.
have E : lost (unary_ratio g p q) = ((g - p)%:R / (g - q)%:R) * (q%:R / p%:R).
  by rewrite /lost /= mulf_div -!natrM [(p * _)%N]mulnC.
have small x y : (x <= y)%N -> (0 < y)%N -> 0 <= (x%:R / y%:R : R) <= 1.
  by move=> xy y0; rewrite divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
have /andP [a0 a1] := small q p qlep (leq_trans q0 qlep).
have gq : (0 < g - q)%N by rewrite subn_gt0; exact: leq_ltn_trans qlep pg.
have /andP [b0 b1] := small (g - p)%N (g - q)%N (leq_sub2l g qlep) gq.
rewrite E; case: (altP (w =P v)) => [->|wv].
  by apply: ler_pimull; [apply: prodr_ge0 => u _; exact: coin_ge0 | exact: mulr_ile1].
rewrite /unary (bigD1 v) //= (bigD1 w) //= [X in _ <= X](bigD1 v) //= [X in _ <= _ * X](bigD1 w) //=.
rewrite !eqxx (negbTE wv) [v == w]eq_sym (negbTE wv).
have -> : \prod_(u | (u != v) && (u != w)) coin g (if u == v then p else q) (bits u)
    = \prod_(u | (u != v) && (u != w)) coin g (if u == w then p else q) (bits u).
  by apply: eq_bigr => u /andP [/negbTE -> /negbTE ->].
set rest := \prod_(_ | _) _; have rest0 : 0 <= rest by apply: prodr_ge0 => u _; exact: coin_ge0.
have swap (x y c d e : R) : x * y * (c * (d * e)) = (y * c) * (x * d * e).
  by rewrite [x * y]mulrC mulrACA !mulrA.
rewrite swap; apply: ler_pmul; rewrite ?mulr_ge0 ?coin_ge0 ?invr_ge0 ?ler0n ?rest0 //; first exact: coin_up.
by apply: ler_wpmul2r => //; exact: coin_down.
Qed.
End Channels.

(* Largest ratios for probabilities of t / 7, t = 1, ..., 6: k values; 5 places and a half width; sets of 7 values. *)
Definition kary_constant (k : nat) := [seq kary_ratio 7 t k | t <- iota 1 6].
Definition wave_constant (h : nat) := [seq wave_ratio 7 t 5 h | t <- iota 1 6].
Definition subset_constant (s : nat) := [seq subset_ratio 7 t 7 s | t <- iota 1 6].
Definition unary_constant (p : nat) := [seq unary_ratio 7 p q | q <- iota 1 6].
