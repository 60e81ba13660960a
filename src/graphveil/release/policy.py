"""Whether an answer is worth its budget: one rule for every query, from public facts alone.

A query is refused, before anything is spent, if the error of its forecast is as large as the answer is expected to be.
The forecast is made for the public number of people (edge privacy), or the declared number or ASSUMED_PEOPLE (node
privacy). EXPECTED holds the expected sizes: rough guesses where there are any (`PublicFacts`), else the largest answer
that is possible. Whoever wants the answer nevertheless accepts the noise, and the release says so.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import compress
from typing import Any

from graphveil.errors import ParameterError
from graphveil.mechanisms.accuracy import Accuracy
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.privacy.loss import MAX_EPSILON
from graphveil.privacy.rounding import tidy_up

ASSUMED_PEOPLE = 10_000  # under node privacy, where no number is declared
ASSUMED = " (assumed, for how many there are is private; --option declared_people=N states a public number)"
MOST_PUBLISHED = 10_000_000  # edges; a million take 0.3 GB while they are published
_FROM_SMALLEST = "reaches from the smallest possible value to more than twice"
LARGER, SMALLER = 2, (1000, 100, 10)  # the factor of epsilon and the degree bounds that a refusal tries

Guess = Callable[[PublicFacts], float]


def _people(facts: PublicFacts) -> float:
    return float(facts.n_nodes)


def _h_index(facts: PublicFacts) -> float:
    return math.sqrt(2 * facts.n_nodes)


EXPECTED: Mapping[str, Guess] = {
    "nodes": _people,
    "components": _people,
    "degree-histogram": _people,
    "degree-distribution": lambda _: 1.0,
    "edges": PublicFacts.guess_edges,
    "joint-degrees": PublicFacts.guess_edges,
    "adjacency": PublicFacts.guess_edges,
    "max-degree": PublicFacts.guess_max_degree,
    "degree-sequence": PublicFacts.guess_max_degree,
    "most-connected": PublicFacts.guess_max_degree,
    "top-people": PublicFacts.guess_max_degree,
    "h-index": _h_index,
    "degeneracy": _h_index,
    "triangles": PublicFacts.guess_triangles,
    "2-stars": PublicFacts.guess_two_stars,
    "3-stars": PublicFacts.guess_three_stars,
    "k-stars": lambda facts: facts.guess_stars(4),
    "4-cliques": lambda facts: facts.guess_triangles() * math.sqrt(facts.guess_common_neighbors()),
    "5-cliques": lambda facts: facts.guess_triangles() * facts.guess_common_neighbors(),
    "4-cycles": lambda facts: facts.guess_two_stars() * math.sqrt(facts.guess_max_degree()),
    "transitivity": lambda _: 0.2,
    "average-clustering": lambda _: 0.2,
    "clustering-by-degree": lambda _: 0.2,
    "assortativity": lambda _: 1.0,
    "mixing": PublicFacts.guess_edges,
    "homophily": lambda _: 1.0,
    "group-triangles": PublicFacts.guess_triangles,
    "in-degree-histogram": _people,
    "out-degree-histogram": _people,
    "strength-histogram": _people,
    "reciprocity": lambda _: 0.2,
    "dyads": PublicFacts.guess_edges,
    "transitive-triples": PublicFacts.guess_triangles,
    "cyclic-triples": lambda facts: facts.guess_triangles() / 5,
    "mutual-triangles": lambda facts: facts.guess_triangles() / 5,
    "2-paths": PublicFacts.guess_two_stars,
    "weighted-total": lambda facts: 10 * facts.guess_edges(),
    "attribute-histogram": _people,
}


OF_ALL_ENTRIES = frozenset(
    {
        "degree-histogram",
        "degree-distribution",
        "in-degree-histogram",
        "out-degree-histogram",
        "strength-histogram",
        "attribute-histogram",
        "joint-degrees",
        "mixing",
        "group-triangles",
        "dyads",
    }
)  # lists whose expected size is that of all entries together, while their error is that of an entry


def expected_size(query: str, facts: PublicFacts, k: int | None = None) -> float | None:
    """How large the answer is expected to be, for `k` leaves where it counts stars; None where there is no guess."""
    if query == "k-stars" and k is not None:
        return facts.guess_stars(k)
    guess = EXPECTED.get(query)
    return None if guess is None else guess(facts)


def facts_for(query: Any, n_people: int) -> PublicFacts:
    """What a forecast may know: the public number of people, or what is declared or assumed under node privacy."""
    if query.unit != "node":
        return PublicFacts(n_people)
    declared = getattr(query, "declared_people", None)
    if declared is not None and declared < 1:
        raise ParameterError(f"declared_people must be 1 or more, not {declared}")
    return PublicFacts(ASSUMED_PEOPLE if declared is None else declared)


def check_worth(
    query: Any, facts: PublicFacts, *, accept_noise: bool = False, total: Fraction | None = None
) -> str | None:
    """Refuse a query whose forecast error is as large as the expected answer; a warning if that is accepted.

    `total` is the epsilon of the whole request, of which this query has a share.

    >>> from graphveil.central.edge.edges import EdgeCount
    >>> check_worth(EdgeCount(epsilon=Fraction(1)), PublicFacts(100))
    >>> check_worth(EdgeCount(epsilon=Fraction(1, 1000)), PublicFacts(100), accept_noise=True)
    'mostly noise: among 100 people an error near 1,400 is forecast where an answer near 1,000 is expected'
    """
    if not _is_noise(query, facts):
        return None
    error, expected = _error(query, facts), _expected(query, facts) or 0.0
    assumed = query.unit == "node" and getattr(query, "declared_people", facts.n_nodes) is None
    among = f"{facts.n_nodes:,} people{ASSUMED if assumed else ''}"
    forecast = (
        f"among {among} an error near {rough(error)} is forecast where an answer near {rough(expected)} is expected"
    )
    if accept_noise and not _fills_memory(query, facts):
        return f"mostly noise: {forecast}"
    accept = "accept_noise=True (--accept-noise) answers anyway"
    if _fills_memory(query, facts):
        accept = f"a number of edges that is uncertain by more than {MOST_PUBLISHED:,} is never published"
    remedies = " or ".join(_remedies(query, facts, total))
    raise ParameterError(
        f"{query.query} would be mostly noise at epsilon {float(query.epsilon):g} for one {query.unit}: {forecast}; "
        f"{f'{remedies} would do; ' if remedies else ''}{accept}; nothing was spent"
    )


def rough(value: float) -> str:
    """Two digits of a size that is a guess.

    >>> rough(287654), rough(0.0123), rough(2.9e13)
    ('290,000', '0.012', '2.9e+13')
    """
    two = float(f"{value:.2g}")
    return f"{two:,.0f}" if 10 <= abs(two) < 10**7 else f"{two:g}"


def says_nothing(accuracy: Accuracy) -> str:
    """What to warn of where the 95 % interval excludes next to no possible value, else an empty text.

    Of a list this is said where it holds for the entries that make up more than half of its total: a few people of a
    rare degree are never known well, and that is no reason to warn.
    """
    low, high = accuracy.support
    if not accuracy.bands or not low < high or accuracy.value == ():
        return ""
    lows, highs = (end if isinstance(end, tuple) else (end,) for end in accuracy.interval(0.95))
    if all(entry <= low for entry in lows) and all(entry >= high for entry in highs):
        return "this answer says nothing: its 95 % interval contains every possible value"
    values = accuracy.value if isinstance(accuracy.value, tuple) else (accuracy.value,)
    numbers = [value for value in values if isinstance(value, int | float)]
    if accuracy.center is not None or len(numbers) < len(values) or not len(lows) == len(highs) == len(values):
        return ""
    if not isinstance(accuracy.value, tuple):
        far = lows[0] <= low and highs[0] > 2 * max(numbers[0], 0)
        return f"this answer says little: its 95 % interval {_FROM_SMALLEST} the answer" if far else ""
    sizes = [max(value - max(low, 0), 0) for value in numbers]
    little = [lows[i] <= low and highs[i] > 2 * max(value, 0) for i, value in enumerate(numbers)]
    if 2 * math.fsum(compress(sizes, little)) <= math.fsum(sizes) and not all(little):
        return ""
    which = f"{sum(little):,} of its {len(little):,} entries have a 95 % interval that {_FROM_SMALLEST} the entry"
    return f"this answer says little: {which}"


def _expected(query: Any, facts: PublicFacts) -> float | None:
    return expected_size(query.query, facts, getattr(query, "k", None))


def _is_noise(query: Any, facts: PublicFacts) -> bool:
    expected = _expected(query, facts)
    if expected is None:  # a plug-in's query, or one whose answers have no size
        return False
    error = _error(query, facts)
    return (error > 0 and error >= expected) or _fills_memory(query, facts)


def _fills_memory(query: Any, facts: PublicFacts) -> bool:
    """Whether noise alone might publish more edges than fit into memory."""
    return hasattr(query, "size_std") and _error(query, facts) > MOST_PUBLISHED


def _error(query: Any, facts: PublicFacts) -> float:
    """The forecast error; of published edges the deviation of their number, which is at most the number of pairs."""
    if hasattr(query, "size_std"):
        return float(min(query.size_std(facts.n_nodes), math.comb(facts.n_nodes, 2)))
    return typical_error(query.forecast(facts), unknown=0.0)


def typical_error(accuracy: Accuracy, *, unknown: float) -> float:
    """The standard deviation, or the distance that the error passes as often as not; of a list the median."""
    if accuracy.std is not None:
        return _median(accuracy.std)
    if not accuracy.bands:
        return unknown
    band = accuracy.band(0.5)
    return max((side for side in (_median(band.below), _median(band.above)) if math.isfinite(side)), default=math.inf)


def _median(spread: float | tuple[float, ...]) -> float:
    if isinstance(spread, tuple):
        return statistics.median(spread) if spread else 0.0
    return spread


def _remedies(query: Any, facts: PublicFacts, total: Fraction | None) -> Iterator[str]:
    """What would make the forecast good enough: an epsilon, and a degree bound where the query takes one."""
    enough = _enough(query, facts)
    if enough is not None and (total is None or total == query.epsilon):
        yield f"epsilon {_two_digits_up(enough)}"
    elif enough is not None and total is not None:
        yield f"a total epsilon of {_two_digits_up(enough * total / query.epsilon)} in the same shares"
    for bound in SMALLER if hasattr(query, "max_degree") else ():
        if (query.max_degree is None or bound < query.max_degree) and not _is_noise(
            replace(query, max_degree=bound), facts
        ):
            yield f"a public max_degree of {bound:,}"
            break


def _enough(query: Any, facts: PublicFacts) -> Fraction | None:
    """About the smallest epsilon at which the query is no longer mostly noise: at most an eighth too large."""
    epsilon: Fraction = LARGER * query.epsilon
    while epsilon <= MAX_EPSILON:
        if not _is_noise(replace(query, epsilon=epsilon), facts):
            steps = (epsilon / LARGER * (1 + Fraction(step, 8)) for step in range(1, 8))
            return next((each for each in steps if not _is_noise(replace(query, epsilon=each), facts)), epsilon)
        epsilon *= LARGER
    return None


def _two_digits_up(epsilon: Fraction) -> str:
    return f"{float(tidy_up(epsilon, 2)):g}"
