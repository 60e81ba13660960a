"""What two servers answer, as the server sees it that knows its own noise: the result with the other's noise alone.

All else that a server receives is uniform whatever people's lists are (`two_servers.views`). Where people tell noisy
degrees first, those of the people whose lists differ are in the view, and the terms of the second round are fixed: the
claim holds whatever is published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

from graphveil.arrays import Integers
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditVerdict
from graphveil.audit.engine.sampling import Mechanism
from graphveil.audit.subject import Subject, SubjectKind
from graphveil.local.lists import Lists
from graphveil.local.randomizers import AddedLaplace
from graphveil.mechanisms.laplace import laplace_rate
from graphveil.mechanisms.noise.bulk import bulk_discrete_laplace
from graphveil.mechanisms.noise.source import Noise
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.sum_statistics import (
    AttributeShares,
    DegreeDistribution,
    DegreeHistogram,
    Edges,
    Stars,
    SumStatistic,
)
from graphveil.two_servers.transitivity import Transitivity
from graphveil.two_servers.triangle_terms import ANSWER_GRID, TriangleTerms
from graphveil.two_servers.triangles import Triangles

N_PEOPLE = 13
MAX_DEGREE = 4
HUBS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class System:
    """Everybody's list, and the people whose lists differ in the other system of a pair."""

    rows: tuple[tuple[int, ...], ...]
    differ: tuple[int, ...]

    @property
    def degrees(self) -> Integers:
        """How many friends everybody lists."""
        return np.array([len(row) for row in self.rows], dtype=np.int64)

    @property
    def lists(self) -> Lists:
        """The same as lists of a campaign."""
        indptr = np.concatenate(([0], np.cumsum(self.degrees)))
        flat = np.array([friend for row in self.rows for friend in row], dtype=np.int64)
        return Lists(len(self.rows), np.arange(len(self.rows)), indptr, flat, np.zeros(len(self.rows), dtype=np.int64))


@dataclass(frozen=True, slots=True)
class View:
    """Collects the columns of many runs of one view."""

    given: System
    count: int
    noise: Noise
    columns: list[Integers] = field(default_factory=list)

    def degrees(self, plan: Triangles) -> None:
        """The noisy degrees of the people who differ."""
        added = AddedLaplace(plan.degree_epsilon, sensitivity=1, low=0, high=N_PEOPLE - 1)
        for person in self.given.differ:
            told = np.full(self.count, self.given.degrees[person])
            self.columns.append(added.draw(np.full(self.count, person), told, self.noise))

    def covered(self, values: Integers | int, rate: Fraction) -> None:
        """A number with the other server's noise."""
        self.columns.append(values + bulk_discrete_laplace(self.noise, rate, self.count))

    def triangles(self, terms: TriangleTerms) -> None:
        """Answers about pairs of hubs, and the weighted count."""
        lists, total = self.given.lists, np.full(self.count, 0, dtype=np.int64)
        total += weighted_count(terms, lists, {})
        for i, j in terms.hub_pairs:
            turned = self.noise.words(self.count) % np.uint64(ANSWER_GRID) < terms.flip
            answers: Integers = np.where(turned, j not in self.given.rows[i], j in self.given.rows[i]).astype(np.int64)
            self.columns.append(answers)
            no, yes = (weighted_count(terms, lists, {(i, j): bit}) - weighted_count(terms, lists, {}) for bit in (0, 1))
            total += np.where(answers == 1, yes, no)
        self.covered(total, terms.rate)

    def sums(self, statistic: SumStatistic, held: Integers, rate: Fraction) -> None:
        """Every number of a sum."""
        for value in statistic.vectors(held).sum(axis=0):
            self.covered(int(value), rate)


def _viewed(look: Callable[[View, Fraction], None]) -> Callable[[Fraction], Mechanism]:
    def build(epsilon: Fraction) -> Mechanism:
        def run(given: System, count: int, noise: Noise) -> Integers:
            view = View(given, count, noise)
            look(view, epsilon)
            return np.column_stack(view.columns)

        return run

    return build


def _sum(statistic: SumStatistic) -> Callable[[View, Fraction], None]:
    def look(view: View, epsilon: Fraction) -> None:
        view.sums(statistic, view.given.degrees, laplace_rate(epsilon, statistic.sensitivity))

    return look


def _stars(view: View, epsilon: Fraction) -> None:
    plan, stars = Triangles("audit", N_PEOPLE, epsilon, hubs=0), Stars(N_PEOPLE, MAX_DEGREE, 2)
    view.degrees(plan)
    view.sums(stars, view.given.degrees, laplace_rate(plan.count_epsilon, stars.sensitivity))


def _triangles(view: View, epsilon: Fraction) -> None:
    plan = Triangles("audit", N_PEOPLE, epsilon)
    view.degrees(plan)
    view.triangles(TriangleTerms("audit", N_PEOPLE, plan.count_epsilon, MAX_DEGREE, HUBS))


def _public_limit(view: View, epsilon: Fraction) -> None:
    view.triangles(TriangleTerms("audit", N_PEOPLE, epsilon, MAX_DEGREE))


def _transitivity(view: View, epsilon: Fraction) -> None:
    ratio, stars = Transitivity(Triangles("audit", N_PEOPLE, epsilon)), Stars(N_PEOPLE, N_PEOPLE - 1, 2)
    view.degrees(ratio.triangles)
    view.triangles(TriangleTerms("audit", N_PEOPLE, ratio.triangles.count_epsilon, MAX_DEGREE, HUBS))
    view.sums(stars, view.given.degrees, ratio.star_rate(stars))


