(* What one person's record moves in what others are told: the person's edges, label and features are blanked, and the
   person's own row is shown to nobody else. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base Graphs Cores.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* A neighbour's weight on a grid of G steps, for somebody whom d people read: in full up to D readers, then D shares. *)
Definition share (G D d : nat) : nat := if d <= D then G else (D * G) %/ d.
(* A whole number that is no smaller than the root. *)
Definition root_above (x : nat) : nat := (PeanoNat.Nat.sqrt x).+1.
(* The squared length of what one record moves, among n people. *)
Definition rows_squared (G n D : nat) : nat :=
  D * (G * G) + (root_above (D * (G * G)) + root_above (D * D * n)) * (root_above (D * (G * G)) + root_above (D * D * n)).
(* Of 9 people, on a grid of 8 steps. *)
Definition record_rows_constant (D : nat) := rows_squared 8 9 D.

Lemma square_of_root x : x <= root_above x * root_above x.
Proof.
by have [_ /ltP lt] := PeanoNat.Nat.sqrt_spec x (PeanoNat.Nat.le_0_l x); apply: leq_trans (ltnW lt) _.
Qed.

Section Shares.
Variables G D : nat.
Hypothesis D1 : 0 < D.

(* All readers of one person together. *)
Lemma share_of_all d : d * (share G D d * share G D d) <= D * (G * G).
Proof.
rewrite /share; case: (leqP d D) => [le|gt]; first by rewrite leq_mul2r le orbT.
have l1 := leq_trunc_div (D * G) d; have := leq_mul l1 l1; move: (_ %/ d) => y l2.
have d0 : 0 < d by apply: leq_ltn_trans gt.
rewrite -(leq_pmul2l d0); apply: leq_trans (_ : D * G * (D * G) <= _); first by apply: leq_trans l2; lia.
apply: leq_trans (_ : D * (D * (G * G)) <= _); first by lia.
by rewrite leq_mul2r ltnW ?orbT.
Qed.

Lemma share_falls d e : d <= e -> share G D e <= share G D d.
Proof.
move=> de; rewrite /share; case: (leqP d D) => [dD|Dd]; last first.
  by rewrite [e <= D]leqNgt (leq_trans Dd de) /=; exact: leq_div2l (leq_ltn_trans (leq0n _) Dd) de.
case: (leqP e D) => // De; apply: leq_trans (leq_div2l _ D1 (ltnW De)) _; by rewrite mulKn.
Qed.

(* One reader less of somebody whom more than D read: what the other s readers are told rises by r each. *)
Lemma rise_of_share n s (r := share G D s - share G D s.+1) p q : D <= s <= n ->
  D * (G * G) <= p * p -> D * D * n <= q * q -> D * D * s * (r * r) <= (p + q) * (p + q).
Proof.
case/andP=> Ds sn pp qq; have s0 : 0 < s by apply: leq_trans Ds.
have r1 : r * (s * s.+1) <= D * G + s * s.+1.
  have -> : r = (D * G) %/ s - (D * G) %/ s.+1.
    rewrite /r /share [s.+1 <= D]leqNgt ltnS Ds /=; case: (leqP s D) => // sD.
    by have -> : s = D by [apply/eqP; rewrite eqn_leq sD]; rewrite mulKn.
  have := leq_trunc_div (D * G) s; have := ltn_ceil (D * G) (ltn0Sn s).
  move: (_ %/ s) (_ %/ s.+1) => x y l1 l2; rewrite mulnBl.
  have : x * (s * s.+1) <= D * G * s.+1 by rewrite mulnA leq_mul2r l2 orbT.
  have : D * G * s <= y.+1 * (s * s.+1) by rewrite [s * _]mulnC mulnA leq_mul2r ltnW ?orbT.
  rewrite mulSn mulnS; lia.
