"""The command line: reads options, calls the layers below, prints. It holds no logic of its own.

Nothing heavy is imported here or at the top of a command's module: `graphveil --help` answers at once.
"""

from __future__ import annotations


def main() -> None:
    """Entry point of the `graphveil` command."""
    from graphveil.cli.app import run

    run()
