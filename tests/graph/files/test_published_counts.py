"""The five public graphs, read as their sources describe them."""

import os
from pathlib import Path

import pytest

from graphveil.graph.files.read import read_with_report

DATA = Path(os.environ.get("GRAPHVEIL_DATA") or Path(__file__).parents[4] / "shared" / "data")


@pytest.mark.needs_data
@pytest.mark.parametrize(
    ("name", "lines", "nodes", "edges", "self_loops", "largest_degree"),
    [
        ("ego-Facebook", 88_234, 4_039, 88_234, 0, 1_045),
        ("ca-AstroPh", 396_160, 18_772, 198_050, 60, 504),
        ("email-Enron", 367_662, 36_692, 183_831, 0, 1_383),
        ("wiki-Vote", 103_689, 7_115, 100_762, 0, 1_065),
        ("ego-Twitter", 1_768_149, 81_306, 1_342_296, 14, 3_383),
    ],
)
def test_published_counts(name, lines, nodes, edges, self_loops, largest_degree):
    file = DATA / f"{name}.txt.gz"
    if not file.is_file():
        pytest.skip(f"{file.name} is not here; set GRAPHVEIL_DATA")
    graph, report = read_with_report(file)
    assert (report.lines, report.nodes, report.edges, report.self_loops) == (lines, nodes, edges, self_loops)
    assert report.repeated_edges == lines - self_loops - edges
    assert (graph.n_nodes, graph.n_edges, graph.degrees.max()) == (nodes, edges, largest_degree)
    assert (graph.labels is None) == (name in ("ego-Facebook", "email-Enron"))
    assert (graph.degrees == 0).sum() == (name == "ca-AstroPh")  # one author with only a self-loop
