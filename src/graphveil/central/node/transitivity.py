"""Transitivity under node privacy: the share of pairs of friends of one person who are friends.

Paper      smoothed ladders on a rank projection, ours; projection: Blocki, Blum, Datta, Sheffet 2013
Unit       node; the number of people is private, everybody must be listed, also people without edges
Trust      central
Guarantee  pure epsilon: bound, number of people and both counts together
Estimator  3 triangles / 2-stars of the graph in which people keep their first D edges, cut to 0..1; cutting lowers
           both counts, and their ratio less
Cost       O(m log m) for the public order of the edges, then one exact count of triangles

Sensitivity: both counts are drawn from ladders on the same cut graph (`central.node.ladder` has the proofs).

Below epsilon 3/10 the answer was noise on every graph we measured, and it is refused.

Band: of the cut graph, as in `central.edge.transitivity`, with ladders that are above the true ones but for a part of
the failure probability. Those ladders jump where the bound comes within the noise of the h-index, so this page gives
the h-index more of epsilon, keeps the bound at 1.8 of it, and lets ladders fall faster than counts alone would need:
the answers stay about as good as with the best bound, 1.5, and bands are half as wide. The constants were set on
ego-Facebook, wiki-Vote, ca-AstroPh and email-Enron at epsilon 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from graphveil.central.edge.transitivity import ratio, ratio_spread
from graphveil.central.forecast_guesses import guess_two_stars
from graphveil.central.node.ladder import TRIANGLES, TWO_STARS, CutCount, LadderNodePage, NoisyCut, Shares
from graphveil.central.old_page import Answer, PublicFacts, Stage
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import LEVELS, Accuracy, Band
from graphveil.mechanisms.error_sum import FAILURES
from graphveil.mechanisms.noise.source import Noise
from graphveil.statistics.ladder.accuracy import ladder_half_widths

CUT_FAILS = 0.3  # of the failure probability, for the noisy numbers that bound the ladders
TRIANGLE_SHARE = Fraction(3, 5)
KAPPA_SHARE = Fraction(1, 5)
GUESSED_RATIO = 0.2  # transitivity that a forecast takes for granted
MUCH_WORSE = 10


@dataclass(frozen=True, slots=True)
class NodeTransitivity(LadderNodePage):
    """The global clustering coefficient of the graph in which people keep their first edges.

    >>> from graphveil.mechanisms.noise.source import SeededNoise
    >>> graph = Graph.from_edges([(i, j) for i in range(30) for j in range(i)])
    >>> NodeTransitivity(epsilon=Fraction(100), max_degree=29).run(graph, SeededNoise(1)).value
    1.0
    """

    query = "transitivity"
    multiple = 1.8

    def usual(self, facts: PublicFacts) -> float:  # noqa: ARG002 - shares do not grow with the people
        """A fifth."""
        return GUESSED_RATIO

    @property
    def would_be_noise(self) -> bool:
        """A small epsilon, or a public bound of which nothing is to be expected, and much less than of a chosen one.

        The forecast alone is too rough: for a chosen bound it expects nothing at epsilon 0.3, and answers were of use
        on most benchmark graphs.
        """
        if self.epsilon < self.useful_from or self.max_degree is None:
            return self.epsilon < self.useful_from
        at_one = self.unchecked(epsilon=Fraction(1))  # so that more epsilon is never refused
        chosen = at_one.unchecked(max_degree=None)
        much_worse = at_one._guessed_spread(at_one.assumed) > MUCH_WORSE * chosen._guessed_spread(chosen.assumed)
        return much_worse and self._guessed_spread(self.assumed) > 1

    def error(self, facts: PublicFacts) -> float:
        """That of the forecast, without its bands."""
        return min(1.0, self._guessed_spread(facts))

    @property
    def shares(self) -> Shares:
        """Three twentieths for the h-index, a hundredth for the number of people, the rest for the counts."""
        h_index, people = 3 * self.epsilon / 20, self.epsilon / 100
        return Shares(h_index, people, self.epsilon - h_index - people, KAPPA_SHARE)

    @property
    def count_shares(self) -> tuple[Fraction, Fraction]:
        """What triangles and 2-stars get of the counts' share."""
        triangles = TRIANGLE_SHARE * self.shares.counts
        return triangles, self.shares.counts - triangles

    @property
    def counts(self) -> tuple[tuple[CutCount, Fraction], ...]:
        """Triangles and 2-stars."""
        for_triangles, for_two_stars = self.count_shares
        return (TRIANGLES, for_triangles), (TWO_STARS, for_two_stars)

    def run(self, graph: Graph, noise: Noise) -> Answer:
        """Choose the bound, cut, draw both counts, divide."""
        cut, (triangles, two_stars), stages = self.measure(graph, noise)
        for_triangles, for_two_stars = self.count_shares
        drawn = (
            Stage("drew the triangles left from rungs as wide as what one person can change here", for_triangles),
            Stage("drew the 2-stars left in the same way", for_two_stars),
            Stage("divided three times the triangles by the 2-stars"),
        )
        derived = {"max_degree": cut.bound, "h_index": cut.h_index, "people": cut.people,
                   "triangles": triangles, "2-stars": two_stars}  # fmt: skip
        accuracy = self._accuracy(triangles, two_stars, cut)
        return Answer(accuracy.value, accuracy, (*stages, *drawn), derived)

    def forecast(self, facts: PublicFacts) -> Accuracy:
        """From guesses of the h-index and of the number of 2-stars."""
        cut = self.guess_cut(facts)
        two_stars = _two_stars_left(facts, cut)
        around = self._accuracy(GUESSED_RATIO * two_stars / 3, two_stars, cut)
        return Accuracy(0, around.std, around.bands, scope=around.scope)

    def _guessed_spread(self, facts: PublicFacts) -> float:
        """The standard deviation to expect if the ratio had no ends."""
        cut = self.guess_cut(facts)
        return self._spread(GUESSED_RATIO, _two_stars_left(facts, cut), cut)

    def _spread(self, value: float, two_stars: float, cut: NoisyCut) -> float:
        for_triangles, for_two_stars = self.count_shares
        spread = 3 * cut.std(TRIANGLES, for_triangles) + value * cut.std(TWO_STARS, for_two_stars)
        return spread / max(1.0, two_stars)

    def _accuracy(self, triangles: float, two_stars: float, cut: NoisyCut) -> Accuracy:
        value = ratio(triangles, two_stars)
        bands = []
        for level in LEVELS:
            laws = [cut.law(count, share, CUT_FAILS * (1 - level)) for count, share in self.counts]
            widths = [ladder_half_widths(law, FAILURES) for law in laws]
            bands.append(Band(level, *ratio_spread((triangles, two_stars), widths, (1 - CUT_FAILS) * (1 - level))))
        return Accuracy(
            value,
            min(1.0, self._spread(value, two_stars, cut)),
            tuple(bands),
            bias=f"that of cutting degrees at {cut.bound}, of either sign",
            support=(0, 1),
            scope=f"of the graph in which people keep at most their first {cut.bound} edges, not of the whole one",
        )


def _two_stars_left(facts: PublicFacts, cut: NoisyCut) -> float:
    return max(1.0, min(guess_two_stars(facts), facts.n_nodes * math.comb(cut.bound, 2)))
