(* Graphs of noisy communities: what everybody's choice of a community rests on, and degrees within and edges between. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Degrees EdgeSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Communities.
(* Everybody's community follows from earlier answers, so it is given. *)
Variables (n : nat) (C : finType) (community : 'I_n -> C).
Implicit Types (g h : graph n) (u v w a b : 'I_n) (p : 'I_n * 'I_n) (c : C).

(* How many friends a person has in a community: by this everybody chooses one. *)
Definition friends_in g u c : nat := #|[pred w | adj g u w && (community w == c)]|.
(* An edge moves the numbers of its two ends: that of the other one's community. *)
Lemma friends_in_rise g h a b u c : adds g h a b ->
  friends_in h u c = friends_in g u c
    + ((u == a) && (community b == c) + (u == b) && (community a == c)).
Proof.
move=> H; have [ab gab _ E] := H; rewrite /friends_in.
have sums (k : graph n) : #|[pred w | adj k u w && (community w == c)]| = \sum_w adj k u w * (community w == c).
  by rewrite -sum1_card big_mkcond; apply: eq_bigr => w _; rewrite inE; case: (adj k u w); case: (_ == c).
have at_end x y : \sum_w ((u == x) && (w == y)) * (community w == c) = (u == x) && (community y == c).
  case: (u == x) => /=; last by rewrite big1.
  by rewrite (bigD1 y) //= eqxx mul1n big1 ?addn0 // => w /negbTE ->.
rewrite !sums -!at_end -!big_split /=; apply: eq_bigr => w _; rewrite -!mulnDl; congr (_ * _); rewrite E.
have : ~~ (adj g u w && ((u == a) && (w == b) || (u == b) && (w == a))).
  apply: contra gab => /andP [guw /orP [] /andP [/eqP ua /eqP wb]]; first by rewrite -ua -wb.
  by rewrite adj_sym -ua -wb.
have : ~~ ((u == a) && (w == b) && ((u == b) && (w == a))).
  by apply: contra ab => /andP [/andP [/eqP <- _] /andP [/eqP <- _]].
by case: (adj g u w); case: ((u == a) && _); case: ((u == b) && _).
Qed.

Definition friends_in_constant := 1.
Definition choosers_constant := 2.
(* One more edge lowers nobody's number of friends in a community, raises it by at most 1, and that of two people alone. *)
Theorem friends_in_monotone g h a b : adds g h a b ->
  (forall u c, friends_in g u c <= friends_in h u c <= friends_in g u c + friends_in_constant) /\
  #|[pred u | [exists c, friends_in g u c != friends_in h u c]]| <= choosers_constant.
Proof.
move=> H; have [ab _ _ _] := H; split=> [u c|].
  rewrite (friends_in_rise _ _ H) leq_addr leq_add2l; case: (altP (u =P a)) => [->|_] /=; last by case: (_ && _).
  by rewrite (negbTE ab) addn0; case: (_ == _).
apply: leq_trans (_ : #|[set a; b]| <= _); last by rewrite cards2; case: (_ != _).
apply: subset_leq_card; apply/subsetP => u; rewrite !inE; apply: contraLR; rewrite negb_or => /andP [/negbTE ua /negbTE ub].
by apply/existsPn => c; rewrite (friends_in_rise _ _ H) ua ub addn0 negbK.
Qed.

(* Friends of each person within the own community, with weight 1 in the noise; and edges between each two communities,
   with weight 2. *)
Definition inner_degree g u : nat := friends_in g u (community u).
Definition edges_between g (s : {set C}) : nat :=
  \sum_p pairs g p * ((community p.1 != community p.2) && ([set community p.1; community p.2] == s)).
Definition communities_constant := 2.
(* An edge lies within a community or between two: one edge changes all numbers by 2 in total, by weight. *)
Theorem communities_sensitivity g h : edge_neighbours g h ->
  distance (inner_degree g) (inner_degree h) + \sum_s 2 * dist (edges_between g s) (edges_between h s)
  <= communities_constant.
Proof.
have main g' h' a b : adds g' h' a b -> distance (inner_degree g') (inner_degree h') +
    \sum_s 2 * dist (edges_between g' s) (edges_between h' s) <= communities_constant.
  move=> H; have H' := adds_swap H; pose F s p : nat := (community p.1 != community p.2) && ([set community p.1; community p.2] == s).
  have new s : edges_between h' s = edges_between g' s + F s (a, b).
    by rewrite /edges_between (edge_sum_of_adding H) // /= eq_sym setUC.
  have -> : \sum_s 2 * dist (edges_between g' s) (edges_between h' s) = 2 * (community a != community b).
    rewrite -big_distrr /=; congr (_ * _); rewrite (eq_bigr (fun s => F s (a, b))) => [|s _]; last first.
      by rewrite new /dist; lia.
    rewrite /F /= (bigD1 [set community a; community b]) //= eqxx andbT big1 ?addn0 // => s.
    by rewrite eq_sym => /negbTE ->; rewrite andbF.
  rewrite distance_rise => [|u]; last by rewrite /inner_degree (friends_in_rise _ _ H) leq_addr.
  rewrite /inner_degree; under eq_bigr do rewrite (friends_in_rise _ _ H).
  rewrite big_split /= addKn; rewrite big_split /=.
  have one x y : \sum_u ((u == x) && (community y == community u)) = (community y == community x) :> nat.
    by rewrite (bigD1 x) //= eqxx big1 ?addn0 // => u /negbTE ->.
  by rewrite !one eq_sym; case: (_ == _).
case=> a [b [H|H]]; first exact: main H.
by rewrite distance_sym; under eq_bigr do rewrite dist_sym; exact: main H.
Qed.
End Communities.
