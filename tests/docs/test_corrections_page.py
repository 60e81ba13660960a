"""The page of easy mistakes names tests that exist, and names one for every mistake."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ROWS = [
    line
    for line in (TESTS.parent / "docs" / "corrections.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| what must hold", "| ---"))
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:50])
def test_every_mistake_is_held_by_tests_that_exist(row: str) -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", row.split("|")[3])
    assert named
    for file, test in named:
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        assert test in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, (file, test)


def test_the_page_has_all_corrections() -> None:
    assert len(ROWS) >= 34
