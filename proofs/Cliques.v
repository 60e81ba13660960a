(* Cliques under edge privacy: what one edge makes, and the ladders of their counts, from triangles up. *)
From mathcomp Require Import all_ssreflect zify.
From Graphveil Require Import Base Graphs Pairs Triangles RisingSteps.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Cliques.
Variable n : nat.
Implicit Types (g h : graph n) (u v w a b x y : 'I_n) (S A : {set 'I_n}).

(* Groups of m people within A who all know each other; all those; and those among the common friends of a pair. *)
Definition cliques_in g A m : {set {set 'I_n}} := [set S : {set 'I_n} | [&& S \subset A, #|S| == m & friends_all g S]].
Definition cliques m g : nat := #|cliques_in g setT m|.
Definition cliques_of_pair m g u v : nat := #|cliques_in g (common g u v) m|.

Lemma friends_all_sub g S A : A \subset S -> friends_all g S -> friends_all g A.
Proof. by move=> /subsetP sub /friends_allP F; apply/friends_allP => u w uA wA; apply: F; exact: sub. Qed.

Lemma friends_all_more g h a b S : adds g h a b -> friends_all g S -> friends_all h S.
Proof. by move=> H /friends_allP F; apply/friends_allP => u w uS wS uw; apply: adds_more H _; exact: F. Qed.

(* Groups without one end of the new edge are as before. *)
Lemma friends_all_without g h a b S : adds g h a b -> a \notin S -> friends_all h S -> friends_all g S.
Proof.
move=> [_ _ _ E] aS /friends_allP F; apply/friends_allP => u w uS wS uw; have := F u w uS wS uw; rewrite E.
have /negbTE -> : u != a by apply: contraNneq aS => <-.
have /negbTE -> : w != a by apply: contraNneq aS => <-.
by rewrite /= andbF !orbF.
Qed.

Lemma cliques_made m g h a b : adds g h a b -> cliques m.+2 g <= cliques m.+2 h <= cliques m.+2 g + cliques_of_pair m g a b.
Proof.
move=> H; have [ab gab _ E] := H; apply/andP; split.
  apply: subset_leq_card; apply/subsetP => S; rewrite !inE => /and3P [-> -> F] /=; exact: friends_all_more H F.
have cover : cliques_in h setT m.+2 \subset
    cliques_in g setT m.+2 :|: [set a |: (b |: A) | A in cliques_in g (common g a b) m].
  apply/subsetP => S; rewrite !inE => /and3P [-> Sm F]; rewrite Sm /=; case old: (friends_all g S) => //=.
  have aS : a \in S by apply: contraFT old => aS; exact: friends_all_without H aS F.
  have bS : b \in S by apply: contraFT old => bS; exact: friends_all_without (adds_swap H) bS F.
  have bSa : b \in S :\ a by rewrite !inE eq_sym ab.
  apply/imsetP; exists (S :\ a :\ b); last by rewrite !setD1K.
  rewrite inE; apply/and3P; split.
  - move/friends_allP: F => F; apply/subsetP => x; rewrite !inE => /and3P [xb xa xS].
    have := F a x aS xS; have := F b x bS xS; rewrite ![_ == x]eq_sym xa xb !E (negbTE xa) (negbTE xb) !andbF !orbF.
    by move=> -> // ->.
  - by move: Sm; rewrite (cardsD1 a) aS (cardsD1 b (S :\ a)) bSa.
  apply: (friends_all_without H); first by rewrite !inE eqxx andbF.
  by apply: friends_all_sub F; apply: subset_trans (subD1set _ _) (subD1set _ _).
apply: leq_trans (subset_leq_card cover) (leq_trans (leq_card_setU _ _) _); rewrite leq_add2l; exact: leq_imset_card.
Qed.

Lemma cliques_of_pair_more m g h a b u v : adds g h a b -> cliques_of_pair m g u v <= cliques_of_pair m h u v.
Proof.
move=> H; apply: subset_leq_card; apply/subsetP => S; rewrite !inE => /and3P [sub -> F] /=.
by rewrite (subset_trans sub (common_more _ _ H)) (friends_all_more H F).
Qed.

(* One person [w] is in all that is new: leaving w out gives different groups of one person less. *)
Lemma cliques_of_pair_grow m g h a b u v : adds g h a b -> u != v ->
  cliques_of_pair m.+1 h u v <= cliques_of_pair m.+1 g u v + cliques_of_pair m g u v.
Proof.
wlog away : a b / (a != u) && (a != v) => [W H uv|H uv].
  case A: ((a != u) && (a != v)); first exact: W A H uv.
  case B: ((b != u) && (b != v)); first exact: W B (adds_swap H) uv.
  apply: leq_trans (leq_addr _ _); apply: subset_leq_card; apply/subsetP => S; rewrite !inE => /and3P [sub -> F] /=.
  have [ab _ _ _] := H; have same : common h u v = common g u v.
    move: A B ab; case: (altP (a =P u)) => [<-|_] /=; case: (altP (a =P v)) => [<-|_] //= _.
    - by case: (altP (b =P a)) => [->|_] /=; [rewrite eqxx|].
    - case: (altP (b =P a)) => [->|_] /=; first by rewrite eqxx.
      by case: (altP (b =P v)) => [<- _ _|//]; exact: common_of_ends H.
    case: (altP (b =P u)) => [<- _ _|_] /=; first exact: common_of_ends (adds_swap H).
    by case: (altP (b =P a)) => [->|_] //; rewrite eqxx.
  rewrite same in sub; rewrite sub /=; apply: friends_all_without H _ F; apply: contraFN A => aS.
  have := subsetP sub a aS; rewrite inE => /andP [ua va].
  by apply/andP; split; [apply: contraTneq ua => -> | apply: contraTneq va => ->]; rewrite adj_irr.
have [au av] := andP away.
have keep A : a \notin A -> A \subset common h u v -> A \subset common g u v.
  move=> aA /subsetP sub; apply/subsetP => x xA; have xa : x != a by apply: contraNneq aA => <-.
  have := sub x xA; rewrite !inE; have [_ _ _ E] := H; rewrite !E ![_ == a]eq_sym (negbTE au) (negbTE av).
  by rewrite [a == x]eq_sym (negbTE xa) !andbF !orbF.
have cover : cliques_in h (common h u v) m.+1 \subset
    cliques_in g (common g u v) m.+1 :|: [set a |: A | A in cliques_in g (common g u v) m].
  apply/subsetP => S; rewrite !inE => /and3P [sub Sm F]; rewrite Sm /=; case aS: (a \in S); last first.
    by rewrite keep ?aS // (friends_all_without H _ F) ?aS.
  apply/orP; right; apply/imsetP; exists (S :\ a); last by rewrite setD1K.
  have aD : a \notin S :\ a by rewrite !inE eqxx.
  rewrite inE keep //=; last exact: subset_trans (subD1set _ _) sub.
  rewrite (friends_all_without H aD) ?andbT; last exact: friends_all_sub (subD1set _ _) F.
  by move: Sm; rewrite (cardsD1 a) aS.
apply: leq_trans (subset_leq_card cover) (leq_trans (leq_card_setU _ _) _); rewrite leq_add2l; exact: leq_imset_card.
Qed.

Lemma cliques_of_pair_most m g u v : u != v -> cliques_of_pair m.+1 g u v <= 'C(most_friends g, m.+1).
Proof.
move=> uv; apply: leq_trans (_ : 'C(#|common g u v|, m.+1) <= _).
  rewrite -cards_draws; apply: subset_leq_card; apply/subsetP => S; rewrite !inE => /and3P [-> -> _]; exact: isT.
case: (set_0Vmem (common g u v)) => [->|[x]]; first by rewrite cards0 bin0n.
by rewrite inE => /andP [/adj_in ug /adj_in vg]; apply: leq_bin2l; exact: common_most.
Qed.

Lemma singles g u v : cliques_of_pair 1 g u v = #|common g u v|.
Proof.
rewrite -(card_imset _ (@set1_inj _)); apply: eq_card => S; rewrite !inE; apply/and3P/imsetP => [[sub /cards1P [x E] _]|[x xc ->]].
  by exists x => //; rewrite -sub1set -E.
by rewrite sub1set xc cards1; split=> //; apply/friends_allP => y z; rewrite !inE => /eqP -> /eqP ->; rewrite eqxx.
Qed.

(* The ladder functions of the code: of triangles, then of cliques of one person more each. *)
Fixpoint clique_step (k : nat) g : nat -> nat :=
  if k is j.+1 then rising_ladder_step (cliques_of_pair k.+1) (clique_step j) (fun p => 'C(p - 2, k.+1)) g
  else triangle_step g.

Lemma clique_step_first k g u v : u != v -> cliques_of_pair k.+1 g u v <= clique_step k g 0.
Proof.
move=> uv; have most := cliques_of_pair_most k g uv; case: k most => [|k] most.
  apply: leq_trans (over_pairs _ uv); by rewrite /pair_step leq_min {1}singles leq_addr -[X in _ <= X]bin1 most.
rewrite /= /rising_ladder_step /= leq_min most andbT.
exact: (@over_pairs _ (fun p : 'I_n * 'I_n => cliques_of_pair k.+2 g p.1 p.2) u v uv).
Qed.

(* These steps bound what one edge changes in the number of cliques of k + 3 people, now and after further edges. *)
Theorem cliques_ladder k : ladder_function (@edge_neighbours n) (cliques k.+3) (clique_step k).
Proof.
elim: k => [|k [_ IH]].
  have -> : clique_step 0 = @triangle_step n by [].
  have [one two] := @triangles_ladder n; split=> // g h gh; have := one g h gh.
  have same j : cliques 3 j = triangles j by apply: eq_card => S; rewrite !inE subsetT.
  by rewrite !same.
apply: rising_steps_ladder => [g h a b|g h a b u v H _|g h a b u v H uv|g u v _ _ uv|].
- exact: cliques_made.
- exact: cliques_of_pair_more H.
- apply: leq_trans (cliques_of_pair_grow _ H uv) _; rewrite leq_add2l; exact: clique_step_first.
- exact: cliques_of_pair_most.
exact: IH.
Qed.
End Cliques.

(* The steps for 4-cliques and 5-cliques among 7 people, by the common friends of the best pair in triangles (with none
   of one of the two alone), and by what the best edge makes: 0 to 3 of either. *)
Definition clique_ladder_constant (t : nat) := [seq [seq
    let four := rising first (pair_step 5 c 0) 10 in [:: four t; rising first four 10 t] | first <- iota 0 4] | c <- iota 0 4].
