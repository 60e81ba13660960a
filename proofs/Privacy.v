(* What a release costs: probabilities of outcomes, noise for a sensitivity, composition and post-processing.

   A mechanism gives every input a probability for each outcome. It costs r, where r stands for e^(-epsilon), if r times
   the probability of any outcome is at most its probability under a neighbouring input. Products of such numbers are
   sums of epsilons. Outcomes may be of any type; sums over outcomes are taken over finite ones. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Privacy.
Variable R : realFieldType.
Variables (G : Type) (neighbours : G -> G -> Prop).
Implicit Types (g h : G) (r : R).

Definition costs (T : Type) (r : R) (M : G -> T -> R) : Prop :=
  forall g h t, neighbours g h -> r * M g t <= M h t.

(* Losses add up, also where the second mechanism is chosen by the outcome of the first. *)
Theorem composition (T U : Type) r s (M : G -> T -> R) (N : T -> G -> U -> R) :
  0 <= r -> 0 <= s -> (forall g t, 0 <= M g t) -> (forall t g u, 0 <= N t g u) ->
  costs r M -> (forall t, costs s (N t)) -> costs (r * s) (fun g p => M g p.1 * N p.1 g p.2).
Proof.
move=> r0 s0 M0 N0 cM cN g h [t u] nb /=; rewrite mulrACA; apply: ler_pmul.
- exact: mulr_ge0.
- exact: mulr_ge0.
- exact: cM.
exact: cN.
Qed.

(* What is computed from an outcome, with or without further chance, costs nothing more. *)
Theorem post_processing (T : finType) (U : Type) r (M : G -> T -> R) (K : T -> U -> R) :
  (forall t u, 0 <= K t u) -> costs r M -> costs r (fun g u => \sum_t M g t * K t u).
Proof.
move=> K0 cM g h u nb; rewrite mulr_sumr; apply: ler_sum => t _; rewrite mulrA; apply: ler_wpmul2r => //; exact: cM.
Qed.

(* Whole events, and not outcomes alone. *)
Theorem events (T : finType) r (M : G -> T -> R) (A : pred T) g h :
  costs r M -> neighbours g h -> r * (\sum_(t | A t) M g t) <= \sum_(t | A t) M h t.
Proof. by move=> cM nb; rewrite mulr_sumr; apply: ler_sum => t _; exact: cM. Qed.

(* k steps from neighbour to neighbour cost k times as much. *)
Fixpoint steps_apart k g h : Prop := if k is k'.+1 then exists2 m, neighbours g m & steps_apart k' m h else g = h.
Theorem group_privacy (T : Type) r (M : G -> T -> R) k g h t :
  0 <= r -> costs r M -> steps_apart k g h -> r ^+ k * M g t <= M h t.
Proof.
move=> r0 cM; elim: k g => [|k IH] g /=; first by move=> ->; rewrite expr0 mul1r.
case=> m nb /IH le; apply: le_trans le; rewrite exprSr -mulrA; apply: ler_wpmul2l; first exact: exprn_ge0.
exact: cM.
Qed.

(* Noise whose probability falls by the factor a < 1 for each step away from the exact value, and by a^w for an entry
   of weight w: discrete Laplace noise, and randomised response of bits. [scale] is the same for every input. What is
   measured may depend on the outcome: tiles that are chosen from earlier noisy counts. *)
Definition away (x : int) (y : nat) : nat := absz (x - y%:Z).

Lemma away_moves x (y z : nat) : (away x z <= away x y + dist y z)%N.
Proof. rewrite /away /dist; lia. Qed.

Section Noise.
Variables (I : finType) (a scale : R) (weight : I -> nat) (exact : (I -> int) -> G -> I -> nat) (s : nat).
Hypothesis a_range : 0 <= a <= 1.
Hypothesis scale_positive : 0 <= scale.
Hypothesis sensitivity : forall x g h, neighbours g h -> (\sum_i weight i * dist (exact x g i) (exact x h i) <= s)%N.

Definition noisy g (x : I -> int) : R := scale * a ^+ (\sum_i weight i * away (x i) (exact x g i))%N.

(* Noise of the scale that a sensitivity asks for costs a to the power of the sensitivity: epsilon in all. *)
Theorem laplace_noise : costs (a ^+ s) noisy.
Proof.
case/andP: a_range => a0 a1 g h x nb; rewrite /noisy mulrCA; apply: ler_wpmul2l => //; rewrite -exprD.
apply: ler_wiexpn2l => //.
apply: (@leq_trans (\sum_i (weight i * away (x i) (exact x g i) + weight i * dist (exact x g i) (exact x h i)))%N).
  by apply: leq_sum => i _; rewrite -mulnDr leq_mul2l away_moves orbT.
by rewrite big_split /= addnC leq_add2r; exact: sensitivity.
Qed.
End Noise.

(* Noise on a ladder: the rung of an outcome moves by at most 1, the normaliser by at most the factor (q + 1) / q. *)
Theorem ladder_noise (T : Type) (a : R) (q : nat) (rung : G -> T -> nat) (normaliser : G -> R) :
  0 <= a <= 1 -> (0 < q)%N -> (forall g, 0 < normaliser g) ->
  (forall g h t, neighbours g h -> (rung h t <= (rung g t).+1)%N) ->
  (forall g h, neighbours g h -> q%:R * normaliser h <= q.+1%:R * normaliser g) ->
  costs (a * (q%:R / q.+1%:R)) (fun g t => a ^+ rung g t / normaliser g).
Proof.
case/andP=> a0 a1 q0 pos moves norm g h t nb.
rewrite mulrACA -exprS; apply: ler_pmul; rewrite ?exprn_ge0 //.
- by rewrite mulr_ge0 ?invr_ge0 ?divr_ge0 ?ler0n // ltW.
- by apply: ler_wiexpn2l => //; exact: moves.
rewrite -mulrA -invfM ler_pdivr_mulr ?mulr_gt0 ?ltr0Sn // ler_pdivl_mull // mulrC; exact: norm.
Qed.

(* The normaliser of a ladder over the first N rungs, with 1 + 2 reach integers within each. *)
Definition partial_normaliser (a : R) (reach : nat -> nat) (N : nat) : R := \sum_(t < N) a ^+ t * (1 + 2 * reach t)%:R.
Theorem normaliser_moves (a : R) (q : nat) (reach reach' : nat -> nat) N :
  0 <= a -> (forall t, (q * reach' t <= q.+1 * reach t)%N) ->
  q%:R * partial_normaliser a reach' N <= q.+1%:R * partial_normaliser a reach N.
Proof.
move=> a0 le; rewrite /partial_normaliser !mulr_sumr; apply: ler_sum => t _; rewrite mulrCA [X in _ <= X]mulrCA.
apply: ler_wpmul2l; first exact: exprn_ge0.
rewrite -!natrM ler_nat; have := le t; nia.
Qed.
End Privacy.
