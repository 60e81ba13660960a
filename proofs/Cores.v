(* The number of people, the h-index and the degeneracy. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(* The largest number of a kind moves by at most 1 where a larger graph keeps the kind and a smaller one loses one step. *)
Lemma largest_moves_by_one N (P Q : pred nat) :
  (forall x, P x -> Q x) -> (forall x, Q x.+1 -> P x) ->
  dist (\max_(x < N | P x) x) (\max_(x < N | Q x) x) <= 1.
Proof.
move=> PQ QP; apply: dist_within.
  apply: leq_trans (leq_addr _ _); apply/bigmax_leqP => x Px; apply: leq_bigmax_cond; exact: PQ.
apply/bigmax_leqP => -[[|x] lt] //= Qx; rewrite addn1 ltnS.
exact: (leq_bigmax_cond (Ordinal (ltnW lt)) (QP _ Qx)).
Qed.

Section Cores.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n).

Definition nodes g := #|people g|.
Definition nodes_constant := 1.
(* One person changes the number of people by 1. *)
Theorem nodes_sensitivity : node_sensitivity (number nodes) nodes_constant.
Proof.
apply: node_sensitivity_by_joining => g h v [vg pp _].
by rewrite distance_number /nodes pp cardsU1 vg /dist /nodes_constant; lia.
Qed.

(* The largest x such that at least weight x people have x friends or more; weight 1 is the usual index. *)
Definition reaching g x := #|[pred u | (u \in people g) && (x <= deg g u)]|.
Definition h_index weight g := \max_(x < n.+1 | weight * x <= reaching g x) x.
Definition h_index_constant := 1.
(* One person changes the h-index by at most 1. *)
Theorem h_index_sensitivity weight : 0 < weight -> node_sensitivity (number (h_index weight)) h_index_constant.
Proof.
move=> w0; apply: node_sensitivity_by_joining => g h v H; have [vg pp _] := H; rewrite distance_number.
apply: (@largest_moves_by_one n.+1 (fun x => weight * x <= reaching g x) (fun x => weight * x <= reaching h x)) => x le.
  apply: leq_trans le _; apply: subset_leq_card; apply/subsetP => u; rewrite !inE => /andP [ug le].
  have uv : u != v by apply: contraNneq vg => <-.
  by rewrite pp !inE ug orbT (deg_joins H uv) (leq_trans le (leq_addr _ _)).
have le2 : reaching h x.+1 <= (reaching g x).+1.
  rewrite /reaching (cardD1 v) -[X in _ <= X]add1n; apply: leq_add; first exact: leq_b1.
  apply: subset_leq_card; apply/subsetP => u; rewrite !inE pp !inE => /and3P [uv /orP [/eqP E|ug] le3].
    by rewrite E eqxx in uv.
  by rewrite ug; move: le3; rewrite (deg_joins H uv); case: (adj h u v); lia.
have := leq_trans le le2; rewrite mulnS; lia.
Qed.

(* A group of people in which everybody has k friends or more; the degeneracy is the largest k for which one exists. *)
Definition core g k := [exists S : {set 'I_n}, [&& S != set0, S \subset people g
  & [forall u in S, k <= #|[pred w | (w \in S) && adj g u w]|]]].
Definition degeneracy g := \max_(k < n.+1 | core g k) k.
Definition degeneracy_constant := 1.

Lemma fewer_friends (S : {set 'I_n}) (e f : pred 'I_n) z :
  (forall w, w != z -> f w -> e w) ->
  #|[pred w | (w \in S) && f w]| <= #|[pred w | (w \in S :\ z) && e w]|.+1.
Proof.
move=> le; rewrite (cardD1 z) -[X in _ <= X]add1n; apply: leq_add; first exact: leq_b1.
by apply: subset_leq_card; apply/subsetP => w; rewrite !inE => /and3P [wz -> /(le _ wz) ->]; rewrite wz.
Qed.

(* One edge changes the degeneracy by at most 1. *)
Theorem degeneracy_edge_sensitivity : edge_sensitivity (number degeneracy) degeneracy_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b H; have [ab gab pp E] := H; rewrite distance_number.
apply: largest_moves_by_one => k /existsP [S /and3P [S0 Sg /forall_inP le]];
  apply/existsP; exists S; (apply/and3P; split; [by []|by [rewrite pp | rewrite -pp]|]);
  apply/forall_inP => u uS; have lu := le u uS.
  apply: leq_trans lu _; apply: subset_leq_card; by apply/subsetP => w; rewrite !inE => /andP [-> /(adds_more H) ->].
pose z := if u == a then b else a.
pose m := #|[pred w | (w \in S :\ z) && adj g u w]|.
have F : #|[pred w | (w \in S) && adj h u w]| <= m.+1.
  apply: fewer_friends => w; rewrite E /z; case: (altP (u =P a)) => [->|ua] wz.
    by rewrite (negbTE wz) (negbTE ab) /= orbF.
  by rewrite /= (negbTE wz) andbF orbF.
apply: leq_trans (_ : m <= _); first by have := leq_trans lu F.
by apply: subset_leq_card; apply/subsetP => w; rewrite !inE => /andP [/andP [_ ->] ->].
Qed.

(* One person changes the degeneracy by at most 1. *)
Theorem degeneracy_node_sensitivity : node_sensitivity (number degeneracy) degeneracy_constant.
Proof.
apply: node_sensitivity_by_joining => g h v H; have [vg pp E] := H; rewrite distance_number.
apply: largest_moves_by_one => k /existsP [S /and3P [S0 Sg /forall_inP le]]; apply/existsP.
  exists S; rewrite S0 pp (subset_trans Sg) ?subsetUr //=; apply/forall_inP => u uS; apply: leq_trans (le u uS) _.
  have out x : x \in S -> x != v by move=> /(subsetP Sg) xg; apply: contraNneq vg => <-.
  apply: subset_leq_card; apply/subsetP => w; rewrite !inE => /andP [wS guw].
  by rewrite wS E ?out.
exists (S :\ v).
have lost u : u \in S -> u != v -> k <= #|[pred w | (w \in S :\ v) && adj g u w]|.
  move=> uS uv; have := leq_trans (le u uS) (fewer_friends S (e := adj g u) (f := adj h u) (z := v) _).
  by rewrite ltnS; apply => w wv; rewrite E.
apply/and3P; split; last by apply/forall_inP => u; rewrite inE in_set1 => /andP [uv uS]; exact: lost.
  apply/set0Pn; have /set0Pn [u uS] := S0; case: (altP (u =P v)) => [uv|uv]; last by exists u; rewrite !inE uv.
  have := le u uS; rewrite uv => /(leq_trans (ltn0Sn _)) /card_gt0P [w]; rewrite !inE => /andP [wS hvw].
  by exists w; rewrite !inE wS andbT; apply: contraTneq hvw => ->; rewrite adj_irr.
apply/subsetP => u; rewrite !inE => /andP [uv /(subsetP Sg)]; by rewrite pp !inE (negbTE uv).
Qed.
End Cores.
