(* Counts of triangles and 2-stars under node privacy, when people keep their first D edges in a public order (Blocki,
   Blum, Datta and Sheffet 2013). *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Triangles Stars.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* What the kept edges of a new person add at most, and what each lost edge removes at most, at the degree bound D. *)
Definition triangle_gain (D : nat) : nat := 'C(D, 2).
Definition triangle_loss (D : nat) : nat := D.-1.
Definition two_star_gain (D : nat) : nat := 3 * 'C(D, 2).
Definition two_star_loss (D : nat) : nat := 2 * D.-1.
(* The step of a ladder t people away, where so many people have D - t edges or more. *)
Definition first_edges_step (gain loss people t : nat) : nat := maxn gain (loss * (people + t)).
(* Of triangles and of 2-stars at the bound D, for 0 to 3 such people, 0 to 3 people away. *)
Definition first_edges_constant (D : nat) :=
  [seq [seq [:: first_edges_step (triangle_gain D) (triangle_loss D) people t;
    first_edges_step (two_star_gain D) (two_star_loss D) people t] | t <- iota 0 4] | people <- iota 0 4].

Section FirstEdges.
Variables (n D : nat) (place : 'I_n -> 'I_n -> nat).
(* The public order: no two edges of one person are at the same place. *)
Hypothesis order : forall u, injective (place u).
Implicit Types (g h : graph n) (u v w x : 'I_n).

(* How many edges of u come before the one to w; whether that one is among the first D; and what both ends keep. *)
Definition before g u w : nat := #|[pred x | adj g u x && (place u x < place u w)]|.
Definition kept g u w : bool := [&& adj g u w, before g u w < D & before g w u < D].
Lemma kept_sym g : symmetric (kept g).
Proof. by move=> u w; rewrite /kept adj_sym [(before g u w < D) && _]andbC. Qed.
Lemma kept_irr g : irreflexive (kept g).
Proof. by move=> u; rewrite /kept adj_irr. Qed.
Lemma kept_in g u w : kept g u w -> u \in people g.
Proof. by case/and3P => /adj_in. Qed.
Definition cut g : graph n := Graph (@kept_sym g) (@kept_irr g) (@kept_in g).

Lemma before_rises g u w x : adj g u w -> place u w < place u x -> before g u w < before g u x.
Proof.
move=> guw wx; rewrite /before [X in _ < X](cardD1 w) !inE guw wx add1n ltnS; apply: subset_leq_card.
apply/subsetP => y; rewrite !inE => /andP [-> yw]; rewrite (ltn_trans yw wx) !andbT.
by apply: contraTneq yw => ->; rewrite ltnn.
Qed.

(* One place of a list holds one edge. *)
Lemma before_inj g u w x : adj g u w -> adj g u x -> before g u w = before g u x -> w = x.
Proof.
move=> guw gux E; case: (ltngtP (place u w) (place u x)) => [l|l|/order //].
  by have := before_rises guw l; rewrite E ltnn.
by have := before_rises gux l; rewrite E ltnn.
Qed.

Lemma cut_deg g u : deg (cut g) u <= D.
Proof.
rewrite /deg cardE -(size_map (before g u)) -[X in _ <= X](size_iota 0 D); apply: uniq_leq_size.
  rewrite map_inj_in_uniq ?enum_uniq // => w x; rewrite !mem_enum !inE /= => /and3P [gw _ _] /and3P [gx _ _].
  exact: before_inj gw gx.
by move=> k /mapP [w]; rewrite mem_enum inE /= => /and3P [_ l _] ->; rewrite mem_iota.
Qed.

(* Two people of a triangle have the third as a common friend. *)
Lemma third_of (k : graph n) (S : {set 'I_n}) u w : #|S| == 3 -> friends_all k S -> u \in S -> w \in S -> u != w ->
  S \in [set x |: [set u; w] | x in common k u w].
Proof.
move=> S3 /friends_allP F uS wS uw; have /eqP/cards1P [x E] : #|S :\ u :\ w| = 1.
  by move: S3; rewrite (cardsD1 u) uS (cardsD1 w) !inE [w == u]eq_sym uw wS /= !add1n => /eqP [->].
have : x \in S :\ u :\ w by rewrite E inE.
rewrite !inE => /and3P [xw xu xS]; apply/imsetP; exists x; first by rewrite inE !F // eq_sym.
have wD : w \in S :\ u by rewrite !inE eq_sym uw wS.
by rewrite -[LHS](setD1K uS) -[S :\ u](setD1K wD) E; apply/setP => y; rewrite !inE; do !case: eqP.
Qed.

(* Three people who are all friends in k and not in k' lack a friendship there. *)
Lemma missing_pair (k k' : graph n) (S : {set 'I_n}) : friends_all k S -> ~~ friends_all k' S ->
  exists u w, [/\ u \in S, w \in S, u != w, adj k u w & ~~ adj k' u w].
Proof.
move/friends_allP => F; rewrite negb_forall => /existsP [u]; rewrite negb_imply negb_forall => /andP [uS /existsP [w]].
by rewrite !negb_imply => /and3P [wS uw no]; exists u, w; split=> //; exact: F.
Qed.

Lemma card_unions (T I : finType) (P : pred I) (F : I -> {set T}) m :
  (forall i, P i -> #|F i| <= m) -> #|\bigcup_(i | P i) F i| <= m * #|P|.
Proof.
move=> le; apply: leq_trans (_ : \sum_(i | P i) m <= _); last by rewrite sum_nat_const mulnC.
apply: leq_trans (_ : \sum_(i | P i) #|F i| <= _); last exact: leq_sum.
by apply: (big_ind2 (fun (A : {set T}) k => #|A| <= k)) => [|A a B b lA lB|//]; rewrite ?cards0 //;
  apply: leq_trans (leq_card_setU _ _) (leq_add lA lB).
Qed.

Lemma common_kept g u w : kept g u w -> #|common (cut g) u w| <= D.-1.
Proof.
move=> gk; have l := cut_deg g u; rewrite /deg (cardD1 w) inE (gk : adj (cut g) u w) add1n in l.
rewrite -ltnS prednK //; last exact: leq_ltn_trans l.
apply: leq_ltn_trans l; apply: subset_leq_card; apply/subsetP => x; rewrite !inE /= => /andP [-> gw]; rewrite andbT.
by apply: contraTneq gw => ->; rewrite kept_irr.
Qed.

(* All triangles of kept edges that have one of some edges, each at most D - 1. *)
Definition triangles_on g (p : 'I_n * 'I_n) : {set {set 'I_n}} := [set x |: [set p.1; p.2] | x in common (cut g) p.1 p.2].
Lemma triangles_on_at_most g (P : pred ('I_n * 'I_n)) : (forall p, P p -> kept g p.1 p.2) ->
  #|\bigcup_(p | P p) triangles_on g p| <= D.-1 * #|P|.
Proof.
by move=> le; apply: card_unions => p /le gk; apply: leq_trans (leq_imset_card _ _) (common_kept gk).
Qed.

(* With a new person v, edges of others move back by one place at most, in the lists of friends of v. *)
Section Joining.
Variables (g h : graph n) (v : 'I_n).
Hypothesis H : joins g h v.

Lemma same_adj u w : u != v -> w != v -> adj h u w = adj g u w.
Proof. by have [_ _] := H; apply. Qed.

Lemma before_joins u w : u != v -> before h u w = before g u w + (adj h u v && (place u v < place u w)).
Proof.
move=> uv; rewrite /before (cardD1 v) inE addnC; congr (_ + _); apply: eq_card => x; rewrite !inE.
by case: (altP (x =P v)) => [->|xv] /=; [rewrite (joins_absent _ H) | rewrite same_adj].
Qed.

Lemma kept_more u w : u != v -> w != v -> kept h u w -> kept g u w.
Proof.
move=> uv wv; rewrite /kept same_adj // !before_joins // => /and3P [-> l1 l2].
by rewrite (leq_ltn_trans (leq_addr _ _) l1) (leq_ltn_trans (leq_addr _ _) l2).
Qed.

(* The edge at place D of a friend of v is the one that may be lost. *)
Definition full u : bool := (u \in people g) && (D <= deg g u).
Definition last u w : bool := [&& u != v, kept g u w & before g u w == D.-1].

Lemma last_inj u w x : last u w -> last u x -> w = x.
Proof.
by case/and3P => _ /and3P [gw _ _] /eqP Ew /and3P [_ /and3P [gx _ _] /eqP Ex]; apply: before_inj gw gx _; rewrite Ew Ex.
Qed.

Lemma last_full u w : last u w -> full u.
Proof.
case/and3P => _ /and3P [gw l _] /eqP E; rewrite /full (adj_in gw) /= /deg (cardD1 w) inE gw add1n.
have -> : D = (before g u w).+1 by move: l; rewrite E; case: D.
rewrite ltnS; apply: subset_leq_card; apply/subsetP => x; rewrite !inE => /andP [-> xw]; rewrite andbT.
by apply: contraTneq xw => ->; rewrite ltnn.
Qed.

Lemma lost u w : u != v -> w != v -> kept g u w -> ~~ kept h u w -> last u w || last w u.
Proof.
move=> uv wv gk; have /and3P [gw l1 l2] := gk; rewrite /last uv wv gk [kept g w u]kept_sym gk /=.
rewrite /kept same_adj // gw !before_joins //= negb_and -!leqNgt; move: l1 l2.
move: (_ && _ : bool) (_ && _ : bool) => i j; rewrite !eqn_leq; case: D => // D'; rewrite /=; lia.
Qed.

(* Everybody who may lose an edge, with its other end: as many as people with D edges, or fewer. *)
Definition losses : {set 'I_n * 'I_n} := [set p | last p.1 p.2].
Lemma losses_at_most : #|losses| <= #|[pred u | full u]|.
Proof.
rewrite -(card_in_imset (f := fst)) => [|[u w] [u' x]]; last first.
  by rewrite !inE /= => l1 l2 E; rewrite -E in l2 *; rewrite (last_inj l1 l2).
by apply: subset_leq_card; apply/subsetP => u /imsetP [[u' w]]; rewrite !inE /= => /last_full l ->.
Qed.

Lemma kept_not_new u w : kept g u w -> u != v.
Proof. by have [vg _ _] := H; case/and3P => /adj_in ug _ _; apply: contraTneq ug => ->. Qed.

Lemma triangles_lost : triangles (cut g) <= triangles (cut h) + D.-1 * #|[pred u | full u]|.
Proof.
have cover : triangle_sets (cut g) \subset triangle_sets (cut h) :|: \bigcup_(p in losses) triangles_on g p.
  apply/subsetP => S; rewrite !inE => /andP [S3 F]; rewrite S3 /=; case new: (friends_all (cut h) S) => //=.
  have [u [w [uS wS uw gk hk]]] := missing_pair F (negbT new); have wu : w != u by rewrite eq_sym.
  have uv := kept_not_new gk; have wv : w != v by apply: (@kept_not_new w u); rewrite kept_sym.
  apply/bigcupP; case/orP: (lost uv wv gk hk) => l; [exists (u, w) | exists (w, u)]; rewrite ?inE //; exact: third_of.
apply: leq_trans (subset_leq_card cover) (leq_trans (leq_card_setU _ _) _); rewrite leq_add2l.
apply: leq_trans (triangles_on_at_most _) _; first by move=> p; rewrite inE => /and3P [].
by rewrite leq_mul2l losses_at_most orbT.
Qed.

Lemma triangles_gained : triangles (cut h) <= triangles (cut g) + 'C(D, 2).
Proof.
pose pairs := [set A : {set 'I_n} | A \subset [set w | kept h v w] & #|A| == 2].
have cover : triangle_sets (cut h) \subset triangle_sets (cut g) :|: [set v |: A | A in pairs].
  apply/subsetP => S; rewrite !inE => /andP [S3 /friends_allP F]; rewrite S3 /=.
  case vS: (v \in S); last first.
    apply/orP; left; apply/friends_allP => u w uS wS uw; apply: kept_more; last exact: F.
      by apply: contraTneq uS => ->; rewrite vS.
    by apply: contraTneq wS => ->; rewrite vS.
  apply/orP; right; apply/imsetP; exists (S :\ v); last by rewrite setD1K.
  rewrite inE; apply/andP; split; last by move: S3; rewrite (cardsD1 v) vS.
  by apply/subsetP => w; rewrite !inE => /andP [wv wS]; apply: F; rewrite // eq_sym.
apply: leq_trans (subset_leq_card cover) (leq_trans (leq_card_setU _ _) _); rewrite leq_add2l.
apply: leq_trans (leq_imset_card _ _) _; rewrite cards_draws; apply: leq_bin2l.
by apply: leq_trans (cut_deg h v); rewrite cardsE.
Qed.

(* Of a degree that falls by l at most, or rises so, from or to D at most. *)
Lemma stars_step (x y l : nat) : x <= D -> x <= y + l -> 'C(x, 2) <= 'C(y, 2) + D.-1 * l.
Proof.
elim: l x => [|l IH] x xD le; first by rewrite muln0 addn0 leq_bin2l // -[y]addn0.
case: x xD le => [|x] xD le; first by rewrite bin0n.
have {}IH := IH x (ltnW xD) ltac:(lia); have l1 : x <= D.-1 by lia.
by rewrite binS bin1 mulnS; lia.
Qed.

Lemma degree_sum (k : graph n) u : deg k u = \sum_w adj k u w.
Proof. by rewrite /deg -sum1_card big_mkcond; apply: eq_bigr => w _; rewrite inE; case: (adj k u w). Qed.

Lemma two_stars_lost : stars 1 (cut g) <= stars 1 (cut h) + 2 * D.-1 * #|[pred u | full u]|.
Proof.
have [vg pp _] := H; pose gone u w : nat := last u w + last w u.
have falls u : u \in people g -> deg (cut g) u <= deg (cut h) u + \sum_w gone u w.
  move=> ug; rewrite !degree_sum -big_split /=; apply: leq_sum => w _; rewrite /gone /=.
  case gk: (kept g u w) => //; case hk: (kept h u w) => //=.
  have uv := kept_not_new gk; have wv : w != v by apply: (@kept_not_new w u); rewrite kept_sym.
  by have := lost uv wv gk; rewrite hk => /(_ isT); case: (last u w); case: (last w u).
have size : \sum_u \sum_w last u w = #|losses|.
  by rewrite pair_big /= -sum1_card [RHS]big_mkcond; apply: eq_bigr => p _; rewrite inE; case: (last _ _).
have all : \sum_(u in people g) \sum_w gone u w <= 2 * #|losses|.
  apply: leq_trans (_ : \sum_u \sum_w gone u w <= _).
    by rewrite [X in _ <= X](bigID (mem (people g))) /=; exact: leq_addr.
  rewrite /gone; under eq_bigr do rewrite big_split /=.
  by rewrite big_split /= [X in _ + X]exchange_big /= size mul2n addnn.
rewrite /stars /= pp big_setU1 //=; apply: leq_trans (_ : \sum_(u in people g) ('C(deg (cut h) u, 2) + D.-1 * \sum_w gone u w) <= _).
  by apply: leq_sum => u ug; apply: stars_step (falls u ug); exact: cut_deg.
rewrite big_split -big_distrr /= -addnA; apply: leq_trans (leq_addl _ _); rewrite leq_add2l [2 * _]mulnC -mulnA.
by rewrite leq_mul2l (leq_trans all) ?orbT // leq_mul2l losses_at_most orbT.
Qed.

Lemma two_stars_gained : stars 1 (cut h) <= stars 1 (cut g) + 3 * 'C(D, 2).
Proof.
have [vg pp _] := H.
have rises u : u \in people g -> deg (cut h) u <= deg (cut g) u + kept h u v.
  move=> ug; have uv : u != v by apply: contraTneq ug => ->.
  rewrite /deg (cardD1 v) inE addnC /= leq_add2r; apply: subset_leq_card; apply/subsetP => w; rewrite !inE /=.
  by case/andP => wv; exact: kept_more.
have own : \sum_(u in people g) kept h u v <= D.
  apply: leq_trans (cut_deg h v); rewrite degree_sum big_mkcond /=; apply: leq_sum => u _.
  by rewrite kept_sym; case: (u \in people g); case: (kept h v u).
have three : 3 * 'C(D, 2) = 'C(D, 2) + D.-1 * D.
  by have := mul_bin_left D 1; rewrite bin1 subn1 => <-; rewrite mulSn.
rewrite /stars /= pp big_setU1 //= three [X in _ <= X]addnCA; apply: leq_add; first by apply: leq_bin2l; exact: cut_deg.
apply: leq_trans (_ : \sum_(u in people g) ('C(deg (cut g) u, 2) + D.-1 * kept h u v) <= _).
  by apply: leq_sum => u ug; apply: stars_step (rises u ug); exact: cut_deg.
by rewrite big_split -big_distrr /= leq_add2l leq_mul2l own orbT.
Qed.
End Joining.

(* How many people have m edges or more in the whole graph; the ladder function of the code. *)
Definition at_least g (m : nat) : nat := #|[pred u | (u \in people g) && (m <= deg g u)]|.
Definition cut_step (gain loss : nat) g t : nat := first_edges_step gain loss (at_least g (D - t)) t.

Lemma cut_ladder (f : graph n -> nat) gain loss :
  (forall g h v, joins g h v -> f g <= f h + loss * at_least g D /\ f h <= f g + gain) ->
  ladder_function (@node_neighbours n) f (cut_step gain loss).
Proof.
have fewer g h v m : joins g h v -> at_least g m <= at_least h m.
  move=> H; have [vg pp _] := H; apply: subset_leq_card; apply/subsetP => u; rewrite !inE pp !inE => /andP [ug l].
  have uv : u != v by apply: contraTneq ug => ->.
  by rewrite ug orbT /= (deg_joins H uv) (leq_trans l) ?leq_addr.
have more g h v m : joins g h v -> at_least h m <= at_least g m.-1 + 1.
  move=> H; have [vg pp _] := H; rewrite /at_least (cardD1 v) addnC; apply: leq_add; last exact: leq_b1.
  apply: subset_leq_card; apply/subsetP => u; rewrite !inE pp !inE => /andP [uv /andP [ug l]].
  by move: ug l; rewrite (negbTE uv) /= => ->; rewrite (deg_joins H uv); case: (adj h u v); lia.
move=> bound; rewrite /cut_step /first_edges_step; split=> [g h|g h t] [v [H|H]].
- by have [l1 l2] := bound _ _ _ H; rewrite /dist subn0 addn0; lia.
- have [l1 l2] := bound _ _ _ H; have l3 := leq_mul (leqnn loss) (fewer _ _ _ D H); rewrite /dist subn0 addn0; lia.
- have := more _ _ _ (D - t) H; rewrite -subnS => l.
  by rewrite geq_max leq_maxl leq_max leq_mul2l [X in _ || X]orbC; apply/orP; right; apply/orP; left; lia.
have := fewer _ _ _ (D - t) H; have : at_least g (D - t) <= at_least g (D - t.+1).
  apply: subset_leq_card; apply/subsetP => u; rewrite !inE => /andP [->]; lia.
by move=> l1 l2; rewrite geq_max leq_maxl leq_max leq_mul2l; apply/orP; right; apply/orP; right; lia.
Qed.

(* These steps bound what one person changes in the number of triangles among the kept edges. *)
Theorem first_edges_triangles_ladder :
  ladder_function (@node_neighbours n) (fun g => triangles (cut g)) (cut_step (triangle_gain D) (triangle_loss D)).
Proof. by apply: cut_ladder => g h v H; split; [exact: triangles_lost H | exact: triangles_gained H]. Qed.

(* These steps bound what one person changes in the number of 2-stars among the kept edges. *)
Theorem first_edges_two_stars_ladder :
  ladder_function (@node_neighbours n) (fun g => stars 1 (cut g)) (cut_step (two_star_gain D) (two_star_loss D)).
Proof. by apply: cut_ladder => g h v H; split; [exact: two_stars_lost H | exact: two_stars_gained H]. Qed.
End FirstEdges.
