"""The site is whole: every page is in the navigation, and every algorithm and public name has its page."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import typer
from house_numbers import walk

import graphveil
from graphveil.cli.app import app
from graphveil.release.catalogue import catalogue

ROOT = Path(__file__).parents[2]
CONFIG = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def docs_pages() -> ModuleType:
    return import_module("docs_pages")


@pytest.fixture(scope="module")
def generated(docs_pages) -> dict[str, str]:
    return dict(docs_pages.pages())


def test_every_page_is_in_the_navigation_and_every_entry_exists(generated) -> None:
    listed = set(re.findall(r"^ +- (?:.*: )?(\S+\.md)$", CONFIG.partition("\nnav:\n")[2], flags=re.MULTILINE))
    written = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}
    assert listed == written | {"algorithms/index.md", "api.md", "commands.md"}


def test_every_algorithm_has_a_page_with_its_promise_and_argument(generated) -> None:
    for row in catalogue():
        text = generated[f"algorithms/{row.page}.md"]
        assert f"| `{row.name}` |" in text
        for key in ("Paper", "Guarantee", "Estimator", "Cost"):
            assert f"| **{key}** |" in text
        if row.verdict:
            assert f"Checked: *{row.verdict}*" in text
        assert f"]({row.page}.md)" in generated["algorithms/index.md"]


def test_a_page_states_its_theorem_in_words_and_in_coq_with_the_constant_it_names(generated) -> None:
    text = generated["algorithms/central.edge.degree_histogram.md"]
    assert "One edge changes the counts of boxes by 2 in total" in text
    assert "Definition young_tiles_constant := 2.\n    Theorem young_tiles_sensitivity : edge_sensitivity" in text


def test_every_public_name_stands_in_the_api(generated, docs_pages) -> None:
    more = {name for homes in docs_pages.MORE.values() for names in homes.values() for name in names}
    for name in more | set(graphveil.__all__) - {"__version__"}:
        assert re.search(rf"^(?:### {name}$|- `{name}`)", generated["api.md"], flags=re.MULTILINE), name


def test_every_command_stands_in_the_reference(generated) -> None:
    text = generated["commands.md"]
    root = typer.main.get_command(app)
    for name, command in root.commands.items():
        for below in getattr(command, "commands", {"": None}):
            assert f"### graphveil {name} {below}".rstrip() in text, (name, below)
    assert "`--epsilon E`" in text


def test_nothing_is_fetched_from_elsewhere() -> None:
    """Fonts off, no plug-in that embeds scripts from other servers; pictures lie in the tree."""
    assert "font: false" in CONFIG
    assert re.search(r"^plugins: \[search, offline\]$", CONFIG, flags=re.MULTILINE)
    assert re.search(r"^  polyfills: \[assets/iframe-worker\.js\]", CONFIG, flags=re.MULTILINE)
    for page in (ROOT / "docs").rglob("*.md"):
        assert not re.search(r"!\[[^\]]*\]\(https?:|<(?:script|img|link)[^>]+https?:", page.read_text(encoding="utf-8"))


def test_no_escape_shows_on_a_page(generated) -> None:
    """Markdown takes a backslash before stars and brackets, not before a `<`."""
    assert not [page for page, text in generated.items() if "\\<" in text]


def test_files_and_folders_that_the_docs_name_exist() -> None:
    """Paths of the source in backquotes; the worked example of CONTRIBUTING.md is about to be written."""
    named = re.compile(r"`((?:[\w.]+/)+(?:\w+\.py)?)`")
    folders = {path.name for path in (ROOT / "src" / "graphveil").iterdir() if path.is_dir()} | {
        "tests",
        "tools",
        "src",
    }
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        for path in named.findall(page.read_text(encoding="utf-8")):
            if path.partition("/")[0] in folders and "circuit_rank" not in path:
                assert any((home / path).exists() for home in (ROOT, ROOT / "src" / "graphveil")), (page.name, path)


@pytest.mark.parametrize(
    ("heading", "call"),
    [
        ("`session.edges(epsilon=1)`", "edges"),
        ("A degree distribution under node privacy", "node-degrees"),
        ("A triangle campaign", "triangle-campaign"),
        ("One audit", "audit"),
    ],
)
def test_a_call_enters_the_files_that_the_architecture_lists(heading, call) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition(f"### {heading}\n")[2].partition("\n### ")[0].partition("\n## ")[0]
    listed = re.findall(r"^\| `([\w/]+\.py)` \|", table, flags=re.MULTILINE)
    entered = [path for path, _ in walk(ROOT, call)["entered"]]
    assert len(listed) >= 8
    assert set(listed) <= set(entered)


def test_the_guide_names_every_query_that_can_be_released() -> None:
    page = (ROOT / "docs" / "release.md").read_text(encoding="utf-8")
    table = page.partition("## What you can ask")[2].partition("\n## ")[0]
    rows = [line.split("|")[2:4] for line in table.splitlines() if line.startswith("| ")][2:]
    for unit, column in (("edge", 0), ("node", 1)):
        named = {name for row in rows for name in re.findall(r"`([^`]+)`", row[column])}
        offered = {row.query for row in catalogue() if row.job == "release" and row.unit == unit and not row.package}
        assert named == offered - {"class-rows"}
