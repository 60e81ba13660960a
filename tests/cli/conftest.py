import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Commands
from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path, commands: Commands) -> Run:
    """Run the real command in an empty folder."""

    def command(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
        return commands.run([str(word) for word in words], tmp_path, **options)

    return command


@pytest.fixture
def friends(tmp_path: Path) -> Path:
    """A small graph as a plain edge list: nothing says who has no edges."""
    path = tmp_path / "friends.csv"
    edges = power_law_cluster(60, 3, 0.5, seed=4).edges()
    path.write_text("".join(f"{u},{v}\n" for u, v in edges.tolist()), encoding="utf-8")
    return path


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """The same with its people listed."""
    path = tmp_path / "listed.npz"
    write_graph(power_law_cluster(60, 3, 0.5, seed=4), path)
    return path
