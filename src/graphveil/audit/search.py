"""The search for the pair of inputs that tells most, on runs that the final test does not use.

The pair decides: a mechanism whose noise depends on the data looks sound on most edges and gives itself away on a few.
Every candidate gets a small audit of its own; the best go on to the real one.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphveil.audit.pairs import Pair
from graphveil.audit.reading import Features
from graphveil.audit.sampling import Sampler
from graphveil.audit.tester import examine

KEPT = 2
SEARCH_SHARE = 20  # of the samples of the final test
SEARCH_SAMPLES = 100, 500  # at least, at most
SEARCH_CONFIDENCE = 0.9


def worst_pairs(
    candidates: Sequence[Pair], sampler: Sampler, *, samples: int, delta: float, features: Features | None
) -> Sequence[Pair]:
    """The pairs that a small audit tells apart best; all of them where there are few."""
    if len(candidates) <= KEPT:
        return candidates
    least, most = SEARCH_SAMPLES
    few = min(max(samples // SEARCH_SHARE, least), most)

    def promise(pair: Pair) -> float:
        found = examine(pair, sampler, samples=few, confidence=SEARCH_CONFIDENCE, delta=delta, features=features)
        return found.bound

    return sorted(candidates, key=promise, reverse=True)[:KEPT]
