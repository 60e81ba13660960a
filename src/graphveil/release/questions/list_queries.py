"""The queries that are answered by a list or by names; for their common options see `questions.queries`."""

from __future__ import annotations

from collections.abc import Sequence

from graphveil.learn.people import LabelledPeople
from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number
from graphveil.release.questions.answers import Answers


class ListQueries(Answers):
    """One method for each query that is answered by a list, a person, people or pairs of people."""

    def degree_histogram(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many people have each degree, from 0 up."""
        return self._release(
            "degree-histogram",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            max_degree=max_degree,
            declared_people=declared_people,
        )

    def degree_distribution(
        self,
        *,
        epsilon: Number,
        max_degree: int | None = None,
        declared_people: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """The share of people that have each degree, from 0 up."""
        return self._release(
            "degree-distribution",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            max_degree=max_degree,
            declared_people=declared_people,
        )

    def degree_sequence(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """All degrees in falling order, without names (edge privacy only)."""
        return self._release("degree-sequence", epsilon, method, request_id, accept_noise, fresh)

    def joint_degrees(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many edges join people of which degrees (edge privacy only)."""
        return self._release("joint-degrees", epsilon, method, request_id, accept_noise, fresh)

    def clustering_by_degree(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Clustering of people by degree class (edge privacy only)."""
        return self._release("clustering-by-degree", epsilon, method, request_id, accept_noise, fresh)

    def most_connected(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """One of the best connected people, by name (edge privacy only)."""
        return self._release("most-connected", epsilon, method, request_id, accept_noise, fresh)

    def top_people(
        self,
        *,
        epsilon: Number,
        k: int = 10,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """The `k` best connected people, by name (edge privacy only)."""
        return self._release("top-people", epsilon, method, request_id, accept_noise, fresh, k=k)

    def best_partition(
        self,
        *,
        epsilon: Number,
        partitions: Sequence[Sequence[int | str]],
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Which of several candidate `partitions` fits best, by modularity (edge privacy only)."""
        return self._release("best-partition", epsilon, method, request_id, accept_noise, fresh, partitions=partitions)

    def adjacency(
        self,
        *,
        epsilon: Number,
        count_share: Number | None = None,
        projection: str | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """A graph to hand out, as pairs of labels, of which only a share is true (edge privacy only)."""
        return self._release(
            "adjacency",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            count_share=count_share,
            projection=projection,
        )

    def class_rows(
        self,
        *,
        epsilon: Number,
        people: LabelledPeople,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Noisy classes among everybody's neighbours, of which `learn` makes predictions (edge privacy only)."""
        return self._release("class-rows", epsilon, method, request_id, accept_noise, fresh, people=people)

    def in_degree_histogram(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many people are pointed at by so many others, from 0 up (of a directed graph)."""
        return self._release("in-degree-histogram", epsilon, method, request_id, accept_noise, fresh)

    def out_degree_histogram(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many people point at so many others, from 0 up (of a directed graph)."""
        return self._release("out-degree-histogram", epsilon, method, request_id, accept_noise, fresh)

    def dyads(
        self,
        *,
        epsilon: Number,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many pairs are mutual, one-way and unconnected (of a directed graph)."""
        return self._release("dyads", epsilon, method, request_id, accept_noise, fresh)

    def strength_histogram(
        self,
        *,
        epsilon: Number,
        max_weight: int | None = None,
        max_strength: int | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many people have each strength, the weight of their edges together (of a weighted graph)."""
        return self._release(
            "strength-histogram",
            epsilon,
            method,
            request_id,
            accept_noise,
            fresh,
            max_weight=max_weight,
            max_strength=max_strength,
        )
