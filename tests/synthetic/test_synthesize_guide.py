"""The guide's examples run as they stand, one after the other, and it knows every method."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from graphveil.graph.statistics.degree_table import exact_joint_degrees
from graphveil.registry import SYNTHESIZERS

GUIDE = (Path(__file__).parents[2] / "docs" / "synthesize.md").read_text(encoding="utf-8")


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for example in re.findall(r"^```python\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL):
        exec(compile(example, "synthesize.md", "exec"), names)
    assert "2-differential privacy" in capsys.readouterr().out
    assert (names["same_degrees"].degrees == names["graph"].degrees).all()
    assert exact_joint_degrees(names["same_circles"]) == exact_joint_degrees(names["graph"])


@pytest.mark.parametrize("name", [method.name for method in SYNTHESIZERS])
def test_every_method_is_explained(name: str) -> None:
    assert f"`{name}`" in GUIDE
