(* Edges by the two degrees at their ends, and noise that grows with the larger degree. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Degrees EdgeSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section DegreePairs.
(* Degrees above the public bound D count as D. *)
Variables (n D : nat).
Implicit Types (g h : graph n) (u v w a b : 'I_n) (p : 'I_n * 'I_n).

Definition capped_degree g u : nat := minn (deg g u) D.
Definition cell := ('I_D.+1 * 'I_D.+1)%type.
(* The cell of an edge: the smaller and the larger of the two degrees. *)
Definition cell_of g p : cell :=
  (inord (minn (capped_degree g p.1) (capped_degree g p.2)), inord (maxn (capped_degree g p.1) (capped_degree g p.2))).
Definition degree_pairs g (c : cell) : nat := \sum_p pairs g p * (cell_of g p == c).

Lemma larger_degree g p : (cell_of g p).2 = maxn (capped_degree g p.1) (capped_degree g p.2) :> nat.
Proof. by rewrite /= inordK // ltnS geq_max !geq_minr. Qed.

(* A cell of larger degree y has the weight 1 / (4 y + 1) in the noise, or less: here in parts of a whole number M. *)
Variables (M : nat) (weight : cell -> nat).
Definition noise_divisor_constant (y : nat) := 4 * y + 1.
Hypothesis light : forall c, weight c * noise_divisor_constant c.2 <= M.

(* The heaviest that a cell of larger degree y or more can be. *)
Definition most_weight (y : nat) : nat := M %/ (4 * y + 1).
Lemma most_weight_times y : most_weight y * (4 * y + 1) <= M.
Proof. exact: leq_trunc_div. Qed.
Lemma most_weight_falls x y : x <= y -> most_weight y <= most_weight x.
Proof. by move=> xy; apply: leq_div2l; lia. Qed.
Lemma weight_of_cell g p y : y <= (cell_of g p).2 -> weight (cell_of g p) <= most_weight y.
Proof.
move=> le; apply: leq_trans (most_weight_falls le); rewrite /most_weight leq_divRL ?addn1 //; rewrite -addn1; exact: light.
Qed.

(* What an edge of one end of the new edge moves: it leaves a cell and enters another, unless its end is above the bound. *)
Definition edge_moves (d : nat) : nat := if d < D then most_weight d + most_weight d.+1 else 0.

Lemma one_cell (c : cell) (F : cell -> nat) : \sum_e F e * (c == e) = F c.
Proof. by rewrite (bigD1 c) //= eqxx muln1 big1 ?addn0 // => e; rewrite eq_sym => /negbTE ->; rewrite muln0. Qed.

Lemma cell_change g h p m : (cell_of g p = cell_of h p \/ weight (cell_of g p) + weight (cell_of h p) <= m) ->
  \sum_c weight c * dist (cell_of g p == c) (cell_of h p == c) <= m.
Proof.
case=> [->|le]; first by rewrite big1 // => c _; rewrite dist_self muln0.
apply: leq_trans le; rewrite -[weight (cell_of g p)](one_cell _ weight) -[weight (cell_of h p)](one_cell _ weight) -big_split /=.
apply: leq_sum => c _; rewrite -mulnDr leq_mul2l; apply/orP; right.
by case: (_ == c); case: (_ == c).
Qed.

Lemma moved_by_end g h a b p : adds g h a b -> 0 < pairs g p -> (p.1 == a) || (p.2 == a) ->
  \sum_c weight c * dist (cell_of g p == c) (cell_of h p == c) <= edge_moves (deg g a).
Proof.
move=> H; have [ab gab _ _] := H; case: p => x y; rewrite /pairs lt0b /= => /andP [gxy _] ends; apply: cell_change.
have [other adj_other both] : exists2 o, (o != a) && (o != b) & (x, y) = (a, o) \/ (x, y) = (o, a).
  case/orP: ends => /eqP E; rewrite E in gxy *; [exists y | exists x]; rewrite ?E; try by [left | right].
    apply/andP; split; [by apply: contraTneq gxy => ->; rewrite adj_irr | by apply: contraNneq gab => <-].
  apply/andP; split; first by apply: contraTneq gxy => ->; rewrite adj_irr.
  by apply: contraNneq gab => <-; rewrite adj_sym.
have [oa ob] := andP adj_other.
have same : capped_degree h other = capped_degree g other by rewrite /capped_degree (deg_elsewhere H oa ob).
have up : capped_degree h a = minn (deg g a).+1 D by rewrite /capped_degree (deg_at H).
rewrite /edge_moves; case: (ltnP (deg g a) D) => [low|high]; [right | left].
  apply: leq_add; apply: weight_of_cell; rewrite larger_degree; case: both => -[-> ->] /=;
    rewrite ?up /capped_degree leq_max ?leq_min ?leqnn ?(ltnW low) ?low ?orbT //.
have stays : capped_degree h a = capped_degree g a by rewrite up /capped_degree; move: high; lia.
by case: both => -[-> ->]; rewrite /cell_of /= stays same.
Qed.

(* The whole numbers behind the inequality: x + y <= (M - x - 5 x') / 2 + ... for each end, and the new edge. *)
Lemma edges_of_end d : 4 * (d * edge_moves d) + (d < D) * (most_weight d + 5 * most_weight d.+1) <= 2 * M.
Proof.
rewrite /edge_moves; case: (ltnP d D) => _; last by rewrite muln0.
have := most_weight_times d; have := most_weight_times d.+1; rewrite mul1n mulnDr.
move: (most_weight d) (most_weight d.+1) => x y; rewrite !mulnDr !muln1 mulnS; lia.
Qed.

Definition degree_pairs_constant := 1.
(* With noise of weight 1 / (4 y + 1) on a cell of larger degree y, or less, one edge moves all cells by at most 1 together. *)
Theorem degree_pairs_sensitivity g h : edge_neighbours g h ->
  \sum_c weight c * dist (degree_pairs g c) (degree_pairs h c) <= degree_pairs_constant * M.
Proof.
have main a b g' h' : adds g' h' a b -> \sum_c weight c * dist (degree_pairs g' c) (degree_pairs h' c) <= M.
  move=> H; apply: (adds_in_order (P := fun _ _ => _)) H => // {}a {}b {}H lt; have H' := adds_swap H.
  pose change p := \sum_c weight c * dist (cell_of g' p == c) (cell_of h' p == c).
  apply: leq_trans (_ : \sum_p pairs g' p * change p + weight (cell_of h' (a, b)) <= _).
    rewrite -(one_cell _ weight) /change; under [X in _ <= X + _]eq_bigr do rewrite big_distrr /=.
    rewrite exchange_big /= -big_split /=; apply: leq_sum => c _.
    rewrite /degree_pairs (edge_sum_rises _ H lt) [X in dist _ X]addnC; apply: leq_trans (leq_mul (leqnn _) (dist_plus _ _ _)) _.
    rewrite mulnDr leq_add2r; apply: leq_trans (leq_mul (leqnn _) (dist_sum _ _ _)) _; rewrite big_distrr /=.
    apply: leq_sum => p _; rewrite mulnCA; rewrite /dist -!mulnBr -mulnDr mulnCA; exact: leqnn.
  have each p : pairs g' p * change p <= pairs g' p * ((p.1 == a) + (p.2 == a)) * edge_moves (deg g' a)
      + pairs g' p * ((p.1 == b) + (p.2 == b)) * edge_moves (deg g' b).
    case E: (adj g' p.1 p.2 && (p.1 < p.2)); last by rewrite /pairs E !mul0n.
    have on : 0 < pairs g' p by rewrite /pairs E.
    have -> : pairs g' p = 1 by rewrite /pairs E.
    rewrite !mul1n; case ea: ((p.1 == a) || (p.2 == a)).
      apply: leq_trans (moved_by_end H on ea) (leq_trans _ (leq_addr _ _)); rewrite -{1}[edge_moves _]mul1n leq_mul2r.
      by apply/orP; right; move: ea; case: (_ == a); case: (_ == a).
    case eb: ((p.1 == b) || (p.2 == b)).
      apply: leq_trans (moved_by_end H' on eb) (leq_trans _ (leq_addl _ _)); rewrite -{1}[edge_moves _]mul1n leq_mul2r.
      by apply/orP; right; move: eb; case: (_ == b); case: (_ == b).
    rewrite /change big1 // => c _; have same u : u != a -> u != b -> capped_degree h' u = capped_degree g' u.
      by move=> ua ub; rewrite /capped_degree (deg_elsewhere H ua ub).
    by move: ea eb => /norP [a1 a2] /norP [b1 b2]; rewrite /cell_of !same // dist_self muln0.
  apply: leq_trans (leq_add (leq_sum _ (fun p _ => each p)) (leqnn _)) _.
  rewrite big_split /= -!big_distrl /= !edges_at.
  have new y : y <= maxn (capped_degree h' a) (capped_degree h' b) -> weight (cell_of h' (a, b)) <= most_weight y.
    by move=> le; apply: weight_of_cell; rewrite larger_degree.
  have := edges_of_end (deg g' a); have := edges_of_end (deg g' b).
  have nD := new; move: new nD; rewrite /capped_degree (deg_at H) (deg_at H') => new nD.
  have M0 := most_weight_times 0; move: (weight _) new nD => z new nD.
  case: (ltnP (deg g' a) D) => la; case: (ltnP (deg g' b) D) => lb; rewrite ?mul1n ?mul0n ?addn0.
  - have := new (deg g' a).+1; have := new (deg g' b).+1; lia.
  - have := new (deg g' a).+1; rewrite /edge_moves [deg g' b < D]ltnNge lb /= muln0; lia.
  - have := new (deg g' b).+1; rewrite /edge_moves [deg g' a < D]ltnNge la /= muln0; lia.
  have := new 0; rewrite /edge_moves ![_ < D]ltnNge la lb /= !muln0 muln1 in M0 *; lia.
rewrite mul1n => -[a [b [H|H]]]; first exact: main H.
by rewrite (eq_bigr (fun c => weight c * dist (degree_pairs h c) (degree_pairs g c))) => [|c _]; [exact: main H | rewrite dist_sym].
Qed.
End DegreePairs.
