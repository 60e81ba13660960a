(* Linear programs over patterns under node privacy: as many patterns as possible, nobody part of more than tau.

   A pattern is a thing with people in it: an edge, a 2-star, a triangle. The graph [g] has the patterns [pats g]; the
   theorems need of them only that a person who joins brings patterns of their own and changes no other. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base Graphs Triangles.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Programs.
Variable R : realFieldType.
Variables (n : nat) (P : finType) (members : P -> {set 'I_n}) (pats : graph n -> {set P}).
Implicit Types (g h : graph n) (u v w : 'I_n) (p : P) (x : P -> R) (z : 'I_n -> R) (tau : R).

(* What a new person brings holds them; everything else was there before. *)
Definition grows_by_person : Prop := forall g h v, joins g h v -> forall p,
  (p \in pats g) = (p \in pats h) && (v \notin members p).

(* x keeps a part of every pattern, and of the patterns of any person no more than tau. *)
Definition load g x u : R := \sum_(p in pats g | u \in members p) x p.
Definition kept_part g x : R := \sum_(p in pats g) x p.
Definition within tau g x : Prop := (forall p, 0 <= x p <= 1) /\ (forall u, load g x u <= tau).

(* A is proved for g within a slack: no x that is within the bounds keeps more, and some x keeps nearly as much. *)
Definition proved tau slack g (A : R) : Prop :=
  (forall x, within tau g x -> kept_part g x <= A) /\ (exists2 x, within tau g x & A <= kept_part g x + slack).

Section Joining.
Hypothesis grows : grows_by_person.

Lemma without_new g h v (F : P -> R) : joins g h v -> \sum_(p in pats g) F p = \sum_(p in pats h | v \notin members p) F p.
Proof. by move=> H; apply: eq_bigl => p; exact: grows H p. Qed.

Lemma less_loaded g h v x u : joins g h v -> (forall p, 0 <= x p) -> load g x u <= load h x u.
Proof.
move=> H x0; rewrite /load [X in _ <= X](bigID (fun p => v \in members p)) /=.
rewrite (eq_bigl (fun p => (p \in pats h) && (u \in members p) && (v \notin members p))) => [|p].
  by rewrite ler_addr; apply: sumr_ge0 => p _; exact: x0.
by rewrite (grows H) andbAC.
Qed.

Lemma new_patterns g h v x : joins g h v -> kept_part h x = kept_part g x + load h x v.
Proof. by move=> H; rewrite /kept_part /load (without_new _ H) addrC (bigID (fun p => v \in members p)). Qed.

(* What is kept with the new person may be kept without them, and the other way round with none of their patterns. *)
Lemma restrict tau g h v x : joins g h v -> within tau h x -> within tau g x.
Proof.
move=> H [x01 le]; split=> // u; apply: le_trans (le u); apply: less_loaded H _ => p; by case/andP: (x01 p).
Qed.

Lemma extend tau g h v x : joins g h v -> within tau g x ->
  exists2 y, within tau h y & kept_part h y = kept_part g x.
Proof.
move=> H [x01 le]; pose y p := if v \in members p then 0 else x p.
have of_g u : load h y u = if u == v then 0 else load g x u.
  rewrite /load (bigID (fun p => v \in members p)) /= big1 => [|p /andP [_ vp]]; last by rewrite /y vp.
  rewrite add0r (eq_bigr x) => [|p /andP [_ /negbTE vp]]; last by rewrite /y vp.
  case: (altP (u =P v)) => [->|_].
    by rewrite big_pred0 // => p; case: (v \in members p); rewrite ?andbF.
  by apply: eq_bigl => p; rewrite (grows H) andbAC.
have tau0 : 0 <= tau.
  have := le v; rewrite /load big_pred0 // => p; by rewrite (grows H); case: (v \in members p); rewrite ?andbF.
exists y; last first.
  rewrite (new_patterns _ H) of_g eqxx addr0 /kept_part; apply: eq_bigr => p.
  by rewrite (grows H) => /andP [_ /negbTE vp]; rewrite /y vp.
split=> [p|u]; last by rewrite of_g; case: ifP.
by rewrite /y; case: ifP => // _; rewrite lexx ler01.
Qed.

(* A person who joins moves the proved value of a program by an amount in [- slack, tau + slack]. *)
Theorem program_stability tau slack g h v (A B : R) : joins g h v -> proved tau slack g A -> proved tau slack h B ->
  A - slack <= B <= A + tau + slack.
Proof.
move=> H [topA [x xin nearA]] [topB [y yin nearB]]; apply/andP; split.
  have [x' x'in E] := extend H xin; rewrite ler_subl_addr; apply: le_trans nearA _.
  by rewrite ler_add2r -E; exact: topB.
apply: le_trans nearB _; rewrite ler_add2r (new_patterns _ H); apply: ler_add; last by case: yin.
by apply: topA; exact: restrict H yin.
Qed.
End Joining.

(* Weak duality: prices of people prove that nothing keeps more. *)
Theorem prices_bound tau g z x : (forall u, 0 <= z u) -> within tau g x ->
  kept_part g x <= tau * (\sum_u z u) + \sum_(p in pats g) Num.max 0 (1 - \sum_(u in members p) z u).
Proof.
move=> z0 [x01 le].
have paid : \sum_(p in pats g) x p * (\sum_(u in members p) z u) = \sum_u z u * load g x u.
  under eq_bigr do rewrite mulr_sumr; rewrite (exchange_big_dep predT) //=.
  by apply: eq_bigr => u _; rewrite /load mulr_sumr; apply: eq_bigr => p _; rewrite mulrC.
have step p : x p <= x p * (\sum_(u in members p) z u) + Num.max 0 (1 - \sum_(u in members p) z u).
  have /andP [x0 x1] := x01 p; rewrite -ler_subl_addl -{1}[x p]mulr1 -mulrBr.
  case: (lerP 0 (1 - \sum_(u in members p) z u)) => [pos|neg]; first by rewrite ler_pimull.
  by rewrite mulr_ge0_le0 // ltW.
apply: le_trans (_ : \sum_(p in pats g) (x p * (\sum_(u in members p) z u) + Num.max 0 (1 - \sum_(u in members p) z u)) <= _).
  by apply: ler_sum => p _; exact: step.
rewrite big_split /= paid ler_add2r mulr_sumr; apply: ler_sum => u _; rewrite mulrC; apply: ler_wpmul2r => //; exact: z0.
Qed.

(* People with at most tau patterns need no row in the program. *)
Theorem light_people_need_no_row tau g x : (forall p, 0 <= x p <= 1) ->
  (forall u, tau < #|[set p in pats g | u \in members p]|%:R -> load g x u <= tau) -> within tau g x.
Proof.
move=> x01 le; split=> // u; case: (ltrP tau (#|[set p in pats g | u \in members p]|%:R)) => [/le //|].
apply: le_trans; rewrite /load -sum1_card natr_sum [X in _ <= X](eq_bigl (fun p => (p \in pats g) && (u \in members p))) => [|p].
  by apply: ler_sum => p _; case/andP: (x01 p).
by rewrite inE.
Qed.
End Programs.

(* The whole number from which noise is made: the proved value, rounded up. Its slack is a 256th of tau. *)
Section Rounded.
Definition rounded_up (A : rat) (k : nat) : Prop := A <= k%:R < A + 1.

Lemma rounded_up_apart (A B : rat) (m c tau a b : nat) : (0 < m)%N -> ((m + 1) * tau <= c * m)%N ->
  A - tau%:R / m%:R <= B <= A + tau%:R + tau%:R / m%:R -> rounded_up A a -> rounded_up B b -> (dist a b <= c)%N.
Proof.
move=> m0 le /andP [lo hi] /andP [A1 A2] /andP [B1 B2].
have s0 : (0 : rat) < m%:R by rewrite ltr0n.
have top : tau%:R + tau%:R / m%:R <= c%:R :> rat.
  by rewrite -(ler_pmul2r s0) mulrDl divfK ?gt_eqF // -!natrM -natrD ler_nat; lia.
have up : (b < a + c + 1)%N.
  rewrite -(ltr_nat [realFieldType of rat]); apply: lt_le_trans B2 _.
  by rewrite natrD ler_add2r natrD; apply: le_trans hi _; rewrite -addrA; exact: ler_add.
have down : (a < b + c + 1)%N.
  rewrite -(ltr_nat [realFieldType of rat]); apply: lt_le_trans A2 _.
  rewrite natrD ler_add2r natrD -ler_subl_addr; apply: le_trans B1; apply: le_trans lo; rewrite ler_add2l ler_opp2.
  by apply: le_trans top; rewrite ler_addr ler0n.
rewrite /dist; lia.
Qed.

Variables (n : nat) (P : finType) (members : P -> {set 'I_n}) (pats : graph n -> {set P}).
Definition program_slack_constant := 256%N.
Definition program_constant (tau : nat) : nat :=
  ((program_slack_constant + 1) * tau + program_slack_constant - 1) %/ program_slack_constant.
Definition program_value (tau : nat) (g : graph n) (k : nat) : Prop :=
  exists2 A : rat, proved members pats tau%:R (tau%:R / program_slack_constant%:R) g A & rounded_up A k.

Lemma slack_is_positive : (0 < program_slack_constant)%N. Proof. by []. Qed.

(* One person changes the value, rounded up, by at most (1 + 1/256) tau, rounded up. *)
Theorem program_sensitivity tau g h v a b : grows_by_person members pats ->
  joins g h v -> program_value tau g a -> program_value tau h b -> (dist a b <= program_constant tau)%N.
Proof.
rewrite /program_value /program_constant; move: program_slack_constant slack_is_positive => m m0.
move=> grows H [A pA Aa] [B pB Bb]; have ceil := @ltn_ceil ((m + 1) * tau + m - 1) m m0.
apply: rounded_up_apart m0 _ (program_stability grows H pA pB) Aa Bb; move: ceil; rewrite mulSn; lia.
Qed.
End Rounded.

(* Edges, 2-stars and triangles are patterns that grow by a person. *)
Section Patterns.
Local Open Scope nat_scope.
Variable n : nat.
Implicit Types (g h : graph n) (u v w : 'I_n) (S : {set 'I_n}).

Definition cliques k g : {set {set 'I_n}} := [set S : {set 'I_n} | (#|S| == k) && friends_all g S].

(* Everybody in a group of two or more friends has a friend in it; so the new person is in none that was there. *)
Lemma cliques_grow k : 1 < k -> grows_by_person id (cliques k).
Proof.
move=> k1 g h v H S; have [vg pp E] := H; rewrite !inE -andbA; case: eqP => //= Sk; apply/idP/andP.
  move=> /friends_allP F.
  have vS : v \notin S.
    apply/negP => vS; have /card_gt0P [w] : 0 < #|S :\ v| by have := cardsD1 v S; rewrite vS Sk; lia.
    rewrite !inE => /andP [wv wS]; have := F _ _ wS vS wv; by rewrite (joins_absent _ H).
  split=> //; apply/friends_allP => u w uS wS uw; rewrite E; last 2 first.
  - by apply: contraNneq vS => <-.
  - by apply: contraNneq vS => <-.
  exact: F.
move=> [/friends_allP F vS]; apply/friends_allP => u w uS wS uw; rewrite -E; first exact: F.
- by apply: contraNneq vS => <-.
by apply: contraNneq vS => <-.
Qed.

(* A 2-star: somebody in the middle, and two of their friends. *)
Definition two_stars g : {set 'I_n * {set 'I_n}} := [set s : 'I_n * {set 'I_n} | (#|s.2| == 2) && [forall w in s.2, adj g s.1 w]].
Definition of_star (s : 'I_n * {set 'I_n}) : {set 'I_n} := s.1 |: s.2.

Lemma two_stars_grow : grows_by_person of_star two_stars.
Proof.
move=> g h v H [c S]; have [vg pp E] := H; rewrite /of_star !inE /= ?inE negb_or -andbA; case: eqP => //= S2; apply/idP/andP.
  move=> /forall_inP F; have cv : v != c.
    have /card_gt0P [w wS] : 0 < #|S| by rewrite S2.
    by have := F _ wS; apply: contraTneq => <-; rewrite adj_sym (joins_absent _ H).
  have vS : v \notin S by apply/negP => /F; rewrite (joins_absent _ H).
  split; last by rewrite cv vS.
  apply/forall_inP => w wS; rewrite E; [exact: F | by rewrite eq_sym | by apply: contraNneq vS => <-].
case=> /forall_inP F /andP [cv vS]; apply/forall_inP => w wS.
rewrite -E; [exact: F | by rewrite eq_sym | by apply: contraNneq vS => <-].
Qed.

(* One person changes the program over edges by at most (1 + 1/256) tau, rounded up. *)
Theorem edge_program_sensitivity tau g h v a b : joins g h v ->
  program_value id (cliques 2) tau g a -> program_value id (cliques 2) tau h b -> dist a b <= program_constant tau.
Proof. by apply: program_sensitivity; exact: cliques_grow. Qed.
(* One person changes the program over triangles by at most (1 + 1/256) tau, rounded up. *)
Theorem triangle_program_sensitivity tau g h v a b : joins g h v ->
  program_value id (cliques 3) tau g a -> program_value id (cliques 3) tau h b -> dist a b <= program_constant tau.
Proof. by apply: program_sensitivity; exact: cliques_grow. Qed.
(* One person changes the program over 2-stars by at most (1 + 1/256) tau, rounded up. *)
Theorem two_star_program_sensitivity tau g h v a b : joins g h v ->
  program_value of_star two_stars tau g a -> program_value of_star two_stars tau h b -> dist a b <= program_constant tau.
Proof. by apply: program_sensitivity; exact: two_stars_grow. Qed.
End Patterns.
