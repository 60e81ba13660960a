(* Sums over edges: what a new edge adds to them, and sums over edges as sums over people and their friends. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Degrees.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section EdgeSums.
Variable n : nat.
Implicit Types (g h : graph n) (u v w x a b : 'I_n) (p : 'I_n * 'I_n).

(* Every edge stands at one place of the matrix of pairs; a new edge takes one place. *)
Lemma pairs_rise g h a b p : adds g h a b -> a < b -> pairs h p = pairs g p + (p == (a, b)).
Proof.
case: p => x y H lt; have [ab gab _ E] := H; rewrite /pairs /= E xpair_eqE.
case: (altP (x =P a)) => [->|xa] /=.
  case: (altP (y =P b)) => [->|yb] /=; first by rewrite (negbTE gab) lt.
  by rewrite (negbTE ab) /= orbF addn0.
case: (altP (x =P b)) => [->|xb] /=; last by rewrite orbF addn0.
case: (altP (y =P a)) => [->|ya] /=; last by rewrite orbF addn0.
by rewrite ltnNge ltnW // !andbF.
Qed.

(* The ends of a new edge may be named in either order. *)
Lemma adds_in_order (P : 'I_n -> 'I_n -> Prop) g h a b :
  (forall c d, P c d -> P d c) -> (forall c d, adds g h c d -> c < d -> P c d) -> adds g h a b -> P a b.
Proof.
move=> sym main H; have [ab _ _ _] := H; case: (ltngtP a b) => [lt|gt|/val_inj /eqP E]; last by rewrite E in ab.
  exact: main.
by apply: sym; apply: main gt; exact: adds_swap.
Qed.

(* What a new edge adds to a sum over edges: the term of its own. *)
Lemma edge_sum_rises g h a b (F : 'I_n * 'I_n -> nat) : adds g h a b -> a < b ->
  \sum_p pairs h p * F p = \sum_p pairs g p * F p + F (a, b).
Proof.
move=> H lt; rewrite (eq_bigr (fun p => pairs g p * F p + (p == (a, b)) * F p)) => [|p _]; last first.
  by rewrite (pairs_rise _ H lt) mulnDl.
rewrite big_split /=; congr (_ + _); rewrite (bigD1 (a, b)) //= eqxx mul1n big1 ?addn0 // => p /negbTE ->; by rewrite mul0n.
Qed.

Lemma edge_sum_of_adding g h a b (F : 'I_n * 'I_n -> nat) : adds g h a b -> F (a, b) = F (b, a) ->
  \sum_p pairs h p * F p = \sum_p pairs g p * F p + F (a, b).
Proof.
move=> H; have [ab _ _ _] := H; case: (ltngtP a b) => [lt _|gt ->|/val_inj /eqP E _]; last by rewrite E in ab.
  exact: edge_sum_rises H lt.
exact: edge_sum_rises (adds_swap H) gt.
Qed.

(* One term of a sum. *)
Lemma one_term (T : finType) (t : T) (x : nat) : \sum_u (u == t) * x = x.
Proof. by rewrite (bigD1 t) //= eqxx mul1n big1 ?addn0 // => u /negbTE ->. Qed.

(* Each edge from both of its ends. *)
Lemma both_ways g (F : 'I_n -> 'I_n -> nat) :
  \sum_p pairs g p * (F p.1 p.2 + F p.2 p.1) = \sum_u \sum_w adj g u w * F u w.
Proof.
rewrite pair_big /= (bigID (fun p : 'I_n * 'I_n => p.1 < p.2)) /= [RHS](bigID (fun p : 'I_n * 'I_n => p.1 < p.2)) /=.
rewrite [X in _ + X = _]big1 ?addn0 => [|p /negbTE lt]; last by rewrite /pairs lt andbF mul0n.
rewrite (eq_bigr (fun p => adj g p.1 p.2 * F p.1 p.2 + adj g p.1 p.2 * F p.2 p.1)) => [|p lt]; last first.
  by rewrite /pairs lt andbT mulnDr.
rewrite big_split /=; congr (_ + _).
rewrite [RHS](reindex_inj (h := fun p : 'I_n * 'I_n => (p.2, p.1))) /=; last by case=> [x1 y1] [x2 y2] [-> ->].
rewrite [LHS]big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => -[x y] _ /=.
rewrite [adj g y x]adj_sym -leqNgt; case: (ltngtP x y) => [||/val_inj ->] //; by rewrite adj_irr mul0n.
Qed.

(* The edges of a person are as many as the friends. *)
Lemma edges_at g a : \sum_p pairs g p * ((p.1 == a) + (p.2 == a)) = deg g a.
Proof.
rewrite (both_ways g (fun u _ => u == a)) (bigD1 a) //= [X in _ + X]big1 ?addn0 => [|u /negbTE ->]; last first.
  by rewrite big1 // => w _; rewrite muln0.
by rewrite /deg -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => w _; rewrite inE eqxx muln1; case: (adj g a w).
Qed.

(* Two people of a set: as many pairs as the set has. *)
Lemma pairs_within (A : pred 'I_n) : \sum_(p : 'I_n * 'I_n) (p.1 < p.2) * (A p.1 && A p.2) = 'C(#|A|, 2).
Proof.
pose pick (p : 'I_n * 'I_n) : {set 'I_n} := [set p.1; p.2].
have -> : \sum_(p : 'I_n * 'I_n) (p.1 < p.2) * (A p.1 && A p.2) = #|[pred p : 'I_n * 'I_n | [&& p.1 < p.2, A p.1 & A p.2]]|.
  rewrite -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => p _; rewrite inE; case: (p.1 < p.2) => //=; by case: (_ && _).
have <- : #|[set x | A x]| = #|A| by rewrite cardsE.
rewrite -cards_draws -(card_in_imset (f := pick)); last first.
  move=> [x y] [z t]; rewrite !inE /= => /and3P [xy _ _] /and3P [zt _ _] /setP E; move: xy zt.
  move: (E x) (E y) (E z) (E t); rewrite !inE !eqxx !orbT /= => /esym /orP [] /eqP <- /esym /orP [] /eqP <-;
    rewrite ?ltnn //; move: (x) (y) => X Y _ _ l1 l2; have := ltn_trans l1 l2; by rewrite ltnn.
apply: eq_card => S; rewrite !inE; apply/imsetP/andP => [[[x y]]|[/subsetP sub /cards2P [x [y [xy E]]]]].
  rewrite inE /= => /and3P [xy Ax Ay] ->; split; last by rewrite cards2 neq_ltn xy.
  by apply/subsetP => z; rewrite !inE => /orP [] /eqP ->.
have Ax : A x by have := sub x; rewrite E set21 inE => /(_ isT).
have Ay : A y by have := sub y; rewrite E set22 inE => /(_ isT).
move: xy; rewrite neq_ltn => /orP [xy|yx]; [exists (x, y) | exists (y, x)]; rewrite ?inE /= ?Ax ?Ay ?xy ?yx ?E //.
by rewrite /pick setUC.
Qed.
End EdgeSums.
