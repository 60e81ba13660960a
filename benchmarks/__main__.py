"""Every benchmark in turn: `python -m benchmarks`, or only those named: `python -m benchmarks noise reading`.

A benchmark is a module of this folder with a `main()` that prints one table. Some take options when run alone, as
`python -m benchmarks.central.degrees --help` tells. Figures are ratios measured in one run:
absolute times do not carry over from one machine to another.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parent


def available() -> list[str]:
    found = (path.relative_to(FOLDER).with_suffix("") for path in sorted(FOLDER.rglob("*.py")))
    return [".".join(path.parts) for path in found if not path.name.startswith("_")]


def main() -> None:
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(f"{__doc__}\nThere are: {', '.join(available())}.")
        return
    names = sys.argv[1:] or available()
    unknown = sorted(set(names) - set(available()))
    if unknown:
        sys.exit(f"unknown benchmark {', '.join(unknown)}; there are: {', '.join(available())}")
    for name in names:
        print(f"\n== {name}")
        sys.argv = [name]
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
