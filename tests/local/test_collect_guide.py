"""The guide's example runs as it stands, and it knows every protocol."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphveil.registry import PROTOCOLS

EXPLAINED = ("degree-distribution", "triangle-sequence", "clustering", "transitivity")
GUIDE = (Path(__file__).parents[2] / "docs" / "collect.md").read_text(encoding="utf-8")


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}  # later examples build on earlier ones
    for example in re.findall(r"^```python\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL):
        exec(compile(example, "collect.md", "exec"), names)
    assert "2-differential privacy" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted({entry.name for entry in PROTOCOLS if entry.query in EXPLAINED}))
def test_every_protocol_is_explained(name: str) -> None:
    assert f"`{name}`" in GUIDE
