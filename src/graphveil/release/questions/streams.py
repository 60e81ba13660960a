"""The stream of a session: the same queries every period, from the session's budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.errors import ParameterError
from graphveil.privacy.loss import Number
from graphveil.privacy.unit import Kind, Unit
from graphveil.release.policy import ASSUMED_PEOPLE

if TYPE_CHECKING:
    from graphveil.graph.core import Graph
    from graphveil.release.account import Account
    from graphveil.release.over_time.stream import Stream


class Streams:
    """What a session has besides single answers: a stream of them."""

    unit: Unit
    dataset: str
    _account: Account
    _graph: Graph

    def stream(
        self,
        file: str | Path,
        queries: Sequence[str] | Mapping[str, Number],
        *,
        epsilon: Number,
        horizon: int,
        per_friendship: bool = False,
        ever: bool = False,
        changes: int | None = None,
        max_degree: int | None = None,
        nodes: int | None = None,
        methods: Mapping[str, str] | None = None,
        accept_noise: bool = False,
    ) -> Stream:
        """Open a stream for so many periods: all of epsilon is spent now. `stream.add(graph, period=…)` publishes.

        `queries` are names, or names with their shares of epsilon. `file` will hold the edges of every period, which
        are as secret as the graph. An edge of the unit is one event; with `per_friendship` it is a friendship over all
        time, of which `changes` are counted. With `ever`, friendships that end stay counted. Forecasts choose how a
        query is answered, for about as many people as `nodes` says, or as the graph has
        where that is public. Needs a ledger.
        """
        from graphveil.release.over_time.opening import FRIENDSHIP, StreamTerms, open_stream, parts_of_epsilon

        place = self._account.place
        if place is None:
            raise ParameterError("a stream needs a ledger on disk: give the session ledger= with the name of a file")
        if nodes is None:
            nodes = self._graph.n_nodes if self.unit.kind is Kind.EDGE else ASSUMED_PEOPLE
        terms = StreamTerms(
            parts_of_epsilon(queries if isinstance(queries, Mapping) else list(queries)),
            FRIENDSHIP if per_friendship else str(self.unit),
            epsilon,
            horizon,
            ever=ever,
            changes=changes,
            max_degree=max_degree,
            methods=methods,
            people=nodes,
        )
        budget = self._account.budget
        return open_stream(
            file,
            terms,
            ledger=place,
            budget=budget.epsilon,
            delta=budget.delta,
            dataset=self.dataset,
            accept_noise=accept_noise,
        )
