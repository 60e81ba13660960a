"""How many triangles caps may hide from a total, from what was released.

On a counted list of s people each has X noisy edges, of which at most `cap` are accepted. A refused edge has an end
that is full, and at most X - cap are refused on account of one, so that the number of refused edges is at most the sum
of (X - cap)_+ over the list. X is binomial: of s - 1 pairs with the probability (q + gain d) / m if the share d of the
others are friends of that person. The mean of (X - cap)_+ bends upwards in d, so it is most where friendships gather at
few people. Of all pairs let a share x be joined. Then 1 - root(1 - x) of the people can know everybody, and everybody
them; or root(x) of the people can all know each other. The larger loss of the two stands for any list.

A cap follows from a size that was released with noise, and a size that came out far too low makes a cap that binds. So
the released sizes are taken for the true ones, and released anew: the loss is a mean over cells of that noise, tail
included. Released sizes spread wider than true ones, which errs upwards. On Facebook and AstroPh at epsilon 1, one pair
in 34 looked at, caps hide 11,200 and 9,900 triangles on average and this says 12,200 on both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.local.pairs.response import PairResponse

CELLS = (0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8)  # of the noise of a size, times its epsilon
SHOWS = 0.3  # of a deviation: less that caps hide does not show


@dataclass(frozen=True, slots=True, eq=False)
class CountedLists:
    """Of everybody who counts: the released size, how many people the list can hold, and caps by released sizes."""

    sizes: Integers
    most: Integers
    caps: Callable[[Integers], Integers]


def lost_to_caps(lists: CountedLists, epsilon: Fraction, closure: float, response: PairResponse, one_in: int) -> float:
    """Triangles, at most, where sizes have Laplace noise of rate epsilon and a share of all counted pairs is joined.

    >>> size, answers = np.array([100]), PairResponse(Fraction(1))
    >>> lists = [CountedLists(size, size + 99, lambda _, cap=cap: np.array([cap])) for cap in (4, 9)]
    >>> [round(lost_to_caps(each, Fraction(9), 1.0, answers, 34), 1) for each in lists]
    [667.1, 0.5]
    """
    sizes, lost = np.clip(lists.sizes, 0, lists.most).astype(np.float64), 0.0
    for noise, chance in zip(*_laplace_cells(), strict=True):
        caps = lists.caps(lists.sizes + round(noise / float(epsilon))).astype(np.float64)
        lost += chance * max(
            float(sizes @ _refused_by_one(sizes, caps, gathered, response, one_in)) for gathered in _gathered(closure)
        )
    return float(one_in * lost / float(response.gain))


def _gathered(closure: float) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Shares of people, with the share of others whom each of them knows, where that share of pairs is joined."""
    share = min(max(closure, 0.0), 1.0)
    known_by_all, all_known = 1 - math.sqrt(1 - share), math.sqrt(share)
    return (
        ((known_by_all, 1.0), (1 - known_by_all, known_by_all)),
        ((all_known, all_known), (1 - all_known, 0.0)),
    )


def _refused_by_one(
    sizes: Floats, caps: Floats, gathered: tuple[tuple[float, float], ...], response: PairResponse, one_in: int
) -> Floats:
    """The mean of (X - cap)_+ over the people of each list."""
    flip, gain, others = float(response.flip_probability), float(response.gain), np.maximum(sizes - 1, 0.0)
    return np.asarray(sum(part * excess(others, (flip + gain * known) / one_in, caps) for part, known in gathered))


def caps_in_words(lowered: str | None) -> str:
    """What a result says of its caps; `lowered` is what they may make too low, if anything."""
    limits = "limits on how much of a list counts"
    if lowered is None:
        return f"{limits} hide nothing that shows beside the deviation"
    return f"{limits} bind: {lowered} may be estimated too low, and intervals are wider for it"


def excess(n: Floats, p: float | Floats, cap: Floats) -> Floats:
    """E[(X - cap)_+] of a binomial X: n p P(X' >= cap) - cap P(X > cap), where X' has one trial less.

    >>> excess(np.array([2.0]), 0.5, np.array([1.0])).tolist()
    [0.25]
    """
    return np.asarray(n * p * _at_least(n - 1, p, cap) - cap * _at_least(n, p, cap + 1))


def _at_least(n: Floats, p: float | Floats, k: Floats) -> Floats:
    from scipy.special import betainc

    possible = n >= k
    return np.where(possible, betainc(k, np.where(possible, n - k + 1, 1.0), p), 0.0)


def _laplace_cells() -> tuple[Floats, Floats]:
    """Means and probabilities of cells of the law with density e^-|x| / 2.

    >>> noise, chances = _laplace_cells()
    >>> round(float(chances.sum()), 9), round(float(chances @ np.abs(noise)), 9)
    (1.0, 1.0)
    """
    ends = np.array(CELLS, dtype=np.float64)
    beyond, below = np.exp(-ends), (1 + ends) * np.exp(-ends)  # P(X > end), and E[X; X > end], of the law e^-x
    chances = beyond - np.append(beyond[1:], 0.0)
    means = (below - np.append(below[1:], 0.0)) / chances
    return np.concatenate([-means, means]), np.concatenate([chances, chances]) / 2
