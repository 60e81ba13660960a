(* The sum over edges of the product of both degrees under edge privacy: ladder functions. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Degrees Pairs Stars EdgeSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* The ladder of the code, from the two largest degrees and the largest sum of two numbers of friends' friends: both
   degrees rise by one in every step, up to the most possible, and the sum by both of them. *)
Definition raised_degree (most d t : nat) : nat := minn (d + t.+1) most.
Fixpoint product_growth (most d e t : nat) : nat :=
  if t is s.+1 then product_growth most d e s + (raised_degree most d s + raised_degree most e s) else 0.
Definition product_step (most d e sum t : nat) : nat :=
  minn (sum + product_growth most d e t) (2 * most ^ 2) + raised_degree most d t * raised_degree most e t.
(* Among 7 people, for a largest degree of 0 to 3, a second one up to that, and sums of 0, 5 and 10. *)
Definition product_ladder_constant (t : nat) :=
  [seq [seq [seq product_step 6 d e (5 * s) t | s <- iota 0 3] | e <- iota 0 d.+1] | d <- iota 0 4].

Lemma product_step_grows most d e d' e' sum sum' t :
  d' <= d + 1 -> e' <= e + 1 -> sum' <= sum + (minn (d + 1) most + minn (e + 1) most) ->
  product_step most d' e' sum' t <= product_step most d e sum t.+1.
Proof.
move=> ld le ls; rewrite /product_step; apply: leq_add; last by apply: leq_mul; rewrite /raised_degree; lia.
have grow : product_growth most d' e' t + (minn (d + 1) most + minn (e + 1) most) <= product_growth most d e t.+1.
  by elim: t => [|t IH] /=; rewrite /raised_degree; [lia | move: IH => /=; rewrite /raised_degree; lia].
lia.
Qed.

Lemma product_step_rises most d e d' e' sum sum' t : d' <= d -> e' <= e -> sum' <= sum ->
  product_step most d' e' sum' t <= product_step most d e sum t.
Proof.
move=> ld le ls; rewrite /product_step; apply: leq_add; last by apply: leq_mul; rewrite /raised_degree; lia.
have : product_growth most d' e' t <= product_growth most d e t; last by lia.
by elim: t => [|t IH] //=; rewrite /raised_degree; lia.
Qed.

Section Products.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n) (p : 'I_n * 'I_n).

