(* Ladders under edge privacy whose steps rise by the steps of another ladder. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* The first step, then each more by the growth of the one before, at most the cap. *)
Fixpoint rising (first : nat) (growth : nat -> nat) (cap t : nat) : nat :=
  if t is s.+1 then minn (rising first growth cap s + growth s) cap else minn first cap.

Section Rising.
Variable n : nat.
Implicit Types (g h : graph n) (u v a b : 'I_n).
(* L g u v: how many patterns an edge between u and v makes, were it there. *)
Variables (f : graph n -> nat) (L : graph n -> 'I_n -> 'I_n -> nat) (growth : graph n -> nat -> nat).
Variable cap : nat -> nat.
Hypothesis makes : forall g h a b, adds g h a b -> f g <= f h <= f g + L g a b.
Hypothesis more : forall g h a b u v, adds g h a b -> u != v -> L g u v <= L h u v.
Hypothesis grows : forall g h a b u v, adds g h a b -> u != v -> L h u v <= L g u v + growth g 0.
Hypothesis capped : forall g u v, u \in people g -> v \in people g -> u != v -> L g u v <= cap #|people g|.
Hypothesis growth_steps : forall g h t, edge_neighbours g h -> growth h t <= growth g t.+1.

Definition most_of_pair g : nat := \max_(p : 'I_n * 'I_n | p.1 != p.2) L g p.1 p.2.
Definition rising_ladder_step g t : nat := rising (most_of_pair g) (growth g) (cap #|people g|) t.

Lemma most_of_pair_le g h m : (forall u v, u != v -> L h u v <= L g u v + m) -> most_of_pair h <= most_of_pair g + m.
Proof.
move=> le; apply/bigmax_leqP => -[u v] /= uv; apply: leq_trans (le u v uv) _; rewrite leq_add2r.
exact: (@over_pairs _ (fun p : 'I_n * 'I_n => L g p.1 p.2) u v uv).
Qed.

Lemma rising_steps_ladder : ladder_function (@edge_neighbours n) f rising_ladder_step.
Proof.
have first g a b : a \in people g -> b \in people g -> a != b -> L g a b <= rising_ladder_step g 0.
  move=> ag bg ab; rewrite /rising_ladder_step /= leq_min capped // andbT.
  exact: (@over_pairs _ (fun p : 'I_n * 'I_n => L g p.1 p.2) a b ab).
have next g h t : edge_neighbours g h -> people h = people g -> most_of_pair h <= most_of_pair g + growth g 0 ->
    rising_ladder_step h t <= rising_ladder_step g t.+1.
  move=> gh pp le; rewrite /rising_ladder_step pp; elim: t => [|t IH] /=; first by move: le; lia.
  have := growth_steps t gh; move: IH => /=; lia.
split=> [g h|g h t] [a [b [H|H]]]; have [ab _ pp _] := H.
- have bh := adj_in (adds_new (adds_swap H)); have ah := adj_in (adds_new H); rewrite pp in ah bh.
  by have := makes H; have := first g a b ah bh ab; rewrite /dist; lia.
- have bg := adj_in (adds_new (adds_swap H)); have ag := adj_in (adds_new H).
  by have := makes H; have := more H ab; have := first g a b ag bg ab; rewrite /dist; lia.
- apply: next => //; first by exists a, b; left.
  by apply: most_of_pair_le => u v; exact: grows H.
apply: next => //; first by exists a, b; right.
by apply: most_of_pair_le => u v uv; apply: leq_trans (more H uv) (leq_addr _ _).
Qed.
End Rising.
