"""BCPA's table 1: the two graphs of its experiments.

Its edges are directed ones, as the files list them. The algorithms are about undirected graphs, in which fewer remain;
`edges=directed` counts the lines of the file.
"""

from __future__ import annotations

from graphveil.evaluation.figures.graph_counts import DIRECTED, SERIES, counts_table
from graphveil.evaluation.readings import Reading

STATED = {"wiki-Vote": (7_115, 103_689), "ego-Twitter": (81_306, 1_768_149)}  # people and edges
EDGES = Reading("edges", SERIES, (DIRECTED,), default="undirected")
EXPERIMENT = counts_table("bcpa-table1", "The graphs of BCPA's experiments", "Table 1", STATED, EDGES)
