(* Modularity times the number of edges: what one edge changes in the score of a partition. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base Graphs Degrees.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Section Modularity.
Variables (n : nat) (C : finType) (group : 'I_n -> C).
Implicit Types (g h : graph n) (u v w a b : 'I_n) (c : C).

(* Twice as many as edges are the degrees of all people. *)
Lemma handshake g : \sum_u deg g u = 2 * edges g.
Proof.
have -> : \sum_u deg g u = \sum_(p : 'I_n * 'I_n) adj g p.1 p.2.
  rewrite -(pair_big xpredT xpredT (fun u w => nat_of_bool (adj g u w))) /=; apply: eq_bigr => u _.
  by rewrite /deg -sum1_card big_mkcond /=; apply: eq_bigr => w _; rewrite inE; case: (adj g u w).
have E : \sum_(p : 'I_n * 'I_n | p.1 < p.2) adj g p.1 p.2 = edges g.
  rewrite /edges -sum1_card big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => p _; rewrite !inE.
  by case: (p.1 < p.2); case: (adj g p.1 p.2).
rewrite (bigID (fun p : 'I_n * 'I_n => p.1 < p.2)) /= E mul2n -addnn; congr (_ + _); rewrite -E.
rewrite (reindex_inj (h := fun p : 'I_n * 'I_n => (p.2, p.1))) /=; last by case=> [x1 y1] [x2 y2] [-> ->].
rewrite [LHS]big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => -[x y] _ /=; rewrite -leqNgt leq_eqVlt adj_sym.
by case: (ltngtP x y) => // /val_inj ->; rewrite adj_irr.
Qed.

(* The degrees within a group, the sum of their squares, and the edges inside groups. *)
Definition volume g c : nat := \sum_(u | group u == c) deg g u.
Definition squares g : nat := \sum_c volume g c ^ 2.
Definition inside g : nat := \sum_(p | group p.1 == group p.2) pairs g p.
Local Open Scope ring_scope.
Definition score g : rat := if edges g == 0%N then 0 else (inside g)%:R - (squares g)%:R / (4 * edges g)%:R.
Local Close Scope ring_scope.

Lemma all_volumes g : \sum_c volume g c = 2 * edges g.
Proof. by rewrite -handshake [RHS](partition_big group xpredT). Qed.

Lemma squares_below g : squares g <= (2 * edges g) ^ 2.
Proof.
rewrite -all_volumes /squares -mulnn big_distrlr /=; apply: leq_sum => c _.
by rewrite (bigD1 c) //= -mulnn leq_addr.
Qed.

Lemma volume_rises g h a b c : adds g h a b -> volume h c = volume g c + ((group a == c) + (group b == c)).
Proof.
move=> H; rewrite /volume (eq_bigr _ (fun u _ => deg_rises u H)) big_split /=; congr (_ + _); rewrite big_split /=.
have one x : \sum_(u | group u == c) (u == x) = (group x == c).
  rewrite big_mkcond (bigD1 x) //= eqxx big1 ?addn0 => [|u /negbTE ->]; last by case: ifP.
  by case: ifP.
by rewrite !one.
Qed.

Lemma squares_rise g h a b : adds g h a b ->
  squares h = squares g + (if group a == group b then 4 * volume g (group a) + 4
                           else 2 * (volume g (group a) + volume g (group b)) + 2).
Proof.
move=> H; rewrite /squares (eq_bigr _ (fun c _ => congr1 (fun x => x ^ 2) (volume_rises c H))).
case: (altP (group a =P group b)) => [<-|ab].
  rewrite (bigD1 (group a)) //= [in RHS](bigD1 (group a)) //= eqxx.
  rewrite (eq_bigr (fun c => volume g c ^ 2)) => [|c]; last by rewrite eq_sym => /negbTE ->; rewrite addn0.
  rewrite -!mulnn; lia.
have ba : group b != group a by rewrite eq_sym.
rewrite (bigD1 (group a)) //= (bigD1 (group b)) //= [in RHS](bigD1 (group a)) //= [in RHS](bigD1 (group b)) //=.
rewrite !eqxx (negbTE ab) (negbTE ba) (eq_bigr (fun c => volume g c ^ 2)) => [|c /andP [ca cb]]; last first.
  by rewrite ![group _ == c]eq_sym (negbTE ca) (negbTE cb) addn0.
rewrite -!mulnn; lia.
Qed.

Lemma inside_rises g h a b : adds g h a b -> inside h = inside g + (group a == group b).
Proof.
move=> H; wlog lt : a b H / a < b.
  move=> W; have [ab _ _ _] := H; rewrite eq_sym; case: (ltngtP a b) => [lt|gt|/val_inj /eqP E]; last by rewrite E in ab.
    by rewrite eq_sym; exact: W.
  exact: W (adds_swap H) gt.
have [ab gab _ E] := H; rewrite /inside.
have moved p : pairs h p = pairs g p + (p == (a, b)).
  case: p => x y; rewrite /pairs /= E xpair_eqE.
  case: (altP (x =P a)) => [->|xa] /=.
    case: (altP (y =P b)) => [->|yb] /=; first by rewrite (negbTE gab) lt.
    by rewrite (negbTE ab) /= orbF addn0.
  case: (altP (x =P b)) => [->|xb] /=; last by rewrite orbF addn0.
  case: (altP (y =P a)) => [->|ya] /=; last by rewrite orbF addn0.
  by rewrite ltnNge ltnW // !andbF.
rewrite (eq_bigr _ (fun p _ => moved p)) big_split /=; congr (_ + _); rewrite big_mkcond (bigD1 (a, b)) //= eqxx big1.
  by case: ifP.
by move=> p /negbTE ->; case: ifP.
Qed.

Lemma squares_above g c d : c != d -> volume g c ^ 2 + volume g d ^ 2 <= squares g.
Proof.
by move=> cd; rewrite /squares (bigD1 c) //= (bigD1 d) ?[d == c]eq_sym //= addnA leq_addr.
Qed.
Lemma square_above g c : volume g c ^ 2 <= squares g.
Proof. by rewrite /squares (bigD1 c) //= leq_addr. Qed.

(* The two inequalities of whole numbers on which the range rests; i is 1 for an edge inside of a group. *)
Lemma whole_numbers g h a b : adds g h a b -> let i := group a == group b in let V := 2 * edges g in
  squares h * V <= (2 * i + 1) * (V * (V + 2)) + squares g * (V + 2) /\
  2 * i * (V * (V + 2)) + squares g * (V + 2) <= squares h * V + 4 * (V * (V + 2)).
Proof.
move=> H /=; rewrite (squares_rise H); have := squares_below g; rewrite -mulnn; move: (2 * edges g) => V top.
case: (altP (group a =P group b)) => [_|ab].
  have := square_above g (group a); rewrite -mulnn; move: (volume g (group a)) (squares g) top => x L top low.
  have [low2 _] := nat_Cauchy x V; move: low2; rewrite -!mulnn; rewrite /= ?muln1 !mulnDr !mulnDl; split; lia.
have := squares_above g ab; rewrite -!mulnn; move: (volume g (group a)) (volume g (group b)) (squares g) top => x y L top low.
have [c1 _] := nat_Cauchy (x + y) V; have [c2 _] := nat_Cauchy x y; move: c1 c2; rewrite -!mulnn; rewrite /= ?muln0 !mulnDr !mulnDl; split; lia.
Qed.

Local Open Scope ring_scope.
Lemma fractions (A B L M V W : nat) : (0 < V)%N -> (0 < W)%N -> (A * (V * W) + L * W <= M * V + B * (V * W))%N ->
  A%:R + L%:R / V%:R <= M%:R / W%:R + B%:R :> rat.
Proof.
move=> V0 W0 le; have VW : (0 : rat) < (V * W)%:R by rewrite ltr0n muln_gt0 V0.
rewrite -(ler_pmul2r VW) !mulrDl -natrM.
have -> : L%:R / V%:R * (V * W)%:R = (L * W)%:R :> rat by rewrite natrM mulrA divfK ?pnatr_eq0 -?lt0n // natrM.
have -> : M%:R / W%:R * (V * W)%:R = (M * V)%:R :> rat.
  by rewrite mulnC natrM mulrA divfK ?pnatr_eq0 -?lt0n // natrM.
by rewrite -!natrM -!natrD ler_nat.
Qed.

Definition modularity_constant := 5%N.
(* In halves of an edge: one edge more moves the scores of all partitions by amounts between -1 and 4. *)
Theorem modularity_range g h a b : adds g h a b ->
  - 1 <= 2%:R * (score h - score g) <= modularity_constant%:R - 1.
Proof.
move=> H; rewrite /score (edges_of_adding H) /= (inside_rises H).
have [low high] := whole_numbers H.
have half (x : rat) (m : nat) : 2%:R * (x / (4 * m)%:R) = x / (2 * m)%:R.
  have -> : (4 * m)%:R = 2%:R * (2 * m)%:R :> rat by rewrite -natrM mulnA.
  by rewrite invfM mulrCA [2%:R * (_ * _)]mulrA mulfV // mul1r.
have W : (2 * (edges g).+1 = 2 * edges g + 2)%N by lia.
case: (posnP (edges g)) => [E0|E0].
  have L0 : squares g = 0%N by apply/eqP; rewrite -leqn0; apply: leq_trans (squares_below g) _; rewrite E0.
  have I0 : inside g = 0%N.
    have : (inside g <= edges g)%N; last by rewrite E0 leqn0 => /eqP.
    rewrite /edges -sum1_card /inside big_mkcond [X in (_ <= X)%N]big_mkcond /=.
    by apply: leq_sum => p _; rewrite /pairs inE; case: (_ == _); case: (_ && _).
  have Vz c : volume g c = 0%N.
    by apply/eqP; rewrite -leqn0; have := square_above g c; rewrite L0 leqn0 expn_eq0 andbT => /eqP ->.
  by rewrite (squares_rise H) L0 I0 E0 !Vz subr0; case: (_ == _).
set i := (group a == group b : nat) in low high *.
have -> : 2%:R * ((inside g + i)%:R - (squares h)%:R / (4 * (edges g).+1)%:R - ((inside g)%:R - (squares g)%:R / (4 * edges g)%:R))
   = (2 * i)%:R + (squares g)%:R / (2 * edges g)%:R - (squares h)%:R / (2 * (edges g).+1)%:R :> rat.
  rewrite -!half (natrM _ 2 i) -mulrDr -mulrBr; congr (_ * _); move: (_ / _) (_ / _) => x y.
  by rewrite natrD opprB addrC -!addrA addKr addrCA.
have V0 : (0 < 2 * edges g)%N by rewrite muln_gt0.
have W0 : (0 < 2 * (edges g).+1)%N by [].
have lowQ := @fractions 0 (2 * i + 1) (squares h) (squares g) (2 * (edges g).+1) (2 * edges g) W0 V0.
have highQ := @fractions (2 * i) 4 (squares g) (squares h) (2 * edges g) (2 * (edges g).+1) V0 W0.
move: lowQ highQ; rewrite W mul0n !add0n [((2 * edges g + 2) * (2 * edges g))%N]mulnC add0r => lowQ highQ.
apply/andP; split.
  have {}lowQ := lowQ (leq_trans low (eq_leq (addnC _ _))).
  rewrite ler_subr_addr addrC ler_subl_addr; apply: le_trans lowQ _.
  by rewrite natrD -[1%:R]/1 addrA [_ / _ + _]addrC.
rewrite ler_subl_addl; apply: le_trans (highQ high) _; by rewrite ler_add2l ler_subr_addr -(natrD _ 4 1) ler_nat.
Qed.
End Modularity.
