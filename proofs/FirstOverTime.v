(* Counts over time of the friendships that are among the first D of both their ends: triangles under edge privacy, and
   friendships under node privacy. Friendships stand in the order of the periods in which they are first seen and then in
   a public order; all of them stay once seen. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Triangles FirstEdges OverTime.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* What one friendship moves in the triangles: it closes D - 1 at most, and either end may lose another friendship, which
   closed as many. What one person moves in the friendships. *)
Definition first_triangles_rise_constant (D : nat) := D.-1.
Definition first_triangles_fall_constant (D : nat) := 2 * D.-1.
Definition first_friendships_constant (D : nat) := D.

(* Of two sets whose members are seen at their own time, the first gains more members in all periods together by as many
   as it has alone. *)
Definition seen_of (T : finType) (time : T -> nat) (X : {set T}) (t : nat) : nat := #|[set x in X | time x <= t]|.
Lemma sets_over_time (T : finType) (A B : {set T}) (time : T -> nat) N :
  exceeds N (seen_of time A) (seen_of time B) <= #|A :\: B|.
Proof.
pose seen := seen_of time; have E t : seen A t + seen (B :\: A) t = seen B t + seen (A :\: B) t.
  have split X Y : seen X t = #|[set x in X :&: Y | time x <= t]| + seen (X :\: Y) t.
    rewrite /seen /seen_of -(cardsID Y [set x in X | _]); congr (_ + _); apply: eq_card => x; rewrite !inE.
      by rewrite andbAC.
    by rewrite andbA.
  by rewrite (split A B) (split B A) setIC addnAC.
have up X t : seen X t <= seen X t.+1.
  by apply: subset_leq_card; apply/subsetP => x; rewrite !inE => /andP [-> le]; exact: leqW.
apply: leq_trans (exceeds_at_most N E (up _) (up _)) _.
by apply: subset_leq_card; apply/subsetP => x; rewrite !inE => /andP [].
Qed.

Section FirstOverTime.
Variables (n D : nat) (since place : 'I_n -> 'I_n -> nat).
Hypothesis since_sym : forall u w, since u w = since w u.
Hypothesis order : forall u, injective (place u).
Hypothesis periods_first : forall u w x, since u w < since u x -> place u w < place u x.
Implicit Types (g h : graph n) (u v w x a b : 'I_n) (S : {set 'I_n}).
Notation kept := (kept D place).
Notation cut := (cut D place).
Notation before := (before place).

(* The friendships of g that are seen by period t. *)
Definition known g t u w : bool := adj g u w && (since u w <= t).
Lemma known_sym g t : symmetric (known g t).
Proof. by move=> u w; rewrite /known adj_sym since_sym. Qed.
Lemma known_irr g t : irreflexive (known g t).
Proof. by move=> u; rewrite /known adj_irr. Qed.
Lemma known_in g t u w : known g t u w -> u \in people g.
Proof. by case/andP => /adj_in. Qed.
Definition seen g t : graph n := Graph (@known_sym g t) (@known_irr g t) (@known_in g t).