have DG : D * D * D * G <= p * q * s.+1.
  rewrite -leq_sqr; apply: leq_trans (_ : (D * (G * G)) * (D * D * s) * (D * D) <= _).
    rewrite (_ : (D * D * D * G) ^ 2 = D * (G * G) * (D * D * D) * (D * D)); last by rewrite !expnS expn0; lia.
    by rewrite leq_mul2r !leq_mul2l Ds !orbT.
  rewrite (_ : (p * q * s.+1) ^ 2 = (p * p) * (q * q) * (s.+1 * s.+1)); last by rewrite !expnS expn0; lia.
  have Ds1 : D <= s.+1 := leqW Ds.
  have qs : D * D * s <= q * q by apply: leq_trans qq; rewrite leq_mul2l sn orbT.
  exact: leq_mul (leq_mul pp qs) (leq_mul Ds1 Ds1).
have positive : 0 < s * (s.+1 * s.+1) by rewrite !muln_gt0 s0.
rewrite -(leq_pmul2r positive); set S := s * s.+1.
have -> : D * D * s * (r * r) * (s * (s.+1 * s.+1)) = D * D * ((r * S) * (r * S)) by rewrite /S; lia.
apply: leq_trans (_ : D * D * ((D * G + S) * (D * G + S)) <= _); first by rewrite leq_mul2l leq_mul ?orbT.
have a : D * D * (D * G * (D * G)) <= p * p * (s * (s.+1 * s.+1)).
  rewrite (_ : D * D * (D * G * (D * G)) = D * (G * G) * (D * (D * D))); last by lia.
  exact: leq_mul pp (leq_mul Ds (leq_mul (leqW Ds) (leqW Ds))).
have b : D * D * (S * S) <= q * q * (s * (s.+1 * s.+1)).
  rewrite (_ : D * D * (S * S) = D * D * s * (s * (s.+1 * s.+1))); last by rewrite /S; lia.
  by rewrite leq_mul2r; apply/orP; right; apply: leq_trans qq; rewrite leq_mul2l sn orbT.
have c : D * D * D * G * S <= p * q * s.+1 * S by rewrite leq_mul2r DG orbT.
have -> : (p + q) * (p + q) * (s * (s.+1 * s.+1)) =
  p * p * (s * (s.+1 * s.+1)) + q * q * (s * (s.+1 * s.+1)) + 2 * (p * q * s.+1 * S) by rewrite /S; lia.
have -> : D * D * ((D * G + S) * (D * G + S)) = D * D * (D * G * (D * G)) + D * D * (S * S) + 2 * (D * D * D * G * S) by lia.
lia.
Qed.
End Shares.

Lemma sum_squared (T : finType) (A : {set T}) (F : T -> nat) :
  (\sum_(u in A) F u) * (\sum_(u in A) F u) <= #|A| * \sum_(u in A) F u * F u.
Proof.
rewrite -(leq_pmul2l (isT : 0 < 2)) big_distrlr /= big_distrr /=.
apply: leq_trans (_ : \sum_(u in A) \sum_(w in A) (F u * F u + F w * F w) <= _).
  by apply: leq_sum => u _; rewrite big_distrr /=; apply: leq_sum => w _; have [le _] := nat_Cauchy (F u) (F w); rewrite -!mulnn in le.
