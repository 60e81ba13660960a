"""The worked example of CONTRIBUTING.md: its code runs, its own tests pass, and a session answers with it."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import graphveil as gv
from graphveil import registry
from graphveil.mechanisms.algorithm import PublicFacts
from graphveil.registry import Job, Row, parse_header
from graphveil.release import policy
from graphveil.release.questions import queries

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE, TEST = re.findall(r"^```python\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)
HOME = "graphveil.central.edge.circuit_rank"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The file of the example, as if it were there."""
    made = ModuleType(HOME)
    monkeypatch.setitem(sys.modules, HOME, made)
    exec(compile(CODE, "circuit_rank.py", "exec"), vars(made))
    return made


def test_the_file_has_a_whole_head_and_its_example_is_right(module, doctest_namespace):
    assert set(parse_header(module.__doc__)) == set(registry.HEADER_KEYS) - {"Differs"}
    assert f'"{HOME.removeprefix("graphveil.")}:CircuitRank"' in TEXT
    results = doctest.DocTestRunner()
    for example in doctest.DocTestFinder().find(
        module.CircuitRank, module=False, globs=vars(module) | doctest_namespace
    ):
        assert not results.run(example).failed


def test_its_tests_pass(module, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tests" / "central")
    names: dict[str, object] = {}
    exec(compile(TEST, "test_circuit_rank.py", "exec"), names)
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()


def test_one_row_makes_it_known(module, monkeypatch):
    name, query, location = re.search(r'^    \("(.*)", "(.*)", "(.*)"\),$', TEXT, flags=re.MULTILINE).groups()
    row = Row(Job.RELEASE, name, query, "edge", location)
    monkeypatch.setitem(registry._OWN, Job.RELEASE, (*registry.QUERIES, row))
    cycle = gv.Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)], n_nodes=4, named=True)
    method = re.search(r"^```text\n(    def circuit_rank.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL).group(1)
    names = dict(vars(queries)) | {"Session": gv.Session}
    exec(f"class Extended(Session):\n{method}", names)
    expected = re.search(r'^    "circuit-rank": PublicFacts\.(\w+),$', TEXT, flags=re.MULTILINE).group(1)
    monkeypatch.setattr(policy, "EXPECTED", {**policy.EXPECTED, query: getattr(PublicFacts, expected)})
    release = names["Extended"](cycle, unit="edge", budget=20).circuit_rank(epsilon=20)
    assert release.value == 1
    assert "number of independent cycles" in release.explain()
    with pytest.raises(gv.ParameterError, match="not offered under node privacy: one person can close a cycle"):
        gv.Session(cycle, unit="node", budget=50).release(query, epsilon=1)
