(* Triangles that two servers add up: every list is cut at D friends, and a friendship counts if both ends keep it. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Tiles.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section TwoServers.
(* Seen from one person: [mutual] pairs of others who keep each other, [keeps] who keeps this person, and the number of
   triangles without this person. All of them stay while the own list S changes. *)
Variables (n : nat) (mutual : rel 'I_n) (keeps : pred 'I_n) (elsewhere : nat).
Hypothesis mutual_sym : symmetric mutual.
Hypothesis mutual_irr : irreflexive mutual.
Implicit Types (S z : {set 'I_n}) (a b i j : 'I_n).

Definition closed i j : nat := [&& keeps i, keeps j & mutual i j].
(* Every triangle with this person is seen twice: from i to j and from j to i. *)
Definition own_twice S : nat := \sum_(i in S) \sum_(j in S) closed i j.
Definition counted S : nat := elsewhere + (own_twice S)./2.

Lemma closed_with z b : \sum_(j in z) closed b j <= #|z|.
Proof. by rewrite -sum1_card; apply: leq_sum => j _; exact: leq_b1. Qed.

Lemma one_friend_more z b : own_twice (b |: z) = own_twice z + (b \notin z) * 2 * \sum_(j in z) closed b j.
Proof.
case bz: (b \in z); first by rewrite (setUidPr _) ?sub1set // !mul0n addn0.
have nb : b \notin z by rewrite bz.
have self : closed b b = 0 by rewrite /closed mutual_irr !andbF.
rewrite /own_twice big_setU1 //= big_setU1 //= self add0n mul1n.
rewrite [X in _ + X](eq_bigr (fun i => closed b i + \sum_(j in z) closed i j)) => [|i _]; last first.
  by rewrite big_setU1 //= /closed mutual_sym andbCA.
by rewrite big_split /= addnA addnn -mul2n addnC.
Qed.

(* A list from which one entry was taken, and room for it. *)
Lemma within z b D : #|z| <= D - 1 -> counted z <= counted (b |: z) <= counted z + (D - 1).
Proof.
move=> le; rewrite /counted one_friend_more; have := closed_with z b; case: (b \notin z); rewrite ?mul0n ?mul1n; lia.
Qed.

Definition two_server_entry_constant (D : nat) := D - 1.
(* One entry of a list adds a friend, takes one, or exchanges one where the list is full: the number of triangles moves
   by at most D - 1, whatever other people send. *)
Theorem two_server_entry_sensitivity D z S S' a b :
  #|z| <= D - 1 -> S = z \/ S = a |: z -> S' = z \/ S' = b |: z ->
  dist (counted S) (counted S') <= two_server_entry_constant D.
Proof.
move=> le HS HS'; have := within a le; have := within b le; rewrite /two_server_entry_constant /dist.
by case: HS => ->; case: HS' => ->; lia.
Qed.
End TwoServers.

(* A relationship is one entry of each of two lists: the count moves from g to m by the first and on to h by the second. *)
Definition two_server_relationship_constant (D : nat) := 2 * (D - 1).
Theorem two_server_relationship_sensitivity D (g m h : nat) :
  dist g m <= two_server_entry_constant D -> dist m h <= two_server_entry_constant D ->
  dist g h <= two_server_relationship_constant D.
Proof. by rewrite /two_server_entry_constant /two_server_relationship_constant /dist; lia. Qed.

(* Sums over people of numbers that everybody makes from the own degree, or from an answer: what one entry, or another
   answer, moves in the numbers of one person. *)
Definition two_server_stars_moved (D k : nat) : nat := 'C(D - 1, k).
Definition two_server_stars_constant (D : nat) := [seq two_server_stars_moved D k | k <- iota 1 4].
(* Stars with k + 1 leaves, of a degree cut at D: one entry moves them by at most C(D - 1, k). *)
Theorem two_server_stars_sensitivity D k d e :
  dist d e <= 1 -> dist 'C(minn d D, k.+1) 'C(minn e D, k.+1) <= two_server_stars_moved D k.
Proof.
rewrite /two_server_stars_moved.
have step x : dist 'C(minn x.+1 D, k.+1) 'C(minn x D, k.+1) <= 'C(D - 1, k).
  case: (leqP D x) => [Dx|xD]; first by rewrite (minn_idPr (leqW Dx)) ?(minn_idPr Dx) dist_self.
  rewrite (minn_idPl xD) ?(minn_idPl (ltnW xD)) binS /dist; have : 'C(x, k) <= 'C(D - 1, k) by apply: leq_bin2l; lia.
  lia.
move=> le; have [->|[->|->]] : d = e \/ d = e.+1 \/ e = d.+1 by move: le; rewrite /dist; lia.
- by rewrite dist_self.
- exact: step.
by rewrite dist_sym; exact: step.
Qed.

Definition two_server_tiles_constant := 1.
(* The levels that a degree reaches, by bands of levels: one entry moves them by 1 in total. *)
Theorem two_server_tiles_sensitivity N (T : finType) (tile : 'I_N -> T) d e :
  dist d e <= 1 -> distance (tiles tile (fun _ : unit => d)) (tiles tile (fun _ : unit => e)) <= two_server_tiles_constant.
Proof. by move=> le; apply: leq_trans (tiles_move _ _ _) _; rewrite /distance (big_pred1 tt) // => -[]. Qed.

Definition two_server_answers_constant := 2.
(* Another answer moves two cells by 1. *)
Theorem two_server_answers_sensitivity (C : finType) (x y : C) :
  distance (fun c => nat_of_bool (x == c)) (fun c => nat_of_bool (y == c)) <= two_server_answers_constant.
Proof.
have one z : distance (fun=> 0) (fun c : C => nat_of_bool (z == c)) = 1.
  rewrite distance_rise // [X in _ - X]big1 // subn0 (bigD1 z) //= eqxx big1 // => c; by rewrite eq_sym => /negbTE ->.
by apply: leq_trans (distance_triangle _ (fun=> 0) _) _; rewrite distance_sym !one.
Qed.
