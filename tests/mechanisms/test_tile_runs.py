"""Tiles measured in many runs at once: with the same noise, run by run the same numbers."""

from fractions import Fraction

import numpy as np
import pytest

from graphveil.central.edge.degree_histogram import DegreeHistogram
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.statistics.degrees import monotone_tiles as falling
from graphveil.statistics.degrees import tile_runs
from graphveil.statistics.degrees.tile_runs import diagram_of, levels_of

RUNS = 60
GRAPHS = {
    "nobody": np.empty(0, dtype=np.int64),
    "strangers": np.zeros(6, dtype=np.int64),
    "a star and a path": np.array([5, 2, 2, 1, 1, 1, 1, 2, 1, 0]),
    "a network": power_law_cluster(80, 3, 0.5, seed=1).degrees,
}
over_graphs = pytest.mark.parametrize("degrees", GRAPHS.values(), ids=GRAPHS)
over_rates = pytest.mark.parametrize("rate", [Fraction(1, 30), Fraction(1, 2), Fraction(3)], ids=str)


@pytest.fixture
def dealer(monkeypatch):
    """Draws one after the other read a table: run r finds the noise of its t-th tile in row r, column t."""

    def draw_all_runs(measurement, rate):
        table = np.rint(np.random.default_rng(5).laplace(scale=float(1 / rate), size=(RUNS, 400))).astype(np.int64)
        outcomes = []
        for row in table.tolist():
            left = iter(row)
            monkeypatch.setattr(
                falling, "add_discrete_laplace", lambda noise, value, rate, left=left: value + next(left)
            )
            outcomes.append(measurement.draw(SeededNoise(1)))
        return table, outcomes

    return draw_all_runs


@pytest.fixture
def deal_together(monkeypatch):
    """Draws of many runs at once get these columns of noise, in turn."""

    def use(columns):
        left = iter(columns)
        monkeypatch.setattr(tile_runs, "add_discrete_laplace", lambda noise, exact, rate: exact + next(left))

    return use


def padded(sums, width):
    return [*sums.tolist(), *[0] * (width - len(sums))]


@over_rates
@over_graphs
def test_levels_take_the_same_steps(dealer, deal_together, degrees, rate):
    measurement = levels_of(degrees, rate, DegreeHistogram(epsilon=2 * rate).width)
    table, single = dealer(measurement, rate)
    deal_together(table.T)
    together = measurement.draws(SeededNoise(1), RUNS)
    assert together.tolist() == [padded(tiles.sums, together.shape[1]) for tiles in single]


@over_rates
@over_graphs
def test_diagrams_take_the_same_steps(dealer, deal_together, degrees, rate):
    """Each run reads on where its levels ended."""
    measurement = diagram_of(degrees, rate)
    table, single = dealer(measurement, rate)
    n_levels = np.array([len(diagram.levels.sums) for diagram in single])
    n_ranks = max(len(diagram.ranks.sums) for diagram in single)
    ranks = [table[np.arange(RUNS), n_levels + rank] for rank in range(n_ranks)]
    deals = [*table.T[: n_levels.max()], *ranks]
    deal_together(deals)
    rows = measurement.draws(SeededNoise(1), RUNS)
    for row, diagram in zip(rows, single, strict=True):
        levels, ranks = np.split(row, [max(0, len(degrees) - 1)])
        assert levels.tolist() == padded(diagram.levels.sums, len(levels))
        assert ranks.tolist() == padded(diagram.ranks.sums, len(ranks))


def test_runs_are_independent():
    rows = diagram_of(GRAPHS["a star and a path"], Fraction(1, 2)).draws(SeededNoise(1), 2000)
    assert len(np.unique(rows, axis=0)) > 1900


def test_a_column_means_the_same_in_every_call():
    """Whatever follows in a list of measurements must not move to the right where some run needs more tiles."""
    for measurement in (
        diagram_of(GRAPHS["a network"], Fraction(1, 9)),
        levels_of(GRAPHS["a network"], Fraction(1, 9), lambda place, _: 4),
    ):
        assert len({measurement.draws(SeededNoise(seed), 3).shape for seed in range(20)}) == 1
