(* The smoothed ladder: why a draw from it costs no more than the rate of a rung and the growth of its widths. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Pairs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Smooth.
Variables (G : Type) (neighbours : G -> G -> Prop) (q : nat).
Hypothesis sym : forall g h, neighbours g h -> neighbours h g.
Hypothesis q_positive : 0 < q.

(* With kappa = 1 / q: shrinking by 1 + kappa, rounded up. *)
Definition shrink (x : nat) : nat := x - x %/ q.+1.

Lemma shrink_monotone x y : x <= y -> shrink x <= shrink y.
Proof.
move=> xy; rewrite /shrink; have := divn_eq x q.+1; have := divn_eq y q.+1.
have := ltn_pmod x (ltn0Sn q); have := ltn_pmod y (ltn0Sn q); have := leq_div2r q.+1 xy.
move: (x %/ _) (y %/ _) (x %% _) (y %% _) => a b c d ab dq cq Ey Ex; rewrite Ex Ey !mulnS; nia.
Qed.

Lemma shrink_enough x : q * x <= q.+1 * shrink x.
Proof. rewrite /shrink; have := divn_eq x q.+1; move: (x %/ _) (x %% _) => a b; nia. Qed.

(* Widths that follow what is asked for, from the far end backwards, so that they grow by at most the factor 1 + kappa;
   from some step on they are what is asked for. *)
Definition smoothed (asked width : G -> nat -> nat) : Prop :=
  forall g, (forall t, width g t = maxn (asked g t) (shrink (width g t.+1))) /\
            (exists N, forall t, N <= t -> width g t = asked g t).

Lemma smoothed_next asked width : smoothed asked width ->
  (forall g h t, neighbours g h -> asked h t <= asked g t.+1) ->
  forall g h t, neighbours g h -> width h t <= width g t.+1.
Proof.
move=> S next g h t nb; have [eg [Ng endg]] := S g; have [eh [Nh endh]] := S h.
have far m : maxn Ng Nh <= m -> width h m <= width g m.+1.
  by move=> le; rewrite endh ?endg; [exact: next | lia | lia].
case: (leqP (maxn Ng Nh) t) => [/far //|/ltnW lt]; move: (subnK lt); move: (maxn Ng Nh - t) => d.
elim: d t {lt} => [|d IH] t E; first by apply: far; lia.
rewrite eh [width g t.+1]eg geq_max !leq_max next //= orbC; apply/orP; left.
by apply: shrink_monotone; apply: IH; lia.
Qed.

Lemma smoothed_grows asked width g t : smoothed asked width -> q * width g t.+1 <= q.+1 * width g t.
Proof.
by move=> /(_ g) [E _]; apply: leq_trans (shrink_enough _) _; rewrite leq_mul2l (E t) leq_maxr orbT.
Qed.

Variables (f : G -> nat) (step width middle : G -> nat -> nat) (part : nat -> nat).
Hypothesis ladder : ladder_function neighbours f step.
Hypothesis widths : smoothed step width.
(* The middle of the law: a monotone part of the width, such as a rounded multiple. *)
Hypothesis part_monotone : forall x y, x <= y -> part x <= part y.
Hypothesis middles : smoothed (fun g t => part (width g t)) middle.

(* How far rung t reaches. *)
Definition reach g t : nat := \sum_(s < t) width g s + middle g t.

Lemma width_next g h t : neighbours g h -> width h t <= width g t.+1.
Proof. by apply: smoothed_next widths _ g h t => g' h' t' nb; exact: ladder.2. Qed.

Lemma middle_next g h t : neighbours g h -> middle h t <= middle g t.+1.
Proof. by apply: smoothed_next middles _ g h t => g' h' t' nb; apply: part_monotone; exact: width_next. Qed.

(* An outcome at distance x from f g within rung t is, seen from a neighbour, within rung t + 1. *)
Theorem rung_moves_by_one g h t x y :
  neighbours g h -> x <= reach g t -> y <= x + dist (f g) (f h) -> y <= reach h t.+1.
Proof.
move=> nb xr yx; apply: leq_trans yx _; rewrite /reach big_ord_recl /= -addnA addnC.
have first : dist (f g) (f h) <= width h 0.
  rewrite dist_sym; have [E _] := widths h; rewrite E leq_max.
  by rewrite (ladder.1 _ _ (sym nb)).
apply: leq_add first _; apply: leq_trans xr _; apply: leq_add (middle_next _ (sym nb)).
by apply: leq_sum => s _; exact: width_next (sym nb).
Qed.

(* The reach of every rung, hence the normaliser, moves by at most the factor 1 + kappa = (q + 1) / q. *)
Theorem reach_moves_by_kappa g h t : neighbours g h -> q * reach h t <= q.+1 * reach g t.
Proof.
move=> nb; rewrite /reach !mulnDr !big_distrr /=; apply: leq_add.
  by apply: leq_sum => s _; apply: leq_trans (smoothed_grows _ _ widths); rewrite leq_mul2l width_next ?orbT.
by apply: leq_trans (smoothed_grows _ _ middles); rewrite leq_mul2l middle_next ?orbT.
Qed.

(* The level of a width: the number of steps of growth from q up to it. *)
Definition grow (x : nat) : nat := x + x %/ q.
Lemma grow_monotone x y : x <= y -> grow x <= grow y.
Proof. by move=> xy; apply: leq_add => //; exact: leq_div2r. Qed.

Lemma grows_once g t : width g t.+1 <= grow (width g t).
Proof.
have [E _] := widths g; have := leq_maxr (step g t) (shrink (width g t.+1)); rewrite -E /shrink /grow.
move: (width g t.+1) (width g t) => x y; have := divn_eq x q.+1; have := ltn_pmod x (ltn0Sn q).
move: (x %/ _) (x %% _) => a b bq Ex le; have aq : a <= y %/ q by rewrite leq_divRL // ; nia.
nia.
Qed.

(* A width that lies within l steps of growth from q does so, for a neighbour, within l + 1 steps. *)
Definition level_constant := 1.
Theorem level_sensitivity g h l :
  neighbours g h -> width g 0 <= iter l grow q -> width h 0 <= iter (l + level_constant) grow q.
Proof.
move=> nb le; rewrite addn1 iterS; apply: leq_trans (width_next 0 nb) _; apply: leq_trans (grows_once _ _) _.
exact: grow_monotone.
Qed.
End Smooth.
