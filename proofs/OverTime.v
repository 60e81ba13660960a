(* Counts over time: what one friendship changes in all periods together. Period 0 is before the first one. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Stars.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* Two series of counts. From period to period x grows by more than y at some times and by less at others: the first in
   N periods together. Both together, exceeds x y + exceeds y x, is what the changes of the two series differ by. *)
Definition exceeds (N : nat) (x y : nat -> nat) : nat := \sum_(t < N) (x t.+1 + y t - (x t + y t.+1)).
Definition changes_apart (N : nat) (x y : nat -> nat) : nat :=
  \sum_(t < N) dist (x t.+1 + y t) (x t + y t.+1).

Lemma changes_apart_both N x y : changes_apart N x y = exceeds N x y + exceeds N y x.
Proof. by rewrite -big_split; apply: eq_bigr => t _; rewrite /dist; congr (_ + _); rewrite addnC [y t + _]addnC. Qed.

(* Series that differ by p one way and by q the other, both of which only rise. *)
Lemma exceeds_at_most N (x y p q : nat -> nat) :
  (forall t, x t + q t = y t + p t) -> (forall t, p t <= p t.+1) -> (forall t, q t <= q t.+1) -> exceeds N x y <= p N.
Proof.
move=> E up uq; rewrite /exceeds; elim: N => [|N IH]; first by rewrite big_ord0.
rewrite big_ord_recr /=; move: (\sum_(t < N) _) IH (E N) (E N.+1) (up N) (uq N) => z; lia.
Qed.

(* Two histories of friendships ever seen, with and without one between a and b, which is seen from period t0 on. *)
Section Histories.
Variables (n : nat) (without seen : nat -> graph n) (a b : 'I_n) (t0 : nat).
Implicit Types (g h : graph n) (u : 'I_n).
Hypothesis before : forall t, t < t0 -> seen t = without t.
Hypothesis after : forall t, t0 <= t -> adds (without t) (seen t) a b.
Hypothesis grows : forall t u w, adj (without t) u w -> adj (without t.+1) u w.

Lemma degrees_grow t u : deg (without t) u <= deg (without t.+1) u.
Proof. by apply: subset_leq_card; apply/subsetP => w; rewrite !inE; exact: grows. Qed.

(* Stars with k + 1 leaves of a person with d friends, above D friends counted on in a straight line. *)
Section Stars.
Variables (D k : nat).
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
Lemma stars_over_time_rise g h : 0 < D -> adds g h a b ->
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

Definition stars_moved : nat := 2 * 'C(D - 1, k).
(* Whatever else is seen in N periods, one friendship raises what all periods add to the stars by at most 2 C(D - 1, k) in
   total, and lowers it in no period. *)
Theorem stars_over_time_sensitivity N (f := fun history t => stars_over_time (history t)) : 0 < D ->
  exceeds N (f seen) (f without) <= stars_moved /\ exceeds N (f without) (f seen) = 0.
Proof.
move=> D0; pose gained t := if t < t0 then 0 else worth_step (deg (without t) a) + worth_step (deg (without t) b).
have E t : f seen t + 0 = f without t + gained t.
  rewrite /f /gained addn0; case: ltnP => [lt|ge]; first by rewrite before ?addn0.
  exact: stars_over_time_rise (after ge).
have up t : gained t <= gained t.+1.
  rewrite /gained; case: ltnP => // ge; rewrite ltnNge leqW //=.
  by apply: leq_add; apply: leq_bin2l; have := degrees_grow t a; have := degrees_grow t b; lia.
have least t : gained t <= stars_moved.
  rewrite /gained; case: ltnP => // _; rewrite /stars_moved mul2n -addnn.
  by apply: leq_add; apply: leq_bin2l; exact: geq_minr.
split; first by apply: leq_trans (exceeds_at_most N E up (fun=> leqnn 0)) (least N).
have E' t : f without t + gained t = f seen t + 0 by rewrite E.
by apply/eqP; rewrite -leqn0; exact: (@exceeds_at_most N _ _ (fun=> 0) _ E' (fun=> leqnn 0) up).
Qed.
End Stars.
Definition stars_over_time_constant (D : nat) := [:: stars_moved D 1; stars_moved D 2].

(* A band of degrees: friendships whose number, in the order of arrival at a person, is above c and at most e. *)
Definition band (c e : nat) g : nat := \sum_u (minn (deg g u) e - minn (deg g u) c).
Definition band_rises_constant := 2.
Definition band_falls_constant := 2.
(* One friendship raises what all periods add to a band by at most 2 in total, and lowers it by at most 2. *)
Theorem bands_over_time_sensitivity c e N (f := fun history t => band c e (history t)) : c <= e ->
  exceeds N (f seen) (f without) <= band_rises_constant /\ exceeds N (f without) (f seen) <= band_falls_constant.
Proof.
move=> ce; pose past d t := if t < t0 then 0 else \sum_u ((u == a) + (u == b)) * (d <= deg (without t) u).
have E t : f seen t + past e t = f without t + past c t.
  rewrite /f /past; case: ltnP => [lt|ge]; first by rewrite before ?addn0.
  have H := after ge; have [ab _ _ _] := H; rewrite -!big_split; apply: eq_bigr => u _ /=; rewrite (deg_rises u H).
  have : (u == a) + (u == b) <= 1 by case: (altP (u =P a)) => [->|_]; rewrite ?(negbTE ab) //; case: (u == b).
  by move: (_ + _) (deg _ _) => s d; case: s => [|[|//]] _; rewrite ?mul0n ?mul1n; lia.
have up d t : past d t <= past d t.+1.
  rewrite /past; case: ltnP => // ge; rewrite ltnNge leqW //=; apply: leq_sum => u _; rewrite leq_mul2l; apply/orP; right.
  by have := degrees_grow t u; case: (leqP d (deg _ u)) => // l1 l2; rewrite (leq_trans l1 l2).
have one (z : 'I_n) : \sum_(u : 'I_n) (u == z) = 1 by rewrite (bigD1 z) //= eqxx big1 // => u /negbTE ->.
have most d t : past d t <= 2.
  rewrite /past; case: ltnP => // _; apply: leq_trans (_ : \sum_u ((u == a) + (u == b)) <= _).
    by apply: leq_sum => u _; rewrite -[X in _ <= X]muln1 leq_mul2l leq_b1 orbT.
  by rewrite big_split /= !one.
split; first by apply: leq_trans (exceeds_at_most N E (up c) (up e)) (most c N).
have E' t : f without t + past c t = f seen t + past e t by rewrite E.
by apply: leq_trans (exceeds_at_most N E' (up e) (up c)) (most e N).
Qed.
End Histories.
