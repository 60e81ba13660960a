"""Pages of the docs that are written from the source: one for every algorithm's module, their list, and the API.

`make docs` runs this as a hook of mkdocs; nothing is written into the tree. `python tools/docs_pages.py api.md` prints
one of them.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

from check_proofs import RECORD, definition, words
from docs_commands import commands_page

import graphveil
from graphveil.registry import HEADER_KEYS, parse_header
from graphveil.registry_theorems import REFUTATIONS, THEOREMS, UNPROVED
from graphveil.release.catalogue import Listing, catalogue

JOBS = {
    "release": "Released by a curator who holds the graph",
    "collect": "Collected from people who keep their own lists",
    "synthesize": "Graphs to hand out",
}
# Public names that are imported from their own modules: title -> module -> names
MORE = {
    "Losses by hand": {
        "privacy.compose": ("sequential", "parallel", "Split", "tightest", "Bound"),
        "privacy.convert": ("group", "k_edges", "entry_to_relationship", "concentrated_to_approximate", "with_failure"),
        "privacy.unit": ("Adjacency",),
        "privacy.loss": ("Pure", "Approximate", "Concentrated"),
        "privacy.odds": ("posterior_range", "odds_sentence"),
    },
    "Sensitivities": {
        "mechanisms.sensitivity": ("graph_sensitivity", "sensitivity_argument", "mean_sensitivity"),
    },
    "The dK series": {
        "graph.statistics.dk_series": ("exact_dk_series", "DkSeries"),
        "graph.statistics.degree_table": ("DegreeTable",),
        "graph.generate.realisable": ("nearest_realisable",),
        "graph.generate.clustering": ("target_clustering",),
    },
    "Auditing": {"audit": ("audit", "Pair", "AuditResult")},
    "Testing an algorithm of your own": {"testing": ("conformance_checks",)},
}
WIDTH = 90  # of a signature on one line
THEOREM_WIDTH = 66  # of a statement, so that a page does not fold it again
VERDICTS = {"claim-refuted": "claim refuted", "proved": "proved", "unreviewed": "unreviewed"}


def pages() -> Iterator[tuple[str, str]]:
    """Path and text of every page."""
    rows = [row for row in catalogue() if row.package is None]
    yield "algorithms/index.md", index_page(rows)
    for module in dict.fromkeys(row.page for row in rows):
        yield f"algorithms/{module}.md", algorithm_page(module, [row for row in rows if row.page == module])
    yield "api.md", api_page()
    yield "commands.md", commands_page()


def index_page(rows: list[Listing]) -> str:
    """All algorithms by job and query, with their promise and verdict."""
    text = [
        "# Algorithms",
        "Each name leads to its page: what is promised and why it holds, how far off answers are, what they cost.",
        "The pages are the heads of the modules themselves. `graphveil algorithms` prints the same list.",
    ]
    for job, title in JOBS.items():
        text += [f"## {title}", "", "| answers | name | unit | promises | verdict |", "| --- | --- | --- | --- | --- |"]
        for row in (row for row in rows if row.job == job):
            link, verdict = f"[{row.name}]({row.page}.md)", VERDICTS[row.status]
            text.append(f"| {row.query} | {link} | {row.unit} | {_cell(row.guarantee)} | {verdict} |")
        text.append("")
    return "\n".join(text) + "\n"


def algorithm_page(module: str, rows: list[Listing]) -> str:
    """The head of a module: its keyed lines as a table, then its argument, then the classes it offers."""
    document = inspect.getdoc(import_module(f"graphveil.{module}")) or ""
    title, *body = document.splitlines()
    header = parse_header(document)
    text = [
        f"# {title.rstrip('.')}",
        "",
        "| name | job | answers | unit | verdict |",
        "| --- | --- | --- | --- | --- |",
    ]
    text += [f"| `{r.name}` | {r.job} | {r.query} | {r.unit} | {VERDICTS[r.status]} |" for r in rows]
    text += [
        "",
        "| in short | |",
        "| --- | --- |",
        *(f"| **{key}** | {_cell(value)} |" for key, value in header.items()),
        "",
    ]
    for claim, reason in dict.fromkeys((row.claim, row.reason) for row in rows if row.claim):
        verdict = next(row.verdict for row in rows if row.claim == claim)
        text += [f"**Published claim.** {_prose(claim or '')}. Checked: *{verdict}*: {_prose(reason or '')}.", ""]
    text += [_prose("\n".join(_without_header(body))).strip(), "", *proofs_of(module)]
    options = dict.fromkeys(option for row in rows for option in row.options)
    if options:
        text += [f"Public parameters besides epsilon: {', '.join(f'`{option}`' for option in options)}.", ""]
    return "\n".join([*text, f"Source: `src/graphveil/{module.replace('.', '/')}.py`"]) + "\n"


def proofs_of(module: str) -> list[str]:
    """What Coq checked for the algorithms of a module: each theorem in words and as stated, or what is missing."""
    checked = json.loads(RECORD.read_text(encoding="utf-8"))["theorems"]
    names, missing = dict[str, None](), dict[str, None]()
    for location, theorems in (*THEOREMS.items(), *((key, (name,)) for key, name in REFUTATIONS.items())):
        if location.partition(":")[0] == module:
            names |= dict.fromkeys(theorems)
    for location, reason in UNPROVED.items():
        if location.partition(":")[0] == module:
            missing[reason] = None
    if not names and not missing:
        return []
    text = ["## Checked by a machine", ""]
    for name in names:
        file, statement = checked[name]["file"], checked[name]["statement"]
        text += [f"- `{name}` in `proofs/{file}`. {_prose(words(name, file))}", "", "    ```text"]
        stated = [definition(constant, file) for constant in dict.fromkeys(checked[name]["constants"])]
        stated.append(f"Theorem {name} {statement}.")
        text += [f"    {line}" for part in stated for line in _folded_words(part)] + ["    ```", ""]
    text += [f"Not proved by a machine yet: {reason}." for reason in missing]
    return [*text, "", "[How you can check us](../guides/check-us.md)", ""]


def _folded_words(text: str) -> list[str]:
    return textwrap.wrap(text, THEOREM_WIDTH, subsequent_indent="  ", break_long_words=False)


def api_page() -> str:
    """Every public name, with its signature and docstring."""
    text = [
        "# Python API",
        "What `import graphveil as gv` offers, then what is imported from a module of its own.",
        "Names that are not here may change without notice.",
        "",
    ]
    kinds = {"Classes": inspect.isclass, "Functions": inspect.isfunction}
    values = {name: getattr(graphveil, name) for name in graphveil.__all__ if name != "__version__"}
    errors = {name: value for name, value in values.items() if inspect.isclass(value) and issubclass(value, Exception)}
    for kind, test in kinds.items():
        text += [f"## {kind}", ""]
        for name, value in values.items():
            if test(value) and name not in errors:
                text += _entry(name, value)
    text += ["## Errors", "", *(f"- `{name}`: {_prose(inspect.getdoc(v) or '')}" for name, v in errors.items()), ""]
    for title, homes in MORE.items():
        text += [f"## {title}", ""]
        for module, names in homes.items():
            found = import_module(f"graphveil.{module}")
            text += [f"From `graphveil.{module}`:", ""]
            for name in names:
                text += _entry(name, getattr(found, name))
    return "\n".join(text) + "\n"


def _entry(name: str, value: Any) -> list[str]:
    text = [f"### {name}", "", "```text", _folded(f"{name}{_signature(value)}"), "```", "", _docstring(value), ""]
    if not inspect.isclass(value):
        return text
    hidden = {field.name for field in fields(value)} if is_dataclass(value) else set()
    for key, member in inspect.getmembers_static(value):
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        if key.startswith("_") or key in hidden or not inspect.isfunction(function):
            continue
        if not function.__module__.startswith("graphveil"):
            continue
        shown = key if isinstance(member, property) else f"{key}{_signature(function)}"
        text += [f"- `{shown}`: {_prose((inspect.getdoc(function) or '').partition(chr(10))[0])}"]
    return [*text, ""]


def _signature(value: Any) -> str:
    if inspect.isclass(value) and issubclass(value, Enum):
        return "(" + " | ".join(repr(member.value) for member in value) + ")"
    shown = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", str(inspect.signature(value)))
    shown = re.sub(r", __\w+__: [^,)]*", "", shown)
    shown = re.sub(r"(?<=\()(?:self|cls)(?:, )?", "", shown, count=1)
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", shown)


def _folded(call: str) -> str:
    """A long signature with one parameter a line."""
    if len(call) <= WIDTH:
        return call
    depth, lines = 0, [""]
    for letter in call:
        depth += (letter in "([{") - (letter in ")]}")
        lines[-1] += letter
        if (letter == "(" and depth == 1) or (letter == "," and depth == 1):
            lines.append("   ")
    return "\n".join(line.replace("    ", "   ", 1) if line.startswith("    ") else line for line in lines)


def _docstring(value: Any) -> str:
    """Prose, and examples as code."""
    paragraphs = (inspect.getdoc(value) or "").split("\n\n")
    return "\n\n".join(f"```pycon\n{p}\n```" if p.startswith(">>>") else _prose(p) for p in paragraphs)


def _without_header(lines: list[str]) -> Iterator[str]:
    inside = False
    for line in lines:
        inside = line.partition(" ")[0] in HEADER_KEYS or (inside and line.startswith(" "))
        if not inside:
            yield line


def _prose(text: str) -> str:
    """Text as Markdown: a `<` is a `<`, stars are stars; indented blocks stay code."""
    return re.sub(r"^(?! {4}).*$", lambda line: _escaped(line[0]), text, flags=re.MULTILINE)


def _escaped(line: str) -> str:
    parts = line.split("`")
    parts[::2] = [re.sub(r"([*_\[\]])", r"\\\1", part).replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def _cell(text: str) -> str:
    return _prose(text).replace("|", "\\|")


def on_files(files: Any, config: Any) -> Any:
    """What mkdocs calls once it has listed the files of the docs."""
    from mkdocs.structure.files import File

    for path, text in pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_post_build(config: Any) -> None:
    """Fail where a page would fetch something from another server: the site is read without a network too."""
    loads = re.compile(
        r"""<(?:script|img|iframe)[^>]+src="?https?:|<link[^>]+rel="?stylesheet[^>]+https?:|url\(["']?https?:"""
    )
    for page in sorted(Path(config["site_dir"]).rglob("*")):
        if page.suffix in (".html", ".css") and loads.search(page.read_text(encoding="utf-8")):
            raise SystemExit(f"{page} loads something from another server")


if __name__ == "__main__":
    sys.stdout.write(dict(pages())[sys.argv[1]])
