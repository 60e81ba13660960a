"""The figures that `graphveil reproduce` draws: a module each, loaded when asked for, with an `EXPERIMENT`."""

from __future__ import annotations

import importlib

from graphveil.errors import ParameterError
from graphveil.evaluation.experiment import Experiment

# name -> (module, name in it, what it shows)
FIGURES: dict[str, tuple[str, str, str]] = {
    "gs-ldp-fig3": ("gs_ldp_degrees", "EXPERIMENT", "degree distribution, Node-LDP: GS-LDP's figure 3 and the repair"),
    "anonymity-vs-dp": ("anonymity_vs_dp", "EXPERIMENT", "attacks on and uses of every way to hand out a graph"),
}


def find_figure(name: str) -> Experiment:
    """The experiment of that name."""
    if name not in FIGURES:
        raise ParameterError(f"unknown figure {name!r}; there are: {', '.join(FIGURES)}")
    module, attribute, _ = FIGURES[name]
    experiment: Experiment = getattr(importlib.import_module(f"graphveil.evaluation.figures.{module}"), attribute)
    return experiment
