(* Distances of whole numbers, and of lists of them. *)
From mathcomp Require Import all_ssreflect zify.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition dist (x y : nat) : nat := (x - y) + (y - x).

Lemma dist_sym x y : dist x y = dist y x.
Proof. by rewrite /dist addnC. Qed.

Lemma dist_self x : dist x x = 0.
Proof. by rewrite /dist subnn. Qed.

Lemma dist_triangle x y z : dist x z <= dist x y + dist y z.
Proof. rewrite /dist; lia. Qed.

Lemma dist_within x y s : x <= y + s -> y <= x + s -> dist x y <= s.
Proof. rewrite /dist; lia. Qed.

Lemma dist_plus x y z : dist x (z + y) <= dist x y + z.
Proof. rewrite /dist; lia. Qed.

(* The distance of two lists of numbers that are indexed by a finite set: the sum over entries (L1). *)
Definition distance (I : finType) (x y : I -> nat) : nat := \sum_(i : I) dist (x i) (y i).

Lemma distance_sym (I : finType) (x y : I -> nat) : distance x y = distance y x.
Proof. by apply: eq_bigr => i _; rewrite dist_sym. Qed.

Lemma distance_triangle (I : finType) (x y z : I -> nat) : distance x z <= distance x y + distance y z.
Proof. by rewrite /distance -big_split /=; apply: leq_sum => i _; apply: dist_triangle. Qed.

Lemma distance_self (I : finType) (x : I -> nat) : distance x x = 0.
Proof. by apply: big1 => i _; rewrite dist_self. Qed.

(* Entries that only grow: the distance is the growth of the sum. *)
Lemma distance_rise (I : finType) (x y : I -> nat) :
  (forall i, x i <= y i) -> distance x y = \sum_i y i - \sum_i x i.
Proof.
move=> le; have E : \sum_i y i = \sum_i x i + distance x y.
  rewrite /distance -big_split /=; apply: eq_bigr => i _; move: (le i); rewrite /dist; lia.
by rewrite E addKn.
Qed.

(* Sums move by no more than their terms do. *)
Lemma dist_sum (T : finType) (P : pred T) (x y : T -> nat) :
  dist (\sum_(t | P t) x t) (\sum_(t | P t) y t) <= \sum_(t | P t) dist (x t) (y t).
Proof.
apply: (big_ind3 (fun p q r => dist p q <= r)) => // p1 q1 r1 p2 q2 r2; rewrite /dist; lia.
Qed.

Lemma distance_sums (T I : finType) (P : pred T) (x y : T -> I -> nat) :
  distance (fun i => \sum_(t | P t) x t i) (fun i => \sum_(t | P t) y t i)
  <= \sum_(t | P t) distance (x t) (y t).
Proof. by rewrite /distance exchange_big /=; apply: leq_sum => i _; apply: dist_sum. Qed.

(* How many of n' places lie below x. *)
Lemma below n' (x : nat) : x <= n' -> \sum_(j < n') (j < x) = x.
Proof.
move=> le; rewrite -(subnKC le) big_split_ord /= (eq_bigr (fun=> 1)) => [|j _]; last by rewrite ltn_ord.
by rewrite sum_nat_const card_ord muln1 big1 ?addn0 // => j _; rewrite ltnNge leq_addr.
Qed.
