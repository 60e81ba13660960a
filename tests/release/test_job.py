import dataclasses
import re
from fractions import Fraction

import pytest

from graphveil.errors import ParameterError
from graphveil.privacy.unit import Unit
from graphveil.registry import QUERIES, find_query
from graphveil.release.job import ReleaseJob, Request, choose_query
from graphveil.release.session import Session


def test_names_are_unique():
    names = [a.name for a in QUERIES]
    assert len(names) == len(set(names))


def test_every_query_is_a_method_of_a_session():
    for query in {a.query for a in QUERIES}:
        name = query.replace("-", "_")
        for digit, word in (("2_", "two_"), ("3_", "three_"), ("4_", "four_"), ("5_", "five_")):
            name = name.replace(digit, word)
        assert callable(getattr(Session, name)), query


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ParameterError, match="edge-count"):
        find_query("nonsense")
    with pytest.raises(ParameterError, match="max-degree"):
        choose_query("nonsense", Unit.parse("edge"), {})


def test_options_decide_between_algorithms():
    assert choose_query("edges", Unit.parse("node"), {"max_degree": 4}).name == "bounded-edges"
    with pytest.raises(ParameterError, match="unknown method"):
        choose_query("edges", Unit.parse("edge"), {}, method="node-edge-count")


@pytest.mark.parametrize("unit", ["edge", "node"])
def test_what_is_not_offered_says_why_and_what_to_ask_instead(unit):
    offered = {a.query for a in QUERIES if a.unit == unit}
    for query in {a.query for a in QUERIES} - offered:
        with pytest.raises(ParameterError, match=f"{query} is not offered under {unit} privacy: ") as refused:
            choose_query(query, Unit.parse(unit), {})
        reason, _, instead = str(refused.value).partition("; ask for ")
        assert unit == "edge" or re.search(r"noise of|probability|length|private there too", reason)  # a forecast
        assert any(re.search(rf"\b{other}\b", instead) for other in offered)


def test_a_number_written_in_another_way_is_the_same_request():
    def text(weight):
        request = Request("h-index", Fraction(1), options={"weight": weight})
        return ReleaseJob.prepare([request], Unit.parse("node")).what

    assert text(1.5) == text("1.5") == text(Fraction(3, 2)) != text(2)


def test_queries_are_frozen():
    query = find_query("edge-count").build(Fraction(1))
    with pytest.raises(dataclasses.FrozenInstanceError):
        query.epsilon = Fraction(2)
