(* Triangles under edge privacy: what one edge makes, and the ladder function of the released count. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Triangles.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n) (S : {set 'I_n}).

Definition friends_all g S := [forall u in S, [forall w in S, (u != w) ==> adj g u w]].
Definition triangle_sets g : {set {set 'I_n}} := [set S : {set 'I_n} | (#|S| == 3) && friends_all g S].
Definition triangles g := #|triangle_sets g|.

Lemma friends_allP g S :
  reflect (forall u w, u \in S -> w \in S -> u != w -> adj g u w) (friends_all g S).
Proof.
apply: (iffP forall_inP) => [H u w uS wS uw|H u uS]; first by have /forall_inP /(_ w wS) /implyP := H u uS; apply.
by apply/forall_inP => w wS; apply/implyP; exact: H.
Qed.

(* A new edge makes as many triangles as its ends have common friends, and undoes none. *)
Theorem triangles_of_adding g h a b : adds g h a b -> triangles h = triangles g + #|common g a b|.
Proof.
move=> H; have [ab gab _ E] := H; rewrite /triangles.
pose third w := w |: [set a; b].
have out w : w \in common g a b -> w \notin [set a; b].
  rewrite !inE negb_or => /andP [ga gb].
  by apply/andP; split; [apply: contraTneq ga => -> | apply: contraTneq gb => ->]; rewrite adj_irr.
have -> : triangle_sets h = triangle_sets g :|: [set third w | w in common g a b].
  apply/setP => S; rewrite !inE; apply/idP/idP => [/andP [S3 /friends_allP F]|].
    case old: (friends_all g S); first by rewrite S3.
    rewrite andbF /=.
    have [aS bS] : a \in S /\ b \in S.
      have /negP : ~ friends_all g S by rewrite old.
      rewrite negb_forall => /existsP [u]; rewrite negb_imply negb_forall => /andP [uS /existsP [w]].
      rewrite !negb_imply => /and3P [wS uw /negbTE guw]; have := F _ _ uS wS uw; rewrite E guw /=.
      by case/orP => /andP [/eqP <- /eqP <-].
    have /eqP/cards1P [w Ew] : #|S :\ a :\ b| = 1.
      by move: S3; rewrite (cardsD1 a) aS (cardsD1 b) !inE [b == a]eq_sym ab bS /= !add1n => /eqP [->].
    have : w \in S :\ a :\ b by rewrite Ew inE.
    rewrite !inE => /and3P [wb wa wS]; apply/imsetP; exists w.
      have := F _ _ aS wS; have := F _ _ bS wS; rewrite !inE [b == w]eq_sym wb [a == w]eq_sym wa => /(_ isT) h1 /(_ isT).
      move: h1; rewrite !E (negbTE wa) (negbTE wb) !andbF !orbF => -> ->; done.
    apply/setP => x; have := congr1 (fun A : {set 'I_n} => x \in A) Ew; rewrite /= !inE => X.
    case: (altP (x =P a)) X => [->|xa]; first by rewrite aS orbT.
    by case: (altP (x =P b)) => [->|xb] /=; rewrite ?bS ?orbT ?orbF.
  case/orP => [/andP [-> /friends_allP F]|/imsetP [w wc ->]].
    by apply/friends_allP => u w uS wS uw; apply: adds_more H _; exact: F.
  rewrite /third cardsU1 out // cards2 ab /=; move: wc; rewrite inE => /andP [ga gb].
  have [ha hb] := (adds_more H ga, adds_more H gb); have hab := adds_new H.
  apply/friends_allP => x y; rewrite !inE.
  by case/orP => [/eqP ->|/orP [/eqP ->|/eqP ->]]; case/orP => [/eqP ->|/orP [/eqP ->|/eqP ->]];
    rewrite ?eqxx // => _; rewrite // adj_sym.
rewrite cardsU; have -> : triangle_sets g :&: [set third w | w in common g a b] = set0.
  apply/setP => S; rewrite !inE; apply/negP => /andP [/andP [_ /friends_allP F] /imsetP [w _ ES]].
  by move: (F a b); rewrite ES !inE !eqxx !orbT => /(_ isT isT ab); rewrite (negbTE gab).
rewrite cards0 subn0; congr (_ + _); apply: card_in_imset => x y /out xo /out yo E3.
have := congr1 (fun A : {set 'I_n} => x \in A) E3; rewrite !inE eqxx /= => /esym.
by move: xo; rewrite !inE negb_or => /andP [/negbTE -> /negbTE ->]; rewrite !orbF => /eqP.
Qed.

(* The ladder function of the code: for a pair with c common friends and b friends of one of the two alone,
   min(c + (t + min(t, b)) / 2, n - 2); the most over all pairs. *)
Definition pair_step (most c b t : nat) : nat := minn (c + (t + minn t b)./2) most.
(* For pairs with c common friends and b others among 7 people, c and b below 4. *)
Definition triangle_ladder_constant (t : nat) := [seq [seq pair_step 5 c b t | b <- iota 0 4] | c <- iota 0 4].
Definition apart g u v : nat := friends_but g u v + friends_but g v u - 2 * #|common g u v|.
Definition triangle_step g t : nat :=
  \max_(p : 'I_n * 'I_n | p.1 != p.2) pair_step (most_friends g) #|common g p.1 p.2| (apart g p.1 p.2) t.

Lemma common_most g u v : u \in people g -> v \in people g -> u != v -> #|common g u v| <= most_friends g.
Proof.
move=> ug vg uv; apply: leq_trans (friends_but_most ug vg uv); apply: subset_leq_card; apply/subsetP => w.
by rewrite !inE => /andP [-> gv]; apply: contraTneq gv => ->; rewrite adj_irr.
Qed.

(* These steps bound what one edge changes in the number of triangles, now and after further edges. *)
Theorem triangles_ladder : ladder_function (@edge_neighbours n) triangles triangle_step.
Proof.
have starts (k : graph n) a b : a \in people k -> b \in people k -> a != b -> #|common k a b| <= triangle_step k 0.
  move=> ak bk ab; apply: leq_trans (over_pairs _ ab).
  by rewrite /pair_step /= min0n leq_min leq_addr common_most.
have nexts (g h : graph n) t : people h = people g -> (forall u v, u != v -> #|common h u v| <= #|common g u v| + 1) ->
    (forall u v, u != v -> friends_but h u v + friends_but h v u <= friends_but g u v + friends_but g v u + 1) ->
    triangle_step h t <= triangle_step g t.+1.
  move=> pp le1 le2; apply/bigmax_leqP => -[u v] /= uv.
  apply: leq_trans (over_pairs _ uv).
  rewrite /pair_step /most_friends pp /apart; move: (le1 _ _ uv) (le2 _ _ uv) (two_common g u v) (two_common h u v).
  rewrite /=; lia.
split=> [g h|g h t] [a [b [H|H]]]; have [ab _ pp _] := H.
- rewrite (triangles_of_adding H) /dist; have := starts g a b; rewrite -pp (adj_in (adds_new H)).
  by rewrite (adj_in (adds_new (adds_swap H))) ab => /(_ isT isT isT); lia.
- rewrite (triangles_of_adding H) /dist -(common_of_ends H); have := starts g a b; rewrite (adj_in (adds_new H)).
  by rewrite (adj_in (adds_new (adds_swap H))) ab => /(_ isT isT isT); lia.
- by apply: nexts => // u v uv; [exact: common_rises H uv | have [] := friends_of_pair H uv].
apply: nexts => // u v uv; first by apply: leq_trans (subset_leq_card (common_more _ _ H)) (leq_addr _ _).
by have [l1 l2 _] := friends_of_pair H uv; apply: leq_trans (leq_add l1 l2) (leq_addr _ _).
Qed.

(* No pair has more than n - 2 common friends: the global sensitivity. *)
Theorem triangles_global g h : edge_neighbours g h -> dist (triangles g) (triangles h) <= most_friends g.
Proof.
case=> a [b [H|H]]; have [ab _ pp _] := H; have := adj_in (adds_new H); have := adj_in (adds_new (adds_swap H)).
  rewrite (triangles_of_adding H) pp => bh ah; have := common_most ah bh ab; rewrite /dist; lia.
rewrite (triangles_of_adding H) -(common_of_ends H) => bh ah; have := common_most ah bh ab; rewrite /dist; lia.
Qed.
End Triangles.
