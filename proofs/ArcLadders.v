(* Ladders of directed patterns under edge privacy: what an arc makes now, and what one more arc adds to that. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Pairs Directed.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section ArcLadders.
Variable n : nat.
Implicit Types (g h : rel 'I_n) (u v w a b c x y z p q : 'I_n).

Definition other u v c : bool := (c != u) && (c != v).

(* Steps that start at [first], grow by [growth] each and end at [cap]; and a number in units of the growth, rounded up. *)
Definition step_from (growth cap first t : nat) : nat := minn (first + growth * t) cap.
Definition over (growth x : nat) : nat := (x + (growth - 1)) %/ growth.

(* L(a, b): what an arc from a to b makes, were it there. Its largest value, then as many more for each further arc as
   one arc can add, up to a public cap. *)
Section Rising.
Variables (f : rel 'I_n -> nat) (L : rel 'I_n -> 'I_n -> 'I_n -> nat) (growth cap : nat).
Hypothesis makes : forall g h a b, adds_arc g h a b -> f g <= f h <= f g + L g a b.
Hypothesis grows : forall g h a b u v, adds_arc g h a b -> u != v -> L g u v <= L h u v <= L g u v + growth.
Hypothesis capped : forall g u v, u != v -> L g u v <= cap.

Definition most_of_an_arc g : nat := \max_(e : 'I_n * 'I_n | e.1 != e.2) L g e.1 e.2.
Definition rising_step g t : nat := step_from growth cap (most_of_an_arc g) t.

Lemma of_an_arc g u v : u != v -> L g u v <= most_of_an_arc g.
Proof. by move=> uv; exact: (@over_pairs _ (fun e : 'I_n * 'I_n => L g e.1 e.2) u v uv). Qed.

Lemma most_grows g h a b : adds_arc g h a b ->
  most_of_an_arc g <= most_of_an_arc h /\ most_of_an_arc h <= most_of_an_arc g + growth.
Proof.
move=> H; split; apply/bigmax_leqP => -[u v] /= uv; have /andP [l1 l2] := grows H uv.
  by apply: leq_trans l1 _; exact: of_an_arc.
by apply: leq_trans l2 _; rewrite leq_add2r; exact: of_an_arc.
Qed.

Lemma bound_moves_by_one : 0 < growth -> arc_sensitivity (fun g (_ : unit) => over growth (most_of_an_arc g)) 1.
Proof.
move=> g0; apply: arc_sensitivity_by_adding => g h a b /most_grows [l1 l2].
rewrite /distance (big_pred1 tt) => [|[] //]; apply: dist_within.
  by apply: leq_trans (leq_addr _ _); apply: leq_div2r; rewrite leq_add2r.
have -> : over growth (most_of_an_arc g) + 1 = (most_of_an_arc g + growth + (growth - 1)) %/ growth.
  by rewrite /over [in RHS]addnAC [in RHS]divnDr ?dvdnn // divnn g0.
by apply: leq_div2r; rewrite leq_add2r.
Qed.

Lemma rising_ladder : ladder_function (@arc_neighbours n) f rising_step.
Proof.
have first g a b : a != b -> L g a b <= rising_step g 0.
  by move=> ab; rewrite /rising_step /step_from muln0 addn0 leq_min of_an_arc // capped.
split=> [g h|g h t] [a [b [H|H]]]; have [ab _ _] := H.
- by have := makes H; have := first g a b ab; rewrite /dist; lia.
- have := makes H; have /andP [l1 _] := grows H ab; have := first g a b ab; rewrite /dist; lia.
- by have [l1 l2] := most_grows H; rewrite /rising_step /step_from mulnS; lia.
by have [l1 l2] := most_grows H; rewrite /rising_step /step_from mulnS; lia.
Qed.
End Rising.

(* An arc meets a pair of people at one other person at most. *)
Definition meets p q u v : 'I_n := if (p == u) || (p == v) then q else p.
Lemma met g h p q u v c : adds_arc g h p q -> u != v -> other u v c -> c != meets p q u v ->
  [/\ h u c = g u c, h c u = g c u, h v c = g v c & h c v = g c v].
Proof.
case=> pq _ E uv /andP [cu cv]; rewrite /meets !E ![u == _]eq_sym ![v == _]eq_sym.
case: (altP (p =P u)) => [->|pu] /=; first by rewrite (negbTE uv) (negbTE cu) /= => /negbTE ->; rewrite !orbF.
case: (altP (p =P v)) => [->|pv] /=; first by rewrite (negbTE cv) /= => /negbTE ->; rewrite !orbF.
by move=> /negbTE ->; rewrite !orbF.
Qed.
Lemma more g h p q u v : adds_arc g h p q -> g u v -> h u v.
Proof. by case=> _ _ -> ->. Qed.

(* Sums over the other person of a count of arcs that one arc raises by at most [growth]. *)
Lemma sums_of_others (F : bool -> bool -> bool -> bool -> nat) growth :
  (forall i j k l, [/\ F false j k l <= F true j k l <= F false j k l + growth,
    F i false k l <= F i true k l <= F i false k l + growth,
    F i j false l <= F i j true l <= F i j false l + growth
    & F i j k false <= F i j k true <= F i j k false + growth]) ->
  let L g u v := \sum_(c | other u v c) F (g u c) (g c u) (g v c) (g c v) in
  forall g h p q u v, adds_arc g h p q -> u != v -> L g u v <= L h u v <= L g u v + growth.
Proof.
move=> step L g h p q u v H uv; apply/andP; split.
  have raise (G : bool -> nat) (i i' : bool) : G false <= G true -> (i -> i') -> G i <= G i'.
    by case: i => [_ /(_ isT) ->|le _] //; case: i'.
  apply: leq_sum => c _; set i' := h u c; set j' := h c u; set k' := h v c; set l' := h c v.
  apply: leq_trans (raise (fun i => F i _ _ _) _ i' _ (more H)) _; first by have [/andP []] := step true (g c u) (g v c) (g c v).
  apply: leq_trans (raise (fun j => F i' j _ _) _ j' _ (more H)) _; first by have [_ /andP []] := step i' true (g v c) (g c v).
  apply: leq_trans (raise (fun k => F i' j' k _) _ k' _ (more H)) _; first by have [_ _ /andP []] := step i' j' true (g c v).
  by apply: raise (more H); have [_ _ _ /andP []] := step i' j' k' true.
case oc: (other u v (meets p q u v)); last first.
  rewrite /L (eq_bigr (fun c => F (g u c) (g c u) (g v c) (g c v))) ?leq_addr // => c ouc.
  by have [|-> -> -> ->] := met H uv ouc => //; apply: contraTneq ouc => ->; rewrite oc.
rewrite /L (bigD1 (meets p q u v)) //= [X in _ <= X + _](bigD1 (meets p q u v)) //= addnAC.
rewrite (eq_bigr (fun c => F (g u c) (g c u) (g v c) (g c v))) => [|c /andP [ouc cm]]; last first.
  by have [-> -> -> ->] := met H uv ouc cm.
rewrite leq_add2r; move: (meets p q u v) oc => c /andP [cu cv]; have [pq gpq E] := H.
have uc : u != c by rewrite eq_sym.
have vc : v != c by rewrite eq_sym.
have only i j k l : [|| [&& i, ~~ j, ~~ k & ~~ l], [&& ~~ i, j, ~~ k & ~~ l], [&& ~~ i, ~~ j, k & ~~ l],
    [&& ~~ i, ~~ j, ~~ k & l] | [&& ~~ i, ~~ j, ~~ k & ~~ l]] ->
    F (g u c || i) (g c u || j) (g v c || k) (g c v || l) <= F (g u c) (g c u) (g v c) (g c v) + growth.
  have [/andP [_ s1] /andP [_ s2] /andP [_ s3] /andP [_ s4]] := step (g u c) (g c u) (g v c) (g c v).
  by case: i; case: j; case: k; case: l => //= _; rewrite ?orbF ?orbT ?leq_addr //;
    [case: (g u c) s1 | case: (g c u) s2 | case: (g v c) s3 | case: (g c v) s4]; rewrite ?leq_addr.
rewrite !E; apply: only.
case: (altP (u =P p)) => [up|_] /=.
  by rewrite -up (negbTE cu) [v == u]eq_sym (negbTE uv) /=; case: (c == q).
case: (altP (c =P p)) => [cp|_] /=; last by case: (v == p); case: (c == q).
rewrite -cp [v == c]eq_sym (negbTE cv) /=; case: (altP (u =P q)) => [uq|_] /=; last by case: (v == q).
by rewrite -uq [v == u]eq_sym (negbTE uv).
Qed.

Lemma capped_by_others most u v (G : 'I_n -> nat) : u != v -> (forall c, G c <= most) ->
  \sum_(c | other u v c) G c <= most * (n - 2).
Proof.
move=> uv le; have others : #|[pred c | other u v c]| = n - 2.
  have -> : #|[pred c | other u v c]| = #|predC (pred2 u v)| by apply: eq_card => c; rewrite !inE /other negb_or.
  by have := cardC (pred2 u v); rewrite card2 uv card_ord => E; rewrite -[X in _ = X - 2]E addKn; apply: eq_card => c; rewrite !inE.
apply: leq_trans (_ : \sum_(c | other u v c) most <= _); first by apply: leq_sum.
by rewrite sum_nat_const mulnC leq_mul2l; apply/orP; right; rewrite -others.
Qed.
End ArcLadders.
