"""Runs a command of graphveil and writes its peak memory in bytes to a file: `python -m benchmarks._peak FILE stats …`.

The peak is read by the process itself: what its parent is told after the end also counts the memory that the parent
had when it began the process.
"""

from __future__ import annotations

import atexit
import re
import runpy
import sys
from pathlib import Path

PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


def peak() -> int:
    """Peak memory of this process so far, in bytes (Linux)."""
    found = PEAK.search(Path("/proc/self/status").read_text())
    return 1024 * int(found[1]) if found else 0


if __name__ == "__main__":
    file = Path(sys.argv.pop(1))
    atexit.register(lambda: file.write_text(str(peak())))
    sys.argv[0] = "graphveil"
    runpy.run_module("graphveil", run_name="__main__", alter_sys=True)
