"""What Coq checked in proofs/ is what the registry says and what the code draws noise for."""

import json
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from check_proofs import GAPS, POINTS, RECORD, bare, digest, sources

from graphveil.central.attributes.toy import toy_column
from graphveil.graph.core import Graph
from graphveil.local.protocol import RoundContext
from graphveil.mechanisms.measurement import Adaptive, Together
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.unit import EDGE
from graphveil.registry import PROTOCOLS, QUERIES, SYNTHESIZERS, Row
from graphveil.registry_theorems import REFUTATIONS, THEOREMS, UNPROVED
from graphveil.release.over_time.spec import StreamQuery, StreamSpec
from graphveil.statistics.ladder.functions import star_ladder, triangle_ladder
from graphveil.statistics.ladder.ladder import Ladder
from graphveil.two_servers.triangle_terms import TriangleTerms

CHECKED = json.loads(RECORD.read_text(encoding="utf-8"))
PEOPLE = 12
GRAPH = Graph.from_edges([(i, j) for i in range(PEOPLE) for j in range(i) if (i * j) % 3 != 1])
OPTIONS = {
    "best-partition": {"partitions": [[0] * PEOPLE, [0, 1] * (PEOPLE // 2)]},
    "mixing": {"column": toy_column(PEOPLE, public=True)},
    "homophily": {"column": toy_column(PEOPLE, public=True)},
    "attribute-histogram": {"column": toy_column(PEOPLE, public=False)},
    "attribute-mean": {"column": toy_column(PEOPLE, public=False), "lower": Fraction(0), "upper": Fraction(2)},
}
PUBLIC_BOUNDS = ("max_degree", "max_weight")

CENTRAL = [row for row in (*QUERIES, *SYNTHESIZERS) if row.location in THEOREMS]

# What a measurement says it measures (or its kind, where it always measures the same) -> the theorem.
MEASURED = {
    "number of edges": "edges_sensitivity",
    "largest degree": "max_degree_sensitivity",
    "LevelTiles": "young_tiles_sensitivity",
    "DiagramTiles": "young_tiles_sensitivity",
    "sorted degrees": "falling_degrees_sensitivity",
    "degrees in falling order": "falling_degrees_sensitivity",
    "degrees of all people": "degrees_sensitivity",
    "degree of every person": "degrees_sensitivity",
    "number of triangles": "triangles_ladder",
    "largest number of common neighbours of two people": "most_common_sensitivity",
    "number of 2-stars": "stars_ladder",
    "number of 3-stars": "stars_ladder",
    "number of 4-stars": "stars_ladder",
    "largest sum of the degrees of two people": "degree_sum_sensitivity",
    "edges by the degrees of their two ends": "soft_joint_degrees_sensitivity",
    "number of connected components": "components_sensitivity",
    "person with most neighbours": "degree_scores_monotone",
    "NearestGraph": "pairs_sensitivity",
    "number of people": "nodes_sensitivity",
    "largest x for which at least x times the weight people have x neighbours or more": "h_index_sensitivity",
    "h-index of the graph": "h_index_sensitivity",
    "number of kept edges": "kept_edges_sensitivity",
    "mutual pairs and connected pairs": "dyads_sensitivity",
    "numbers of edges by weight": "weight_classes_sensitivity",
    "total weight": "weighted_total_sensitivity",
    "edges between each two groups of people": "mixing_sensitivity",
    "people with each value": "attribute_histogram_sensitivity",
    "sums of kind from both ends of its range, in steps": "attribute_mean_sensitivity",
    "numbers of people below each degree, summed over bands of degrees": "node_tiles_sensitivity",
}
MEASURED_BY_NAME = {
    "in-degree-histogram": "in_degree_tiles_sensitivity",
    "out-degree-histogram": "out_degree_tiles_sensitivity",
    "strength-histogram": "strength_tiles_sensitivity",
}
MEASURED_BY_UNIT = {
    ("largest core number", "edge"): "degeneracy_edge_sensitivity",
    ("largest core number", "node"): "degeneracy_node_sensitivity",
    ("number of 2-stars among the kept edges", "node"): "kept_two_stars_sensitivity",
    ("number of 3-stars among the kept edges", "node"): "kept_three_stars_sensitivity",
}


def test_the_record_is_the_one_of_these_proofs():
    assert CHECKED["sources"] == digest(sources()), "proofs changed: run `make proofs` and commit proofs/checked.json"
    assert {path.name for path in sources()} == {path.name for path in RECORD.parent.glob("*.v")}


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_no_proof_has_a_gap(path: Path):
    assert not re.search(GAPS, bare(path.read_text(encoding="utf-8")))


def test_every_theorem_that_a_row_names_was_checked():
    named = {name for names in THEOREMS.values() for name in names} | set(REFUTATIONS.values())
    assert named <= set(CHECKED["theorems"])


def test_every_row_has_a_theorem_a_refutation_or_a_reason():
    """A new row goes to `registry_theorems`, with its theorem or with what is missing and the test that tries it."""
    rows = {row.location for row in (*QUERIES, *PROTOCOLS, *SYNTHESIZERS)}
    lists = (THEOREMS, REFUTATIONS, UNPROVED)
    assert {location for found in lists for location in found} == rows
    assert len(rows) == sum(map(len, lists))


def test_a_reason_names_a_file_that_exists():
    root = RECORD.parents[1]
    for reason in UNPROVED.values():
        named = re.findall(r"(?:tests|docs)/[\w/.-]+\.(?:py|md)", reason)
        assert named
        assert all((root / path).exists() for path in named), reason


def test_refuted_rows_are_those_with_a_refutation():
    rows = {row.location: row for row in (*QUERIES, *PROTOCOLS, *SYNTHESIZERS)}
    assert all(rows[location].refuted for location in REFUTATIONS)


@pytest.mark.parametrize("row", CENTRAL, ids=lambda r: r.name)
def test_a_row_names_the_theorems_of_what_it_measures(row: Row):
    assert {theorem_of(row, made) for made in measured(row)} == set(THEOREMS[row.location])


@pytest.mark.parametrize("row", CENTRAL, ids=lambda r: r.name)
def test_noise_is_drawn_for_the_constant_of_the_theorem(row: Row):
    """A constant that depends on a public bound is compared at bounds of 1 to 6."""
    bounded = any(name in row.options for name in PUBLIC_BOUNDS)
    for bound in (None, *range(1, POINTS + 1)) if bounded else (None,):
        for made in measured(row, bound):
            for name in CHECKED["theorems"][theorem_of(row, made)]["constants"]:
                proved = CHECKED["constants"][name]
                if isinstance(proved, list) and bound is None:
                    continue
                most = proved[bound - 1] if isinstance(proved, list) and bound else proved
                assert sensitivity_of(made) == max(1, most)  # a bound below k leaves no k-star, and noise for 1


@pytest.mark.parametrize(
    "row", [row for row in PROTOCOLS if row.location in THEOREMS], ids=lambda row: f"{row.query}-{row.name}"
)
def test_messages_are_randomised_for_one_entry(row: Row):
    """Degrees, sizes and answers about pairs change by the constant proved; counts have their own theorems."""
    messages = row.build(Fraction(1), n_people=50).messages(RoundContext()).parts
    for message in messages:
        if message.what != "count":
            assert message.randomizer.sensitivity == CHECKED["constants"]["entries_constant"]
    counts = any(message.what == "count" for message in messages)
    assert counts == ("local_count_change" in THEOREMS[row.location])


def test_ladders_are_those_of_the_theorems():
    """For seven people, every pair of numbers that Coq was asked for, and one to six edges away."""
    for t, table in enumerate(CHECKED["constants"]["triangle_ladder_constant"], start=1):
        assert table == [[steps(triangle_ladder(((c, b),), 7), t) for b in range(4)] for c in range(4)]
    for k, name in ((2, "two_star_ladder_constant"), (3, "three_star_ladder_constant")):
        for t, table in enumerate(CHECKED["constants"][name], start=1):
            assert table == [[steps(star_ladder(((p, q),), 7, k), t) for q in range(p + 1)] for p in range(5)]


@pytest.mark.parametrize("grid", range(1, POINTS + 1))
def test_a_mean_has_noise_for_the_length_of_its_grid(monkeypatch: pytest.MonkeyPatch, grid: int):
    monkeypatch.setattr("graphveil.central.attributes.mean.GRID", grid)
    (row,) = (row for row in CENTRAL if row.query == "attribute-mean")
    (made,) = measured(row)
    assert sensitivity_of(made) == CHECKED["constants"]["attribute_mean_constant"][grid - 1]


def test_sums_over_time_have_noise_for_every_level():
    """The rate of a block is epsilon over the proved number of levels and what one event moves on each."""
    for levels, proved in enumerate(CHECKED["constants"]["tree_constant"], start=1):
        query = StreamQuery("edges", Fraction(1), "tree", radix=(2,) * (levels - 1))
        spec = StreamSpec("", "", EDGE, per_friendship=False, changes=1, horizon=64, queries=(query,))
        assert spec.rates(query) == (Fraction(1, proved),)


def test_two_servers_have_noise_for_one_entry():
    """A list of one friend makes no triangle, and gets noise for 1."""
    proved = CHECKED["constants"]["two_server_entry_constant"]
    for bound, most in enumerate(proved, start=1):
        assert TriangleTerms("count", 50, Fraction(1), bound).sensitivity == max(1, most)
    assert CHECKED["constants"]["two_server_relationship_constant"] == [2 * most for most in proved]


def steps(ladder: Ladder, t: int) -> int:
    return int(ladder.first(t + 1)[t])


def theorem_of(row: Row, made: Any) -> str:
    what = getattr(made, "what", type(made).__name__)
    if what == "LevelTiles" and row.query in MEASURED_BY_NAME:
        return MEASURED_BY_NAME[row.query]
    return MEASURED_BY_UNIT.get((what, row.unit)) or MEASURED[what]


def sensitivity_of(made: Any) -> Fraction:
    """The sensitivity that the noise of a measurement is made for."""
    if hasattr(made, "mechanism"):  # a choice: without a factor 2 only where scores are monotone
        return made.mechanism.sensitivity if made.mechanism.monotone else 2 * made.mechanism.sensitivity
    if hasattr(made, "rate"):
        return made.epsilon / made.rate
    return Fraction(1)  # NearestGraph: one noisy bit


def measured(row: Row, bound: int | None = None) -> list[Any]:
    """Everything that a row measures on a small graph, also what follows from noisy outcomes."""
    name = next((name for name in PUBLIC_BOUNDS if name in row.options), "")
    given = OPTIONS.get(row.query, {}) | ({} if bound is None else {name: bound})
    algorithm = row.build(Fraction(1), given)
    return list(unfold(algorithm.measure(GRAPH)))


def unfold(measurements: Iterable[Any]) -> Iterator[Any]:
    for made in measurements:
        if isinstance(made, Together):
            yield from unfold(made.measurements)
        elif isinstance(made, Adaptive):
            yield from unfold((made.first,))
            key = made.audit_key
            yield from unfold(made.following(made.key(made.first.draws(SeededNoise(1), 1)[0]) if key is None else key))
        else:
            yield made
