(* Reports of people who keep their own lists: what one entry costs, and what one relationship costs. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base Graphs Degrees Privacy.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

(* Two lists that differ in the one entry w. *)
Definition entry_apart (n : nat) (w : 'I_n) (x y : pred 'I_n) : Prop := x w != y w /\ forall u, u != w -> x u = y u.

Section Lists.
Variable n : nat.
Implicit Types (x y : pred 'I_n) (w : 'I_n).

Lemma entry_apart_sym w x y : entry_apart w x y -> entry_apart w y x.
Proof. by case=> ne same; split; [rewrite eq_sym | move=> u /same ->]. Qed.

(* How many entries of a list lie in a public set of places; all of them make the degree. *)
Definition entries (A : pred 'I_n) x : nat := #|[pred u | A u && x u]|.
Definition entries_constant := 1.
(* One entry changes the number of entries in any public set of places by at most 1. *)
Theorem entries_sensitivity (A : pred 'I_n) w x y :
  entry_apart w x y -> dist (entries A x) (entries A y) <= entries_constant.
Proof.
case=> _ same; rewrite /entries (cardD1 w) [in X in dist _ X](cardD1 w) !inE.
have -> : #|[predD1 [pred u | A u && x u] & w]| = #|[predD1 [pred u | A u && y u] & w]|.
  by apply: eq_card => u; rewrite !inE; case: (altP (u =P w)) => //= /same ->.
by move: #|_| => c; rewrite /dist /entries_constant; case: (A w && x w); case: (A w && y w); lia.
Qed.

(* How many of these entries have each label: one entry changes one number by 1. *)
Definition labelled_entries_constant := 1.
(* One entry changes the numbers of entries in a public set of places, by public label, by at most 1 in total. *)
Theorem labelled_entries_sensitivity (C : finType) (label : 'I_n -> C) (A : pred 'I_n) w x y : entry_apart w x y ->
  distance (fun c => entries [pred u | A u && (label u == c)] x) (fun c => entries [pred u | A u && (label u == c)] y)
  <= labelled_entries_constant.
Proof.
move=> xy; rewrite /distance (bigD1 (label w)) //= big1 => [|c /negbTE ne].
  by rewrite addn0; exact: entries_sensitivity xy.
rewrite (_ : entries _ x = entries [pred u | A u && (label u == c)] y) ?dist_self //.
apply: eq_card => u; rewrite !inE; case: (altP (u =P w)) => [->|uw]; first by rewrite eq_sym ne !andbF.
by rewrite xy.2.
Qed.

(* The whole list: any two degrees cut at D differ by at most D. *)
Definition cut_degree_constant (D : nat) := D.
Theorem cut_degree_sensitivity D x y :
  dist (minn #|x| D) (minn #|y| D) <= cut_degree_constant D.
Proof. rewrite /dist /cut_degree_constant; lia. Qed.

Definition any_change_constant (n : nat) := n - 1.
(* Two lists of one person, who is on neither: n - 1 entries may differ, and the degree by as much. *)
Theorem any_change_of_a_list i x y : ~~ x i -> ~~ y i ->
  \sum_u dist (x u) (y u) <= any_change_constant n /\ dist #|x| #|y| <= any_change_constant n.
Proof.
move=> xi yi; have all : \sum_u dist (x u) (y u) <= n - 1.
  rewrite (bigD1 i) //= (negbTE xi) (negbTE yi) dist_self add0n.
  apply: leq_trans (_ : \sum_(u | u != i) 1 <= _); first by apply: leq_sum => u _; case: (x u); case: (y u).
  by rewrite sum1_card; have := cardC1 i; rewrite card_ord subn1 => <-; apply/eq_leq/eq_card.
split=> //; apply: leq_trans all; have size z : #|z| = \sum_u z u :> nat.
  by rewrite -sum1_card big_mkcond /=; apply: eq_bigr => u _; rewrite unfold_in; case: (z u).
by rewrite !size; exact: dist_sum.
Qed.
End Lists.

(* Readings: u counts the public labels of those friends w whom u [reads]. *)
Section Readings.
Variables (n : nat) (C : finType) (label : 'I_n -> C) (reads : rel 'I_n).

Definition read (g : graph n) (p : 'I_n * C) : nat := \sum_w [&& adj g p.1 w, reads p.1 w & label w == p.2].

(* The edge between a and b is read by each end that reads the other, in one count. *)
Theorem reading_of_pair g h a b : adds g h a b -> distance (read g) (read h) <= reads a b + reads b a.
Proof.
case=> ab gab _ E; pose new c d (p : 'I_n * C) : nat := (p == (c, label d)) * reads c d.
have moved p : read h p = read g p + (new a b p + new b a p).
  case: p => u c; rewrite /read /new /= !xpair_eqE.
  have at_end x y : \sum_w [&& (u == x) && (w == y), reads u w & label w == c] = ((u == x) && (c == label y)) * reads x y.
    rewrite (bigD1 y) //= big1 => [|w /negbTE ->]; last by rewrite andbF.
    by rewrite addn0 eqxx andbT [c == _]eq_sym; case: (altP (u =P x)) => [->|_] //=; case: (reads x y); case: (_ == c).
  rewrite -!at_end -!big_split /=; apply: eq_bigr => w _; rewrite E.
  have : ~~ (adj g u w && ((u == a) && (w == b) || (u == b) && (w == a))).
    apply: contra gab => /andP [guw /orP [] /andP [/eqP ua /eqP wb]]; first by rewrite -ua -wb.
    by rewrite adj_sym -ua -wb.
  have : ~~ ((u == a) && (w == b) && ((u == b) && (w == a))).
    by apply: contra ab => /andP [/andP [/eqP <- _] /andP [/eqP <- _]].
  by case: (adj g u w); case: ((u == a) && _); case: ((u == b) && _); case: (reads u w && _).
rewrite distance_rise => [|p]; last by rewrite moved leq_addr.
rewrite (eq_bigr _ (fun p _ => moved p)) big_split /= addKn big_split /=.
have one c d : \sum_p new c d p = reads c d.
  by rewrite /new (bigD1 (c, label d)) //= eqxx mul1n big1 ?addn0 // => p /negbTE ->.
by rewrite !one.
Qed.

(* A table of the edges among counted pairs, by cells: an edge that is not counted changes nothing. *)
Theorem table_of_pair (counted : pred ('I_n * 'I_n)) (cell : 'I_n * 'I_n -> C) g h a b : adds g h a b ->
  let table k c := \sum_(p | counted p && (cell p == c)) pairs k p in
  distance (table g) (table h) <= counted (a, b) || counted (b, a).
Proof.
move=> H /=; apply: leq_trans (_ : \sum_(p | counted p) dist (pairs g p) (pairs h p) <= _).
  rewrite [X in _ <= X](partition_big cell xpredT) //=; apply: leq_sum => c _; exact: dist_sum.
case E: (counted (a, b) || counted (b, a)) => /=.
  have nb : edge_neighbours g h by exists a, b; left.
  apply: leq_trans (pairs_sensitivity nb); rewrite [X in _ <= X](bigID counted) /=; exact: leq_addr.
move/negbT: E; rewrite negb_or => /andP [nab nba]; rewrite big1 // => -[u w] cp; have [_ _ _ A] := H.
rewrite /pairs /= A; case: (altP (u =P a)) cp => [->|_] cp /=.
  case: (altP (w =P b)) cp => [->|_] cp /=; first by rewrite cp in nab.
  by case: (altP (a =P b)) => [ab|_] /=; [have [] := H; rewrite ab eqxx | rewrite orbF dist_self].
case: (altP (u =P b)) cp => [->|_] cp /=; last by rewrite orbF dist_self.
by case: (altP (w =P a)) cp => [->|_] cp; [rewrite cp in nba | rewrite orbF dist_self].
Qed.
End Readings.

(* What a step of a plan reads, by the roles of two people: roles 0 read 0 and 1. *)
Definition reading_cost (readers read : seq nat) (one other : nat) : nat :=
  ((one \in readers) && (other \in read)) + ((other \in readers) && (one \in read)).
Definition reading_constant := [seq [seq reading_cost [:: 0] [:: 0; 1] i j | j <- iota 0 3] | i <- iota 0 3].
(* A step of a plan costs a pair of people what their roles say. *)
Theorem reading_by_roles n (C : finType) (label : 'I_n -> C) (role : 'I_n -> nat) (readers read_roles : seq nat) g h a b :
  adds g h a b ->
  let reads := fun u w => (role u \in readers) && (role w \in read_roles) in
  distance (read label reads g) (read label reads h) <= reading_cost readers read_roles (role a) (role b).
Proof. exact: reading_of_pair. Qed.

Local Open Scope ring_scope.
Section Reports.
Variable R : realFieldType.

(* A report of several messages: an entry costs the product of what the messages cost that read it. *)
Section Messages.
Variables (L : Type) (J : finType) (T : J -> Type) (M : forall j, L -> T j -> R) (reads : pred J) (r : J -> R).
Variable apart : L -> L -> Prop.
Hypothesis nonnegative : forall j x t, 0 <= @M j x t.
Hypothesis r_nonnegative : forall j, 0 <= r j.
Hypothesis read_costs : forall j, reads j -> costs apart (r j) (@M j).
Hypothesis unread : forall j, ~~ reads j -> forall x y t, apart x y -> @M j x t = @M j y t.

(* An entry costs what the messages that read it cost together. *)
Theorem entry_loss x y (t : forall j, T j) : apart x y ->
  (\prod_(j | reads j) r j) * \prod_j @M j x (t j) <= \prod_j @M j y (t j).
Proof.
move=> xy; rewrite big_mkcond -big_split /=; apply: ler_prod => j _; apply/andP; split.
  by apply: mulr_ge0 => //; case: ifP => // _; exact: ler01.
by case: ifPn => [rj|nj]; [exact: read_costs | rewrite mul1r (unread nj (t j) xy)].
Qed.
End Messages.

(* All reports together: a relationship is one entry of each of two lists, and costs the product of both. *)
Section Relationship.
Variables (n : nat) (T : 'I_n -> Type) (M : forall u, pred 'I_n -> T u -> R) (r : 'I_n -> 'I_n -> R).
Hypothesis nonnegative : forall u x t, 0 <= @M u x t.
Hypothesis r_nonnegative : forall u w, 0 <= r u w.
Hypothesis entry_costs : forall u w, costs (entry_apart w) (r u w) (@M u).
Hypothesis extensional : forall u x y t, x =1 y -> @M u x t = @M u y t.

Definition reports (g : graph n) (t : forall u, T u) : R := \prod_u @M u (adj g u) (t u).

(* A relationship costs what its two entries cost together, one in the list of each end. *)
Theorem relationship_loss g h a b t : adds g h a b \/ adds h g a b ->
  r a b * r b a * reports g t <= reports h t.
Proof.
move=> H; have [ab rows_a rows_b same] : [/\ a != b, entry_apart b (adj g a) (adj h a),
    entry_apart a (adj g b) (adj h b) & forall u, u != a -> u != b -> adj g u =1 adj h u].
  have sides (k k' : graph n) c d : adds k k' c d -> entry_apart d (adj k c) (adj k' c).
    move=> K; have [_ kcd _ _] := K; split; first by rewrite (negbTE kcd) (adds_new K).
    by move=> u /negbTE ud; rewrite (adds_at _ K) ud orbF.
  case: H => H; have [ab _ _ _] := H; split=> //; try exact: sides; try exact: (sides _ _ _ _ (adds_swap H)).
  - by move=> u ua ub w; rewrite (adds_elsewhere _ H).
  - by apply: entry_apart_sym; exact: sides.
  - by apply: entry_apart_sym; exact: (sides _ _ _ _ (adds_swap H)).
  - by move=> u ua ub w; rewrite (adds_elsewhere _ H).
have ba : b != a by rewrite eq_sym.
rewrite /reports (bigD1 a) //= (bigD1 b) //= [X in _ <= X](bigD1 a) //= [X in _ <= _ * X](bigD1 b) //=.
have -> : \prod_(u | (u != a) && (u != b)) @M u (adj g u) (t u) = \prod_(u | (u != a) && (u != b)) @M u (adj h u) (t u).
  by apply: eq_bigr => u /andP [ua ub]; apply: extensional; exact: same.
rewrite mulrACA [r b a * _]mulrA; apply: ler_pmul; rewrite ?mulr_ge0 ?prodr_ge0 //; first exact: entry_costs.
by apply: ler_wpmul2r; rewrite ?prodr_ge0 //; exact: entry_costs.
Qed.
End Relationship.
End Reports.