def _attribute_shares(epsilon: Fraction) -> Mechanism:
    question = AttributeShares(3, ("a", "b", "c"))
    rate = laplace_rate(epsilon, question.sensitivity)

    def run(given: tuple[int, ...], count: int, noise: Noise) -> Integers:
        sums = question.vectors(np.array(given)).sum(axis=0)
        return np.column_stack([value + bulk_discrete_laplace(noise, rate, count) for value in sums])

    return run


def half_noise(epsilon: Fraction) -> Mechanism:
    """2-stars where each server adds half the noise: two such halves are one discrete Laplace noise."""
    fail = -np.expm1(-float(epsilon) / MAX_DEGREE)

    def run(given: System, count: int, noise: Noise) -> Integers:
        rng = np.random.default_rng(noise.words(4))
        half = rng.negative_binomial(0.5, fail, count) - rng.negative_binomial(0.5, fail, count)
        stars = int(Stars(N_PEOPLE, MAX_DEGREE + 1, 2).vectors(given.degrees).sum())
        return np.asarray(stars + half, dtype=np.int64)

    return run


def _system(edges: Iterable[tuple[int, int]], without: tuple[tuple[int, int], ...], differ: tuple[int, ...]) -> System:
    entries = {entry for i, j in edges for entry in ((i, j), (j, i))} - set(without)
    rows = tuple(tuple(sorted(j for person, j in entries if person == i)) for i in range(N_PEOPLE))
    return System(rows, differ)


# Two cliques of full lists, with one entry too many; and three hubs who know each other and some others.
CLIQUES = [*combinations(range(3, 8), 2), *combinations(range(8, 13), 2), (8, 0)]
KNOWN_HUBS = [(0, 1), (1, 2), (0, 2), (0, 8), (1, 8), (2, 8), (0, 9), (1, 9), *combinations((8, 9, 10), 2)]


def entry_pairs() -> list[Pair]:
    """One entry is in a list or not: among others, of a hub, about a hub, between hubs, and one that cuts the list."""
    cases = [(CLIQUES, entry) for entry in ((3, 4), (7, 5), (8, 0), (9, 10))]
    cases += [(KNOWN_HUBS, entry) for entry in ((8, 0), (0, 8), (0, 1), (9, 1), (8, 9))]
    return [
        Pair(
            _system(edges, (), (entry[0],)),
            _system(edges, (entry,), (entry[0],)),
            f"{entry[0]} lists {entry[1]} or does not",
        )
        for edges, entry in cases
    ]


def relationship_pairs() -> list[Pair]:
    """Both ends list each other or neither does; between two cliques of full lists both ends drop a friend."""
    cases = [([*CLIQUES[:20], (3, 8)], (3, 8)), (CLIQUES, (3, 4)), (KNOWN_HUBS, (0, 8)), (KNOWN_HUBS, (8, 9))]
    return [
        Pair(
            _system(edges, (), pair),
            _system(edges, (pair, pair[::-1]), pair),
            f"{pair[0]} and {pair[1]} friends or not",
        )
        for edges, pair in cases
    ]


def _halved(look: Callable[[View, Fraction], None]) -> Callable[[View, Fraction], None]:
    return lambda view, epsilon: look(view, epsilon / 2)  # a relationship costs twice an entry


def _subject(name: str, summary: str, look: Callable[[View, Fraction], None]) -> Subject:
    return Subject(f"two-servers-{name}", SubjectKind.ALGORITHM, summary, _viewed(look), entry_pairs)


def _relationship(name: str, summary: str, look: Callable[[View, Fraction], None]) -> Subject:
    build = _viewed(_halved(look))
    return Subject(
        f"two-servers-{name}-relationship", SubjectKind.ALGORITHM, f"{summary}: a friendship", build, relationship_pairs
    )


TWO_SERVER_SUBJECTS = (
    _subject("edges", "edges added up by two servers", _sum(Edges(N_PEOPLE))),
    _subject("degree-distribution", "degrees added up by two servers", _sum(DegreeDistribution(N_PEOPLE))),
    _subject("degree-histogram", "degrees added up by two servers, in people", _sum(DegreeHistogram(N_PEOPLE))),
    _subject("k-stars", "2-stars added up by two servers", _stars),
    _subject("triangles", "triangles counted by two servers, with hubs", _triangles),
    _subject("triangles-public-limit", "triangles counted by two servers, lists cut at a public limit", _public_limit),
    _subject("transitivity", "triangles and 2-stars counted by two servers", _transitivity),
    Subject(
        "two-servers-attribute-shares",
        SubjectKind.ALGORITHM,
        "answers to a question counted by two servers",
        _attribute_shares,
        lambda: [Pair((0, 1, 2), (0, 1, 1), "one person answers c or b")],
    ),
    _relationship("edges", "edges added up by two servers", _sum(Edges(N_PEOPLE))),
    _relationship("triangles", "triangles counted by two servers, with hubs", _triangles),
    _relationship("triangles-public-limit", "triangles, lists cut at a public limit", _public_limit),
    Subject(
        "control-half-noise-each",
        SubjectKind.CONTROL,
        "two servers that add half the noise each",
        half_noise,
        entry_pairs,
        AuditVerdict.REFUTED,
    ),
)
