"""The work of a command by another tool, as far as that does it: `python -m benchmarks._peer PEAK igraph stats FILE`.

Reads the file and prints exact answers, without noise. Peak memory is written to PEAK, as `benchmarks._peak` does.
"""

from __future__ import annotations

import atexit
import sys
from pathlib import Path

from benchmarks._peak import peak

MOST = 1_000_000  # edges: more would take minutes
PEERS = {"release": ("igraph", "networkx"), "collect": ("igraph",), "stats": ("igraph",)}


def by_igraph(command: str, file: str) -> None:
    """Triangles for a release or a collection; for `stats` whatever needs no sampled paths."""
    import igraph

    graph = igraph.Graph.Read_Ncol(file, directed=False).simplify()
    triangles = graph.transitivity_local_undirected(mode="zero")
    print(sum(triangles))
    if command == "stats":
        print(graph.transitivity_undirected(), max(graph.coreness()), len(graph.connected_components()))
        print(graph.assortativity_degree(directed=False))


def by_networkx(_: str, file: str) -> None:
    """Triangles."""
    import networkx as nx

    print(sum(nx.triangles(nx.read_edgelist(file, nodetype=int)).values()))


if __name__ == "__main__":
    peak_file, tool, command, file = sys.argv[1:]
    atexit.register(lambda: Path(peak_file).write_text(str(peak())))
    {"igraph": by_igraph, "networkx": by_networkx}[tool](command, file)
