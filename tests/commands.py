"""Commands in processes of their own, without the price of a fresh interpreter for each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

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


class Commands:
    """Runs `graphveil` commands in children of one process that is ready."""

    def __enter__(self) -> Commands:
        words = [sys.executable, "-c", NURSERY]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._printed = tempfile.TemporaryDirectory()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._printed.cleanup()

    def run(self, words: list[str], folder: Path, **options: object) -> subprocess.CompletedProcess[str]:
        """What a command prints and returns; with options of `subprocess.run` it is a fresh interpreter."""
        call = [sys.executable, "-m", "graphveil", *words]
        if options:
            return subprocess.run(call, cwd=folder, text=True, check=False, **{"capture_output": True, **options})
        places = {name: str(Path(self._printed.name) / name) for name in ("out", "err")}
        order = {"folder": str(folder), **places, "environment": dict(os.environ), "words": ["graphveil", *words]}
        print(json.dumps(order), file=self._process.stdin, flush=True)
        status = int(self._process.stdout.readline())
        out, err = (Path(places[name]).read_text(encoding="utf-8") for name in ("out", "err"))
        return subprocess.CompletedProcess(call, status, out, err)
