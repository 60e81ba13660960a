import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster

Run = Callable[..., subprocess.CompletedProcess[str]]
# A process that has loaded libraries, kernels and commands, and then forks: one child for each command. Libraries with
# threads of their own (polars, pyarrow) are left to the child.
NURSERY = """
import atexit, contextlib, gc, io, json, os, sys, traceback
import numba, numpy, scipy.optimize, scipy.sparse, scipy.special, scipy.stats
import graphveil as gv
import graphveil.cli.app, graphveil.release.session
from graphveil.cli import main
gv.Session(gv.power_law_cluster(60, 3, 0.5, seed=4), unit="edge", budget=1).triangles(epsilon=1)
sys.argv = "graphveil plan --query edges --unit edge --epsilon 1 --nodes 100".split()
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
gc.freeze()
for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if child == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
os.chdir(order["folder"])
os.environ.update(order["environment"])
for number, name in ((0, os.devnull), (1, order["out"]), (2, order["err"])):
    os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
sys.argv = order["words"]
try:
    main()
    status = 0
except SystemExit as left:
    status = left.code or 0
except BaseException:
    status = 1
    traceback.print_exc()
atexit._run_exitfuncs()
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)  # at once: taking down all that the parent has loaded takes longer than most commands
"""


@pytest.fixture(scope="session")
def nursery() -> Iterator[subprocess.Popen[str]]:
    """The process that forks."""
    words = [sys.executable, "-c", NURSERY]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        yield running
        running.stdin.close()


@pytest.fixture
def run(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, nursery: subprocess.Popen[str]) -> Run:
    """Run a command in a process and an empty folder of its own; with options, as a fresh interpreter."""
    printed = tmp_path_factory.mktemp("printed")

    def command(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
        call = [sys.executable, "-m", "graphveil", *words]
        if options:
            return subprocess.run(call, cwd=tmp_path, text=True, check=False, **{"capture_output": True, **options})
        places = {"folder": str(tmp_path), "out": str(printed / "out"), "err": str(printed / "err")}
        order = {**places, "environment": dict(os.environ), "words": ["graphveil", *map(str, words)]}
        print(json.dumps(order), file=nursery.stdin, flush=True)
        status = int(nursery.stdout.readline())
        out, err = (Path(places[name]).read_text(encoding="utf-8") for name in ("out", "err"))
        return subprocess.CompletedProcess(call, status, out, err)

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
