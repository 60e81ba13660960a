"""Every command the docs show runs, in the order shown, on a folder with a small graph and a table of its people.

A page's ```sh blocks form one session. Lines start with `graphveil` or `printf`; what takes long or needs a download
stands in a ```text block instead. A command ends with status 0 unless a comment says `# status 1`.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

import graphveil as gv
from commands import Commands

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def commands_of(page: Path) -> list[str]:
    text = "".join(BLOCK.findall(page.read_text(encoding="utf-8"))).replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


# Commands that serve until they are stopped, and those that need the server: tests/service runs them.
SERVING = {"operate.md", "tutorials/operator.md", "tutorials/participant.md", "guides/two-servers.md"}
PAGES = sorted({str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if commands_of(page)} - SERVING)


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_of_a_page_run_in_order(name: str, tmp_path: Path, commands: Commands) -> None:
    gv.write_graph(gv.power_law_cluster(300, 4, 0.5, seed=1), tmp_path / "friends.txt.gz")
    years = "".join(f"{person},{('2008', '2009', '')[person % 3]}\n" for person in range(300))
    (tmp_path / "people.csv").write_text(f"person,year\n{years}")
    for line in commands_of(DOCS / name):
        if line.startswith("printf "):
            subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True)
        else:
            program, *words = shlex.split(line, comments=True)
            assert program == "graphveil", line  # nothing else could be tested here
            done = commands.run(words, tmp_path)
            status = int(line.partition("# status ")[2][:1] or 0)
            assert done.returncode == status, (line, done.stderr)
