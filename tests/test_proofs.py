"""What Coq checked in proofs/ is what the registry says and what the code draws noise for."""

import json
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from check_proofs import GAPS, POINTS, README, RECORD, bare, digest, readme, sources

from graphveil.audit.registry import rows as audit_rows
from graphveil.central.attributes.toy import toy_column
from graphveil.central.directed import triads
from graphveil.central.edge.patterns.cliques_and_cycles import rising_steps
from graphveil.central.node.ladder import TRIANGLES, TWO_STARS
from graphveil.graph.core import Graph
from graphveil.graph.statistics.small_patterns import most_cliques
from graphveil.learn.people import LabelledPeople
from graphveil.mechanisms.ladder_sampler import LadderInteger
from graphveil.mechanisms.measurement import Adaptive, Together
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.readings import OrderedReadings
from graphveil.papers.bcpa.private import GroupedPairs
from graphveil.registry import PROTOCOLS, QUERIES, SYNTHESIZERS, Row
from graphveil.registry_theorems import (
    REFUTATIONS,
    THEOREMS,
    THEOREMS_WITHOUT_ROW,
    UNPROVED,
    UNPROVED_WITHOUT_ROW,
)
from graphveil.statistics.ladder.functions import rising_ladder, star_ladder, triangle_ladder
from graphveil.statistics.ladder.ladder import Ladder

