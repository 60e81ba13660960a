(* Sums over time from noisy blocks of steps: a tree of blocks on several levels. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

Section Tree.
(* So many steps and levels; on every level each step lies in one block. Blocks end at different steps, and later
   changes may follow from earlier answers: the bound holds for whatever changes both streams end up with. *)
Variables (steps levels : nat) (B : finType) (block : 'I_levels -> 'I_steps -> B).
Implicit Types (x y : 'I_steps -> int).

Definition change_of_block x (p : 'I_levels * B) : int := (\sum_(t | block p.1 t == p.2) x t)%R.
Definition apart x y (t : 'I_steps) : nat := absz (x t - y t)%R.

Lemma sums_apart (P : pred 'I_steps) x y :
  absz ((\sum_(t | P t) x t) - (\sum_(t | P t) y t))%R <= \sum_(t | P t) apart x y t.
Proof.
apply: (big_ind3 (fun p q r => absz (p - q)%R <= r)) => // p1 q1 r1 p2 q2 r2; lia.
Qed.

Definition tree_constant (levels : nat) := levels.
(* If the changes of two streams differ by at most s in all, the changes of all blocks differ by at most s for each level. *)
Theorem tree_sensitivity x y s : \sum_t apart x y t <= s ->
  \sum_p absz (change_of_block x p - change_of_block y p)%R <= tree_constant levels * s.
Proof.
move=> le; rewrite -(pair_big xpredT xpredT (fun l b => absz (change_of_block x (l, b) - change_of_block y (l, b))%R)) /=.
apply: leq_trans (_ : \sum_(l < levels) s <= _); last by rewrite sum_nat_const card_ord.
apply: leq_sum => l _; apply: leq_trans le; rewrite [X in _ <= X](partition_big (block l) xpredT) //=.
by apply: leq_sum => b _; exact: sums_apart.
Qed.
End Tree.
