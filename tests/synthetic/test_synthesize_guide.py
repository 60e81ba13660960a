"""The guide's example runs as it stands, and it knows every method."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphveil.synthetic.registry import METHODS

GUIDE = (Path(__file__).parents[2] / "docs" / "synthesize.md").read_text(encoding="utf-8")


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL)
    exec(compile(example, "synthesize.md", "exec"), {})
    assert "2-differential privacy" in capsys.readouterr().out


@pytest.mark.parametrize("name", [method.name for method in METHODS])
def test_every_method_is_explained(name: str) -> None:
    assert f"`{name}`" in GUIDE
