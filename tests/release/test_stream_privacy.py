"""What one friendship moves in all blocks of a stream: all histories of four people, and the worst known ones."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
import scipy.linalg

from graphveil.audit.subjects.streams import NAMES, STREAM_SUBJECTS, counts_over_time
from graphveil.mechanisms.measurement import total_loss
from graphveil.mechanisms.release import promise
from graphveil.mechanisms.sums.factor import Factor
from graphveil.privacy.loss import Pure
from graphveil.privacy.unit import EDGE, Kind, Unit
from graphveil.release.over_time.counts import COUNTS
from graphveil.release.over_time.opening import StreamTerms
from graphveil.release.over_time.pairs import PairTable
from graphveil.release.over_time.spec import FACTOR, TREE, StreamQuery, StreamSpec
from graphveil.release.over_time.sums import whole_stream

PAIRS = list(combinations(range(4), 2))
STEPS = 3


def moved(changes: np.ndarray, widths: tuple[int, ...]) -> int:
    """By how much all blocks of all levels differ in total."""
    ends = np.concatenate(([0], np.cumsum(changes)))
    return sum(abs(int(ends[end] - ends[end - width])) for width in widths for end in range(width, len(ends), width))


@cache
def table_of(arrivals: tuple[int, ...]) -> PairTable:
    """The table after a history in which each pair arrives in its step, or never (0)."""
    last = max(arrivals)
    if last == 0:
        return PairTable.empty()
    now = [pair for pair, at in zip(PAIRS, arrivals, strict=True) if at]
    before = table_of(tuple(at if at < last else 0 for at in arrivals))
    return before.step(np.array(now, dtype=np.int64), last, 1)


def query_of(name: str, **options: int) -> StreamQuery:
    return StreamQuery(name, Fraction(1), TREE, (2,), options)


@pytest.mark.parametrize(
    ("query", "attained"),
    [
        (query_of("edges"), 2),
        (query_of("2-stars", max_degree=2), 4),
        (query_of("2-stars", max_degree=3), 8),
        (query_of("3-stars", max_degree=3), 4),
        (query_of("triangles", max_degree=3), None),
        (query_of("degree-histogram", max_degree=2), None),
        (query_of("degree-histogram", max_degree=3), None),
    ],
    ids=lambda value: str(getattr(value, "name", value)),
)
def test_one_friendship_moves_all_blocks_by_the_levels_times_the_sensitivity(query, attained):
    """Each pair arrives in one of three periods or never: all 4,096 histories, each against one friendship less."""
    spec = StreamSpec("a", "a", EDGE, per_friendship=False, changes=1, horizon=9, queries=(query,))
    allowed, values = [query.tree.height * one for one in spec.sensitivities(query)], {}

    @cache
    def exact(known):
        return spec.count(query).exact(table_of(known), NAMES, query.options)

    for arrivals in product(range(STEPS + 1), repeat=len(PAIRS)):
        counted = [exact(tuple(at if at <= step else 0 for at in arrivals)) for step in range(1, STEPS + 1)]
        values[arrivals] = np.diff([[0] * len(allowed), *counted], axis=0).T
    worst, rows = [0] * len(allowed), [0] * len(allowed)
    squared = [part.squared * Factor(STEPS).squared_length for part in spec.parts(query)]
    matrix = scipy.linalg.toeplitz(Factor(STEPS).entries, [0] * STEPS)
    for arrivals, value in values.items():
        for i in range(len(PAIRS)):
            if arrivals[i]:
                changed = value - values[(*arrivals[:i], 0, *arrivals[i + 1 :])]
                worst = [max(most, moved(part, query.tree.widths)) for most, part in zip(worst, changed, strict=True)]
                lengths = ((changed @ matrix.T) ** 2).sum(axis=1).tolist()
                rows = [max(pair) for pair in zip(rows, lengths, strict=True)]
    assert all(one <= most for one, most in zip(worst, allowed, strict=True))
    assert all(one <= most for one, most in zip(rows, squared, strict=True))
    assert attained is None or sum(worst) == attained == sum(allowed)


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (2, 2), (3, 3)])
def test_a_friendship_that_comes_and_goes_moves_blocks_by_its_changes_and_no_more(limit, most):
    """All timelines of ten periods against one that is never there; changes after the limit are ignored."""
    query = query_of("edges")
    worst = 0
    for line in product((0, 1), repeat=10):
        history = [[(0, 1)] if there else [] for there in line]
        worst = max(
            worst, moved(np.diff([0, *(n for (n,) in counts_over_time(history, query, limit))]), query.tree.widths)
        )
    assert worst == most * query.tree.height


def test_a_friendship_is_among_the_new_ones_of_one_period_and_moves_no_other():
    """All timelines of two pairs over four periods: what is new of one pair does not depend on the other."""
    lines = list(product((0, 1), repeat=4))

    def new_steps(*pair_lines):
        pairs = PairTable.empty()
        for step in range(4):
            there = [(place, place + 10) for place, line in enumerate(pair_lines) if line[step]]
            pairs = pairs.step(np.array(there, dtype=np.int64).reshape(-1, 2), step + 1, 2)
        return dict(zip(pairs.ends[:, 0].tolist(), pairs.since.tolist(), strict=True))

    for one, other in product(lines, lines):
        steps = new_steps(one, other)
        assert steps.get(0) == (one.index(1) + 1 if 1 in one else None)
        assert steps.get(1) == (other.index(1) + 1 if 1 in other else None)


def test_one_person_moves_the_number_of_people_ever_named_by_one_in_all_periods():
    """All sets of three people over three periods, with and without the last person."""
    everybody = list(product((0, 1), repeat=3))
    for histories in product(everybody, repeat=3):
        ever = np.maximum.accumulate(np.array(histories), axis=1)
        assert np.abs(np.diff(ever.sum(axis=0), prepend=0) - np.diff(ever[:2].sum(axis=0), prepend=0)).sum() <= 1


@pytest.mark.parametrize("bound", [1, 2, 3])
def test_a_person_moves_first_edges_by_the_bound_and_one_for_each_friend_beyond_it(bound):
    """Random histories of seven people, several friendships a period, with and without one person.

    People are numbered as a stream numbers them, so without the person the others have other numbers.
    """
    rng = np.random.default_rng(bound)
    names = [f"p{letter}" for letter in "gcafbed"]
    count, tight = COUNTS[Kind.NODE, "edges"], 0
    for _ in range(120):
        shown = rng.random((7, 7)) < rng.uniform(0.2, 1)
        pairs = [(a, b) for a, b in combinations(range(7), 2) if shown[a, b]]
        steps = rng.integers(1, 4, len(pairs))

        def changes(gone, pairs=pairs, steps=steps):
            left = [name for person, name in enumerate(names) if person != gone]
            table, values = PairTable.empty(), [0]
            for step in (1, 2, 3):
                now = [(left.index(names[a]), left.index(names[b])) for (a, b), at in zip(pairs, steps, strict=True)
                       if at <= step and gone not in (a, b)]  # fmt: skip
                table = table.step(np.array(now, dtype=np.int64).reshape(-1, 2), step, 1)
                values += count.exact(table, left, {"max_degree": bound})
            return np.diff(values)

        everybody, degrees = changes(None), np.bincount(np.array(pairs, dtype=int).ravel(), minlength=7)
        for gone in range(7):
            friends = [a + b - gone for a, b in pairs if gone in (a, b)]
            allowed = bound + sum(degrees[friend] > bound for friend in friends)
            moved_by = np.abs(everybody - changes(gone)).sum()
            assert moved_by <= allowed
            tight += moved_by == bound and allowed == bound
    assert tight
    spec = StreamTerms(
        {"edges": Fraction(1)}, "node", 1, 12, ever=True, max_degree=bound, methods={"edges": TREE}
    ).spec("a")
    assert spec.sensitivities(spec.queries[0]) == (bound,)
    assert f"nobody ever makes more than {bound} friends" in " ".join(spec.guarantee(spec.queries[0]).assumes)


def test_the_worst_histories_that_are_known_attain_what_noise_is_drawn_for():
    names = {
        "edges": {},
        "2-stars": {"max_degree": 3},
        "triangles": {"max_degree": 4},
        "degree-histogram": {"max_degree": 4},
    }
    bounds = ((1,), (4,), (9,), (4, 4, 4))
    for (name, options), subject, bound in zip(names.items(), STREAM_SUBJECTS, bounds, strict=False):
        mechanism_pairs = subject.pairs()
        query = StreamQuery(name, Fraction(1), TREE, (), options)
        spec = StreamSpec("a", "a", EDGE, per_friendship=False, changes=4, horizon=9, queries=(query,))
        assert spec.sensitivities(query) == bound
        worst = np.zeros(len(bound), dtype=np.int64)
        for pair in mechanism_pairs:
            first, second = (
                np.diff([(0,) * len(bound), *counts_over_time(h, query, 4)], axis=0) for h in (pair.first, pair.second)
            )
            worst = np.maximum(worst, np.abs(first - second).sum(axis=0))
        assert tuple(worst.tolist()) == bound


@pytest.mark.parametrize("unit", ["edge", "3-edge"])
@pytest.mark.parametrize("per_friendship", [False, True])
def test_all_that_is_ever_drawn_costs_the_epsilon_of_the_query(unit, per_friendship):
    query = StreamQuery("edges", Fraction(3, 5), TREE, (4,))
    spec = StreamSpec("a", "a", Unit.parse(unit), per_friendship, 3, 40, (query,))
    drawn = whole_stream(spec, query, [(n,) for n in range(40)])
    assert total_loss(drawn) == Pure(Fraction(3, 5))
    times = Unit.parse(unit).edges * (3 if per_friendship else 1)
    assert {vector.rate for vector in drawn} == set(spec.rates(query)) == {Fraction(3, 10) / times}
    guarantee = spec.guarantee(query)
    assert guarantee.epsilon == Fraction(3, 5)
    of_one_friendship = Fraction(3, 5) * (1 if per_friendship else 3) / Unit.parse(unit).edges
    assert guarantee.relationship_epsilon == of_one_friendship


@pytest.mark.parametrize("name", ["edges", "degree-histogram"])
def test_gaussian_rows_of_all_parts_cost_the_rho_of_the_query(name):
    options = {"max_degree": 9} if name == "degree-histogram" else {}
    query = StreamQuery(name, Fraction(1), FACTOR, options=options, rho=Fraction(1, 40))
    spec = StreamSpec("a", "a", Unit.parse("2-edge"), False, 1, 12, (query,), Fraction(1, 10**6))
    drawn = whole_stream(spec, query, [(n,) * len(spec.parts(query)) for n in range(12)])
    assert sum(vector.loss.rho for vector in drawn) == Fraction(1, 40)
    assert tuple(vector.sigma_squared for vector in drawn) == spec.variances(query)
    assert spec.variances(query)[0] >= 4 * Factor(12).squared_length / Fraction(1, 20)
    guarantee = spec.guarantee(query)
    assert 1 < guarantee.epsilon < Fraction(102, 100)
    assert (guarantee.delta, guarantee.proof) == (Fraction(1, 10**6), "mechanisms.sums.factor")


def test_the_ledger_says_what_a_friendship_that_comes_and_goes_loses():
    by_event, for_all_time = (
        StreamTerms({"edges": Fraction(1)}, "edge", 1, 12, ever=ever).spec("friends").what for ever in (False, True)
    )
    assert "a friendship that comes and goes loses up to 4 times this" in by_event
    assert "comes and goes" not in for_all_time


def test_what_a_friendship_over_all_time_loses_is_in_guarantee_and_sentence():
    """By event epsilon is for one change: whether two people were ever connected costs four times that for a sum."""
    shares = {"edges": Fraction(1, 2), "triangles": Fraction(1, 2)}
    by_event, for_all_time, ever = (
        StreamTerms(shares, unit, 3, 12, ever=ever, people=500, methods={"triangles": "fresh"}).spec("friends")
        for unit, ever in (("edge", False), ("friendship", False), ("edge", True))
    )
    assert [spec.spent[0] for spec in (by_event, for_all_time, ever)] == [3, 3, 3]
    assert [spec.friendship_epsilon for spec in (by_event, for_all_time, ever)] == [Fraction(15, 2), 3, 3]
    assert "up to epsilon 7.5 for a friendship over all time" in by_event.loss_words
    assert for_all_time.loss_words == ever.loss_words == "epsilon 3"
    words = dict(promise(by_event.guarantee(by_event.queries[0])))
    assert "one change of an edge (epsilon 6 for a friendship over all time)" in words["promise"]
    assert words["meaning"].startswith("whether two given people were ever connected: epsilon 6")
    assert words["protected"] == "that a friendship began or ended in a given period"
    assert "one edge, central model" in dict(promise(ever.guarantee(ever.queries[0])))["promise"]
