"""What Coq checked about sums over time, two servers and private records is what the code draws noise for."""

import json
from fractions import Fraction

import pytest
from check_proofs import POINTS, RECORD

from graphveil.central import record_reading
from graphveil.graph.core import Graph
from graphveil.learn.records import PeopleRecords
from graphveil.mechanisms.laplace import NoisyInteger
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.unit import EDGE, Kind
from graphveil.release.over_time.counts import COUNTS
from graphveil.release.over_time.spec import StreamQuery, StreamSpec
from graphveil.two_servers import triangle_terms
from graphveil.two_servers.sum_statistics import AttributeShares, DegreeDistribution, DegreeHistogram, Edges, Stars
from graphveil.two_servers.triangle_terms import TriangleTerms

TWELVE_FRIENDS = Graph.from_edges([(i, j) for i in range(12) for j in range(i)])
CONSTANTS = json.loads(RECORD.read_text(encoding="utf-8"))["constants"]


def test_sums_over_time_have_noise_for_every_level():
    """The rate of a block is epsilon over the proved number of levels and what one event moves on each."""
    for levels, proved in enumerate(CONSTANTS["tree_constant"], start=1):
        query = StreamQuery("edges", Fraction(1), "tree", radix=(2,) * (levels - 1))
        spec = StreamSpec("", "", EDGE, per_friendship=False, changes=1, horizon=64, queries=(query,))
        assert spec.rates(query) == (Fraction(1, proved),)


def test_two_servers_have_noise_for_one_entry():
    """A list of one friend makes no triangle, and gets noise for 1."""
    proved = CONSTANTS["two_server_entry_constant"]
    for bound, most in enumerate(proved, start=1):
        assert TriangleTerms("count", 50, Fraction(1), bound).sensitivity == max(1, most)
    assert CONSTANTS["two_server_relationship_constant"] == [2 * most for most in proved]


@pytest.mark.parametrize("bound", range(2, POINTS + 1))
def test_two_servers_have_noise_for_hubs(monkeypatch: pytest.MonkeyPatch, bound: int):
    """With 8 answers of which one to three are turned around, and one to five hubs."""
    monkeypatch.setattr(triangle_terms, "ANSWER_GRID", 8)
    for turned, by_hubs in enumerate(CONSTANTS["two_server_hubs_constant"][bound - 1], start=1):
        monkeypatch.setattr(TriangleTerms, "flip", turned)
        for hubs, most in enumerate(by_hubs, start=1):
            assert TriangleTerms("count", 50, Fraction(1), bound, tuple(range(hubs))).sensitivity == most


@pytest.mark.parametrize("kept", range(4, 7))
def test_answers_about_hubs_lose_what_the_theorem_says(monkeypatch: pytest.MonkeyPatch, kept: int):
    """In sevenths, of an answer that says one of two things."""
    monkeypatch.setattr(triangle_terms, "ANSWER_GRID", 7)
    monkeypatch.setattr(triangle_terms, "log_up", lambda ratio: ratio)
    monkeypatch.setattr(TriangleTerms, "flip", 7 - kept)
    monkeypatch.setattr(TriangleTerms, "rate", Fraction(1, 10**6))
    terms = TriangleTerms("count", 50, Fraction(1), 3, (0, 1))
    assert terms.loss == Fraction(*CONSTANTS["kary_constant"][1][kept - 1])


@pytest.mark.parametrize("bound", range(2, POINTS + 1))
def test_stars_over_time_have_noise_for_all_periods_together(bound: int):
    for k, most in zip((2, 3), CONSTANTS["stars_over_time_constant"][bound - 1], strict=True):
        (part,) = COUNTS[Kind.EDGE, f"{k}-stars"].parts({"max_degree": bound})
        assert part.moves == max(1, most)  # a bound below k leaves no star, and noise for 1
        assert part.squared == part.moves**2  # all one way


@pytest.mark.parametrize("bound", range(2, POINTS + 1))
def test_first_friendships_over_time_have_noise_for_what_rises_and_falls(bound: int):
    rise, fall = (CONSTANTS[f"first_triangles_{way}_constant"][bound - 1] for way in ("rise", "fall"))
    (triangles,) = COUNTS[Kind.EDGE, "triangles"].parts({"max_degree": bound})
    assert (triangles.moves, triangles.squared) == (rise + fall, rise**2 + fall**2)
    (edges,) = COUNTS[Kind.NODE, "edges"].parts({"max_degree": bound})
    assert edges.moves == CONSTANTS["first_friendships_constant"][bound - 1]


def test_bands_over_time_have_noise_for_what_rises_and_falls():
    rise, fall = CONSTANTS["band_rises_constant"], CONSTANTS["band_falls_constant"]
    for part in COUNTS[Kind.EDGE, "degree-histogram"].parts({"max_degree": 20}):
        assert (part.moves, part.squared) == (rise + fall, rise**2 + fall**2)


def test_edges_and_people_over_time_move_by_one():
    for key, name in (((Kind.EDGE, "edges"), "edges_constant"), ((Kind.NODE, "nodes"), "nodes_constant")):
        (part,) = COUNTS[key].parts({})
        assert part.moves == CONSTANTS[name]


def test_sums_of_two_servers_have_noise_for_one_entry_or_answer():
    assert Edges(50).sensitivity == CONSTANTS["entries_constant"]
    for tiles in (DegreeDistribution(50), DegreeHistogram(50)):
        assert tiles.sensitivity == CONSTANTS["two_server_tiles_constant"]
    assert AttributeShares(50, ("a", "b")).sensitivity == CONSTANTS["two_server_answers_constant"]
    for bound, stars in enumerate(CONSTANTS["two_server_stars_constant"], start=1):
        for leaves, most in enumerate(stars, start=2):
            if leaves <= bound:
                assert Stars(50, bound, leaves).sensitivity == max(1, most)


def test_rows_of_private_records_have_noise_for_the_length_of_the_theorem(monkeypatch: pytest.MonkeyPatch):
    """Of nine people, on a grid of 8 steps."""
    monkeypatch.setattr(record_reading, "GRID", 8)
    lengths = [record_reading.squared_sensitivity(bound, 9) for bound in range(1, POINTS + 1)]
    assert lengths == CONSTANTS["record_rows_constant"]


def test_counts_of_private_records_have_noise_for_one():
    table = {"person": list(range(12)), "kind": ["a", "b", ""] * 4}
    records = PeopleRecords.from_columns(table, label="kind", classes=["a", "b"])
    (whole,) = record_reading.RecordReading(records, Fraction(8), Fraction(1, 10**5)).measure(TWELVE_FRIENDS)
    program = whole.program()
    counts = next(program)
    made = program.send(counts.draws(SeededNoise(1), 1)[0])
    while not isinstance(made, NoisyInteger):  # gradients come before
        made = program.send(made.draws(SeededNoise(1), 1)[0])
    assert counts._vector.squared_sensitivity == CONSTANTS["record_counts_constant"] ** 2
    assert made.epsilon / made.rate == CONSTANTS["readers_h_index_constant"]
