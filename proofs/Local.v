(* Reports of people who keep their own lists: what one entry costs, and what one relationship costs. *)
From mathcomp Require Import all_ssreflect all_algebra zify.
From Graphveil Require Import Base Graphs Privacy.

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

(* The whole list: any two degrees cut at D differ by at most D. *)
Definition cut_degree_constant (D : nat) := D.
Theorem cut_degree_sensitivity D x y :
  dist (minn #|x| D) (minn #|y| D) <= cut_degree_constant D.
Proof. rewrite /dist /cut_degree_constant; lia. Qed.
End Lists.

(* Every pair has one owner: of two people one, by a public rule, speaks about the pair. Whatever the owners count, by
   the public label of the other end, one edge changes one count by 1. *)
Section Owners.
Variables (n : nat) (C : finType) (label : 'I_n -> C) (owner : rel 'I_n).
Hypothesis one_owner : forall u w, u != w -> owner u w (+) owner w u.

Definition read (g : graph n) (p : 'I_n * C) : nat := #|[pred w | [&& owner p.1 w, adj g p.1 w & label w == p.2]]|.
Definition ordered_reading_constant := 1.
Theorem ordered_reading_sensitivity : edge_sensitivity read ordered_reading_constant.
Proof.
have moved g h a b u c : adds g h a b -> owner a b ->
    read h (u, c) = read g (u, c) + ((u, c) == (a, label b)).
  move=> H ab; have [ne gab _ E] := H; rewrite /read /= xpair_eqE; have ba : owner b a = false.
    by have := one_owner ne; rewrite ab; case: (owner b a).
  case: (altP (u =P a)) => [->|ua] /=; last first.
    rewrite addn0; apply: eq_card => w; rewrite !inE E (negbTE ua) /=.
    case: (altP (u =P b)) => [->|_]; rewrite ?orbF //=; case: (altP (w =P a)) => [->|_]; rewrite ?orbF //=.
    by rewrite ba.
  rewrite (cardD1 b) inE /= ab (adds_new H) /= addnC [c == _]eq_sym; congr (_ + _).
  apply: eq_card => w; rewrite !inE (adds_at _ H); case: (altP (w =P b)) => [->|_]; rewrite ?orbF //=.
  by rewrite (negbTE gab) andbF.
apply: edge_sensitivity_by_adding => g h a b H; wlog ab : a b H / owner a b => [W|].
  case ab: (owner a b); first exact: W H ab.
  by apply: W (adds_swap H) _; have [ne _ _ _] := H; have := one_owner ne; rewrite ab.
rewrite /distance (bigD1 (a, label b)) //= (moved _ _ _ _ _ _ H ab) eqxx big1 => [|[u c] ne]; last first.
  by rewrite (moved _ _ _ _ _ _ H ab) (negbTE ne) addn0 dist_self.
rewrite /dist /ordered_reading_constant; lia.
Qed.
End Owners.

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
