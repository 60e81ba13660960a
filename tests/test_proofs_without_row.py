"""What Coq checked about sums over time and about two servers is what the code draws noise for."""

import json
from fractions import Fraction

import pytest
from check_proofs import POINTS, RECORD

from graphveil.privacy.unit import EDGE, Kind
from graphveil.release.over_time.counts import COUNTS
from graphveil.release.over_time.spec import StreamQuery, StreamSpec
from graphveil.two_servers.sum_statistics import AttributeShares, DegreeDistribution, DegreeHistogram, Edges, Stars
from graphveil.two_servers.triangle_terms import TriangleTerms

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
def test_stars_over_time_have_noise_for_all_periods_together(bound: int):
    for k, most in zip((2, 3), CONSTANTS["stars_over_time_constant"][bound - 1], strict=True):
        (part,) = COUNTS[Kind.EDGE, f"{k}-stars"].parts({"max_degree": bound})
        assert part.moves == max(1, most)  # a bound below k leaves no star, and noise for 1


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
