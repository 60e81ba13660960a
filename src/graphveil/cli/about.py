"""`graphveil algorithms`, `datasets` and `doctor`: what there is to run, on what, and what is installed to run it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.options import AsJson
from graphveil.cli.output import print_json, print_line, print_table, working

if TYPE_CHECKING:
    from graphveil.release.catalogue import Listing


def algorithms(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Only this algorithm, query, statistic or job.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List all algorithms: what each answers and guarantees, and whether a published claim holds.

    Examples: graphveil algorithms; graphveil algorithms triangles; graphveil algorithms gs-ldp
    """
    from graphveil.release.catalogue import catalogue, find_listings

    chosen = list(catalogue()) if name is None else find_listings(name)
    if as_json:
        print_json({"algorithms": [row.to_json() for row in chosen]})
    elif len(chosen) == 1 or all(row.name == name for row in chosen):
        for row in chosen:
            _print_listing(row)
    else:
        rows = [(row.name, row.job, row.query, row.unit, row.guarantee, _status(row)) for row in chosen]
        print_table("algorithms", ("name", "job", "answers", "unit", "guarantee", "status"), rows)
        print_line("more about one: graphveil algorithms NAME")


def _print_listing(row: Listing) -> None:
    """Everything about one algorithm: a line for each thing that there is to say."""
    print_line(f"{row.name}: {row.query}, {row.unit} privacy")
    for key, value in row.to_json().items():
        shown = _status(row) if key == "status" else value
        if key == "theorems":
            shown = ", ".join(row.theorems) + " (proofs/, checked by Coq)" if row.theorems else ""
        if key == "options":
            shown = ", ".join(f"{name}={_default(row, name)}" if name in row.defaults else name for name in row.options)
        if shown and key not in ("name", "query", "unit", "defaults"):
            print_line(f"  {key:10} {shown}")


def _default(row: Listing, option: str) -> str:
    value = row.defaults[option]
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _status(row: Listing) -> str:
    return row.status if row.package is None else f"{row.status} (package {row.package})"


NEEDED = ("numpy", "scipy", "numba", "polars", "dp-accounting", "cryptography")
OPTIONAL = {
    "interop": ("networkx", "igraph"),
    "plots": ("matplotlib",),
    "service": ("fastapi", "uvicorn", "sqlalchemy", "alembic", "httpx", "psycopg"),
    "spark": ("pyspark",),
}
WIDE = 160  # of a table of graphs
PACKAGE = Path(__file__).parents[1]
PROGRAMS = {"Java (extra spark)": "java", "PostgreSQL server (tests)": "pg_ctl", "Chromium (tests)": "chromium"}


def doctor(as_json: AsJson = False) -> None:
    """Show versions, optional parts, plug-ins, and where data and caches lie; nothing is sent anywhere.

    Example: graphveil doctor
    """
    found = examine()
    if as_json:
        print_json(found)
        return
    rows = [(name, text) for name, text in found["versions"].items()]
    print_table("versions", ("what", "version"), rows)
    parts = [
        (name, "ready" if not part["missing"] else "missing: " + ", ".join(part["missing"]), part["install"])
        for name, part in found["extras"].items()
    ]
    print_table("optional parts", ("extra", "state", "to install"), parts)
    programs = [(name, place or "not found") for name, place in found["programs"].items()]
    print_table("programs that some parts use", ("what", "where"), programs)
    if found["plugins"]:
        added = [(point["name"], point["group"], point["package"]) for point in found["plugins"]]
        print_table("plug-ins (unreviewed)", ("name", "group", "package"), added)
    print_table("places", ("what", "where"), [(name, str(place)) for name, place in found["places"].items()])


def examine() -> dict[str, Any]:
    """All of it as one document."""
    from graphveil.plugins import GROUPS, plugins

    return {
        "versions": {
            "graphveil": version("graphveil"),
            "Python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
            **{name: _installed(name) for name in NEEDED},
        },
        "extras": {
            name: {
                "missing": [package for package in packages if find_spec(package) is None],
                "install": f"pip install '.[{name}]'",
            }
            for name, packages in OPTIONAL.items()
        },
        "plugins": [
            {"name": plugin.name, "group": group, "package": plugin.package}
            for group in GROUPS
            for plugin in plugins(group)
        ],
        "programs": {words: shutil.which(program) for words, program in PROGRAMS.items()},
        "places": {
            "package": str(PACKAGE),
            "interpreter": sys.executable,
            **_data_places(),
            "compiled kernels": _kernel_place(),
        },
    }


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _kernel_place() -> str:
    """Where numba keeps what it compiled: beside the source if it may write there."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return named
    return f"__pycache__ folders below {PACKAGE}" if os.access(PACKAGE, os.W_OK) else "numba, in your cache folder"


def datasets(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One of them; all if not given.")] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Download what is missing, and check it.")] = False,
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the files lie; GRAPHVEIL_DATA if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Public graphs for experiments: their counts, where they come from, and whether they are here.

    --fetch checks the checksum of the edges; nothing else is kept.
    Example: graphveil datasets ego-Facebook --fetch --folder graphs
    """
    from graphveil.errors import ParameterError, unknown_name
    from graphveil.graph.datasets import DATASETS, FOLDER, data_folder, fetch_dataset, place_of

    if name is not None and name not in DATASETS:
        raise unknown_name("dataset", name, DATASETS)
    place = folder if folder is not None else data_folder()
    wanted = list(DATASETS.values()) if name is None else [DATASETS[name]]
    if fetch and place is None:
        raise ParameterError(f"--fetch needs a folder to put graphs into: --folder DIR, or {FOLDER} in the environment")
    if fetch and place is not None:
        for each in wanted:
            with working(f"fetching {each.name}"):
                fetch_dataset(each.name, folder=place)
    rows = [
        {
            **{field: getattr(each, field) for field in ("name", "nodes", "edges", "max_degree", "triangles")},
            **{field: getattr(each, field) for field in ("paper", "source", "url", "checksum")},
            "present": (found := place_of(each, place)) is not None,
            "file": None if found is None else str(found),
        }
        for each in wanted
    ]
    if as_json:
        print_json({"folder": None if place is None else str(place), "datasets": rows})
        return
    counts = ("nodes", "edges", "max_degree", "triangles")
    table = [
        (row["name"], *(f"{row[count]:,}" for count in counts), row["file"] or "not here", row["source"])
        for row in rows
    ]
    columns = ("name", "people", "edges", "largest degree", "triangles", "file", "where to get it")
    print_table("public graphs", columns, table, width=WIDE)
    if place is None:
        print_line(f"set {FOLDER} to the folder of the files, or name it with --folder")


def _data_places() -> dict[str, str]:
    from graphveil.graph.datasets import DATASETS, FOLDER, data_folder, is_present

    folder = data_folder()
    if folder is None:
        return {"real graphs": f"{FOLDER} is not set; `graphveil reproduce` needs it for its full figures"}
    present = [name for name in DATASETS if is_present(name)]
    return {"real graphs": f"{folder}: {', '.join(present) or 'none found'}"}
