"""Where algorithms are found, and whose they are."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from graphveil.errors import ParameterError
from graphveil.plugins import foreign_package, proof_of
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.unit import EDGE, Trust
from graphveil.registry import Job, Row, find_query, parse_header


@dataclass(frozen=True)
class Stranger:
    """An algorithm of another package; `package` is what its guarantee says of that."""

    epsilon: Fraction
    package: str = ""

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(EDGE, Trust.CENTRAL, self.epsilon, package=self.package)


THEIRS = Row(Job.RELEASE, "stranger", "edges", "edge", ":Stranger", home=__name__)


def test_a_row_leads_to_its_class_its_module_and_its_head():
    row = find_query("edge-count")
    assert row.cls.__name__ == "EdgeCount"
    assert (row.module, row.package) == ("graphveil.central.edge.edges", "")
    assert row.header["Guarantee"] == "pure epsilon"
    assert proof_of(row.cls) == "central.edge.edges"


def test_a_row_of_another_package_says_so_even_where_the_package_is_one_module():
    assert (THEIRS.module, THEIRS.package, THEIRS.cls) == (__name__, __name__, Stranger)
    assert foreign_package("graphveil") == foreign_package("graphveil.local.protocol") == ""
    assert foreign_package("graphveil_popular.query") == "graphveil_popular"


def test_an_algorithm_may_not_hide_whose_it_is():
    assert THEIRS.build(1, {"package": __name__}).epsilon == 1
    for package in ("", "other"):
        with pytest.raises(ParameterError, match="hides that it came"):
            THEIRS.build(1, {"package": package})


def test_unknown_options_are_refused_by_name():
    with pytest.raises(ParameterError, match="unknown option 'packages' of stranger; did you mean package"):
        THEIRS.build(1, {"packages": ""})


def test_heads_are_read_up_to_the_first_other_line():
    text = "Title.\n\nPaper  A 1999;\n       B 2000\nUnit   edge\nnothing   of it\n       continued\n\nSensitivity: 1."
    assert parse_header(text) == {"Paper": "A 1999; B 2000", "Unit": "edge"}
