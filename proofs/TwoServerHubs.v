(* Triangles that two servers add up where pairs of hubs are asked apart: a pair of hubs counts what its randomised
   answers say, every other pair whether both keep each other. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

(* Of [a + b] answers about a pair of hubs, [a] are true and [b] turned around; a triangle counts 2 (a - b). With h hubs and
   lists cut at D. *)
Definition hubs_beside (h D : nat) : nat := maxn (minn (h - 1) (D - 1)) (2 * minn (h - 2) (D - 1)).
Definition hubs_sensitivity (a b h D : nat) : nat := 2 * (a - b) * (D - 1) + 2 * b * hubs_beside h D.
(* For 8 answers of which 1 to 3 are turned around, and 1 to 5 hubs. *)
Definition two_server_hubs_constant (D : nat) := [seq [seq hubs_sensitivity (8 - b) b h D | h <- iota 1 5] | b <- iota 1 3].

Section Hubs.
Variables (n a b D : nat) (hubs : {set 'I_n}) (mutual : rel 'I_n) (answered : 'I_n -> 'I_n -> int) (elsewhere : int).
Hypothesis more_are_true : b <= a.
Hypothesis mutual_sym : symmetric mutual.
Hypothesis answered_sym : forall i j, answered i j = answered j i.
Hypothesis answered_range : forall i j, (- (2 * b)%:Z <= answered i j <= (2 * a)%:Z)%R.
Implicit Types (z E : {set 'I_n}) (i j x y : 'I_n).

(* Seen from one person: what a pair of friends counts. Whatever is counted without this person stays as it is. *)
Definition worth i j : int :=
  if (i \in hubs) && (j \in hubs) then answered i j else (2 * (a - b) * mutual i j)%:Z%R.
(* E are those whom the person keeps and who keep the person: all their pairs are counted. *)
Definition weighted E : int := (elsewhere + \sum_(i in E) \sum_(j in E | (i < j)%N) worth i j)%R.
Definition brings z x : int := (\sum_(j in z) worth x j)%R.

Lemma worth_sym i j : worth i j = worth j i.
Proof. by rewrite /worth andbC mutual_sym answered_sym. Qed.

Lemma one_more z x : x \notin z -> weighted (x |: z) = (weighted z + brings z x)%R.
Proof.
move=> xz; have split i : (\sum_(j in x |: z | (i < j)%N) worth i j =
    (if (i < x)%N then worth i x else 0) + \sum_(j in z | (i < j)%N) worth i j)%R.
  rewrite big_mkcondr /= big_setU1 //= -big_mkcondr; by [].
rewrite /weighted -addrA; congr (_ + _)%R; rewrite big_setU1 //= split ltnn add0r.
under [X in (_ + X)%R]eq_bigr do rewrite split.
rewrite big_split /= addrA addrC; congr (_ + _)%R; rewrite /brings [X in (X + _)%R]big_mkcondr -big_split /=.
apply: eq_bigr => j jz; rewrite [worth j x]worth_sym; case: (ltngtP x j) => [||/val_inj E].
- by rewrite addr0.
- by rewrite add0r.
by rewrite E jz in xz.
Qed.

(* What one more friend brings, where the person has the friends z: so many of them are hubs. *)
Notation triangle := (2 * (a - b)).
Definition hubs_in z : nat := \sum_(j in z) (j \in hubs).

Lemma brings_other z x : x \notin hubs -> (0 <= brings z x <= (triangle * #|z|)%:Z)%R.
Proof.
move=> /negbTE xh; rewrite /brings -sum1_card.
apply: (big_ind2 (fun (m : int) (t : nat) => (0 <= m <= (triangle * t)%:Z)%R)) => [|m t m' t'|j _].
- by lia.
- by lia.
by rewrite /worth xh; case: (mutual x j); rewrite /= ?muln0 ?muln1; lia.
Qed.

Lemma brings_hub z x : (- (2 * b * hubs_in z)%:Z <= brings z x <= (triangle * #|z| + 2 * b * hubs_in z)%:Z)%R.
Proof.
rewrite /brings /hubs_in -sum1_card.
apply: (big_ind3 (fun (m : int) (t s : nat) => (- (2 * b * s)%:Z <= m <= (triangle * t + 2 * b * s)%:Z)%R)) => [|m t s m' t' s'|j _].
- by lia.
- by lia.
rewrite /worth; case: (j \in hubs); rewrite ?andbF ?andbT; last by case: (mutual x j); rewrite /= ?muln0 ?muln1; lia.
by case: (x \in hubs); [have := answered_range x j | case: (mutual x j)]; rewrite /= ?muln0 ?muln1; lia.
Qed.

Lemma hubs_in_besides z (X : {set 'I_n}) : X \subset hubs -> [disjoint X & z] -> hubs_in z <= #|hubs| - #|X|.
Proof.
move=> sub dis; rewrite /hubs_in -big_mkcondr sum1_card -(cardsDS sub); apply: subset_leq_card; apply/subsetP => j.
by rewrite !inE unfold_in /= => /andP [jz ->]; rewrite andbT; apply/negP => jX; move/disjoint_setI0: dis => /setP /(_ j); rewrite !inE jX jz.
Qed.

(* One entry of a list adds a friend, takes one, or exchanges one: entries of the own list, which is cut at D, and entries of
   the list of a hub, which is not. The weighted count moves by at most this. *)
Theorem two_server_hubs_sensitivity z x y E E' :
  #|z| <= D - 1 -> E = z \/ E = x |: z -> E' = z \/ E' = y |: z ->
  absz (weighted E - weighted E')%R <= hubs_sensitivity a b #|hubs| D.
Proof.
move=> tD HE HE'; pose s := hubs_in z; pose t := #|z|.
have st : s <= t by rewrite /s /hubs_in /t -sum1_card; apply: leq_sum => j _; exact: leq_b1.
have room : triangle * t <= triangle * (D - 1) by rewrite leq_mul2l tD orbT.
have beside k : k <= hubs_beside #|hubs| D -> 2 * b * k <= 2 * b * hubs_beside #|hubs| D by rewrite leq_mul2l => ->; rewrite orbT.
have one v : v \in hubs -> v \notin z -> 2 * b * s <= 2 * b * hubs_beside #|hubs| D.
  move=> vh vz; apply: beside; have := @hubs_in_besides z [set v]; rewrite sub1set disjoints1 cards1 vh vz.
  by move=> /(_ isT isT); rewrite -/s /hubs_beside; lia.
have two v w : v \in hubs -> w \in hubs -> v \notin z -> w \notin z -> v != w -> 2 * b * (2 * s) <= 2 * b * hubs_beside #|hubs| D.
  move=> vh wh vz wz vw; apply: beside; have := @hubs_in_besides z [set v; w].
  rewrite cards2 vw disjoints_subset !subUset !sub1set !inE vh wh vz wz => /(_ isT isT).
  by rewrite -/s /hubs_beside; lia.
have same v : v \in z -> v |: z = z by move=> vz; rewrite (setUidPr _) ?sub1set.
have moves S v : S = z \/ S = v |: z -> S = z \/ v \notin z /\ weighted S = (weighted z + brings z v)%R.
  by case=> ->; [left | case: (boolP (v \in z)) => vz; [left; exact: same | right; split=> //; exact: one_more]].
have low := @brings_other z; have high := @brings_hub z; rewrite /hubs_sensitivity -/t -/s in low high *.
have alone v : v \notin z -> absz (brings z v) <= triangle * (D - 1) + 2 * b * hubs_beside #|hubs| D.
  move=> vz; case: (boolP (v \in hubs)) => vh; [have := one v vh vz; have := high v | have := low v vh];
    move: (brings z v) room; move: (triangle * t) (triangle * (D - 1)) (2 * b * s) (2 * b * _) => p q r u m; lia.
case: (moves _ _ HE) => [->|[xz ->]]; case: (moves _ _ HE') => [->|[yz ->]].
- by rewrite subrr.
- by rewrite opprD addrA subrr add0r abszN alone.
- by rewrite addrAC subrr add0r alone.
rewrite opprD addrACA subrr add0r; case: (altP (x =P y)) => [->|xy]; first by rewrite subrr.
case: (boolP (x \in hubs)) => xh; case: (boolP (y \in hubs)) => yh.
- have := two x y xh yh xz yz xy; have := high x; have := high y; move: (brings z x) (brings z y) room.
  have -> : 2 * b * (2 * s) = 2 * b * s + 2 * b * s by lia.
  move: (triangle * t) (triangle * (D - 1)) (2 * b * s) (2 * b * _) => p q r u m m'; lia.
- have := one x xh xz; have := high x; have := low y yh; move: (brings z x) (brings z y) room.
  move: (triangle * t) (triangle * (D - 1)) (2 * b * s) (2 * b * _) => p q r u m m'; lia.
- have := one y yh yz; have := high y; have := low x xh; move: (brings z x) (brings z y) room.
  move: (triangle * t) (triangle * (D - 1)) (2 * b * s) (2 * b * _) => p q r u m m'; lia.
have := low x xh; have := low y yh; move: (brings z x) (brings z y) room.
move: (triangle * t) (triangle * (D - 1)) (2 * b * _) => p q u m m'; lia.
Qed.
End Hubs.