CHECKED = json.loads(RECORD.read_text(encoding="utf-8"))
PEOPLE = 16
GRAPH = Graph.from_edges([(i, j) for i in range(PEOPLE) for j in range(i) if (i * j) % 3 != 1])
FEW_LABELLED = LabelledPeople.from_columns(
    {"person": list(range(PEOPLE)), "kind": ["ab"[place % 2] if place < 7 else "" for place in range(PEOPLE)]},
    label="kind",
)
OPTIONS = {
    "class-rows": {"people": FEW_LABELLED},
    "best-partition": {"partitions": [[0] * PEOPLE, [0, 1] * (PEOPLE // 2)]},
    "mixing": {"column": toy_column(PEOPLE, public=True)},
    "homophily": {"column": toy_column(PEOPLE, public=True)},
    "group-triangles": {"column": toy_column(PEOPLE, public=True)},
    "attribute-histogram": {"column": toy_column(PEOPLE, public=False)},
    "attribute-mean": {"column": toy_column(PEOPLE, public=False), "lower": Fraction(0), "upper": Fraction(2)},
}
PRIVATE = {"column": toy_column(PEOPLE, public=False)}
OPTIONS_OF_NODE = {"mixing": PRIVATE, "homophily": PRIVATE}
LEAST_BOUNDS = {"triangles": 2, "transitivity": 2}
PUBLIC_BOUNDS = ("max_degree", "max_weight", "max_strength")
WAYS = {"veil": [{"way": "response"}]}  # in which a synthesizer measures something else
IN_HALVES = ("modularity_constant",)  # counted in halves of what the code counts
NO_SENSITIVITY = ("choosers_constant", "class_ends_constant")  # compared in tests/test_proofs_of_sums.py

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
    "number of 4-cliques": "cliques_ladder",
    "number of 5-cliques": "cliques_ladder",
    "number of 4-cycles": "four_cycles_ladder",
    "level of its ladder": "level_sensitivity",
    "triangles between each three groups of people": "group_triangles_ladders",
    "largest number of common neighbours, in one group, of two people": "kind_bound_sensitivity",
    "largest sum of the degrees of two people": "degree_sum_sensitivity",
    "edges by the degrees of their two ends": "soft_joint_degrees_sensitivity",
    "number of connected components": "components_sensitivity",
    "sum of degree products over edges": "degree_products_ladder",
    "level of the ladder of degree products": "level_sensitivity",
    "sum of all local clusterings": "clustering_ladder",
    "clustering that one edge can change, in units of 1/#": "largest_change_sensitivity",
    "sums of clustering by class of degree": "degree_class_sums_sensitivity",
    "people by class of degree": "soft_classes_sensitivity",
    "edges between people of each two degrees": "degree_pairs_sensitivity",
    "edges between groups of people that were dealt at random": "mixing_sensitivity",
    "CommunityChoices": "friends_in_monotone",
    "degrees within communities and edges between them": "communities_sensitivity",
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
    "number of transitive triples": "transitive_triples_ladder",
    "number of cyclic triples": "cyclic_triples_ladder",
    "number of mutual triangles": "mutual_triangles_ladder",
    "number of 2-paths": "two_paths_ladder",
    "most transitive triples that one arc makes, over 2": "triad_bounds_sensitivity",
    "most cyclic triples that one arc makes": "triad_bounds_sensitivity",
    "most mutual triangles that one arc makes": "triad_bounds_sensitivity",
    "most 2-paths that one arc makes": "triad_bounds_sensitivity",
    "kept weight": "kept_weight_sensitivity",
    "kept edges between each two groups of people": "node_cells_sensitivity",
    "number of edges when nobody is part of more than #": "edge_program_sensitivity",
    "number of 2-stars when nobody is part of more than #": "two_star_program_sensitivity",
    "number of triangles when nobody is part of more than #": "triangle_program_sensitivity",
    "partition of highest modularity": "modularity_range",
    "number of people with # neighbours or more": "level_tiles_sensitivity",
    "Reading": "reading_by_roles",
    "ClassTable": "table_of_pair",
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
MEASURED_ON_LADDERS = {
    "number of triangles among the kept edges": "first_edges_triangles_ladder",
    "number of 2-stars among the kept edges": "first_edges_two_stars_ladder",
}


def test_the_record_is_the_one_of_these_proofs():
    assert CHECKED["sources"] == digest(sources()), "proofs changed: run `make proofs` and commit proofs/checked.json"
    assert {path.name for path in sources()} == {path.name for path in RECORD.parent.glob("*.v")}


def test_the_list_of_theorems_is_the_one_of_these_proofs():
    assert README.read_text(encoding="utf-8") == readme(), (
        "proofs changed: run `make proofs` and commit proofs/README.md"
    )


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_no_proof_has_a_gap(path: Path):
    assert not re.search(GAPS, bare(path.read_text(encoding="utf-8")))


def test_every_theorem_that_a_row_names_was_checked():
    lists = (*THEOREMS.values(), *THEOREMS_WITHOUT_ROW.values(), REFUTATIONS.values())
    named = {name for names in lists for name in names}
    assert named <= set(CHECKED["theorems"])


def test_every_row_has_a_theorem_a_refutation_or_a_reason():
    """A new row goes to `registry_theorems`, with its theorem or with what is missing and the test that tries it."""
    rows = {row.location for row in (*QUERIES, *PROTOCOLS, *SYNTHESIZERS)}
    lists = (THEOREMS, REFUTATIONS, UNPROVED)
    assert {location for found in lists for location in found} == rows
    assert len(rows) == sum(map(len, lists))


def test_what_is_audited_without_a_row_has_a_theorem_or_a_reason():
    """A new stream or a new sum of two servers goes to `registry_theorems` as well, as does learning from records."""
    places = ("streams:STREAM", "two_servers:TWO_SERVER", "synthetic:MIXING", "gap.audit_subjects:GAP")
    audited = {row.name for row in audit_rows() if any(place in row.location for place in places)}
    needed = {name for name in audited if not name.startswith(("control-", "lpgnet-", "gap-"))} | {"gap-entry"}
    assert needed | {"learn-records"} == {*THEOREMS_WITHOUT_ROW, *UNPROVED_WITHOUT_ROW}
    assert needed <= audited


def test_a_reason_names_a_test_that_exists():
    root = RECORD.parents[1]
    for reason in (*UNPROVED.values(), *UNPROVED_WITHOUT_ROW.values()):
        named = re.findall(r"tests/[\w/]+\.py", reason)
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
            for name in set(CHECKED["theorems"][theorem_of(row, made)]["constants"]) - set(NO_SENSITIVITY):
                proved = CHECKED["constants"][name]
                point = argument_of(made, bound)
                if isinstance(proved, list) and not point:
                    continue
                most = proved[point - 1] if isinstance(proved, list) and point else proved
                unit = 2 if name in IN_HALVES else 1
                assert sensitivity_of(made) * unit == max(1, most)  # a bound below k leaves no k-star, and noise for 1


def test_ladders_are_those_of_the_theorems():
    """For seven people, every pair of numbers that Coq was asked for, and one to six edges away."""
    for t, table in enumerate(CHECKED["constants"]["triangle_ladder_constant"], start=1):
        assert table == [[steps(triangle_ladder(((c, b),), 7), t) for b in range(4)] for c in range(4)]
    for k, name in ((2, "two_star_ladder_constant"), (3, "three_star_ladder_constant")):
        for t, table in enumerate(CHECKED["constants"][name], start=1):
            assert table == [[steps(star_ladder(((p, q),), 7, k), t) for q in range(p + 1)] for p in range(5)]


def test_ladders_of_cliques_and_cycles_are_those_of_the_theorems():
    """For seven people, by the common friends in triangles and by what the best edge makes, one to six edges away."""
    for c in range(4):
        triangles = triangle_ladder(((c, 0),), 7).first(POINTS + 1)
        for first in range(4):
            four = rising_steps(first, triangles, most_cliques(7, 4))
            five = rising_steps(first, four, most_cliques(7, 5))
            cycles = rising_steps(first, np.maximum(2, triangles), 5 * 4)
            for t in range(1, POINTS + 1):
                assert CHECKED["constants"]["clique_ladder_constant"][t - 1][c][first] == [four[t], five[t]]
                assert CHECKED["constants"]["cycle_ladder_constant"][t - 1][c][first] == cycles[t]


def test_triangles_of_groups_have_the_ladders_and_the_part_of_epsilon_of_the_theorem():
    """With a cap of 5, where the best edge makes 0 to 5 triangles; and one kind in as many as there are groups."""
    for t, proved in enumerate(CHECKED["constants"]["kind_ladder_constant"], start=1):
        assert proved == [steps(rising_ladder(first, 5), t) for first in range(6)]
    (row,) = (row for row in CENTRAL if row.query == "group-triangles")
    counts = measured(row)[0]
    groups = len(OPTIONS["group-triangles"]["column"].groups)
    assert counts.at_once == CHECKED["constants"]["kinds_moved_constant"][groups - 1]


def test_ladders_of_first_edges_are_those_of_the_theorems():
    """At bounds of 2 to 6, where 0 to 3 people have as many edges as the bound or more, and 0 to 3 people away."""
    for bound, table in enumerate(CHECKED["constants"]["first_edges_constant"][1:], start=2):
        for people, proved in enumerate(table):
            for place, count in enumerate((TRIANGLES, TWO_STARS)):
                ladder = count.ladder_from(bound, np.full(bound + 1, people))
                assert ladder.first(4).tolist() == [step[place] for step in proved]


def test_ladders_of_triads_are_those_of_the_theorems():
    """For seven people, when the best arc makes 0 to 5 patterns."""
    for name, growth, place in (("TransitiveTriples", 2, 0), ("CyclicTriples", 1, 1), ("TwoPaths", 1, 2)):
        count = getattr(triads, name).count
        for first in range(6):
            if first % growth == 0:
                ladder = count.bound.ladder_above(first // growth, 7)
                for t, table in enumerate(CHECKED["constants"]["triad_ladders_constant"], start=1):
                    assert steps(ladder, t) == table[first][place]


@pytest.mark.parametrize("grid", range(1, POINTS + 1))
def test_a_mean_has_noise_for_the_length_of_its_grid(monkeypatch: pytest.MonkeyPatch, grid: int):
    monkeypatch.setattr("graphveil.central.attributes.mean.GRID", grid)
    (row,) = (row for row in CENTRAL if row.query == "attribute-mean")
    (made,) = measured(row)
    assert sensitivity_of(made) == CHECKED["constants"]["attribute_mean_constant"][grid - 1]


def steps(ladder: Ladder, t: int) -> int:
    return int(ladder.first(t + 1)[t])


def theorem_of(row: Row, made: Any) -> str:
    what = getattr(made, "what", type(made).__name__)
    what = re.sub(r"(than |with |1/)[\d,]+", r"\1#", what)
    if what == "LevelTiles" and row.query in MEASURED_BY_NAME:
        return MEASURED_BY_NAME[row.query]
    if isinstance(made, LadderInteger) and what in MEASURED_ON_LADDERS:
        return MEASURED_ON_LADDERS[what]
    return MEASURED_BY_UNIT.get((what, row.unit)) or MEASURED[what]


def sensitivity_of(made: Any) -> Fraction:
    """The sensitivity that the noise of a measurement is made for."""
    if hasattr(made, "mechanism"):  # a choice: without a factor 2 only where scores are monotone
        return made.mechanism.sensitivity if made.mechanism.monotone else 2 * made.mechanism.sensitivity
    if hasattr(made, "epsilon") and hasattr(made, "rate"):
        return made.epsilon / made.rate
    return Fraction(1)  # NearestGraph: one noisy bit


def argument_of(made: Any, bound: int | None) -> int | None:
    """Where the constant is taken: at the bound on patterns that a measurement names, or at the public bound."""
    named = re.search(r"nobody is part of more than ([\d,]+)", getattr(made, "what", ""))
    if not named:
        return bound
    patterns = int(named[1].replace(",", ""))
    return patterns if patterns <= POINTS else None


def measured(row: Row, bound: int | None = None) -> list[Any]:
    """Everything that a row measures on a small graph, in all its ways, also what follows from noisy outcomes."""
    name = next((name for name in PUBLIC_BOUNDS if name in row.options), "")
    options = OPTIONS | OPTIONS_OF_NODE if row.unit == "node" else OPTIONS
    given = options.get(row.query, {}) | ({} if bound is None else {name: max(bound, LEAST_BOUNDS.get(row.query, 1))})
    ways = [row.build(Fraction(1), given | way) for way in ({}, *WAYS.get(row.name, []))]
    return [made for algorithm in ways for made in unfold(algorithm.measure(GRAPH))]


def unfold(measurements: Iterable[Any]) -> Iterator[Any]:
    for made in measurements:
        if isinstance(made, Together):
            yield from unfold(made.measurements)
        elif isinstance(made, Adaptive):
            yield from unfold((made.first,))
            key = made.audit_key
            yield from unfold(made.following(made.key(made.first.draws(SeededNoise(1), 1)[0]) if key is None else key))
        elif isinstance(made, OrderedReadings):
            yield from made.plan
        elif isinstance(made, GroupedPairs):
            yield made.counts
        else:
            yield made
