"""The house rules that a machine can check."""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import graphveil

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PUBLIC = [name for name in graphveil.__all__ if name != "__version__"]
HEAVY = {"numpy", "numba", "scipy", "polars", "pyarrow", "opendp", "dp_accounting", "matplotlib", "networkx", "igraph"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_passes_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_folders_are_at_most_four_deep() -> None:
    package = ROOT / "src" / "graphveil"
    assert max(len(path.relative_to(package).parts) for path in SOURCES) <= 5


def test_no_two_test_files_have_one_name() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))  # pytest would leave one of them out


def test_public_names_are_what_is_visible() -> None:
    assert sorted(graphveil.__all__) == graphveil.__all__ == dir(graphveil)
    for name in PUBLIC:
        assert getattr(graphveil, name).__name__ == name
    assert re.fullmatch(r"\d+\.\d+\.\d+", graphveil.__version__)


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_are_documented_and_typed(name: str) -> None:
    """So are the public methods and properties of classes."""
    value = getattr(graphveil, name)
    assert inspect.getdoc(value)
    members = [value]
    if inspect.isclass(value):
        own = {key: member for key, member in inspect.getmembers_static(value) if not key.startswith("_")}
        members = [getattr(each, "fget", None) or getattr(each, "__func__", each) for each in own.values()]
    for member in filter(inspect.isfunction, members):
        if member.__module__.startswith("graphveil"):  # not what str or an exception brings
            signature = inspect.signature(member)
            assert inspect.getdoc(member), member
            assert signature.return_annotation is not signature.empty, member
            untyped = [p.name for p in signature.parameters.values() if p.annotation is p.empty]
            assert untyped in ([], ["self"], ["cls"]), member


def test_type_checkers_see_what_is_loaded_when_used() -> None:
    """The imports under TYPE_CHECKING and the table of homes are two lists of one thing."""
    tree = ast.parse((ROOT / "src" / "graphveil" / "__init__.py").read_text(encoding="utf-8"))
    seen = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("graphveil.")
        for alias in node.names
    }
    assert seen == {name: f"graphveil.{module}" for name, module in graphveil._MODULE_OF.items()}


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


def test_every_picture_is_drawn_in_the_one_style() -> None:
    drawing = [text for text in (path.read_text(encoding="utf-8") for path in SOURCES) if " Figure(" in text]
    assert len(drawing) >= 3
    assert all("rc_context(STYLE)" in text for text in drawing)


def test_modules_import_one_by_one() -> None:
    for path in SOURCES:
        if path.name == "__main__.py":
            continue
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
