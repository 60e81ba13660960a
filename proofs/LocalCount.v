(* The count of a local triangle protocol: noisy edges within the own list, and what one entry changes. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Projection.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* A scan of pairs that stand in the order once, the smaller number first, gives nobody more than the own friends. *)
Definition each_pair_once n (order : seq ('I_n * 'I_n)) : bool := uniq order && all (fun p : 'I_n * 'I_n => p.1 < p.2) order.
Lemma scan_friends n (order : seq ('I_n * 'I_n)) cap (g : graph n) v :
  each_pair_once order -> scan cap order g v <= deg g v.
Proof.
case/andP => once /allP smaller; pose ends (p : 'I_n * 'I_n) := adj g p.1 p.2 * ((v == p.1) + (v == p.2)).
have step (s : seq ('I_n * 'I_n)) (d : 'I_n -> nat) : foldl (scan_step cap g) d s v <= d v + \sum_(p <- s) ends p.
  elim: s d => [|p s IH] d /=; first by rewrite big_nil addn0.
  apply: leq_trans (IH _) _; rewrite big_cons addnA leq_add2r /scan_step /ends; case: ifP => [/and3P [-> _ _]|_].
    by rewrite mul1n.
  exact: leq_addr.
apply: leq_trans (step order _) _; rewrite add0n big_uniq //=.
apply: leq_trans (_ : \sum_(p : 'I_n * 'I_n | p.1 < p.2) ends p <= _).
  by rewrite big_mkcond [X in _ <= X]big_mkcond; apply: leq_sum => p _; case: ifP => // /smaller ->.
rewrite big_mkcond -(pair_big xpredT xpredT (fun x y : 'I_n => if x < y then ends (x, y) else 0)) /=.
have one (F : 'I_n -> nat) : \sum_x F x * (v == x) = F v.
  by rewrite (bigD1 v) //= eqxx muln1 big1 ?addn0 // => x; rewrite eq_sym => /negbTE ->; rewrite muln0.
pose below (x y : 'I_n) : nat := (x < y) * adj g x y.
rewrite (eq_bigr (fun x => (\sum_y below x y) * (v == x) + below x v)) => [|x _]; last first.
  rewrite -(one (below x)) big_distrl -big_split; apply: eq_bigr => y _ /=.
  by rewrite /below /ends; case: ifP => _; rewrite ?mul1n ?mul0n ?mulnDr.
rewrite big_split /= (one (fun x => \sum_y below x y)) -big_split /deg -sum1_card [X in _ <= X]big_mkcond /=.
apply: leq_sum => w _; rewrite /below.
rewrite inE [adj g w v]adj_sym; case: (adj g v w); rewrite ?muln0 ?muln1 //.
by case: (ltngtP v w).
Qed.

(* The published noisy graph among the people of a list is a graph that the next person joins. Edges are accepted in a
   public order while both ends have fewer than [cap] accepted ones: one person more raises the number of accepted edges
   by at most the cap and by at most the people on the list, and lowers it never. *)
Theorem accepted_edges_rise n (order : seq ('I_n * 'I_n)) cap (g h : graph n) v : each_pair_once order -> joins g h v ->
  kept_edges order cap g <= kept_edges order cap h <= kept_edges order cap g + minn cap #|people g|.
Proof.
move=> once H; have S := truncation_stability cap order H; have [_ _ hD _] := S; have := half_sum_grows S; have := hD v.
have : scan cap order h v <= #|people g|.
  apply: leq_trans (scan_friends _ _ _ once) _; apply: subset_leq_card; apply/subsetP => w; rewrite inE => hvw.
  have : w \in people h by move: hvw; rewrite adj_sym; exact: adj_in.
  by have [_ -> _] := H; rewrite !inE => /orP [/eqP wv|//]; rewrite wv adj_irr in hvw.
rewrite /kept_edges; lia.
Qed.

(* So many accepted edges there can be among the people of a list. *)
Theorem accepted_edges_at_most n (order : seq ('I_n * 'I_n)) cap (g : graph n) :
  kept_edges order cap g <= (cap * #|people g|)./2.
Proof.
apply: half_leq; have inside s (d : 'I_n -> nat) : (forall u, d u <= cap * (u \in people g)) ->
    forall u, foldl (scan_step cap g) d s u <= cap * (u \in people g).
  elim: s d => [|p s IH] d //= le; apply: IH => u; rewrite /scan_step; case: ifP => // /and3P [e d1 d2].
  have p1 := adj_in e; have p2 : p.2 \in people g by move: e; rewrite adj_sym; exact: adj_in.
  have ne : p.1 != p.2 by apply: contraTneq e => ->; rewrite adj_irr.
  case: (altP (u =P p.1)) => [->|_]; first by rewrite p1 muln1 (negbTE ne); lia.
  by case: (altP (u =P p.2)) => [->|_]; rewrite ?p2 ?muln1 ?addn0 ?addn1.
rewrite mulnC -sum_nat_const [X in _ <= X]big_mkcond /=; apply: leq_sum => u _.
apply: leq_trans (inside order (fun=> 0) _ u) _ => [w|]; first exact: leq0n.
by case: (u \in people g); rewrite ?muln1 ?muln0.
Qed.

(* The pairs of a list of s people, which grow by bound - 1 for each person beyond the bound. *)
Definition capped_pairs (bound s : nat) : nat := 'C(minn s bound, 2) + (s - minn s bound) * (bound - 1).
Definition capped_pairs_constant (bound : nat) := [seq capped_pairs bound s | s <- iota 0 9].
Theorem capped_pairs_grow bound s : 0 < bound -> capped_pairs bound s.+1 = capped_pairs bound s + minn s (bound - 1).
Proof.
move=> b0; rewrite /capped_pairs; case: (ltnP s bound) => [lt|ge].
  rewrite ?(minn_idPl (ltnW lt)) (minn_idPl lt) !subnn !mul0n !addn0 binS bin1; congr (_ + _); lia.
rewrite ?(minn_idPr ge) (minn_idPr (leqW ge)) subSn // mulSn; have -> : minn s (bound - 1) = bound - 1 by lia.
lia.
Qed.

(* F = m f - c p, with f accepted edges and p the pairs of the list. Differences of F are written without subtraction. *)
Definition count_width (m c cap bound : nat) : nat := maxn ((m - c) * cap) (c * (bound - 1)).
(* With 8 for m, by c and cap. *)
Definition count_width_constant (bound : nat) := [seq [seq count_width 8 c cap bound | cap <- iota 1 bound] | c <- iota 1 7].
(* One entry, a person more on the list, changes F by no more than the width of its noise. *)
Theorem local_count_change n (order : seq ('I_n * 'I_n)) m c cap bound (g h : graph n) v
  (f := kept_edges order cap) (p := fun k : graph n => capped_pairs bound #|people k|) :
  each_pair_once order -> c <= m -> cap <= bound - 1 -> 0 < bound -> joins g h v ->
  dist (m * f h + c * p g) (m * f g + c * p h) <= count_width m c cap bound.
Proof.
move=> once cm cb b0 H; have := accepted_edges_rise cap once H; have [vg pp _] := H.
have -> : p h = p g + minn #|people g| (bound - 1) by rewrite /p pp cardsU1 vg add1n capped_pairs_grow.
rewrite -/(f g) -/(f h); move: (f g) (f h) (p g) #|people g| => fg fh pg s {f p pp vg H}.
case/andP => l1 l2; have [d E dm] : exists2 d, fh = fg + d & d <= minn cap s by exists (fh - fg); lia.
have {}dm : d <= cap /\ d <= minn s (bound - 1) by lia.
have jb := geq_minr s (bound - 1); rewrite E /dist /count_width {l1 l2 E}; case: dm; move: (minn s _) jb => j jb dc dj.
have up : m * d <= c * j + (m - c) * cap by rewrite mulnBl; nia.
have down : c * j <= m * d + c * (bound - 1) by nia.
rewrite !mulnDr; lia.
Qed.

(* Where only reported pairs are looked at, those are counted as the noisy edges are, up to bound - 1 at a person: the two
   lists also differ by a person in the graph of the reported pairs. *)
Definition looked_width (m c cap bound : nat) : nat := maxn (m * cap) (c * (bound - 1)).
Definition looked_width_constant (bound : nat) := [seq [seq looked_width 8 c cap bound | cap <- iota 1 bound] | c <- iota 1 7].
(* One entry changes the count of reported pairs by no more than the width of its noise. *)
Theorem looked_count_change n (order : seq ('I_n * 'I_n)) m c cap bound (g h looked looked' : graph n) v
  (f := kept_edges order cap) (p := kept_edges order (bound - 1)) :
  each_pair_once order -> joins g h v -> joins looked looked' v ->
  dist (m * f h + c * p looked) (m * f g + c * p looked') <= looked_width m c cap bound.
Proof.
move=> once H L; have := accepted_edges_rise cap once H; have := accepted_edges_rise (bound - 1) once L.
rewrite -/(f g) -/(f h) -/(p looked) -/(p looked'); move: (f g) (f h) (p looked) (p looked') => fg fh pg ph.
rewrite /dist /looked_width => /andP [p1 p2] /andP [f1 f2].
have := leq_mul (leqnn m) f1; have := leq_mul (leqnn c) p1; have : m * fh <= m * fg + m * cap by rewrite -mulnDr leq_mul2l; lia.
have : c * ph <= c * pg + c * (bound - 1) by rewrite -mulnDr leq_mul2l; lia.
lia.
Qed.

(* Two lists that may differ everywhere: f is at most [most], and p at most [top]. *)
Definition whole_range (m c most top : nat) : nat := m * most + c * top.
(* With 8 for m and lists of others = 9 people: a cap of bound - 1, by c. *)
Definition whole_range_constant (bound : nat) :=
  [seq whole_range 8 c (minn ((bound - 1) * 9)./2 'C(9, 2)) (capped_pairs bound 9) | c <- iota 1 7].
(* The whole list changes F by no more than its range. *)
Theorem whole_list_count_range m c most top f p f' p' : f <= most -> f' <= most -> p <= top -> p' <= top ->
  dist (m * f + c * p') (m * f' + c * p) <= whole_range m c most top.
Proof.
move=> l1 l2 l3 l4; have := leq_mul (leqnn m) l1; have := leq_mul (leqnn m) l2.
have := leq_mul (leqnn c) l3; have := leq_mul (leqnn c) l4; rewrite /dist /whole_range; lia.
Qed.

(* Lists that are cut at a threshold: f is at most p, and p at most the pairs of such a list. *)
Definition cut_range (m threshold : nat) : nat := m * 'C(threshold, 2).
Definition cut_range_constant (threshold : nat) := cut_range 8 threshold.
(* The whole list changes F by m times the pairs of a list as long as the threshold, at most. *)
Theorem cut_list_count_range m c threshold f p f' p' : c <= m -> f <= p -> f' <= p' ->
  p <= 'C(threshold, 2) -> p' <= 'C(threshold, 2) -> dist (m * f + c * p') (m * f' + c * p) <= cut_range m threshold.
Proof. rewrite /cut_range => cm fp fp' l1 l2; move: 'C(threshold, 2) l1 l2 => top l1 l2; rewrite /dist; nia. Qed.
