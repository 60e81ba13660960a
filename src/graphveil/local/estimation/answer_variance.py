"""The variance that answers about pairs bring to a total of counts, from what was released: v W c (`overlap` has it).

W comes from everybody's noisy list length. The mean c is measured among the best connected, as far as they are known,
for whom it is about what it is for all; one deviation of chance is added, so that this errs on the side of wide
intervals. While chance would add more than a tenth of the variance that is there anyway, fewer people are tried, and
the number of them at which chance does least is taken. Where it does much even then (a small epsilon, at which answers
matter little beside the noise of counts), c is at most four times the mean length of a list as an entry sees it: a rule
of thumb, which no network that we know comes near.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from graphveil.local.estimation.overlap import Overlap
from graphveil.local.pairs.response import PairResponse

MEASURED = (2048, 1024, 512, 256, 128)  # people
MOST_LENGTHS = 4
SHARE_OF_CHANCE = 0.1


def answer_variance(
    measure: Callable[[int], Overlap], pairs: float, entries: float, response: PairResponse, other_variance: float
) -> float:
    """Of the sum of all counts over the gain.

    `measure` takes how many people, `pairs` and `entries` are estimates of what stands on all counted lists.
    """
    counted = max(pairs, 0.0)
    most = MOST_LENGTHS * (1 + 2 * counted / max(entries, 1.0))
    mean, least_chance = most, math.inf
    for people in MEASURED:
        overlap = measure(people)
        measured = max(overlap.counted, overlap.counted_std, 1e-9)
        chance = overlap.squares_std / measured
        if chance < least_chance:
            least_chance, mean = chance, min(max(overlap.squares / measured + chance, 1.0), most)
        if response.variance * counted * chance <= SHARE_OF_CHANCE * other_variance:
            break
    return response.variance * counted * mean
