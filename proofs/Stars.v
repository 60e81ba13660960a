(* k-stars under edge privacy: a person and k of their friends, the sum over people of C(degree, k). *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* Two numbers below r whose sum is at most r + o have no more stars than r and o: raising the larger one pays most. *)
Lemma bin_monotone m x y : x <= y -> 'C(x, m) <= 'C(y, m).
Proof. exact: leq_bin2l. Qed.

Lemma bin_steps m x y d : x <= y -> 'C(x + d, m) + 'C(y, m) <= 'C(x, m) + 'C(y + d, m).
Proof.
move=> xy; elim: d => [|d IH]; first by rewrite !addn0.
rewrite !addnS; case: m IH => [|m] IH; first by rewrite !bin0.
rewrite !binS; have := @bin_monotone m (x + d) (y + d); rewrite leq_add2r xy => /(_ isT); lia.
Qed.

Lemma larger_pays m x y r o : x <= r -> y <= r -> x + y <= r + o -> 'C(x, m) + 'C(y, m) <= 'C(r, m) + 'C(o, m).
Proof.
wlog yx : x y / y <= x => [W xr yr le|].
  by case: (leqP y x) => [yx|/ltnW xy]; [exact: W | rewrite addnC; apply: W => //; rewrite addnC].
move=> xr yr le; case: (leqP y o) => [yo|/ltnW oy]; first by apply: leq_add; exact: bin_monotone.
have := @bin_steps m o x (y - o) (leq_trans oy yx); rewrite subnKC // => H.
have := @bin_monotone m (x + (y - o)) r; move=> /(_ _) H2; have {}H2 := H2 ltac:(lia); lia.
Qed.

Section Stars.
Variables (n k : nat).
Implicit Types (g h : graph n) (u v w a b : 'I_n).

Definition stars g := \sum_(u in people g) 'C(deg g u, k.+1).

(* A new edge makes C(p, k - 1) + C(q, k - 1) stars with k leaves, p and q the degrees of its ends before. *)
Theorem stars_of_adding g h a b : adds g h a b -> stars h = stars g + ('C(deg g a, k) + 'C(deg g b, k)).
Proof.
move=> H; have [ab _ pp _] := H; rewrite /stars pp.
have ag : a \in people g by rewrite -pp; exact: adj_in (adds_new H).
have bg : b \in people g by rewrite -pp; exact: adj_in (adds_new (adds_swap H)).
rewrite (bigD1 a) // (bigD1 b) /= 1?bg 1?eq_sym //= [in RHS](bigD1 a) //= [in RHS](bigD1 b) /= 1?bg 1?eq_sym //=.
rewrite (deg_at H) (deg_at (adds_swap H)) !binS.
set x := \sum_(_ | _) _; set y := \sum_(_ | _) _; have -> : x = y; last by lia.
by apply: eq_bigr => u /andP [/andP [_ ua] ub]; rewrite (deg_elsewhere H ua ub).
Qed.

(* The ladder function of the code, for a pair with p >= q other friends: t edges raise the larger number first. *)
Definition raised (most p q t : nat) : nat := minn (maxn p q + t) most.
Definition left_over (most p q t : nat) : nat := minn (minn p q + t - (raised most p q t - maxn p q)) most.
Definition star_step_of_pair (most p q t : nat) : nat := 'C(raised most p q t, k) + 'C(left_over most p q t, k).
Definition star_step g t : nat := \max_(p : 'I_n * 'I_n | p.1 != p.2)
  star_step_of_pair (most_friends g) (friends_but g p.1 p.2) (friends_but g p.2 p.1) t.

(* These steps bound what one edge changes in the number of stars, now and after further edges. *)
Theorem stars_ladder : ladder_function (@edge_neighbours n) stars star_step.
Proof.
have starts (j : graph n) a b : a \in people j -> b \in people j -> a != b ->
    'C(friends_but j a b, k) + 'C(friends_but j b a, k) <= star_step j 0.
  move=> ak bk ab; apply: leq_trans (over_pairs _ ab); rewrite /star_step_of_pair /=.
  have := friends_but_most ak bk ab; have := friends_but_most bk ak; rewrite eq_sym ab => /(_ isT).
  move: (friends_but j a b) (friends_but j b a) (most_friends j) => p q m qm pm.
  by apply: larger_pays; rewrite /left_over /raised; lia.
have nexts (g h : graph n) t : people h = people g ->
    (forall u v, u != v -> friends_but h u v <= friends_but g u v + 1) ->
    (forall u v, u != v -> friends_but h u v + friends_but h v u <= friends_but g u v + friends_but g v u + 1) ->
    star_step h t <= star_step g t.+1.
  move=> pp le1 le2; apply/bigmax_leqP => -[u v] /= uv; have vu : v != u by rewrite eq_sym.
  apply: leq_trans (over_pairs _ uv); rewrite /star_step_of_pair /most_friends pp /=.
  move: (le1 _ _ uv) (le1 _ _ vu) (le2 _ _ uv) (#|people g| - 2) => {le1 le2}.
  move: (friends_but g u v) (friends_but g v u) (friends_but h u v) (friends_but h v u) => p q p' q' l1 l2 l3 m.
  by apply: larger_pays; rewrite /left_over /raised; lia.
split=> [g h|g h t] [a [b [H|H]]]; have [ab _ pp _] := H.
- rewrite (stars_of_adding H) /dist; have := starts g a b; rewrite -pp (adj_in (adds_new H)).
  rewrite (adj_in (adds_new (adds_swap H))) ab => /(_ isT isT isT).
  by have [_ ->] := friends_of_ends H; have [_ ->] := friends_of_ends (adds_swap H); lia.
- rewrite (stars_of_adding H) /dist; have := starts g a b; rewrite (adj_in (adds_new H)).
  rewrite (adj_in (adds_new (adds_swap H))) ab => /(_ isT isT isT).
  by have [-> _] := friends_of_ends H; have [-> _] := friends_of_ends (adds_swap H); lia.
- apply: nexts => // u v uv; last by have [] := friends_of_pair H uv.
  have [_ l2 l3] := friends_of_pair H uv; lia.
apply: nexts => // u v uv; have [l1 l2 _] := friends_of_pair H uv; lia.
Qed.
End Stars.

(* For pairs with p and q other friends among 7 people, of 2-stars and of 3-stars. *)
Definition two_star_ladder_constant (t : nat) := [seq [seq star_step_of_pair 1 5 p q t | q <- iota 0 p.+1] | p <- iota 0 5].
Definition three_star_ladder_constant (t : nat) :=
  [seq [seq star_step_of_pair 2 5 p q t | q <- iota 0 p.+1] | p <- iota 0 5].
