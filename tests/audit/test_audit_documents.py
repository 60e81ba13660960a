"""Every example in the pages about audits and refuted claims runs and prints what the page shows."""

import contextlib
import io
import re
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    DOCS / "audit.md",
    DOCS / "tutorials" / "audit-your-own-mechanism.md",
    *sorted((DOCS / "refuted").glob("*.md")),
]
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d[\d,]*\.?\d*(?:e-?\d+)?")


def words(text):
    return NUMBER.sub("#", text)


def numbers(text):
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_shows_what_happens(page):
    names = {}
    for code, shown in BLOCK.findall(page.read_text(encoding="utf-8")):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page.name), "exec"), names)
        assert words(printed.getvalue()) == words(shown)
        assert numbers(printed.getvalue()) == pytest.approx(numbers(shown), rel=0.05)


def test_the_tutorial_keeps_to_ten_lines():
    first, _ = BLOCK.findall(PAGES[1].read_text(encoding="utf-8"))[0]
    assert sum(bool(line.strip()) for line in first.splitlines()) <= 10


def test_every_refuted_page_has_claim_counterexample_and_repair():
    for page in PAGES[2:]:
        text = page.read_text(encoding="utf-8")
        if page.stem != "index":
            assert "**Claim.**" in text
            assert "**Repair.**" in text or "**What is true.**" in text
            assert page.name in (DOCS / "refuted" / "index.md").read_text(encoding="utf-8")


@pytest.mark.needs_data
def test_the_figures_about_facebook_are_right(real_graph):
    degrees = real_graph("ego-Facebook").degrees

    def bits(values):
        shares = np.unique(values, return_counts=True)[1] / len(values)
        return -(shares * np.log2(shares)).sum()

    text = (DOCS / "refuted" / "grouped-degrees.md").read_text(encoding="utf-8")
    assert f"{100 * np.isin(degrees % 10, (0, 9)).mean():.1f} % of the people" in text
    assert f"{bits(degrees // 10):.2f} of the {bits(degrees):.2f} bits" in text