(* What is kept in a period is kept for ever: later friendships have later places. *)
Lemma kept_seen g t u w : kept (seen g t) u w = kept g u w && (since u w <= t).
Proof.
have same u' w' : since u' w' <= t -> before (seen g t) u' w' = before g u' w'.
  move=> le; apply: eq_card => x; rewrite !inE /= /known; case lt: (place u' x < place u' w'); last by rewrite !andbF.
  rewrite (leq_trans _ le) ?andbT // leqNgt; apply/negP => /periods_first.
  by rewrite ltnNge (ltnW lt).
rewrite /FirstEdges.kept /= /known; case le: (since u w <= t); last by rewrite !andbF.
by rewrite !andbT !same // since_sym.
Qed.

(* A triangle is seen when the last of its three friendships is. *)
Definition time S : nat := \max_(p : 'I_n * 'I_n | [&& p.1 \in S, p.2 \in S & p.1 != p.2]) since p.1 p.2.
Lemma triangles_seen g t : triangles (cut (seen g t)) = seen_of time (triangle_sets (cut g)) t.
Proof.
apply: eq_card => S; rewrite !inE -andbA; congr (_ && _); apply/friends_allP/andP => [F|[/friends_allP F /bigmax_leqP T] u w uS wS uw].
  split; first by apply/friends_allP => u w uS wS uw; have := F _ _ uS wS uw; rewrite /= kept_seen => /andP [].
  by apply/bigmax_leqP => -[u w] /= /and3P [uS wS uw]; have := F _ _ uS wS uw; rewrite /= kept_seen => /andP [].
have := F _ _ uS wS uw; rewrite /= kept_seen => ->; apply: (T (u, w)); by rewrite /= uS wS.
Qed.

Section Friendship.
Variables (g h : graph n) (a b : 'I_n).
Hypothesis H : adds g h a b.

Lemma before_adding u w : before h u w =
  before g u w + [|| (u == a) && (place a b < place a w) | (u == b) && (place b a < place b w)].
Proof.
have [ab gab _ _] := H; have at_end k a' b' : adds g k a' b' -> before k a' w = before g a' w + (place a' b' < place a' w).
  move=> H'; have [_ g'ab _ _] := H'; rewrite /FirstEdges.before (cardD1 b') !inE (adds_new H') addnC; congr (_ + _).
  apply: eq_card => x; rewrite !inE (adds_at _ H'); case: (altP (x =P b')) => [->|_]; first by rewrite (negbTE g'ab).
  by rewrite orbF.
case: (altP (u =P a)) => [->|ua]; first by rewrite (at_end _ _ _ H) (negbTE ab) orbF.
case: (altP (u =P b)) => [->|ub]; first by rewrite (at_end _ _ _ (adds_swap H)).
by rewrite addn0; apply: eq_card => x; rewrite !inE (adds_elsewhere _ H).
Qed.

(* An end's kept friendship at the last place may be lost; all else stays, and the new one alone may be gained. *)
Definition last u w : bool := [&& u \in [set a; b], kept g u w & before g u w == D.-1].
Lemma last_inj u w x : last u w -> last u x -> w = x.
Proof.
case/and3P => _ /and3P [gw _ _] /eqP Ew /and3P [_ /and3P [gx _ _] /eqP Ex]; apply: (before_inj order gw gx).
by rewrite Ew Ex.
Qed.
Lemma moved_on u w : before g u w < D -> D <= before h u w -> (u \in [set a; b]) && (before g u w == D.-1).
Proof.
rewrite before_adding; case i: (_ || _); last by rewrite addn0; lia.
have -> : u \in [set a; b] by move: i; case/orP => /andP [/eqP -> _]; rewrite !inE eqxx ?orbT.
by rewrite addn1 => l1 l2; apply/eqP; lia.
Qed.
Lemma lost_by_adding u w : kept g u w -> ~~ kept h u w -> last u w || last w u.
Proof.
move=> gk; have /and3P [gw l1 l2] := gk; rewrite /FirstEdges.kept (adds_more H gw) /= negb_and -!leqNgt.
case/orP => le; apply/orP; [left | right; rewrite /last kept_sym].
  by case/andP: (moved_on l1 le) => i e; apply/and3P.
by case/andP: (moved_on l2 le) => i e; apply/and3P.
Qed.
Lemma gained_by_adding u w : kept h u w -> ~~ kept g u w -> (u, w) \in [set (a, b); (b, a)].
Proof.
have [_ _ _ E] := H; rewrite /FirstEdges.kept !before_adding E !inE !xpair_eqE => /and3P [].
case gw: (adj g u w) => //= _ l1 l2.
by rewrite (leq_ltn_trans (leq_addr _ _) l1) (leq_ltn_trans (leq_addr _ _) l2).
Qed.

Lemma triangles_of_new : #|triangle_sets (cut h) :\: triangle_sets (cut g)| <= D.-1.
Proof.
case hk: (kept h a b); last first.
  rewrite [X in X <= _](_ : _ = 0) //; apply: eq_card0 => S; rewrite !inE; apply/negP => /andP [+ /andP [S3 F]]; rewrite S3 /= => no.
  have [u [w [uS wS uw hu /(gained_by_adding hu)]]] := missing_pair F no.
  by rewrite !inE !xpair_eqE => /orP [] /andP [/eqP Eu /eqP Ew]; move: hu; rewrite Eu Ew /= ?[kept h b a]kept_sym hk.
apply: leq_trans (_ : #|triangles_on D place h (a, b)| <= _).
  apply: subset_leq_card; apply/subsetP => S; rewrite !inE => /andP [+ /andP [S3 F]]; rewrite S3 /= => no.
  have [u [w [uS wS uw hu /(gained_by_adding hu)]]] := missing_pair F no.
  have [ab _ _ _] := H; rewrite !inE !xpair_eqE => /orP [] /andP [/eqP Eu /eqP Ew]; rewrite Eu Ew in uS wS;
    exact: third_of.
exact: leq_trans (leq_imset_card _ _) (common_kept order hk).
Qed.

Lemma triangles_of_last : #|triangle_sets (cut g) :\: triangle_sets (cut h)| <= 2 * D.-1.
Proof.
pose losses := [set p : 'I_n * 'I_n | last p.1 p.2].
have cover : triangle_sets (cut g) :\: triangle_sets (cut h) \subset \bigcup_(p in losses) triangles_on D place g p.
  apply/subsetP => S; rewrite !inE => /andP [+ /andP [S3 F]]; rewrite S3 /= => no.
  have [u [w [uS wS uw gk hk]]] := missing_pair F no.
  apply/bigcupP; case/orP: (lost_by_adding gk hk) => l; [exists (u, w) | exists (w, u)]; rewrite ?inE //;
    by apply: third_of; rewrite // eq_sym.
apply: leq_trans (subset_leq_card cover) (leq_trans (triangles_on_at_most order _) _).
  by move=> p; rewrite inE => /and3P [].
rewrite mulnC leq_mul2r; apply/orP; right; apply: leq_trans (_ : #|[set a; b]| <= _); last by rewrite cards2; case: (a != b).
rewrite -(card_in_imset (f := fst)) => [|[u w] [u' x]]; last first.
  by rewrite !inE /= => l1 l2 E; rewrite -E in l2 *; rewrite (last_inj l1 l2).
by apply: subset_leq_card; apply/subsetP => u /imsetP [[u' w]]; rewrite inE => /and3P [l _ _] ->.
Qed.
End Friendship.

(* One friendship raises what all periods add to the triangles by at most D - 1 in total, and lowers it by at most
   2 (D - 1). *)
Theorem first_triangles_over_time_sensitivity N g h a b (f := fun k t => triangles (cut (seen k t))) : adds g h a b ->
  exceeds N (f h) (f g) <= first_triangles_rise_constant D /\ exceeds N (f g) (f h) <= first_triangles_fall_constant D.
Proof.
move=> H; have series k k' : exceeds N (f k) (f k') <= #|triangle_sets (cut k) :\: triangle_sets (cut k')|.
  apply: leq_trans (sets_over_time _ _ time N); rewrite /exceeds /f; apply: eq_leq; apply: eq_bigr => t _.
  by rewrite !triangles_seen.
by split; [apply: leq_trans (triangles_of_new H) | apply: leq_trans (triangles_of_last H)]; rewrite ?series.
Qed.

(* How many friendships everybody keeps. *)
Definition kept_pairs g : {set 'I_n * 'I_n} := [set p | kept g p.1 p.2 && (p.1 < p.2)].
Lemma edges_seen g t : edges (cut (seen g t)) = seen_of (fun p => since p.1 p.2) (kept_pairs g) t.
Proof. by apply: eq_card => p; rewrite !inE /= kept_seen andbAC. Qed.

(* Friends of a person who have more than D friends. *)
Definition friends_beyond h v : nat := #|[pred u | adj h u v && (D < deg h u)]|.

Section Person.
Variables (g h : graph n) (v : 'I_n).
Hypothesis H : joins g h v.

Lemma new_pair u w : (u, w) \in kept_pairs h :\: kept_pairs g -> [/\ kept h u w, u < w & (u == v) || (w == v)].
Proof.
rewrite !inE /= => /andP [no /andP [hk lt]]; split=> //; move: no; rewrite lt andbT; apply: contraNT.
by rewrite negb_or => /andP [uv wv]; rewrite (kept_more H uv wv hk).
Qed.

Lemma pairs_of_person : #|kept_pairs h :\: kept_pairs g| <= D.
Proof.
have most : deg (cut h) v <= D by exact: cut_deg.
apply: leq_trans most; pose other (p : 'I_n * 'I_n) := if p.1 == v then p.2 else p.1.
rewrite -(card_in_imset (f := other)) => [|[u w] [u' w'] /new_pair [_ lt uw] /new_pair [_ lt' uw']].
  apply: subset_leq_card; apply/subsetP => x /imsetP [[u w] /new_pair [hk _ uw] ->]; rewrite inE /other /=.
  by case: (altP (u =P v)) uw hk => [-> //|_] /eqP ->; rewrite kept_sym.
rewrite /other /=; case: (altP (u =P v)) uw => [Eu _|_ /eqP Ew]; case: (altP (u' =P v)) uw' => [Eu' _|_ /eqP Ew'] E.
- by rewrite Eu Eu' E.
- by move: lt lt'; rewrite Eu Ew' E; lia.
- by move: lt lt'; rewrite Ew Eu' E; lia.
by rewrite Ew Ew' E.
Qed.

(* A friendship of others is lost at an end that is a friend of the new person and had it at the last place. *)
Definition pushed u w : bool := [&& adj h u v, D < deg h u, kept g u w & before g u w == D.-1].
Lemma pushed_out u w : kept g u w -> before g u w < D -> D <= before h u w -> pushed u w.
Proof.
move=> gk l1; have guw : adj g u w by case/and3P: gk.
have uv := kept_not_new H gk; rewrite (before_joins _ H) //; case huv: (adj h u v); last by rewrite addn0; lia.
move=> l2; have e : before g u w = D.-1 by move: l1 (leq_trans l2 (leq_add (leqnn _) (leq_b1 _))); lia.
rewrite /pushed huv gk e eqxx /= (deg_joins H uv) huv addn1 ltnS -(ltn_predK l1) -e /deg (cardD1 w) inE guw add1n ltnS.
rewrite andbT; apply: subset_leq_card; apply/subsetP => z.
by rewrite !inE => /andP [-> lt]; rewrite andbT; apply: contraTneq lt => ->; rewrite ltnn.
Qed.
Lemma lost_by_joining u w : kept g u w -> ~~ kept h u w -> pushed u w || pushed w u.
Proof.
move=> gk hk; have wk : kept g w u by rewrite kept_sym.
have [uv wv] := (kept_not_new H gk, kept_not_new H wk); have /and3P [gw l1 l2] := gk.
move: hk; rewrite /FirstEdges.kept (same_adj H) // gw /= negb_and -!leqNgt.
by case/orP => le; apply/orP; [left | right]; exact: pushed_out.
Qed.

Lemma pairs_of_pushed : #|kept_pairs g :\: kept_pairs h| <= friends_beyond h v.
Proof.
apply: leq_trans (_ : #|[set p | pushed p.1 p.2]| <= _).
  pose way (p : 'I_n * 'I_n) := if pushed p.1 p.2 then p else (p.2, p.1).
  rewrite -(card_in_imset (f := way)) => [|[u w] [u' w']]; last first.
    rewrite !inE /way /= => /andP [_ /andP [_ lt]] /andP [_ /andP [_ lt']].
    by case: ifP => _; case: ifP => _ [E1 E2]; move: lt lt'; rewrite E1 E2 //; lia.
  apply: subset_leq_card; apply/subsetP => x /imsetP [[u w]]; rewrite !inE /= => /andP [no /andP [gk lt]] ->.
  have hk : ~~ kept h u w by move: no; rewrite lt andbT.
  by rewrite /way /=; case: ifP (lost_by_joining gk hk).
rewrite -(card_in_imset (f := fst)) => [|[u w] [u' x]].
  by apply: subset_leq_card; apply/subsetP => u /imsetP [[u' w]]; rewrite inE /= => /and4P [uv du _ _] ->; rewrite inE /= uv.
rewrite !inE /= => /and4P [_ _ /and3P [gw _ _] /eqP Ew] /and4P [_ _ k' /eqP Ex] E; rewrite -E in k' Ex *.
by have /and3P [gx _ _] := k'; rewrite (before_inj order gw gx) // Ew Ex.
Qed.
End Person.

(* One person raises what all periods add to the kept friendships by at most D in total, and lowers it by at most one for
   each of their friends who has more than D friends: by nothing, where nobody has. *)
Theorem first_friendships_over_time_sensitivity N g h v (f := fun k t => edges (cut (seen k t))) : joins g h v ->
  exceeds N (f h) (f g) <= first_friendships_constant D /\ exceeds N (f g) (f h) <= friends_beyond h v.
Proof.
move=> H; have series k k' : exceeds N (f k) (f k') <= #|kept_pairs k :\: kept_pairs k'|.
  apply: leq_trans (sets_over_time _ _ (fun p => since p.1 p.2) N); rewrite /exceeds /f; apply: eq_leq; apply: eq_bigr => t _.
  by rewrite !edges_seen.
by split; [apply: leq_trans (pairs_of_person H) | apply: leq_trans (pairs_of_pushed H)].
Qed.
End FirstOverTime.
