(* 4-cycles under edge privacy: what one edge closes, and the ladder of their count. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Triangles RisingSteps Cliques.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section FourCycles.
Variable n : nat.
Implicit Types (g h : graph n) (u v a b x y z t : 'I_n) (p : 'I_n * 'I_n).

(* Walks around four people, each counted from all four in both directions; paths of three edges between two people. *)
Definition walks g := [set q : 'I_n * 'I_n * ('I_n * 'I_n) |
  [&& q.1.1 != q.2.1, q.1.2 != q.2.2, adj g q.1.1 q.1.2, adj g q.1.2 q.2.1, adj g q.2.1 q.2.2 & adj g q.2.2 q.1.1]].
Definition four_cycles g : nat := #|walks g| %/ 8.
Definition paths g u v := [set p | [&& p.1 != v, p.2 != u, adj g u p.1, adj g p.1 p.2 & adj g p.2 v]].
Definition paths_of_pair g u v : nat := #|paths g u v|.

Lemma paths_swap g u v x y : (x, y) \in paths g u v -> (y, x) \in paths g v u.
Proof.
by rewrite !inE /= => /and5P [-> -> ux xy yv]; rewrite (adj_sym g v) yv (adj_sym g y x) xy (adj_sym g x) ux.
Qed.

Lemma paths_of_pair_swap g u v : paths_of_pair g u v <= paths_of_pair g v u.
Proof.
pose swap p := (p.2, p.1); have back : injective swap by move=> [x y] [z t] [-> ->].
by rewrite /paths_of_pair -(card_imset _ back); apply: subset_leq_card; apply/subsetP => p /imsetP [[x y] /paths_swap xy ->].
Qed.

(* A walk that uses the new edge goes on along a path of g. *)
Lemma path_of_walk g h a b z t : adds g h a b -> a != z -> b != t -> adj h b z -> adj h z t -> adj h t a ->
  (t, z) \in paths g a b.
Proof.
move=> [ab _ _ E] az bt; rewrite !E !eqxx ![_ == a]eq_sym (negbTE ab) (negbTE az) ![t == b]eq_sym (negbTE bt) /= ?andbF ?orbF.
move=> bz zt ta; have zb : z != b by apply: contraTneq bz => ->; rewrite adj_irr.
rewrite !inE /= ![_ == a]eq_sym ![t == b]eq_sym az bt [adj g a t]adj_sym ta [adj g t z]adj_sym [adj g z b]adj_sym bz.
by move: zt; rewrite (negbTE zb) /= ?orbF => ->.
Qed.

Lemma walks_made g h a b : adds g h a b -> #|walks h| <= #|walks g| + 8 * paths_of_pair g a b.
Proof.
move=> H; have H' := adds_swap H; have [ab gab _ E] := H.
pose around (k : 'I_n * 'I_n -> 'I_n * 'I_n * ('I_n * 'I_n)) := [set k p | p in paths g a b].
have fresh c d : adj h c d -> ~~ adj g c d -> (c = a /\ d = b) \/ (c = b /\ d = a).
  by rewrite E => /or3P [->//|/andP [/eqP -> /eqP ->] _|/andP [/eqP -> /eqP ->] _]; [left | right].
have cover : walks h \subset walks g :|: (around (fun p => (a, b, (p.2, p.1))) :|: (around (fun p => (b, a, (p.1, p.2)))
    :|: (around (fun p => (p.1, a, (b, p.2))) :|: (around (fun p => (p.2, b, (a, p.1)))
    :|: (around (fun p => (p.2, p.1, (a, b))) :|: (around (fun p => (p.1, p.2, (b, a)))
    :|: (around (fun p => (b, p.2, (p.1, a))) :|: around (fun p => (a, p.1, (p.2, b)))))))))).
  apply/subsetP => -[[x y] [z t]]; rewrite in_set /= => /and5P [xz yt xy yz /andP [zt tx]].
  have zx : z != x by rewrite eq_sym.
  have ty : t != y by rewrite eq_sym.
  have member k p q : q = k p -> p \in paths g a b -> q \in around k by move=> -> ?; apply/imsetP; exists p.
  rewrite !in_setU; case gxy: (adj g x y); last first.
    case: (fresh x y xy (negbT gxy)) => -[? ?]; subst x y.
      by rewrite (member (fun p => (a, b, (p.2, p.1))) (t, z)) ?orbT //; exact: path_of_walk H _ _ _ _ _.
    by rewrite (member (fun p => (b, a, (p.1, p.2))) (z, t)) ?orbT //; apply: paths_swap; exact: path_of_walk H' _ _ _ _ _.
  case gyz: (adj g y z); last first.
    case: (fresh y z yz (negbT gyz)) => -[? ?]; subst y z.
      by rewrite (member (fun p => (p.1, a, (b, p.2))) (x, t)) ?orbT //; exact: path_of_walk H _ _ _ _ _.
    by rewrite (member (fun p => (p.2, b, (a, p.1))) (t, x)) ?orbT //; apply: paths_swap; exact: path_of_walk H' _ _ _ _ _.
  case gzt: (adj g z t); last first.
    case: (fresh z t zt (negbT gzt)) => -[? ?]; subst z t.
      by rewrite (member (fun p => (p.2, p.1, (a, b))) (y, x)) ?orbT //; exact: path_of_walk H _ _ _ _ _.
    by rewrite (member (fun p => (p.1, p.2, (b, a))) (x, y)) ?orbT //; apply: paths_swap; exact: path_of_walk H' _ _ _ _ _.
  case gtx: (adj g t x); first by rewrite inE /= xz yt gxy gyz gzt gtx.
  case: (fresh t x tx (negbT gtx)) => -[? ?]; subst t x.
    by rewrite (member (fun p => (b, p.2, (p.1, a))) (z, y)) ?orbT //; exact: path_of_walk H _ _ _ _ _.
  by rewrite (member (fun p => (a, p.1, (p.2, b))) (y, z)) ?orbT //; apply: paths_swap; exact: path_of_walk H' _ _ _ _ _.
have size k : #|around k| <= paths_of_pair g a b by exact: leq_imset_card.
have add k (X : {set 'I_n * 'I_n * ('I_n * 'I_n)}) m : #|X| <= m -> #|around k :|: X| <= paths_of_pair g a b + m.
  by move=> le; apply: leq_trans (leq_card_setU _ _) (leq_add (size k) le).
apply: leq_trans (subset_leq_card cover) (leq_trans (leq_card_setU _ _) _); rewrite leq_add2l.
by rewrite !mulSn mul0n addn0; do 7 apply: (add _); exact: size.
Qed.

Lemma four_cycles_made g h a b : adds g h a b -> four_cycles g <= four_cycles h <= four_cycles g + paths_of_pair g a b.
Proof.
move=> H; apply/andP; split.
  apply: leq_div2r; apply: subset_leq_card; apply/subsetP => q; rewrite !inE => /and5P [-> -> xy yz /andP [zt tx]].
  by rewrite !(adds_more H).
rewrite /four_cycles addnC -divnMDl // mulnC addnC; apply: leq_div2r; exact: walks_made.
Qed.

Lemma paths_more g h a b u v : adds g h a b -> paths_of_pair g u v <= paths_of_pair h u v.
Proof.
move=> H; apply: subset_leq_card; apply/subsetP => p; rewrite !inE => /and5P [-> -> ux xy yv].
by rewrite !(adds_more H).
Qed.

(* A new edge at one end makes a path for each common friend of its other end and the other end of the path. *)
Lemma paths_at_end g h u b v : adds g h u b -> b != v -> u != v ->
  paths_of_pair h u v <= paths_of_pair g u v + triangle_step g 0.
Proof.
move=> H bv uv; have [ub _ _ E] := H; apply: leq_trans (_ : paths_of_pair g u v + #|common g b v| <= _); last first.
  by rewrite leq_add2l -singles; exact: (@clique_step_first n 0).
have cover : paths h u v \subset paths g u v :|: [set (b, y) | y in common g b v].
  apply/subsetP => -[x y]; rewrite in_set /= => /and5P [xv yu ux xy yv].
  have xu : x != u by apply: contraTneq ux => ->; rewrite adj_irr.
  have vu : v != u by rewrite eq_sym.
  move: xy yv; rewrite !E (negbTE xu) (negbTE yu) (negbTE vu) !andbF !orbF => xy yv.
  rewrite in_setU in_set /= xv yu xy yv !andbT; case gux: (adj g u x) => //=.
  have xb : x = b by move: ux; rewrite E gux eqxx (negbTE ub) /= orbF => /eqP.
  by apply/imsetP; exists y; rewrite ?xb // inE -{1}xb xy adj_sym yv.
by apply: leq_trans (subset_leq_card cover) (leq_trans (leq_card_setU _ _) _); rewrite leq_add2l; exact: leq_imset_card.
Qed.

Lemma paths_at_other_end g h a v u : adds g h v a -> a != u -> u != v ->
  paths_of_pair h u v <= paths_of_pair g u v + triangle_step g 0.
Proof.
move=> H au uv; apply: leq_trans (paths_of_pair_swap h u v) _; have vu : v != u by rewrite eq_sym.
by apply: leq_trans (paths_at_end H au vu) _; rewrite leq_add2r; exact: paths_of_pair_swap.
Qed.

(* An edge elsewhere is used in its two directions. *)
Lemma paths_elsewhere g h a b u v : adds g h a b -> a != u -> a != v -> b != u -> b != v ->
  paths_of_pair h u v <= paths_of_pair g u v + 2.
Proof.
move=> H au av bu bv; have [ab _ _ E] := H.
have cover : paths h u v \subset paths g u v :|: [set (a, b); (b, a)].
  apply/subsetP => -[x y]; rewrite in_set /= => /and5P [xv yu ux xy yv]; move: ux xy yv.
  rewrite !E ![u == _]eq_sym ![v == _]eq_sym (negbTE au) (negbTE av) (negbTE bu) (negbTE bv) !andbF /= !orbF => ux xy yv.
  by rewrite !inE /= xv yu ux yv andbT /= !xpair_eqE.
apply: leq_trans (subset_leq_card cover) (leq_trans (leq_card_setU _ _) _); rewrite leq_add2l cards2; by case: (_ != _).
Qed.

Lemma paths_unmoved g h u v : adds g h u v -> paths_of_pair h u v <= paths_of_pair g u v.
Proof.
move=> [uv _ _ E]; apply: subset_leq_card; apply/subsetP => -[x y]; rewrite !inE /= => /and5P [xv yu ux xy yv].
have xu : x != u by apply: contraTneq ux => ->; rewrite adj_irr.
have yv' : y != v by apply: contraTneq yv => ->; rewrite adj_irr.
by move: ux xy yv; rewrite xv yu !E (negbTE xu) (negbTE yu) (negbTE xv) (negbTE yv') !andbF !orbF => -> -> ->.
Qed.

Definition cycle_growth g (s : nat) : nat := maxn 2 (triangle_step g s).
Lemma paths_grow g h a b u v : adds g h a b -> u != v -> paths_of_pair h u v <= paths_of_pair g u v + cycle_growth g 0.
Proof.
move=> H uv; have H' := adds_swap H; have [ab _ _ _] := H.
have wide m : paths_of_pair h u v <= paths_of_pair g u v + m -> m <= cycle_growth g 0 ->
    paths_of_pair h u v <= paths_of_pair g u v + cycle_growth g 0.
  by move=> le1 le2; apply: leq_trans le1 _; rewrite leq_add2l.
have same : paths_of_pair h u v <= paths_of_pair g u v -> paths_of_pair h u v <= paths_of_pair g u v + cycle_growth g 0.
  by move=> le; apply: leq_trans le (leq_addr _ _).
case: (altP (a =P u)) => [au|au].
  case: (altP (b =P v)) => [bv|bv]; first by apply: same; apply: paths_unmoved; rewrite -au -bv.
  by apply: wide (leq_maxr _ _); rewrite au in H; exact: paths_at_end H bv uv.
case: (altP (b =P u)) => [bu|bu].
  case: (altP (a =P v)) => [av|av]; first by apply: same; apply: paths_unmoved; rewrite -av -bu.
  by apply: wide (leq_maxr _ _); rewrite bu in H'; exact: paths_at_end H' av uv.
case: (altP (a =P v)) => [av|av].
  by apply: wide (leq_maxr _ _); rewrite av in H; exact: paths_at_other_end H bu uv.
case: (altP (b =P v)) => [bv|bv].
  by apply: wide (leq_maxr _ _); rewrite bv in H'; exact: paths_at_other_end H' au uv.
by apply: wide (leq_maxl _ _); exact: paths_elsewhere H au av bu bv.
Qed.

Lemma paths_most g u v : u \in people g -> v \in people g -> u != v ->
  paths_of_pair g u v <= (#|people g| - 2) * (#|people g| - 3).
Proof.
move=> ug vg uv; pose B := people g :\ u :\ v.
have B2 : #|B| = #|people g| - 2 by rewrite (cardsD1 u (people g)) ug (cardsD1 v (people g :\ u)) !inE eq_sym uv vg /= -/B; lia.
have B3 x : x \in B -> #|B :\ x| = #|people g| - 3 by move=> xB; have := cardsD1 x B; rewrite xB B2; lia.
apply: leq_trans (_ : \sum_(x in B) \sum_(y in B :\ x) 1 <= _); last first.
  by rewrite (eq_bigr (fun=> #|people g| - 3)) => [|x /B3 <-]; rewrite ?sum1_card // sum_nat_const B2.
rewrite pair_big_dep /= sum1_card; apply: subset_leq_card; apply/subsetP => -[x y].
rewrite !inE /= => /and5P [xv yu ux xy yv].
rewrite unfold_in /= !inE xv yu (adj_in xy) (adj_in yv) !andbT.
apply/and3P; split.
- by apply: contraTneq ux => ->; rewrite adj_irr.
- by apply: contraTneq xy => ->; rewrite adj_irr.
by apply: contraTneq yv => ->; rewrite adj_irr.
Qed.

(* These steps bound what one edge changes in the number of 4-cycles, now and after further edges. *)
Theorem four_cycles_ladder : ladder_function (@edge_neighbours n) four_cycles
  (rising_ladder_step paths_of_pair cycle_growth (fun people => (people - 2) * (people - 3))).
Proof.
apply: rising_steps_ladder => [g h a b|g h a b u v H _|g h a b u v|g u v|g h s gh].
- exact: four_cycles_made.
- exact: paths_more H.
- exact: paths_grow.
- exact: paths_most.
have [_ next] := @triangles_ladder n; have := next g h s gh; rewrite /cycle_growth; lia.
Qed.
End FourCycles.

(* The steps among 7 people, by the common friends of the best pair in triangles (with none of one of the two alone),
   and by the paths that the best edge closes: 0 to 3 of either. *)
Definition cycle_ladder_constant (t : nat) :=
  [seq [seq rising first (fun s => maxn 2 (pair_step 5 c 0 s)) 20 t | first <- iota 0 4] | c <- iota 0 4].