Definition degree_products g : nat := \sum_p pairs g p * (deg g p.1 * deg g p.2).
(* The sum of the degrees of a person's friends. *)
Definition friends_degrees g u : nat := \sum_w adj g u w * deg g w.

(* A new edge adds the degrees of its ends' friends, and the product of the two degrees that it makes. *)
Lemma products_of_adding g h a b : adds g h a b ->
  degree_products h = degree_products g + (friends_degrees g a + friends_degrees g b + (deg g a).+1 * (deg g b).+1).
Proof.
move=> H; have [ab gab _ _] := H; apply: (adds_in_order (P := fun a b => degree_products h =
  degree_products g + (friends_degrees g a + friends_degrees g b + (deg g a).+1 * (deg g b).+1))) H.
  by move=> c d ->; rewrite [friends_degrees g c + _]addnC [(deg g c).+1 * _]mulnC.
move=> {ab gab} {}a {}b H lt; have [ab gab _ _] := H; rewrite /degree_products (edge_sum_rises _ H lt) /=.
rewrite (deg_at H) (deg_at (adds_swap H)) addnA; congr (_ + _).
pose at_end u : nat := (u == a) + (u == b).
have one u : \sum_w adj g u w * deg g w = friends_degrees g u by [].
rewrite (eq_bigr (fun p => pairs g p * (deg g p.1 * deg g p.2) +
   pairs g p * (at_end p.1 * deg g p.2 + at_end p.2 * deg g p.1))) => [|p _].
  rewrite big_split /=; congr (_ + _); rewrite (both_ways g (fun u w => at_end u * deg g w)).
  rewrite (bigD1 a) //= [X in _ + X = _](bigD1 b) 1?eq_sym //= [X in _ + (_ + X) = _]big1 ?addn0 => [|u /andP [/negbTE ua /negbTE ub]]; last first.
    by rewrite big1 // => w _; rewrite /at_end ua ub mul0n muln0.
  rewrite /at_end !eqxx (negbTE ab) eq_sym (negbTE ab) /=.
  by congr (_ + _); apply: eq_bigr => w _; rewrite mul1n.
rewrite -mulnDr; case on: (adj g p.1 p.2 && (p.1 < p.2)); last by rewrite /pairs on.
congr (_ * _); rewrite !(deg_rises _ H) -/(at_end p.1) -/(at_end p.2).
have : at_end p.1 * at_end p.2 = 0; last by rewrite mulnDl !(mulnDr _ _ (at_end p.2)); lia.
case: p on => x y /= /andP [gxy _]; rewrite /at_end.
case: (altP (x =P a)) gxy => [->|_] gxy.
  rewrite (negbTE ab); case: (altP (y =P a)) gxy => [->|_]; first by rewrite adj_irr.
  by case: (altP (y =P b)) => [->|_]; rewrite ?(negbTE gab) // muln0.
case: (altP (x =P b)) gxy => [->|_] gxy; last by rewrite mul0n.
case: (altP (y =P a)) gxy => [->|_]; first by rewrite adj_sym (negbTE gab).
by case: (altP (y =P b)) => [->|_]; rewrite ?adj_irr // muln0.
Qed.

Lemma friends_degrees_most g u : friends_degrees g u <= most_degree g ^ 2.
Proof.
rewrite -mulnn; apply: leq_trans (leq_mul (deg_most g u) (leqnn _)).
rewrite /deg -sum1_card big_distrl /= [X in _ <= X]big_mkcond /=; apply: leq_sum => w _; rewrite inE.
by case: (adj g u w); rewrite ?mul1n ?mul0n // deg_most.
Qed.

(* What a new edge adds to the friends' degrees of a person: an end gains the new degree of the other end, anybody else
   one for each of the two that is a friend. *)
Lemma friends_degrees_at g h a b : adds g h a b -> friends_degrees h a = friends_degrees g a + (deg g b).+1.
Proof.
move=> H; have [ab gab _ _] := H; rewrite /friends_degrees (bigD1 b) //= [in RHS](bigD1 b) //= (negbTE gab) mul0n add0n.
rewrite (adds_new H) mul1n (deg_at (adds_swap H)) addnC; congr (_ + _); apply: eq_bigr => w wb.
rewrite (adds_at _ H) (negbTE wb) orbF; case gaw: (adj g a w) => //; congr (_ * _); apply: deg_elsewhere H _ wb.
by apply: contraTneq gaw => ->; rewrite adj_irr.
Qed.

Lemma friends_degrees_elsewhere g h a b u : adds g h a b -> u != a -> u != b ->
  friends_degrees h u = friends_degrees g u + (adj g u a + adj g u b).
Proof.
move=> H ua ub; have [ab _ _ _] := H; rewrite /friends_degrees.
rewrite (eq_bigr (fun w => adj g u w * deg g w + adj g u w * ((w == a) + (w == b)))) => [|w _]; last first.
  by rewrite (adds_elsewhere _ H) // (deg_rises _ H) mulnDr.
rewrite big_split /=; congr (_ + _); rewrite (bigD1 a) //= (bigD1 b) 1?eq_sym //= big1 ?addn0 => [|w /andP [/negbTE -> /negbTE ->]].
  by rewrite !eqxx [b == a]eq_sym (negbTE ab) /= !muln1.
exact: muln0.
Qed.

Lemma two_friends g u a b : a != b -> adj g u a + adj g u b <= deg g u.
Proof.
move=> ab; rewrite /deg (cardD1 a) (cardD1 b) !inE [b == a]eq_sym (negbTE ab) /=; lia.
Qed.

(* The two largest degrees, and the largest sum of the friends' degrees of two people. *)
Definition largest_degree g : nat := \max_(u : 'I_n) deg g u.
Definition second_degree g : nat := \max_(p : 'I_n * 'I_n | p.1 != p.2) minn (deg g p.1) (deg g p.2).
Definition largest_sum g : nat := \max_(p : 'I_n * 'I_n | p.1 != p.2) (friends_degrees g p.1 + friends_degrees g p.2).
Definition products_step g t : nat :=
  product_step (most_degree g) (largest_degree g) (second_degree g) (largest_sum g) t.

Lemma largest_above g u : deg g u <= largest_degree g.
Proof. exact: leq_bigmax. Qed.
Lemma second_above g u v : u != v -> minn (deg g u) (deg g v) <= second_degree g.
Proof. exact: (@over_pairs _ (fun p : 'I_n * 'I_n => minn (deg g p.1) (deg g p.2))). Qed.
Lemma sum_above g u v : u != v -> friends_degrees g u + friends_degrees g v <= largest_sum g.
Proof. exact: (@over_pairs _ (fun p : 'I_n * 'I_n => friends_degrees g p.1 + friends_degrees g p.2)). Qed.

(* One edge more lowers none of the three; it raises a degree by at most 1, and the sum by the next two degrees. *)
Lemma three_rise g h a b : adds g h a b ->
  [/\ largest_degree g <= largest_degree h <= largest_degree g + 1, second_degree g <= second_degree h <= second_degree g + 1
    & largest_sum g <= largest_sum h <=
      largest_sum g + (minn (largest_degree g + 1) (most_degree g) + minn (second_degree g + 1) (most_degree g))].
Proof.
move=> H; have [ab _ pp _] := H; have up u := degree_scores_monotone u H; rewrite /degree_score_constant in up.
split; apply/andP; split; apply/bigmax_leqP.
- by move=> u _; apply: leq_trans (largest_above h u); case/andP: (up u).
- by move=> u _; have := largest_above g u; have := up u; lia.
- by move=> -[u v] /= uv; apply: leq_trans (second_above h uv); have := up u; have := up v; lia.
- by move=> -[u v] /= uv; have := second_above g uv; have := up u; have := up v; lia.
- move=> -[u v] /= uv; apply: leq_trans (sum_above h uv); apply: leq_add; apply: leq_sum => w _; apply: leq_mul => //; try by case/andP: (up w).
    by case E: (adj g u w); rewrite ?(adds_more H E).
  by case E: (adj g v w); rewrite ?(adds_more H E).
move=> -[u v] /= uv; apply: leq_trans (leq_add (sum_above g uv) (leqnn _)); rewrite -!addnA.
have H' := adds_swap H; have mh x := deg_most h x; rewrite /most_degree pp -/(most_degree g) in mh.
have [ma mb] := (mh a, mh b); rewrite (deg_at H) in ma; rewrite (deg_at H') in mb.
have gain x : x != a -> x != b -> friends_degrees h x <= friends_degrees g x + deg g x.
  by move=> xa xb; rewrite (friends_degrees_elsewhere H) // leq_add2l two_friends.
have mg x := deg_most g x; have lg x := largest_above g x; have sg x y := @second_above g x y.
case: (altP (u =P a)) uv => [->|ua] uv; last case: (altP (u =P b)) uv => [->|ub] uv.
- rewrite (friends_degrees_at H); case: (altP (v =P b)) uv => [->|vb] uv.
    by rewrite (friends_degrees_at H'); have := sg a b ab; have := lg a; have := lg b; lia.
  have va : v != a by rewrite eq_sym.
  by have := gain v va vb; have := sg b v; rewrite eq_sym vb => /(_ isT); have := lg b; have := lg v; have := mg v; lia.
- rewrite (friends_degrees_at H'); case: (altP (v =P a)) uv => [->|va] uv.
    by rewrite (friends_degrees_at H); have := sg a b ab; have := lg a; have := lg b; lia.
  have vb : v != b by rewrite eq_sym.
  by have := gain v va vb; have := sg a v; rewrite eq_sym va => /(_ isT); have := lg a; have := lg v; have := mg v; lia.
have {gain} gu := gain u ua ub; case: (altP (v =P a)) uv => [->|va] uv; last case: (altP (v =P b)) uv => [->|vb] uv.
- by rewrite (friends_degrees_at H); have := sg b u; rewrite eq_sym ub => /(_ isT); have := lg b; have := lg u; have := mg u; lia.
- by rewrite (friends_degrees_at H'); have := sg a u; rewrite eq_sym ua => /(_ isT); have := lg a; have := lg u; have := mg u; lia.
have gv : friends_degrees h v <= friends_degrees g v + deg g v by rewrite (friends_degrees_elsewhere H) // leq_add2l two_friends.
by have := sg u v uv; have := lg u; have := lg v; have := mg u; have := mg v; lia.
Qed.

(* These steps bound what one edge changes in the sum of degree products, now and after further edges. *)
Theorem degree_products_ladder : ladder_function (@edge_neighbours n) degree_products products_step.
Proof.
have first g h a b : adds g h a b -> degree_products h <= degree_products g + products_step g 0.
  move=> H; have [ab _ pp _] := H; rewrite (products_of_adding H) leq_add2l /products_step /product_step.
  have mh x := deg_most h x; rewrite /most_degree pp -/(most_degree g) in mh.
  have [ma mb] := (mh a, mh b); rewrite (deg_at H) in ma; rewrite (deg_at (adds_swap H)) in mb.
  apply: leq_add.
    rewrite /= addn0 leq_min sum_above //= mul2n -addnn; apply: leq_add; exact: friends_degrees_most.
  have := largest_above g a; have := largest_above g b; have := second_above g ab.
  rewrite /raised_degree; move: (deg g a) (deg g b) ma mb => x y mx my s l1 l2.
  case: (leqP x y) => xy; [rewrite mulnC | ]; apply: leq_mul; lia.
have monotone g h a b t : adds g h a b -> products_step g t <= products_step h t.
  move=> H; have [_ _ pp _] := H; have [/andP [l1 _] /andP [l2 _] /andP [l3 _]] := three_rise H.
  by rewrite /products_step /most_degree pp; exact: product_step_rises.
have grows g h a b : adds g h a b -> degree_products g <= degree_products h by move=> /products_of_adding ->; rewrite leq_addr.
split=> [g h|g h t] [a [b [H|H]]]; have [_ _ pp _] := H.
- by have := first _ _ _ _ H; have := grows _ _ _ _ H; rewrite /dist; lia.
- by have := first _ _ _ _ H; have := grows _ _ _ _ H; have := monotone _ _ _ _ 0 H; rewrite /dist; lia.
- have [/andP [_ l1] /andP [_ l2] /andP [_ l3]] := three_rise H.
  by rewrite /products_step /most_degree pp; exact: product_step_grows.
have [/andP [l1 _] /andP [l2 _] /andP [l3 _]] := three_rise H.
rewrite /products_step /most_degree pp; apply: product_step_grows; lia.
Qed.

End Products.
