"""A whole campaign in one process: everybody's list in, the estimate out, with the code that clients and collector run.

Everybody is perturbed in one call instead of one by one. Under a seed each person reads a stream of their own, so the
numbers are those that single clients and a collector would give.

Which noise whom: secret for people who really answer, one repeatable stream a person for experiments.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.local.lists import Integers, Lists
from graphveil.local.protocol import LocalProtocol, Received, RoundContext, Transcript
from graphveil.local.result import Outcome
from graphveil.mechanisms.noise.person_streams import CrowdNoise, public_words
from graphveil.mechanisms.noise.source import Noise, SystemNoise


class Source(Protocol):
    """Noise for these people in this round."""

    def __call__(self, round_number: int, people: Integers) -> Noise:
        """The noise to perturb their lists with."""
        ...


def secret(round_number: int, people: Integers) -> Noise:  # noqa: ARG001 - secret noise is the same for everybody
    """The operating system's entropy."""
    return SystemNoise()


def seeded(seed: int) -> Source:
    """Repeatable streams; a person's is the same in a simulation and in a client. Worth no guarantee."""

    def source(round_number: int, people: Integers) -> Noise:
        return CrowdNoise(seed, people, turn=round_number)

    return source


def simulate(
    page: LocalProtocol, graph: Graph, *, seed: int | None = None, choices: ArrayLike | None = None
) -> Outcome:
    """Run every round; with a seed the run can be repeated and is marked as worth no guarantee.

    >>> from graphveil.registry import build_protocol
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    >>> page = build_protocol("degree-distribution", "grr", unit="node", epsilon=30, n_people=4)
    >>> simulate(page, graph, seed=1).value.round(2).tolist()
    [0.0, 0.25, 0.5, 0.25]
    """
    if graph.n_nodes != page.n_people:
        raise ParameterError(f"the protocol is set up for {page.n_people} people; the graph has {graph.n_nodes}")
    source = secret if seed is None else seeded(seed)
    return run_rounds(page, Lists.of_graph(graph, choices), source)


def even_choices(page: LocalProtocol) -> Integers:
    """About equally many people pick each strength that a page offers; who picks which is always the same."""
    words = public_words("trial-choices", np.arange(page.n_people))
    return (words % np.uint64(len(page.guarantees))).astype(np.int64)


def run_rounds(page: LocalProtocol, lists: Lists, source: Source) -> Outcome:
    """Every round of a protocol with everybody's list at hand."""
    transcript = transcript_of(page, lists, source)
    kind = source(page.rounds, lists.people).kind
    return Outcome.of(page, page.estimate(transcript), (len(lists),) * page.rounds, seeded=kind == "seeded")


def transcript_of(page: LocalProtocol, lists: Lists, source: Source) -> Transcript:
    """All that is sent and published in every round."""
    transcript = Transcript(())
    sent: list[object] = []
    for number in range(1, page.rounds + 1):
        context = RoundContext(number, transcript.published, tuple(sent))
        sent.append(page.perturb(context, lists, source(number, lists.people)))
        transcript = Transcript((*transcript.received, Received(lists.people, sent[-1])), transcript.published)
        if number < page.rounds:
            transcript = Transcript(transcript.received, (*transcript.published, page.publish(transcript)))
    return transcript
