"""A whole campaign in one process: everybody's list in, the estimate out, with the code that clients and collector run.

Everybody is perturbed in one call instead of one by one. Under a seed each person reads a stream of their own, so the
numbers are those that single clients and a collector would give.

Which noise whom: secret for people who really answer, one repeatable stream a person for experiments.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from graphveil.arrays import Integers
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.directed import DirectedGraph
from graphveil.local.lists import Lists
from graphveil.local.protocol import LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.result import CollectionResult
from graphveil.mechanisms.noise.person_streams import CrowdNoise, public_words
from graphveil.mechanisms.noise.source import Noise, SystemNoise


class Source(Protocol):
    """Noise for these people in this round."""

    def __call__(self, round_number: int, people: Integers) -> Noise:
        """The noise to perturb their lists with."""
        ...


def secret(round_number: int, people: Integers) -> Noise:  # noqa: ARG001 - secret noise is the same for everybody
    """Noise from the operating system's entropy, which is what a deployment uses."""
    return SystemNoise()


def seeded(seed: int) -> Source:
    """Repeatable streams; a person's is the same in a simulation and in a client. Worth no guarantee."""

    def source(round_number: int, people: Integers) -> Noise:
        return CrowdNoise(seed, people, turn=round_number)

    return source


def simulate(
    protocol: LocalProtocol,
    graph: Graph,
    *,
    seed: int | None = None,
    choices: ArrayLike | None = None,
    answers: Integers | None = None,
) -> CollectionResult:
    """Run every round; with a seed the run can be repeated and is marked as worth no guarantee.

    Where people answer a question rather than list friends, `answers` has the number of everybody's answer.

    >>> from graphveil.registry import build_protocol
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    >>> protocol = build_protocol("degree-distribution", "grr", unit="node", epsilon=30, n_people=4)
    >>> simulate(protocol, graph, seed=1).value.round(2).tolist()
    [0.0, 0.25, 0.5, 0.25]
    """
    if graph.n_nodes != protocol.n_people:
        raise ParameterError(f"the protocol is set up for {protocol.n_people} people; the graph has {graph.n_nodes}")
    source = secret if seed is None else seeded(seed)
    lists = lists_of(protocol, graph, choices) if answers is None else Lists.of_degrees(answers)
    return run_rounds(protocol, lists, source)


def lists_of(protocol: LocalProtocol, graph: Graph, choices: ArrayLike | None = None) -> Lists:
    """Everybody's friends, or whom they follow where that is what a protocol asks for."""
    if not protocol.directed:
        return Lists.of_graph(graph, choices)
    if not isinstance(graph, DirectedGraph):
        raise ParameterError(f"{protocol.statistic} needs directions: read the graph with directed=True (--directed)")
    return Lists.of_arcs(graph, choices)


def even_choices(protocol: LocalProtocol) -> Integers:
    """About equally many people pick each strength that a protocol offers; who picks which is always the same."""
    words = public_words("trial-choices", np.arange(protocol.n_people))
    return (words % np.uint64(len(protocol.guarantees))).astype(np.int64)


def run_rounds(protocol: LocalProtocol, lists: Lists, source: Source) -> CollectionResult:
    """Every round of a protocol with everybody's list at hand."""
    transcript = transcript_of(protocol, lists, source)
    kind = source(protocol.rounds, lists.people).kind
    return CollectionResult.of(
        protocol, protocol.estimate(transcript), (len(lists),) * protocol.rounds, seeded=kind == "seeded"
    )


def transcript_of(protocol: LocalProtocol, lists: Lists, source: Source) -> Transcript:
    """All that is sent and published in every round."""
    transcript = Transcript(())
    sent: list[object] = []
    for number in range(1, protocol.rounds + 1):
        context = RoundContext(number, transcript.published, tuple(sent))
        sent.append(protocol.perturb(context, lists, source(number, lists.people)))
        transcript = Transcript((*transcript.received, Received(lists.people, sent[-1])), transcript.published)
        if number < protocol.rounds:
            transcript = Transcript(transcript.received, (*transcript.published, protocol.publish(transcript)))
    return transcript
