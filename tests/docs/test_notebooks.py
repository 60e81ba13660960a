"""The notebooks of examples/ run from top to bottom, and are stored with what they show."""

import json

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from run_notebooks import notebooks, run

mpl.use("Agg")
NAMES = {path.name for path in notebooks()}


def test_there_is_one_for_each_reader():
    assert {
        "benchmark-for-researchers.ipynb",
        "campaign-simulation.ipynb",
        "curator-with-networkx.ipynb",
        "monthly-publication-with-pandas.ipynb",
        "predict-attributes.ipynb",
    } == NAMES


def kinds(cell):
    return {key for output in cell["outputs"] for key in output.get("data", output)}


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_runs_and_was_run(path):
    stored = json.loads(path.read_text(encoding="utf-8"))
    fresh = run(path)
    for before, after in zip(stored["cells"], fresh["cells"], strict=True):
        if before["cell_type"] == "code":
            assert kinds(before) == kinds(after), "".join(before["source"])
    plt.close("all")
