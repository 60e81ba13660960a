"""The house rules that a machine can check."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import graphveil

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
HEAVY = {"numpy", "numba", "scipy", "polars", "pyarrow", "opendp", "dp_accounting", "matplotlib", "networkx", "igraph"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_passes_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_folders_are_at_most_three_deep() -> None:
    package = ROOT / "src" / "graphveil"
    assert max(len(path.relative_to(package).parts) for path in SOURCES) <= 4


def test_public_names_are_what_is_visible() -> None:
    assert sorted(graphveil.__all__) == graphveil.__all__ == dir(graphveil)
    for name in graphveil.__all__:
        assert getattr(graphveil, name).__name__ == name


def test_every_public_name_is_documented() -> None:
    undocumented = [name for name in graphveil.__all__ if not getattr(graphveil, name).__doc__]
    assert undocumented == []


def test_heavy_libraries_are_imported_only_when_used() -> None:
    code = f"import sys; import graphveil.cli.app; print(sorted(set(sys.modules) & set({sorted(HEAVY)!r})))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_no_source_module_names_the_global_generator() -> None:
    """numpy's module-level random functions share hidden state; explicit generators only."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "np.random":
                assert node.attr in {"default_rng", "Generator"}, path


def test_modules_import_one_by_one() -> None:
    for path in SOURCES:
        if path.name == "__main__.py":
            continue
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
