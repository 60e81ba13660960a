(* Connected components under edge privacy. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Components.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b : 'I_n).

(* The component of a person: everybody they are connected to. *)
Definition component g u : {set 'I_n} := [set w | connect (adj g) u w].
Definition components g := #|[set component g u | u in people g]|.
Definition components_constant := 1.

Lemma reach_sym g : connect_sym (adj g).
Proof. by apply: sym_connect_sym; exact: adj_sym. Qed.

Lemma same_component g u w : (component g u == component g w) = connect (adj g) u w.
Proof.
apply/eqP/idP => [/setP /(_ w)|c]; first by rewrite !inE connect0.
by apply/setP => x; rewrite !inE; apply: (same_connect (@reach_sym g)).
Qed.

Lemma reach_more g h a b u w : adds g h a b -> connect (adj g) u w -> connect (adj h) u w.
Proof. by move=> H; apply: connect_sub => x y gxy; apply: connect1; exact: adds_more H gxy. Qed.

(* A new path uses the new edge: then its start is connected to an end of the edge, and so is its end. *)
Lemma reach_new g h a b u w : adds g h a b -> connect (adj h) u w ->
  connect (adj g) u w || ((connect (adj g) u a || connect (adj g) u b) && (connect (adj g) w a || connect (adj g) w b)).
Proof.
move=> H /connectP [p]; have [_ _ _ E] := H; elim: p u => [|x p IH] u /=; first by move=> _ ->; rewrite connect0.
case/andP => hux path last; have {IH} := IH _ path last; set cw := connect _ w a || _; rewrite E in hux.
case/orP: hux => [gux|ends]; last first.
  have [ua xa] : (connect (adj g) u a || connect (adj g) u b) /\ (connect (adj g) a x || connect (adj g) b x).
    by case/orP: ends => /andP [/eqP -> /eqP ->]; rewrite !connect0 !orbT.
  rewrite ua /= => /orP [gxw|/andP [_ ->]]; last by rewrite orbT.
  apply/orP; right; rewrite /cw !(reach_sym g w).
  by case/orP: xa => c; rewrite (connect_trans c gxw) ?orbT.
have c1 := connect1 gux; case/orP => [c|/andP [/orP [c|c] ->]]; rewrite ?(connect_trans c1 c) ?orbT //.
Qed.

(* One edge changes the number of components by at most 1. *)
Theorem components_sensitivity : edge_sensitivity (number components) components_constant.
Proof.
apply: edge_sensitivity_by_adding => g h a b H; have [_ _ pp _] := H; rewrite distance_number /components pp.
pose pick_in (k : graph n) (A : {set 'I_n}) := odflt a [pick u in A].
have pickP k u : connect (adj k) u (pick_in k (component k u)).
  rewrite /pick_in; case: pickP => [x|/(_ u)]; by rewrite inE ?connect0.
apply: dist_within; last first.
  apply: leq_trans (leq_addr _ _); rewrite -(card_in_imset (f := fun A => component g (pick_in h A))).
    apply: subset_leq_card; apply/subsetP => B /imsetP [A /imsetP [u ug ->] ->]; apply/imsetP.
    exists (pick_in h (component h u)) => //; have c := pickP h u; move: ug; rewrite -pp.
    case/connectP: c => p; case/lastP: p => [_ -> //|p x]; rewrite rcons_path last_rcons => /andP [_ e] -> _.
    by apply: (@adj_in _ h _ (last u p)); rewrite adj_sym.
  move=> A B /imsetP [u ug ->] /imsetP [w wg ->] /eqP; rewrite same_component => /(reach_more H) c; apply/eqP.
  rewrite same_component; apply: connect_trans (pickP h u) _; apply: connect_trans c _.
  by rewrite reach_sym.
set S := [set component g u | u in people g]; set T := imset _ _.
rewrite (cardsD1 (component g b) S) [in X in _ <= X]addnC; apply: leq_add; first exact: leq_b1.
rewrite -(card_in_imset (f := fun A => component h (pick_in g A))).
  apply: subset_leq_card; apply/subsetP => B /imsetP [A]; rewrite inE => /andP [_ /imsetP [u ug ->]] ->.
  apply/imsetP; exists (pick_in g (component g u)) => //.
  case/connectP: (pickP g u) => p; case/lastP: p => [_ -> //|p x]; rewrite rcons_path last_rcons => /andP [_ e] -> .
  by apply: (@adj_in _ g _ (last u p)); rewrite adj_sym.
move=> A B; rewrite !inE => /andP [Ab /imsetP [u ug EA]] /andP [Bb /imsetP [w wg EB]] /eqP.
rewrite EA EB same_component => c; apply/eqP; rewrite same_component.
have c2 : connect (adj h) u w.
  apply: connect_trans (reach_more H (pickP g u)) _; apply: connect_trans c _.
  by rewrite reach_sym; apply: reach_more H _.
have := reach_new H c2; rewrite EA same_component in Ab; rewrite EB same_component in Bb.
rewrite (negbTE Ab) (negbTE Bb) !orbF => /orP [//|/andP [ua wa]].
by apply: connect_trans ua _; rewrite reach_sym.
Qed.
End Components.
