(* Counts over time of the friendships ever seen: what one friendship changes in all periods together. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Stars.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* A sequence that only rises, from 0 up to s at most: its steps add up to s at most. *)
Lemma steps_of_a_rise (x : nat -> nat) s N : (forall t, x t <= x t.+1) -> x N <= s -> \sum_(t < N) dist (x t) (x t.+1) <= s.
Proof.
move=> up; elim: N s => [|N IH] s le; first by rewrite big_ord0.
rewrite big_ord_recr /=; apply: leq_trans le; rewrite -[X in _ <= X](subnKC (up N)).
by apply: leq_add (IH _ (leqnn _)) _; have := up N; rewrite /dist; lia.
Qed.

Section Stars.
Variables (n k D : nat).
Implicit Types (g h : graph n) (u a b : 'I_n).

(* Stars with k + 1 leaves of a person with d friends, above D friends counted on in a straight line. *)
Definition worth (d : nat) : nat := if d <= D then 'C(d, k.+1) else 'C(D, k.+1) + 'C(D - 1, k) * (d - D).
Definition worth_step (d : nat) : nat := 'C(minn d (D - 1), k).
Lemma worth_next d : 0 < D -> worth d.+1 = worth d + worth_step d.
Proof.
move=> D0; rewrite /worth /worth_step; case: (ltnP d D) => [lt|ge].
  by rewrite (ltnW lt) (_ : minn d (D - 1) = d) ?binS //; lia.
rewrite (_ : minn d (D - 1) = D - 1); last by lia.
case: (leqP d D) => [le|gt]; last by rewrite subSn 1?ltnW // mulnS; lia.
by rewrite (_ : d = D) ?subSnn ?muln1 //; lia.
Qed.

Definition stars_over_time g : nat := \sum_(u in people g) worth (deg g u).
Lemma stars_over_time_rise g h a b : 0 < D -> adds g h a b ->
  stars_over_time h = stars_over_time g + (worth_step (deg g a) + worth_step (deg g b)).
Proof.
move=> D0 H; have [ab _ pp _] := H; rewrite /stars_over_time pp.
have ag : a \in people g by rewrite -pp; exact: adj_in (adds_new H).
have bg : b \in people g by rewrite -pp; exact: adj_in (adds_new (adds_swap H)).
rewrite (bigD1 a) // (bigD1 b) /= 1?bg 1?eq_sym //= [in RHS](bigD1 a) //= [in RHS](bigD1 b) /= 1?bg 1?eq_sym //=.
rewrite (deg_at H) (deg_at (adds_swap H)) !worth_next //.
set x := \sum_(_ | _) _; set y := \sum_(_ | _) _; have -> : x = y; last by lia.
by apply: eq_bigr => u /andP [/andP [_ ua] ub]; rewrite (deg_elsewhere H ua ub).
Qed.

(* Two histories of friendships ever seen, with and without one between a and b, which is seen from period t0 on. *)
Variables (without seen : nat -> graph n) (a b : 'I_n) (t0 : nat).
Hypothesis before : forall t, t < t0 -> seen t = without t.
Hypothesis after : forall t, t0 <= t -> adds (without t) (seen t) a b.
Hypothesis grows : forall t u w, adj (without t) u w -> adj (without t.+1) u w.

Definition gained t : nat := stars_over_time (seen t) - stars_over_time (without t).

Lemma gained_rises t : 0 < D -> gained t <= gained t.+1.
Proof.
move=> D0; rewrite /gained; case: (ltnP t t0) => [lt|ge]; first by rewrite before // subnn.
have ge' : t0 <= t.+1 by lia.
rewrite (stars_over_time_rise D0 (after ge)) (stars_over_time_rise D0 (after ge')) !addKn.
have up u : worth_step (deg (without t) u) <= worth_step (deg (without t.+1) u).
  apply: leq_bin2l; have : deg (without t) u <= deg (without t.+1) u; last by lia.
  by apply: subset_leq_card; apply/subsetP => w; rewrite !inE; exact: grows.
exact: leq_add.
Qed.

Definition stars_over_time_constant (D : nat) := [:: 2 * 'C(D - 1, 1); 2 * 'C(D - 1, 2)].
(* Whatever else is seen in N periods, one friendship changes what all periods add to the stars by at most 2 C(D - 1, k) in total. *)
Theorem stars_over_time_sensitivity N : 0 < D ->
  \sum_(t < N) dist (stars_over_time (seen t.+1) - stars_over_time (without t.+1))
    (stars_over_time (seen t) - stars_over_time (without t)) <= 2 * 'C(D - 1, k).
Proof.
move=> D0; rewrite (eq_bigr (fun t : 'I_N => dist (gained t) (gained t.+1))) => [|t _]; last by rewrite dist_sym.
apply: steps_of_a_rise => [t|]; first exact: gained_rises.
rewrite /gained; case: (ltnP N t0) => [lt|ge]; first by rewrite before // subnn.
rewrite (stars_over_time_rise D0 (after ge)) addKn mul2n -addnn.
by apply: leq_add; apply: leq_bin2l; exact: geq_minr.
Qed.
End Stars.
