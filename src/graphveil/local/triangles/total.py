"""Estimates made of the sum of all counts: the number of triangles, and transitivity.

The sum over the gain of a friend's report is unbiased while no list passes its cap or bound. Its variance has two
parts: the noise of counts, known from what was released, and the answers about pairs, which everybody who counts a pair
feels alike (`estimation.overlap`). What caps may hide is bounded from released sizes (`estimation.cap_loss`).

The answers alone tell the number of triangles as well, in a small network or at a large epsilon better than counts do.
The mean of both with the smallest variance is taken (`estimation.noisy_total`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.arrays import Integers
from graphveil.local.estimation.cap_loss import SHOWS, CountedLists, caps_in_words, lost_to_caps
from graphveil.local.estimation.noisy_total import Parts, estimate_from_answers
from graphveil.local.estimation.overlap import (
    Overlap,
    answer_variance,
    measure_overlap,
    pairs_variance,
    unbiased_pairs,
)
from graphveil.local.protocol import Estimate, RoundContext, Transcript
from graphveil.local.triangles.neighbour_bound import bound_counts
from graphveil.local.triangles.protocol import TriangleProtocol
from graphveil.local.triangles.reports import numbers_of


@dataclass(frozen=True, slots=True)
class Total:
    """The number of triangles; `answers` gives what answers do to it, where that is known.

    With `from_answers` what they tell by themselves is used as well.
    """

    answers: Callable[[TriangleProtocol, RoundContext, Transcript, float, float], Answers] | None = None
    from_answers: bool = False

    def __call__(self, protocol: TriangleProtocol, transcript: Transcript) -> Estimate:
        """The sum of all corrected counts, over the gain of a friend's report."""
        context = RoundContext(protocol.rounds, transcript.published)
        value = float(bound_counts(protocol, context, transcript).sum() / protocol.gain(context))
        noise = noise_variance(protocol, context, transcript)
        facts: dict[str, Any] = {"noise_std": math.sqrt(noise)}
        if self.answers is None:
            return Estimate(value, facts=facts)
        answers = self.answers(protocol, context, transcript, value, noise)
        counts, weight = Parts(value, noise, answers.variance), 0.0
        variance = noise + answers.variance
        if self.from_answers and (alone := _from_answers(protocol, context, counts)) is not None:
            value, variance, weight = alone.mean_with(counts)
        hidden = (1 - weight) * answers.hidden
        words = caps_in_words("the total" if hidden > SHOWS * math.sqrt(variance) else None)
        facts |= {"answers_std": math.sqrt(answers.variance), "hidden_by_caps": hidden, "caps": words}
        facts |= {"weight_of_answers": weight} if self.from_answers else {}
        std = math.sqrt(variance + hidden**2)
        return Estimate(value, std=std, facts={**facts, **protocol.mix(transcript)})


@dataclass(frozen=True, slots=True)
class Answers:
    """What answers add to the variance of a total, and what it lacks on average because of caps, at most."""

    variance: float
    hidden: float = 0.0


def _from_answers(protocol: TriangleProtocol, context: RoundContext, counts: Parts) -> Parts | None:
    """What answers say without any count, where every pair was answered for."""
    response = protocol.response(context)
    if protocol.design.owned_one_in > 1 or response.kept < 1:
        return None
    return estimate_from_answers(counts, context.published[-1].graph, protocol.n_people, response)


def noise_variance(protocol: TriangleProtocol, context: RoundContext, transcript: Transcript) -> float:
    """Of the noise of the last round alone, known from what was released."""
    people, law = transcript.received[-1].people, protocol.design.noise
    released, total = numbers_of(people, *transcript.received[:-1]), 0.0
    for choice, own in protocol.groups(transcript, people):
        numbers = {part: values[own] for part, values in released.items()}
        bounds = protocol.bounds(context, people[own], numbers, choice)
        widths = protocol.widths(context, bounds, choice)
        total += float(law(protocol.budget(context, choice).count).variances(widths).sum())
    return total / protocol.gain(context) ** 2


def split_answers(
    protocol: TriangleProtocol, context: RoundContext, transcript: Transcript, total: float, noise: float
) -> Answers:
    """Where sizes were released: by how many people count the same pair; and what is left to chance.

    A pair looked at by one in m counters with probability r of being reported adds (m - 1) r for each counter.
    """
    response, graph, received = protocol.response(context), context.published[-1].graph, transcript.received[-2]
    sizes, ranks, order = received.batch["size"], protocol.pair_owners(context).ranks, protocol.design.order
    pairs = sum(
        unbiased_pairs(sizes[own], protocol.budget(context, choice).size)
        for choice, own in protocol.groups(transcript, received.people)
    )

    def measure(people: int) -> Overlap:
        chosen = order.best_connected(ranks, received.people, sizes, min(people, len(sizes)))
        return measure_overlap(graph.among(chosen), response)

    of_answers = answer_variance(measure, pairs, float(sizes.sum()), response, noise)
    q, gain = float(response.flip_probability), float(response.gain)
    of_looks = (protocol.design.looks_one_in - 1) * max(q * pairs + gain * total, 0.0) / gain**2
    closure = min(max(total / max(pairs, 1.0), 0.0), 1.0)
    return Answers(of_answers + of_looks, _hidden_by_caps(protocol, context, transcript, closure))


def _hidden_by_caps(protocol: TriangleProtocol, context: RoundContext, transcript: Transcript, closure: float) -> float:
    """Were the triangles to lie in lists as they do on the whole, where that share of counted pairs is joined."""
    everybody, one_in = transcript.received[-1].people, protocol.design.looks_one_in
    sizes, most = numbers_of(everybody, transcript.received[-2])["size"], protocol.most_counted(context, everybody)
    lost = 0.0
    for choice, own in protocol.groups(transcript, everybody):

        def caps(released: Integers, choice: int = choice, people: Integers = everybody[own]) -> Integers:
            bounds = protocol.bounds(context, people, {"size": released}, choice)
            return protocol.contribution_caps(context, bounds, choice)

        lists, epsilon = CountedLists(sizes[own], most[own], caps), protocol.budget(context, choice).size
        lost += lost_to_caps(lists, epsilon, closure, protocol.response(context), one_in)
    return lost


estimate_total = Total(split_answers, from_answers=True)


def estimate_transitivity(protocol: TriangleProtocol, transcript: Transcript) -> Estimate:
    """Three times the triangles over pairs of friends, cut to 0..1.

    Triangles and pairs err independently, since counts are right in any order.
    """
    triangles = estimate_total(protocol, transcript)
    degrees, epsilon = transcript.received[0].batch["degree"], protocol.budget(RoundContext()).degree
    pairs = max(unbiased_pairs(degrees, epsilon), 1.0)
    ratio = 3 * triangles.value / pairs
    std = math.hypot(3 * triangles.std, ratio * math.sqrt(pairs_variance(degrees, epsilon))) / pairs
    return Estimate(float(np.clip(ratio, 0.0, 1.0)), std=std, facts={"triangles": triangles.value, "pairs": pairs})
