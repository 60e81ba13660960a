"""The variance that answers about pairs bring to a total of counts, from what was released: v W c (`overlap` has it).

W comes from everybody's noisy list length. The mean c is measured among the best connected, for whom it is somewhat
larger than for others, so that this errs on the side of wide intervals; one deviation of chance is added. Fewer people
are measured while chance would add more than a tenth of the variance that is there anyway. Where even few are too many
(a small epsilon, at which answers matter little beside the noise of counts), c is at most four times the mean length of
a list as an entry sees it: a bound in words only, which no network that we know comes near.
"""

from __future__ import annotations

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
    mean = most = MOST_LENGTHS * (1 + 2 * counted / max(entries, 1.0))
    for people in MEASURED:
        overlap = measure(people)
        measured = max(overlap.counted, overlap.counted_std, 1e-9)
        mean = min(max((overlap.squares + overlap.squares_std) / measured, 1.0), most)
        if response.variance * counted * overlap.squares_std / measured <= SHARE_OF_CHANCE * other_variance:
            break
    return response.variance * counted * mean