rewrite (eq_bigr (fun u => #|A| * (F u * F u) + \sum_(w in A) F w * F w)) => [|u _]; last by rewrite big_split sum_nat_const.
by rewrite big_split /= -big_distrr sum_nat_const /= mul2n -addnn.
Qed.

(* Sums over people of whole numbers with a sign, such as gradients: a record that is blanked takes its own part away. *)
Theorem record_sums_sensitivity (n : nat) (J : finType) (F F' : 'I_n -> J -> int) v own :
  (forall u j, u != v -> F' u j = F u j) -> (forall j, F' v j = 0%R) -> \sum_j absz (F v j) * absz (F v j) <= own ->
  \sum_j absz ((\sum_u F u j) - (\sum_u F' u j))%R * absz ((\sum_u F u j) - (\sum_u F' u j))%R <= own.
Proof.
move=> same none; apply: leq_trans; apply: eq_leq; apply: eq_bigr => j _.
suff -> : ((\sum_u F u j) - (\sum_u F' u j) = F v j)%R by [].
rewrite (bigD1 v) //= [X in (_ - X)%R](bigD1 v) //= none GRing.add0r.
by rewrite [X in (_ - X)%R](eq_bigr (F^~ j)) => [|u uv]; rewrite ?GRing.addrK ?same.
Qed.

(* How many people who read know u, and what w is told of the friends with label c. *)
Section Rows.
Variables (n : nat) (C : finType) (G D : nat).
Hypothesis D1 : 0 < D.
Implicit Types (label : 'I_n -> option C) (reads : pred 'I_n) (g h : graph n) (u v w : 'I_n).
Definition read_by reads g u : nat := #|[pred w | adj g u w && reads w]|.
Definition told label reads g (p : 'I_n * C) : nat :=
  \sum_(u | [&& adj g p.1 u, reads p.1 & label u == Some p.2]) share G D (read_by reads g u).
(* Labelled people whom x people read, and the h-index of these numbers. *)
Definition read_at_least label reads g x : nat := #|[pred u | (label u != None) && (x <= read_by reads g u)]|.
Definition readers_h_index label reads g := \max_(x < n.+1 | x <= read_at_least label reads g x) x.

(* The record of v is blanked: no edges, another label or none; nobody else's role changes. *)
Variables (label label' : 'I_n -> option C) (reads reads' : pred 'I_n) (g h : graph n) (v : 'I_n).
Hypothesis blanked : forall u w, adj h u w = [&& u != v, w != v & adj g u w].
Hypothesis same_label : forall u, u != v -> label' u = label u.
Hypothesis same_role : forall u, u != v -> reads' u = reads u.

Lemma read_by_others u : u != v -> read_by reads g u = read_by reads' h u + (adj g u v && reads v).
Proof.
move=> uv; rewrite /read_by (cardD1 v) inE addnC; congr (_ + _); apply: eq_card => w; rewrite !inE blanked uv /=.
by case: (altP (w =P v)) => //= wv; rewrite same_role.
Qed.
Lemma read_by_nobody : read_by reads' h v = 0.
Proof. by apply: eq_card0 => w; rewrite !inE blanked eqxx. Qed.

Definition record_counts_constant := 1.
(* One record changes the numbers of people with each label by 1 in total. *)
Theorem record_counts_sensitivity : label' v = None ->
  distance (fun c => \sum_u (label u == Some c)) (fun c => \sum_u (label' u == Some c)) <= record_counts_constant.
Proof.
move=> none; apply: leq_trans (distance_sums _ _ _) _; rewrite (bigD1 v) //= [X in _ + X]big1 => [|u uv]; last first.
  by rewrite same_label // distance_self.
rewrite addn0 none /distance; case E: (label v) => [d|]; last by rewrite big1 // => c _; rewrite dist_self.
rewrite (bigD1 d) //= eqxx big1 // => c cd; rewrite (_ : (Some d == Some c) = false) //.
by apply/negbTE; apply: contraNneq cd => -[->].
Qed.

Definition readers_h_index_constant := 1.
(* One record changes the h-index by at most 1. *)
Theorem readers_h_index_sensitivity :
  dist (readers_h_index label reads g) (readers_h_index label' reads' h) <= readers_h_index_constant.
Proof.
rewrite dist_sym; apply: (@largest_moves_by_one n.+1 (fun x => x <= read_at_least label' reads' h x)
    (fun x => x <= read_at_least label reads g x)) => [[//|x]|x] le.
  apply: leq_trans le _; apply: subset_leq_card; apply/subsetP => u; rewrite !inE.
  case: (altP (u =P v)) => [->|uv]; first by rewrite read_by_nobody andbF.
  by rewrite same_label // read_by_others // => /andP [-> le]; rewrite (leq_trans le (leq_addr _ _)).
rewrite -ltnS; apply: leq_trans le _; rewrite /read_at_least (cardD1 v) -[X in _ <= X]add1n; apply: leq_add; first exact: leq_b1.
apply: subset_leq_card; apply/subsetP => u; rewrite !inE => /and3P [uv l le]; rewrite same_label // l /=.
by move: le; rewrite read_by_others //; case: (_ && _); lia.
Qed.

(* Without the record, people lose what they were told of v, and gain where friends of v have a reader less. *)
Definition lost (p : 'I_n * C) : nat :=
  [&& adj g p.1 v, reads p.1 & label v == Some p.2] * share G D (read_by reads g v).
Definition shown u (p : 'I_n * C) : bool := [&& adj g p.1 u, reads p.1 & label u == Some p.2].
Definition crowded : {set 'I_n} := [set u | [&& u != v, adj g u v && reads v, label u != None & D < read_by reads g u]].
Definition rise u : nat := share G D (read_by reads' h u) - share G D (read_by reads g u).
Definition gained (p : 'I_n * C) : nat := \sum_(u in crowded) shown u p * rise u.

Lemma rises u : u != v -> label u != None ->
  share G D (read_by reads g u) + (u \in crowded) * rise u = share G D (read_by reads' h u).
Proof.
move=> uv lu; have E := read_by_others uv; rewrite inE uv lu /rise /=; case: (_ && reads v) E => /= E.
  case: (leqP (read_by reads g u) D) => [le|_]; last by rewrite mul1n subnKC // share_falls // E leq_addr.
  by rewrite mul0n addn0 /share le (leq_trans _ le) // E leq_addr.
by rewrite mul0n addn0 E addn0.
Qed.

Lemma told_moves p : p.1 != v -> told label reads g p + gained p = told label' reads' h p + lost p.
Proof.
case: p => w c /= wv; pose on u : bool := shown u (w, c).
have -> : told label reads g (w, c) = lost (w, c) + \sum_(u | u != v) on u * share G D (read_by reads g u).
  rewrite /told /lost big_mkcond (bigD1 v) //=; congr (_ + _); first by case: (_ && _); rewrite ?mul1n ?mul0n.
  by apply: eq_bigr => u _; rewrite /on /shown /=; case: (_ && _); rewrite ?mul1n ?mul0n.
have -> : told label' reads' h (w, c) = \sum_(u | u != v) on u * share G D (read_by reads' h u).
  rewrite /told big_mkcond (bigD1 v) //= blanked eqxx !andbF /= add0n; apply: eq_bigr => u uv.
  by rewrite blanked wv uv same_role // same_label // /on /shown /=; case: (_ && _); rewrite ?mul1n ?mul0n.
have -> : gained (w, c) = \sum_(u | u != v) on u * ((u \in crowded) * rise u).
  rewrite /gained big_mkcond (bigD1 v) //= inE eqxx add0n; apply: eq_bigr => u _.
  by rewrite -/(on u); case: (u \in crowded); rewrite ?mul1n ?muln0.
rewrite -addnA [RHS]addnC; congr (_ + _); rewrite -big_split; apply: eq_bigr => u uv /=; rewrite -mulnDr.
case o: (on u); rewrite ?mul0n // rises //; by case/and3P: o => _ _ /eqP ->.
Qed.

Hypothesis room : #|[pred u | (label u != None) && (D < read_by reads g u)]| <= D.

(* What is lost: at most sqrt D long. *)
Lemma lost_squared : \sum_(p | p.1 != v) lost p * lost p <= D * (G * G).
Proof.
pose s := share G D (read_by reads g v); apply: leq_trans (share_of_all G D1 (read_by reads g v)); rewrite -/s.
apply: leq_trans (_ : \sum_p lost p * lost p <= _).
  by rewrite big_mkcond [X in _ <= X]big_mkcond; apply: leq_sum => p _; case: ifP.
rewrite /read_by -sum1_card big_distrl /= [X in _ <= X]big_mkcond /=.
rewrite -(pair_big xpredT xpredT (fun w c => lost (w, c) * lost (w, c))) /=; apply: leq_sum => w _.
rewrite inE mul1n /lost -/s /= [adj g v w]adj_sym; case: (adj g w v) => /=; last by rewrite big1.
case: (reads w) => /=; last by rewrite big1.
case E: (label v) => [d|]; last by rewrite big1.
rewrite (bigD1 d) //= eqxx mul1n big1 ?addn0 // => c cd; rewrite (_ : (Some d == Some c) = false) //.
by apply/negbTE; apply: contraNneq cd => -[->].
Qed.

(* What is gained: at most D people have a reader less and more than D of them. *)
Lemma gained_squared p q : D * (G * G) <= p * p -> D * D * n <= q * q ->
  \sum_(c | c.1 != v) gained c * gained c <= (p + q) * (p + q).
Proof.
move=> pp qq; have few : #|crowded| <= D.
  by apply: leq_trans room; apply: subset_leq_card; apply/subsetP => u; rewrite !inE => /and4P [_ _ -> ->].
pose each u := (read_by reads g u).-1 * (rise u * rise u).
have one u : u \in crowded -> D * D * each u <= (p + q) * (p + q).
  rewrite inE => /and4P [uv av _ Du]; have E := read_by_others uv; rewrite av addn1 in E.
  rewrite /each /rise E /= mulnA; apply: rise_of_share pp qq => //; apply/andP; split; first by rewrite -ltnS -E.
  by rewrite -[X in _ <= X](card_ord n); exact: max_card.
have all u : u \in crowded -> \sum_(c | c.1 != v) shown u c * (rise u * rise u) <= each u.
  rewrite inE => /and4P [uv /andP [av rv] _ _]; rewrite -big_distrl /= /each leq_mul2r; apply/orP; right.
  rewrite /read_by (cardD1 v) inE av rv /= -sum1_card [X in _ <= X]big_mkcond /=.
  rewrite big_mkcond -(pair_big xpredT xpredT (fun w c => if w != v then nat_of_bool (shown u (w, c)) else 0)) /=.
  apply: leq_sum => w _; rewrite !inE /shown [adj g u w]adj_sym; case: (w != v) => /=; last by rewrite big1.
  case: (adj g w u) => /=; last by rewrite big1.
  case: (reads w) => /=; last by rewrite big1.
  case E: (label u) => [d|]; last by rewrite big1.
  rewrite (bigD1 d) //= big1 ?addn0 ?leq_b1 // => c cd; rewrite (_ : (Some d == Some c) = false) //.
  by apply/negbTE; apply: contraNneq cd => -[->].
have sums : \sum_(c | c.1 != v) gained c * gained c <= D * \sum_(u in crowded) each u.
  apply: (@leq_trans (\sum_(c : 'I_n * C | c.1 != v) #|crowded| * (\sum_(u in crowded) shown u c * (rise u * rise u)))).
    apply: leq_sum => c _; apply: leq_trans (sum_squared _ _) _; rewrite leq_mul2l; apply/orP; right.
    by apply: leq_sum => u _; case: (shown u c); rewrite ?mul1n ?mul0n.
  rewrite -big_distrr /= exchange_big /=; apply: leq_mul few _; apply: leq_sum => u; exact: all.
rewrite -(leq_pmul2l D1); apply: leq_trans (_ : D * (D * \sum_(u in crowded) each u) <= _).
  by rewrite leq_mul2l sums orbT.
rewrite mulnA big_distrr /=; apply: (@leq_trans (\sum_(u in crowded) (p + q) * (p + q))); first exact: leq_sum.
by rewrite sum_nat_const leq_mul2r few orbT.
Qed.

(* One record moves what all others are told by a vector of at most this squared length. *)
Theorem record_rows_sensitivity :
  \sum_(p | p.1 != v) dist (told label reads g p) (told label' reads' h p) * dist (told label reads g p) (told label' reads' h p)
  <= rows_squared G n D.
Proof.
have := leq_add lost_squared (gained_squared (square_of_root _) (square_of_root _)); apply: leq_trans.
rewrite -big_split; apply: leq_sum => p pv /=; have := told_moves pv.
move: (told _ _ g p) (told _ _ h p) (lost p) (gained p) => x y a b E.
have -> : dist x y = dist a b by rewrite /dist; lia.
by case: (leqP a b) => [|/ltnW] le; rewrite /dist; nia.
Qed.
End Rows.
