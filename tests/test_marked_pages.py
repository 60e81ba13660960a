"""Where pages are found, and whose they are."""

from dataclasses import dataclass

import pytest

from graphveil.errors import ParameterError
from graphveil.registry_base import Located, foreign_package, marked, parse_header, proof_of


@dataclass(frozen=True, slots=True)
class Row(Located):
    location: str
    home: str = "graphveil.central"


@dataclass
class Promise:
    package: str


@dataclass
class Built:
    guarantee: Promise


def test_a_row_leads_to_its_class_its_module_and_its_head():
    row = Row("edges:EdgeCount")
    assert row.page.__name__ == "EdgeCount"
    assert (row.module, row.package) == ("graphveil.central.edge.edges", "")
    assert row.header["Guarantee"] == "pure epsilon"
    assert proof_of(row.page) == "central.edge.edges"


def test_a_row_of_another_package_says_so_even_where_the_package_is_one_module():
    assert (Row(":decode", home="json").module, Row(":decode", home="json").package) == ("json", "json")
    inside = Row("decoder:JSONDecoder", home="json")
    assert (inside.module, inside.package, inside.page.__name__) == ("json.decoder", "json", "JSONDecoder")
    assert foreign_package("graphveil") == foreign_package("graphveil.local.protocol") == ""
    assert foreign_package("graphveil_popular.page") == "graphveil_popular"


def test_a_page_may_not_hide_whose_it_is():
    own, theirs = Row("edges:EdgeCount"), Row("decoder:JSONDecoder", home="json")
    assert marked(own, Built(Promise("")))
    assert marked(theirs, Built(Promise("json")))
    for row, page in ((theirs, Built(Promise(""))), (theirs, Built(Promise("other"))), (own, Built(Promise("json")))):
        with pytest.raises(ParameterError, match="hides that it came"):
            marked(row, page)


def test_heads_are_read_up_to_the_first_other_line():
    text = "Title.\n\nPaper  A 1999;\n       B 2000\nUnit   edge\nnothing   of it\n       continued\n\nSensitivity: 1."
    assert parse_header(text) == {"Paper": "A 1999; B 2000", "Unit": "edge"}
