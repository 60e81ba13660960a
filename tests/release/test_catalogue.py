import pytest

from graphveil.errors import ParameterError
from graphveil.registry import PROTOCOLS, QUERIES, SYNTHESIZERS
from graphveil.release.catalogue import catalogue, find_listings


def test_every_algorithm_of_every_job_is_listed_with_its_promise():
    rows = list(catalogue())
    assert len(rows) == len(QUERIES) + len(PROTOCOLS) + len(SYNTHESIZERS)
    assert {row.job for row in rows} == {"release", "collect", "synthesize"}
    for row in rows:
        assert row.guarantee, row
        assert row.cost, row
        assert (row.status == "claim-refuted") == (row.verdict == "refuted")


def test_a_name_a_query_or_a_job_is_found():
    (found,) = find_listings("edge-count")
    assert found.query == "edges"
    assert {row.job for row in find_listings("triangles")} == {"release", "collect"}
    assert {row.job for row in find_listings("veil")} >= {"collect"}
    assert all(row.status == "claim-refuted" for row in find_listings("gs-ldp"))
    with pytest.raises(ParameterError, match="edge-count"):
        find_listings("edge-cuont")
