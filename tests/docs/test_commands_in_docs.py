"""Every command the docs show runs, in the order shown, on a folder with a small graph.

A page's ```sh blocks form one session. Lines start with `graphveil` or `printf`; what takes long or needs a download
stands in a ```text block instead.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import graphveil as gv

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def commands(page: Path) -> list[str]:
    text = "".join(BLOCK.findall(page.read_text(encoding="utf-8"))).replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


# Commands that serve until they are stopped, and those that need the server: tests/service runs them.
SERVING = {"operate.md", "tutorials/operator.md", "tutorials/participant.md"}
PAGES = sorted({str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if commands(page)} - SERVING)


DRIVER = """
import json, shlex, subprocess, sys
from graphveil.cli import main
for line in json.loads(sys.argv[1]):
    if not line.startswith("graphveil "):
        subprocess.run(["bash", "-c", line], check=True)
        continue
    sys.argv = shlex.split(line)
    try:
        main()
    except SystemExit as left:
        if left.code:
            sys.exit(f"{line}: {left.code}")
"""


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_of_a_page_run_in_order(name: str, tmp_path: Path) -> None:
    """In one process, which has the libraries loaded already for the second."""
    gv.write_graph(gv.power_law_cluster(300, 4, 0.5, seed=1), tmp_path / "friends.txt.gz")
    shown = commands(DOCS / name)
    untested = [line for line in shown if not line.startswith(("graphveil ", "printf "))]
    assert not untested
    words = [sys.executable, "-c", DRIVER, json.dumps(shown)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
