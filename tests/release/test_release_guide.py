"""What the guide to releases shows is what happens."""

import re
from pathlib import Path

import pytest

GUIDE = (Path(__file__).parents[2] / "docs" / "release.md").read_text(encoding="utf-8")


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    example, *_ = re.findall(r"^```python\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL)
    exec(compile(example, "release.md", "exec"), {})
    assert "1-differential privacy for one edge, central model" in capsys.readouterr().out
