(* Average clustering under edge privacy: what one edge changes in the sum of all local clusterings, and its ladder. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Degrees Pairs EdgeSums Clusterings.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* How much the largest change moves, and the rungs of the ladder, in parts of 2 half. *)
Definition clustering_change_constant (half : nat) := 2 * half.
Definition clustering_rung (half first people t : nat) : nat := minn (first + 2 * half * t) (2 * half * people).
(* For clusterings in 8 parts, from 16 up, among 3 to 6 people. *)
Definition clustering_ladder_constant (t : nat) := [seq clustering_rung 4 16 people t | people <- iota 3 4].

(* Local clustering in parts of Q = 2 half, which are rounded down; and quotients that are rounded up. *)
Section Fractions.
Variable half : nat.
Hypothesis half_positive : 0 < half.
Notation Q := (2 * half).

Definition up (x d : nat) : nat := (x + d.-1) %/ d.
Lemma up_enough x d : 0 < d -> x <= up x d * d.
Proof.
move=> d0; have := divn_eq (x + d.-1) d; have := ltn_pmod (x + d.-1) d0; rewrite /up; move: (_ %/ _) (_ %% _) => y z.
by lia.
Qed.
Lemma up_least x d y : 0 < d -> x <= y * d -> up x d <= y.
Proof. by move=> d0 le; rewrite /up -ltnS ltn_divLR //; lia. Qed.

(* An end with a other friends moves by E(a) at most, a common friend of degree d by H(d). *)
Definition end_weight (a : nat) : nat := minn Q (up (2 * Q) a.+1).
Definition friend_weight (d : nat) : nat := if d <= 1 then 0 else if d == 3 then half else up (2 * Q) (d * d.-1).

Lemma end_weight_most a : end_weight a <= Q.
Proof. exact: geq_minl. Qed.

Lemma double_bin d : 2 * 'C(d, 2) = d * d.-1.
Proof. by have := mul_bin_left d 1; rewrite bin1 subn1 mulnC => ->; rewrite mulnC. Qed.

(* The clustering of a person with T triangles at d friends. *)
Definition clustering (T d : nat) : nat := Q * T %/ 'C(d, 2).

