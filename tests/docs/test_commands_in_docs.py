"""Every command the docs show runs, in the order shown, on a folder with a small graph.

A page's ```sh blocks form one session. Lines start with `graphveil` or `printf`; what takes long or needs a download
stands in a ```text block instead.
"""

from __future__ import annotations

import os
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


SERVING = {"operate.md"}  # its commands serve until they are stopped: tests/service/test_quick_start.py runs them
PAGES = sorted({str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if commands(page)} - SERVING)


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_of_a_page_run_in_order(name: str, tmp_path: Path) -> None:
    gv.write_graph(gv.power_law_cluster(300, 4, 0.5, seed=1), tmp_path / "friends.txt.gz")
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    for command in commands(DOCS / name):
        assert command.startswith(("graphveil ", "printf ")), f"{name} shows a command that is not tested: {command}"
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
