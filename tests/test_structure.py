"""The rules of CONTRIBUTING.md about the shape of the source that a test can check."""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from house_numbers import docstrings, is_short

import graphveil

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "graphveil"
SOURCES = sorted((ROOT / "src").rglob("*.py"))
ROOMS = sorted(folder.name for folder in (ROOT / "tests").iterdir() if (PACKAGE / folder.name).is_dir())
PUBLIC = [name for name in graphveil.__all__ if name != "__version__"]
HEAVY = {"numpy", "numba", "scipy", "polars", "pyarrow", "opendp", "dp_accounting", "matplotlib", "networkx", "igraph"}


# Ceilings for what is not yet as it should be. They may fall and never rise.
SHORT_DOCSTRINGS = 2
DEEPEST_CHAIN = 3


def test_no_module_passes_300_lines() -> None:
    assert not [path for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > 300]


def test_a_folder_has_about_15_files_and_never_more_than_18() -> None:
    files = Counter(str(path.parent.relative_to(PACKAGE)) for path in SOURCES if path.name != "__init__.py")
    full = {folder: count for folder, count in files.items() if count > 18}
    assert not full


def test_docstrings_say_more_than_the_name() -> None:
    """A docstring of four words hardly does; their number may only fall."""
    assert sum(is_short(text) for path in SOURCES for text in docstrings(path)) <= SHORT_DOCSTRINGS


def test_classes_share_by_composition() -> None:
    """The longest line of classes of this package, each of which inherits from the next."""
    kinds = {kind for module in modules() for kind in vars(module).values() if inspect.isclass(kind)}
    deepest = max((chain(kind) for kind in kinds), key=len)
    assert len(deepest) <= DEEPEST_CHAIN, deepest


def chain(kind: type) -> list[str]:
    """The names of the longest line of classes of this package from here up."""
    if not kind.__module__.startswith("graphveil"):
        return []
    return [kind.__name__, *max((chain(base) for base in kind.__bases__), key=len, default=[])]


def test_only_the_registries_know_the_algorithms_of_papers() -> None:
    """They are named there as text, like a plug-in; no module outside of papers/ imports one of them."""
    outside = [path for path in mentioning("papers") if path.relative_to(PACKAGE).parts[0] != "papers"]
    assert not [path for path in outside if "graphveil.papers" in imports(path)]


def mentioning(word: str) -> list[Path]:
    """The source files that hold a word; only these need be parsed."""
    return [path for path in SOURCES if word in path.read_text(encoding="utf-8")]


def imports(path: Path) -> set[str]:
    """The packages of graphveil that a file imports from, two names deep."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return {".".join(name.split(".")[:2]) for name in names}


def test_folders_are_at_most_four_deep() -> None:
    assert max(len(path.relative_to(PACKAGE).parts) for path in SOURCES) <= 5


def test_no_two_test_files_have_one_name() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))  # pytest would leave one of them out


@pytest.mark.parametrize("room", ROOMS)
def test_a_test_file_has_the_name_of_a_module_or_says_what_it_tests(room: str) -> None:
    """Its name is that of a module or folder of the room, after the folder or room where it is not unique."""
    folders = [folder for folder in (PACKAGE / room).rglob("*") if folder.is_dir()]
    modules = list((PACKAGE / room).rglob("*.py"))
    names = {path.stem for path in folders + modules}
    names |= {f"{before}_{path.stem}" for path in folders + modules for before in (room, path.parent.name)}
    for path in (ROOT / "tests" / room).rglob("test_*.py"):
        says = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert path.stem.removeprefix("test_") in names or says, path


def test_public_names_are_what_is_visible() -> None:
    assert sorted(graphveil.__all__) == graphveil.__all__ == dir(graphveil)
    for name in PUBLIC:
        assert getattr(graphveil, name).__name__ == name
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev0)?", graphveil.__version__)


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


def test_a_release_on_a_small_graph_loads_no_compiler() -> None:
    """Loading it would take as long as the rest of the command."""
    lines = [
        "import sys, graphveil",
        "session = graphveil.Session([(0, 1), (1, 2), (0, 2)], unit='edge', budget=9)",
        "for ask in (session.edges, session.triangles, session.degree_histogram, session.components):",
        "    ask(epsilon=1, accept_noise=True)",
        "print(set(sys.modules) & {'numba', 'networkx', 'scipy.optimize', 'scipy.sparse'} or None)",
    ]
    shown = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "None"


def test_no_source_module_names_the_global_generator() -> None:
    """numpy's module-level random functions share hidden state; explicit generators only."""
    for path in mentioning("np.random"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "np.random":
                assert node.attr in {"default_rng", "Generator"}, path


def test_every_picture_is_drawn_in_the_one_style() -> None:
    drawing = [path.read_text(encoding="utf-8") for path in mentioning(".Figure(")]
    assert sum(text.count(".Figure(") for text in drawing) >= 3
    assert all(text.count(".Figure(") == text.count("rc_context(STYLE)") for text in drawing)


@cache
def modules() -> list[ModuleType]:
    """Every module of the package, imported."""
    found = []
    for path in SOURCES:
        if path.name != "__main__.py":
            parts = path.relative_to(ROOT / "src").with_suffix("").parts
            found.append(import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts)))
    return found


def test_modules_import_one_by_one() -> None:
    assert len(modules()) > 100


def test_one_version_is_built_cited_and_described() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    expected = f"{version.removesuffix('.dev0')} (unreleased)" if version.endswith(".dev0") else f"{version} ("
    assert changes.startswith(expected)
    assert f"ruff=={ruff_of_hooks()}\n" in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def ruff_of_hooks() -> str:
    """The version of ruff that pre-commit runs, which must be the one of `make check`."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    return hooks.partition("ruff-pre-commit\n    rev: v")[2].partition("\n")[0]


def test_the_source_package_carries_what_it_needs() -> None:
    """Every file and folder of the root is in the source distribution, but for caches and settings of tools."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = set(listed["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]) | {"pyproject.toml"}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    roots = {line.partition("/")[0] for line in tracked.splitlines()}
    assert roots - {".ci", ".github", ".gitignore"} <= included
