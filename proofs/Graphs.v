(* Simple graphs on a finite universe of people, what may differ between neighbours, and sensitivities. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* The universe is 'I_n. Who takes part is the set [people]; friendships join two of them and are symmetric. *)
Record graph (n : nat) := Graph {
  people : {set 'I_n};
  adj : rel 'I_n;
  adj_sym : symmetric adj;
  adj_irr : irreflexive adj;
  adj_in : forall u w, adj u w -> u \in people }.

Section Graphs.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n).

Definition deg g u : nat := #|[pred w | adj g u w]|.
Definition edges g : nat := #|[pred p : 'I_n * 'I_n | adj g p.1 p.2 && (p.1 < p.2)]|.

(* Edge privacy: h is g and the one edge between a and b. *)
Definition adds g h a b : Prop :=
  [/\ a != b, ~~ adj g a b, people h = people g
    & forall u w, adj h u w = [|| adj g u w, (u == a) && (w == b) | (u == b) && (w == a)]].
Definition edge_neighbours g h : Prop := exists a b, adds g h a b \/ adds h g a b.

(* Privacy of k edges: k steps of one edge each. *)
Fixpoint edges_apart k g h : Prop :=
  if k is k'.+1 then exists2 m, edge_neighbours g m & edges_apart k' m h else g = h.

(* Node privacy: h is g and the person v, with any edges to people of g. *)
Definition joins g h v : Prop :=
  [/\ v \notin people g, people h = v |: people g
    & forall u w, u != v -> w != v -> adj h u w = adj g u w].
Definition node_neighbours g h : Prop := exists v, joins g h v \/ joins h g v.

(* A statistic is a list of numbers indexed by a finite set I; a single number has I = unit. *)
Definition edge_sensitivity (I : finType) (f : graph n -> I -> nat) (s : nat) : Prop :=
  forall g h, edge_neighbours g h -> distance (f g) (f h) <= s.
Definition node_sensitivity (I : finType) (f : graph n -> I -> nat) (s : nat) : Prop :=
  forall g h, node_neighbours g h -> distance (f g) (f h) <= s.
Definition number (f : graph n -> nat) : graph n -> unit -> nat := fun g _ => f g.

Lemma distance_number (f : graph n -> nat) g h : distance (number f g) (number f h) = dist (f g) (f h).
Proof. by rewrite /distance /number (big_pred1 tt) // => -[]. Qed.

Lemma edge_sensitivity_by_adding (I : finType) (f : graph n -> I -> nat) s :
  (forall g h a b, adds g h a b -> distance (f g) (f h) <= s) -> edge_sensitivity f s.
Proof. by move=> H g h [a [b [/H //|/H]]]; rewrite distance_sym. Qed.

Lemma node_sensitivity_by_joining (I : finType) (f : graph n -> I -> nat) s :
  (forall g h v, joins g h v -> distance (f g) (f h) <= s) -> node_sensitivity f s.
Proof. by move=> H g h [v [/H //|/H]]; rewrite distance_sym. Qed.

(* k edges change a statistic by at most k times what one edge changes. *)
Theorem group_of_edges (I : finType) (f : graph n -> I -> nat) s k g h :
  edge_sensitivity f s -> edges_apart k g h -> distance (f g) (f h) <= k * s.
Proof.
move=> H; elim: k g => [|k IH] g /=; first by move=> ->; rewrite distance_self.
case=> m /H le1 /IH le2; rewrite mulSn; apply: leq_trans (leq_add le1 le2); exact: distance_triangle.
Qed.

Lemma adds_swap g h a b : adds g h a b -> adds g h b a.
Proof.
case=> ab gab pp E; split; rewrite ?pp //; first by rewrite eq_sym.
  by rewrite adj_sym.
by move=> u w; rewrite E; congr (_ || _); rewrite orbC.
Qed.

Lemma adds_new g h a b : adds g h a b -> adj h a b.
Proof. by case=> _ _ _ ->; rewrite !eqxx orbT. Qed.

Lemma adds_more g h a b u w : adds g h a b -> adj g u w -> adj h u w.
Proof. by case=> _ _ _ -> ->. Qed.

Lemma adds_elsewhere g h a b u w : adds g h a b -> u != a -> u != b -> adj h u w = adj g u w.
Proof. by case=> _ _ _ -> /negbTE-> /negbTE->; rewrite /= orbF. Qed.

Lemma adds_at g h a b w : adds g h a b -> adj h a w = adj g a w || (w == b).
Proof. by case=> ab _ _ ->; rewrite eqxx (negbTE ab) /= orbF. Qed.

Lemma deg_at g h a b : adds g h a b -> deg h a = (deg g a).+1.
Proof.
move=> H; have [_ gab _ _] := H; rewrite /deg (cardD1 b) inE (adds_new H) add1n; congr _.+1.
apply: eq_card => w; rewrite !inE (adds_at _ H).
by case: (altP (w =P b)) => [->|_]; rewrite ?orbF // (negbTE gab).
Qed.

Lemma deg_elsewhere g h a b u : adds g h a b -> u != a -> u != b -> deg h u = deg g u.
Proof. by move=> H ua ub; apply: eq_card => w; rewrite !inE (adds_elsewhere _ H). Qed.

Lemma deg_rises g h a b u : adds g h a b -> deg h u = deg g u + ((u == a) + (u == b)).
Proof.
move=> H; have [ab _ _ _] := H.
case: (altP (u =P a)) => [->|ua]; first by rewrite (negbTE ab) (deg_at H) addn0 addn1.
case: (altP (u =P b)) => [->|ub]; first by rewrite (deg_at (adds_swap H)) addn1.
by rewrite (deg_elsewhere H ua ub) addn0.
Qed.

Lemma deg_below g u : deg g u < n.
Proof.
rewrite -[X in _ < X](card_ord n) (cardD1 u) add1n ltnS; apply: subset_leq_card.
apply/subsetP => w; rewrite !inE andbT => guw; apply/negP => /eqP wu.
by move: guw; rewrite wu adj_irr.
Qed.

Lemma joins_absent g h v u : joins g h v -> adj g u v = false.
Proof. by case=> vg _ _; apply/negP; rewrite adj_sym => /adj_in; rewrite (negbTE vg). Qed.

(* A new person raises the degree of their friends by one, and nobody else's. *)
Lemma deg_joins g h v u : joins g h v -> u != v -> deg h u = deg g u + adj h u v.
Proof.
move=> H uv; have [_ _ E] := H; rewrite /deg (cardD1 v) inE addnC; congr (_ + _).
apply: eq_card => w; rewrite !inE; case: (altP (w =P v)) => [->|wv] /=; first by rewrite (joins_absent _ H).
exact: E.
Qed.

Lemma deg_absent g u : u \notin people g -> deg g u = 0.
Proof. by move=> ug; apply: eq_card0 => w; apply/negP => /adj_in; rewrite (negbTE ug). Qed.

End Graphs.
