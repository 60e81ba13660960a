(* Lists of numbers, one for each person, counted by levels: people above each level, summed over bands of levels. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Tiles.
Variables (P : finType) (N : nat) (T : finType) (tile : 'I_N -> T).
Definition tiles (d : P -> nat) (t : T) : nat := \sum_u \sum_(j : 'I_N | tile j == t) (j < d u).

Lemma levels_below x : \sum_(j < N) (j < x) = minn N x.
Proof.
case: (leqP x N) => [le|/ltnW ge]; first by rewrite below //; lia.
rewrite (eq_bigr (fun=> 1)) => [|j _]; last by rewrite (leq_trans (ltn_ord j) ge).
by rewrite sum_nat_const card_ord muln1; lia.
Qed.

Lemma levels_move x y : \sum_(j < N) dist (j < x) (j < y) <= dist x y.
Proof.
wlog xy : x y / x <= y => [W|].
  case: (leqP x y) => [/W //|/ltnW /W]; rewrite dist_sym; apply: leq_trans; apply: leq_sum => j _; by rewrite dist_sym.
have -> : \sum_(j < N) dist (j < x) (j < y) = distance (fun j : 'I_N => nat_of_bool (j < x)) (fun j : 'I_N => nat_of_bool (j < y)) by [].
rewrite distance_rise => [|j]; last by case: (ltnP j x) => // lt; rewrite (leq_trans lt xy).
rewrite !levels_below /dist; lia.
Qed.

(* Tiles change by no more in total than the numbers of all people do, whatever the bands are. *)
Theorem tiles_move (d e : P -> nat) : distance (tiles d) (tiles e) <= distance d e.
Proof.
apply: leq_trans (distance_sums _ _ _) _; apply: leq_sum => u _; apply: leq_trans (levels_move _ _).
rewrite [X in _ <= X](partition_big tile xpredT) //=; apply: leq_sum => t _; exact: dist_sum.
Qed.
End Tiles.

Lemma one_person_moves (P : finType) (d e : P -> nat) a : (forall u, e u = d u + (u == a)) -> distance d e = 1.
Proof.
move=> E; rewrite /distance (bigD1 a) //= big1 => [|u /negbTE ua]; last by rewrite E ua addn0 dist_self.
by rewrite E eqxx /dist; lia.
Qed.