(* One triangle more for a common friend: by H(d) at most. *)
Lemma friend_moves T d : 1 < d -> clustering T d <= clustering T.+1 d <= clustering T d + friend_weight d.
Proof.
move=> d1; have c0 : 0 < 'C(d, 2) by rewrite bin_gt0.
have enough : Q <= friend_weight d * 'C(d, 2).
  rewrite /friend_weight [d <= 1]leqNgt d1 /=; case: (altP (d =P 3)) => [->|_]; first by rewrite (_ : 'C(3, 2) = 3) //; lia.
  have := @up_enough (2 * Q) (d * d.-1); rewrite -double_bin muln_gt0 /= => /(_ c0); move: (up _ _) => y; move: 'C(d, 2) => x; lia.
rewrite /clustering leq_div2r ?leq_mul2l ?leqnSn ?orbT //= -ltnS ltn_divLR // mulnSr -addnS mulnDl.
have := ltn_ceil (Q * T) c0; move: (_ %/ _) => x; move: 'C(d, 2) enough => y; lia.
Qed.

(* An end with a friends and T triangles gains a friend and t triangles. *)
Lemma end_moves T t a : T <= 'C(a, 2) -> t <= a -> dist (clustering T a) (clustering (T + t) a.+1) <= end_weight a.
Proof.
move=> Tc ta; have whole x d : x <= 'C(d, 2) -> clustering x d <= Q.
  move=> le; rewrite /clustering; case: (posnP 'C(d, 2)) => [->|c0]; first by rewrite divn0.
  by rewrite -ltnS ltn_divLR // mulSn; have := leq_mul (leqnn Q) le; lia.
have next : 'C(a.+1, 2) = 'C(a, 2) + a by rewrite binS bin1 addnC.
have tops : clustering T a <= Q /\ clustering (T + t) a.+1 <= Q by split; apply: whole; rewrite ?next; lia.
rewrite /end_weight leq_min; apply/andP; split; first by rewrite /dist; lia.
case: (posnP a) => [a0|a_pos].
  have -> : clustering T a = 0 by rewrite /clustering a0 divn0.
  have -> : clustering (T + t) a.+1 = 0; last by rewrite dist_self.
  by rewrite /clustering (_ : T + t = 0) ?muln0 ?div0n //; move: Tc ta; rewrite a0 (_ : 'C(0, 2) = 0) //; lia.
(* E c' >= Q a, with c' the pairs after *)
set E := up _ _; have c'0 : 0 < 'C(a.+1, 2) by rewrite bin_gt0.
have enough : Q * a <= E * 'C(a.+1, 2).
  have := @up_enough (2 * Q) a.+1 isT; rewrite -/E => le; have := leq_mul le (leqnn a).
  have two : 2 * 'C(a.+1, 2) = a.+1 * a by rewrite double_bin.
  by rewrite -[E * _ * _]mulnA -two; move: 'C(_, _) => c; lia.
have rise : clustering (T + t) a.+1 <= clustering T a + E.
  case: (posnP 'C(a, 2)) => [c0|c0].
    apply: leq_trans (leq_addl _ _); rewrite /clustering -ltnS ltn_divLR //; apply: leq_ltn_trans (_ : Q * a < _).
      by rewrite leq_mul2l; apply/orP; right; move: Tc; rewrite c0; lia.
    by rewrite mulSn; apply: leq_ltn_trans enough _; rewrite -[X in X < _]add0n ltn_add2r.
  rewrite /clustering -ltnS ltn_divLR //; have := ltn_ceil (Q * T) c0; move: (_ %/ 'C(a, 2)) => y lt.
  have lt' : Q * T < y.+1 * 'C(a.+1, 2) by apply: leq_trans lt _; rewrite leq_mul2l next leq_addr orbT.
  by have := leq_mul (leqnn Q) ta; move: 'C(a.+1, 2) lt' enough => c; lia.
have fall : clustering T a <= clustering (T + t) a.+1 + E.
  case: (posnP 'C(a, 2)) => [c0|c0]; first by rewrite /clustering c0 divn0.
  apply: leq_trans (_ : Q * T %/ 'C(a.+1, 2) + E <= _); last first.
    by rewrite leq_add2r; apply: leq_div2r; rewrite leq_mul2l leq_addr orbT.
  rewrite /clustering -ltnS ltn_divLR //; have := ltn_ceil (Q * T) c'0; move: (_ %/ 'C(a.+1, 2)) => z lt.
  rewrite -(ltn_pmul2r c'0); rewrite next in lt enough c'0 *; move: 'C(a, 2) Tc c0 lt enough => c Tc c0 lt enough.
  have l1 : Q * T * c < z.+1 * (c + a) * c by rewrite ltn_pmul2r.
  have l2 : Q * T * a <= E * (c + a) * c.
    by apply: leq_trans (leq_mul enough (leqnn c)); have := leq_mul (leqnn (Q * a)) Tc; lia.
  by move: l1 l2; lia.
by rewrite /dist; lia.
Qed.

Lemma friend_weight_most d : friend_weight d <= Q.
Proof.
rewrite /friend_weight; case: (leqP d 1) => d1 //; case: ifP => _; first by lia.
by apply: up_least; [rewrite muln_gt0; lia | have two : 2 <= d * d.-1 by [nia]; have := leq_mul (leqnn Q) two; lia].
Qed.

(* With one friend more a common friend weighs less, by half at most. *)
Lemma friend_weight_falls d : 1 < d -> friend_weight d.+1 <= friend_weight d <= friend_weight d.+1 + half.
Proof.
move=> d1; have large x : 3 < x -> friend_weight x <= half /\ friend_weight x.+1 <= friend_weight x.
  move=> x3; have out y : 3 < y -> friend_weight y = up (2 * Q) (y * y.-1).
    by move=> y3; rewrite /friend_weight [y <= 1]leqNgt (ltn_trans _ y3) //=; case: eqP => // E; rewrite E in y3.
  rewrite !out //; last by exact: leq_trans x3 _.
  split; first by apply: up_least; [rewrite muln_gt0; lia | have four : 4 <= x * x.-1 by [nia]; have := leq_mul (leqnn half) four; lia].
  apply: up_least; first by rewrite muln_gt0; lia.
  by apply: leq_trans (@up_enough (2 * Q) (x * x.-1) _) _; [rewrite muln_gt0; lia | rewrite leq_mul2l; apply/orP; right; apply: leq_mul; lia].
have two : friend_weight 2 = Q by rewrite /friend_weight /up /= muln1 mulnC divnMDl //= addn0.
have three : friend_weight 3 = half by [].
case: (ltngtP d 3) => [lt|gt|->]; last by rewrite three; have := large 4 isT; lia.
  have -> : d = 2 by lia.
  by rewrite two three; lia.
by have := large d gt; lia.
Qed.

Section Average.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n) (p : 'I_n * 'I_n).

(* The sum over people of their local clustering: those with fewer than two friends count 0. *)
Definition total_clustering g : nat := \sum_v clustering (triangles_at g v) (deg g v).

(* What an edge between u and v would change, were it there or not; the most over all pairs, and two ends at least. *)
Definition change_of_pair g u v : nat :=
  end_weight (friends_but g u v) + end_weight (friends_but g v u) + \sum_(w in common g u v) friend_weight (deg g w).
Definition largest_change g : nat := maxn (2 * Q) (\max_(p : 'I_n * 'I_n | p.1 != p.2) change_of_pair g p.1 p.2).

Lemma change_above g u v : u != v -> change_of_pair g u v <= largest_change g.
Proof.
move=> uv; rewrite /largest_change leq_max; apply/orP; right.
exact: (@over_pairs _ (fun p : 'I_n * 'I_n => change_of_pair g p.1 p.2) u v uv).
Qed.

Lemma deg_of_common g u v w : u != v -> w \in common g u v -> 1 < deg g w.
Proof.
move=> uv; rewrite inE => /andP [gu gv]; rewrite /deg (cardD1 u) (cardD1 v) !inE eq_sym uv ![adj g w _]adj_sym gu gv.
by rewrite !add1n.
Qed.

Lemma outside_common g h a b w : adds g h a b -> w \in common g a b -> (w != a) && (w != b).
Proof.
move=> _; rewrite inE => /andP [ga gb].
by apply/andP; split; [apply: contraTneq ga => -> | apply: contraTneq gb => ->]; rewrite adj_irr.
Qed.

(* One edge changes the sum by no more than that, seen from either of the two graphs. *)
Lemma total_moves g h a b : adds g h a b -> dist (total_clustering g) (total_clustering h) <= change_of_pair g a b.
Proof.
move=> H; have H' := adds_swap H; have [ab gab _ _] := H; have ba : b != a by rewrite eq_sym.
have no_edge c d : ~~ adj g c d -> friends_but g c d = deg g c.
  by move=> gcd; apply: eq_card => w; rewrite !inE; case: (altP (w =P d)) => [->|_]; rewrite ?(negbTE gcd) ?andbT.
rewrite /change_of_pair !no_edge // 1?adj_sym //.
apply: leq_trans (dist_sum _ _ _) _; rewrite (bigD1 a) // (bigD1 b) //= addnA; apply: leq_add.
  have end_of c d : adds g h c d -> dist (clustering (triangles_at g c) (deg g c)) (clustering (triangles_at h c) (deg h c))
      <= end_weight (deg g c).
    move=> K; rewrite (triangles_at_end K) (deg_at K); apply: end_moves; [exact: triangles_at_most | exact: common_below].
  by apply: leq_add; [exact: end_of H | exact: end_of H'].
rewrite [X in _ <= X]big_mkcond [X in _ <= X](bigD1 a) // [X in _ <= _ + X](bigD1 b) //= addnA; apply: leq_trans (leq_addl _ _).
apply: leq_sum => v /andP [va vb]; rewrite (triangles_at_other H va vb) (deg_elsewhere H va vb).
case: ifP => [vc|_]; last by rewrite addn0 dist_self.
by have /andP [l1 l2] := friend_moves (triangles_at g v) (deg_of_common ab vc); rewrite addn1 /dist; lia.
Qed.

Lemma same_change g h a b : adds g h a b -> change_of_pair h a b = change_of_pair g a b.
Proof.
move=> H; have H' := adds_swap H; have [ha ga] := friends_of_ends H; have [hb gb] := friends_of_ends H'.
rewrite /change_of_pair ha ga hb gb (common_of_ends H); congr (_ + _); apply: eq_bigr => w wc.
by have /andP [wa wb] := outside_common H wc; rewrite (deg_elsewhere H wa wb).
Qed.

(* At one end: the other end of the new edge may become a common friend, or none less. *)
Lemma change_at_end g h u b v : adds g h u b -> b != v -> u != v ->
  change_of_pair h u v <= change_of_pair g u v + Q /\ change_of_pair g u v <= change_of_pair h u v + Q.
Proof.
move=> H bv uv; have [ub _ _ E] := H; have vu : v != u by rewrite eq_sym.
have vb : v != b by rewrite eq_sym.
have same_v : friends_but h v u = friends_but g v u by rewrite (friends_but_rises _ _ H) (negbTE vu) (negbTE vb) !addn0.
have less : end_weight (friends_but h u v) <= end_weight (friends_but g u v).
  rewrite (friends_but_at _ H) bv addn1 /end_weight; have : up (2 * Q) (friends_but g u v).+2 <= up (2 * Q) (friends_but g u v).+1.
    by apply: up_least => //; apply: leq_trans (@up_enough (2 * Q) (friends_but g u v).+1 isT) _; rewrite leq_mul2l leqnSn orbT.
  lia.
have most := end_weight_most (friends_but g u v).
have sums : \sum_(w in common h u v) friend_weight (deg h w) =
    \sum_(w in common g u v) friend_weight (deg g w) + adj g v b * friend_weight (deg h b).
  have out : b \in common g u v = false by rewrite inE; case: H => _ /negbTE ->.
  rewrite (bigID (pred1 b)) /= addnC; congr (_ + _).
    apply: eq_big => [w|w /andP [wc wb]].
      case: (altP (w =P b)) => [->|wb]; rewrite ?out ?andbF // andbT !inE (adds_at _ H) (negbTE wb) orbF.
      by rewrite (adds_elsewhere _ H).
    rewrite (deg_elsewhere H) //; move: wc; rewrite inE => /andP [huw _]; by apply: contraTneq huw => ->; rewrite adj_irr.
  have at_b w : (w \in common h u v) && (w == b) = (w == b) && adj g v b.
    rewrite inE; case: (altP (w =P b)) => [->|_]; last by rewrite andbF.
    by rewrite (adds_new H) (adds_elsewhere _ H) //= andbT.
  rewrite (eq_bigl _ _ at_b); case: (adj g v b); first by rewrite mul1n (big_pred1 b) // => w; exact: andbT.
  by rewrite big1 // => w; rewrite andbF.
have fw := friend_weight_most (deg h b); rewrite /change_of_pair same_v sums; case: (adj g v b); lia.
Qed.

(* Elsewhere: common friends may gain a friend, at most two of them. *)
Lemma change_elsewhere g h a b u v : adds g h a b -> u != v -> u != a -> u != b -> v != a -> v != b ->
  change_of_pair h u v <= change_of_pair g u v + Q /\ change_of_pair g u v <= change_of_pair h u v + Q.
Proof.
move=> H uv ua ub va vb; have [ab _ _ _] := H.
have same c d : c != a -> c != b -> friends_but h c d = friends_but g c d.
  by move=> ca cb; rewrite (friends_but_rises _ _ H) (negbTE ca) (negbTE cb) !addn0.
have same_common : common h u v = common g u v by apply/setP => w; rewrite !inE !(adds_elsewhere _ H).
rewrite /change_of_pair !same // same_common.
set old := \sum_(w in common g u v) friend_weight (deg g w); set new := \sum_(w in common g u v) _.
have : new <= old /\ old <= new + Q; last by lia.
have falls w : w \in common g u v -> friend_weight (deg h w) <= friend_weight (deg g w) <= friend_weight (deg h w)
    + ((w == a) * half + (w == b) * half).
  move=> wc; have d1 := deg_of_common uv wc; rewrite (deg_rises _ H).
  have not_both : ~~ ((w == a) && (w == b)) by apply: contra ab => /andP [/eqP <- /eqP <-].
  have := friend_weight_falls d1; move: not_both; case: (w == a); case: (w == b) => //= _;
    rewrite ?addn0 ?add0n ?addn1 ?mul1n ?mul0n; lia.
split; first by apply: leq_sum => w /falls /andP [].
apply: leq_trans (_ : new + \sum_w ((w == a) * half + (w == b) * half) <= _).
  apply: leq_trans (_ : \sum_(w in common g u v) (friend_weight (deg h w) + ((w == a) * half + (w == b) * half)) <= _).
    by apply: leq_sum => w /falls /andP [].
  rewrite big_split /= leq_add2l [X in _ <= X](bigID (mem (common g u v))) /=; exact: leq_addr.
by rewrite leq_add2l big_split /= !one_term; lia.
Qed.

Lemma change_moves g h a b u v : adds g h a b -> u != v ->
  change_of_pair h u v <= change_of_pair g u v + Q /\ change_of_pair g u v <= change_of_pair h u v + Q.
Proof.
have swap (k : graph n) x y : change_of_pair k x y = change_of_pair k y x.
  rewrite /change_of_pair [end_weight _ + _]addnC; congr (_ + _); apply: eq_bigl => w; by rewrite !inE andbC.
move=> H uv; have H' := adds_swap H; have vu : v != u by rewrite eq_sym.
have same (c d : 'I_n) : adds g h c d -> change_of_pair h c d <= change_of_pair g c d + Q /\ change_of_pair g c d <= change_of_pair h c d + Q.
  by move=> K; rewrite (same_change K) leq_addr.
case: (altP (u =P a)) => [ua|ua].
  by case: (altP (b =P v)) => [<-|bv]; [rewrite ua; exact: same | rewrite ua in uv *; exact: change_at_end H bv uv].
case: (altP (u =P b)) => [ub|ub].
  by case: (altP (a =P v)) => [<-|av]; [rewrite ub; exact: same | rewrite ub in uv *; exact: change_at_end H' av uv].
case: (altP (v =P a)) => [va|va].
  by rewrite !(swap _ u); rewrite va in vu *; apply: change_at_end H _ vu; rewrite eq_sym.
case: (altP (v =P b)) => [vb|vb].
  by rewrite !(swap _ u); rewrite vb in vu *; apply: change_at_end H' _ vu; rewrite eq_sym.
exact: change_elsewhere H uv ua ub va vb.
Qed.

Lemma largest_change_moves g h a b : adds g h a b ->
  largest_change h <= largest_change g + Q /\ largest_change g <= largest_change h + Q.
Proof.
move=> H; split; rewrite {1}/largest_change geq_max; apply/andP; split.
- by apply: leq_trans (leq_addr _ _); rewrite leq_max leqnn.
- by apply/bigmax_leqP => -[u v] /= uv; have := change_above g uv; have [] := change_moves H uv; lia.
- by apply: leq_trans (leq_addr _ _); rewrite leq_max leqnn.
by apply/bigmax_leqP => -[u v] /= uv; have := change_above h uv; have [] := change_moves H uv; lia.
Qed.

(* In parts of Q: one edge changes the largest change by at most one whole clustering. *)
Theorem largest_change_sensitivity : edge_sensitivity (number largest_change) (clustering_change_constant half).
Proof.
by apply: edge_sensitivity_by_adding => g h a b H; have [l1 l2] := largest_change_moves H; rewrite distance_number /clustering_change_constant; apply: dist_within.
Qed.

(* The ladder of the code: up by Q a step, to all people at most. *)
Definition clustering_step g t : nat := clustering_rung half (largest_change g) #|people g| t.

Lemma total_most g : total_clustering g <= Q * #|people g|.
Proof.
rewrite -sum1_card big_distrr /= [X in _ <= X]big_mkcond /=; apply: leq_sum => v _; case: ifPn => vg.
  rewrite muln1 /clustering; case: (posnP 'C(deg g v, 2)) => [->|c0]; first by rewrite divn0.
  by rewrite -ltnS ltn_divLR // mulSn; have := leq_mul (leqnn Q) (triangles_at_most g v); lia.
by rewrite /clustering deg_absent // divn0.
Qed.

(* These steps bound what one edge changes in the sum of all local clusterings, now and after further edges. *)
Theorem clustering_ladder : ladder_function (@edge_neighbours n) total_clustering clustering_step.
Proof.
split=> [g h|g h t] [a [b [H|H]]]; have [ab _ pp _] := H; rewrite /clustering_step /clustering_rung ?muln0 ?addn0.
- by have := total_moves H; have := change_above g ab; have := total_most g; have := total_most h; rewrite pp /dist; lia.
- have := total_moves H; rewrite -(same_change H) dist_sym; have := change_above g ab; have := total_most g.
  by have := total_most h; rewrite pp /dist; lia.
- by have [l1 l2] := largest_change_moves H; rewrite pp mulnSr; lia.
by have [l1 l2] := largest_change_moves H; rewrite pp mulnSr; lia.
Qed.

(* Two people make no triangle: nothing can change, and no noise is needed. *)
Theorem no_clustering_of_two g : #|people g| <= 2 -> total_clustering g = 0.
Proof.
move=> two; apply: big1 => v _; have := deg_most g v; rewrite /most_degree /clustering => le.
by rewrite bin_small ?divn0 //; lia.
Qed.
End Average.
End Fractions.

(* With 2 half parts: what an end with 0 to 5 friends moves by at most, and a common friend of degree 0 to 5. *)
Definition clustering_weights_constant (half : nat) :=
  [seq [:: end_weight half d; friend_weight half d] | d <- iota 0 6].
