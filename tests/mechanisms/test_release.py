from dataclasses import replace
from fractions import Fraction

import pytest

from graphveil.cli.release import print_releases
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.privacy.rounding import lower_end, nearest, upper_end
from graphveil.release.records import dump_releases, load_releases
from graphveil.release.session import Session

ENDS = [0.0, 1342293.0, -1342293.0, 1342293.5, 99999.99999, 100000.5, 12.3456789, -12.3456789, 1 / 3, 0.1, 1e-9, 1e22]


def _number(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))


@pytest.mark.parametrize("end", [*ENDS, *(-end for end in ENDS)])
def test_ends_are_rounded_outwards_and_only_a_little(end):
    exact = Fraction(str(end))
    low, high = _number(lower_end(end)), _number(upper_end(end))
    assert low <= exact <= high
    assert high - low <= max(abs(exact) * Fraction(1, 10**5), 0)
    assert low <= _number(nearest(end)) <= high
    if end.is_integer():
        assert low == high == exact
        assert "e" not in lower_end(end)


def test_a_large_count_keeps_its_digits_wherever_it_is_told(capsys):
    made = Session(Graph.from_edges([(0, 1)]), unit="edge", budget=2).edges(epsilon=2)
    accuracy = Accuracy(1342296, 1.4, (Band(0.95, 3, 3),))
    release = replace(made, value=1342296, accuracy=accuracy)
    assert "between 1,342,293 and 1,342,299" in release.explain()
    assert "1,342,296 (95 % between 1,342,293 and 1,342,299)" in str(release)
    print_releases(
        [release], {"left": {"epsilon": 0.99999999, "delta": 0.0}, "spent": {"epsilon": 1.0}, "repeated": False}
    )
    shown = capsys.readouterr().out
    assert "1,342,293 to 1,342,299" in shown
    assert "left:      epsilon 0.999999" in shown  # never more than there is


def test_fractions_are_cut_outwards(capsys):
    made = Session(Graph.from_edges([(0, 1)]), unit="edge", budget=2).edges(epsilon=2)
    release = replace(made, value=0.5, accuracy=Accuracy(0.5, 0.1, (Band(0.95, 0.11111111, 0.11111111),)))
    assert "between 0.388888 and 0.611112" in release.explain()
    assert "95 % between 0.388888 and 0.611112" in str(release)
    print_releases([release], {"left": None, "repeated": False, "spent": {"epsilon": 1.0}})
    assert "0.388888 to 0.611112" in capsys.readouterr().out


def test_warnings_stand_in_the_json_and_in_both_texts() -> None:
    graph = Graph.from_edges([(0, i) for i in range(1, 30)], n_nodes=30)
    session = Session(graph, unit="edge", budget=9, noise=SeededNoise(1))
    quiet, noisy = session.edges(epsilon=2), session.edges(epsilon="0.001", accept_noise=True)
    assert quiet.warnings == ()
    assert quiet.to_json()["warnings"] == []
    first, *_ = noisy.warnings
    assert first.startswith("mostly noise: among 30 people")
    assert noisy.to_json()["warnings"] == list(noisy.warnings)
    for text in (str(noisy), noisy.explain()):
        assert all(f"warning: {warning}" in text for warning in noisy.warnings)
    assert not any("warning" in stage.text for stage in noisy.stages)


def test_bands_that_hold_entry_by_entry_are_never_said_to_hold_at_once() -> None:
    made = Session(Graph.from_edges([(0, 1)]), unit="edge", budget=2).edges(epsilon=2)
    accuracy = Accuracy((1.0, 2.0), (0.5, 0.5), (Band(0.95, (1.0, 1.0), (1.0, 1.0)),))
    at_once = replace(made, value=accuracy.value, accuracy=accuracy)
    alone = replace(at_once, accuracy=replace(accuracy, simultaneous=False))
    assert at_once.to_json()["accuracy"]["simultaneous"] is True
    assert "all entries lie within their intervals at once" in at_once.explain()
    assert alone.to_json()["accuracy"]["simultaneous"] is False
    assert "at once" not in alone.explain()
    assert load_releases(dump_releases([alone])) == [alone]
