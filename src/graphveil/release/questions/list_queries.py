"""The queries that are answered by a list or by names; for their common options see `questions.queries`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from graphveil.learn.people import LabelledPeople
from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number
from graphveil.release.questions.answers import Answers, Asking, BoundedAsking, show_keywords


@show_keywords
class ListQueries(Answers):
    """One method for each query that is answered by a list, a person, people or pairs of people."""

    def degree_histogram(self, *, epsilon: Number, **asking: Unpack[BoundedAsking]) -> Release:
        """How many people have each degree, from 0 up."""
        return self.release("degree-histogram", epsilon=epsilon, **asking)

    def degree_distribution(self, *, epsilon: Number, **asking: Unpack[BoundedAsking]) -> Release:
        """The share of people that have each degree, from 0 up."""
        return self.release("degree-distribution", epsilon=epsilon, **asking)

    def degree_sequence(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """All degrees in falling order, without names (edge privacy only)."""
        return self.release("degree-sequence", epsilon=epsilon, **asking)

    def joint_degrees(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """How many edges join people of which degrees (edge privacy only)."""
        return self.release("joint-degrees", epsilon=epsilon, **asking)

    def clustering_by_degree(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """Clustering of people by degree class (edge privacy only)."""
        return self.release("clustering-by-degree", epsilon=epsilon, **asking)

    def most_connected(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """One of the best connected people, by name (edge privacy only)."""
        return self.release("most-connected", epsilon=epsilon, **asking)

    def top_people(self, *, epsilon: Number, k: int = 10, **asking: Unpack[Asking]) -> Release:
        """The `k` best connected people, by name (edge privacy only)."""
        return self.release("top-people", epsilon=epsilon, options={"k": k}, **asking)

    def best_partition(
        self, *, epsilon: Number, partitions: Sequence[Sequence[int | str]], **asking: Unpack[Asking]
    ) -> Release:
        """Which of several candidate `partitions` fits best, by modularity (edge privacy only)."""
        return self.release("best-partition", epsilon=epsilon, options={"partitions": partitions}, **asking)

    def adjacency(
        self,
        *,
        epsilon: Number,
        count_share: Number | None = None,
        projection: str | None = None,
        **asking: Unpack[Asking],
    ) -> Release:
        """A graph to hand out, as pairs of labels, of which only a share is true (edge privacy only)."""
        return self.release(
            "adjacency", epsilon=epsilon, options={"count_share": count_share, "projection": projection}, **asking
        )

    def class_rows(self, *, epsilon: Number, people: LabelledPeople, **asking: Unpack[Asking]) -> Release:
        """Noisy classes among everybody's neighbours, of which `learn` makes predictions (edge privacy only)."""
        return self.release("class-rows", epsilon=epsilon, options={"people": people}, **asking)

    def in_degree_histogram(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """How many people are pointed at by so many others, from 0 up (of a directed graph)."""
        return self.release("in-degree-histogram", epsilon=epsilon, **asking)

    def out_degree_histogram(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """How many people point at so many others, from 0 up (of a directed graph)."""
        return self.release("out-degree-histogram", epsilon=epsilon, **asking)

    def dyads(self, *, epsilon: Number, **asking: Unpack[Asking]) -> Release:
        """How many pairs are mutual, one-way and unconnected (of a directed graph)."""
        return self.release("dyads", epsilon=epsilon, **asking)

    def strength_histogram(
        self,
        *,
        epsilon: Number,
        max_weight: int | None = None,
        max_strength: int | None = None,
        **asking: Unpack[Asking],
    ) -> Release:
        """How many people have each strength, the weight of their edges together (of a weighted graph)."""
        return self.release(
            "strength-histogram",
            epsilon=epsilon,
            options={"max_weight": max_weight, "max_strength": max_strength},
            **asking,
        )
