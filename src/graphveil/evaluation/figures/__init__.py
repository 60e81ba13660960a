"""The figures that `graphveil reproduce` draws: a module each, loaded when asked for, with an `EXPERIMENT`."""

from __future__ import annotations

import importlib

from graphveil.errors import unknown_name
from graphveil.evaluation.experiment import Experiment

# name -> (module, name in it, what it shows)
FIGURES: dict[str, tuple[str, str, str]] = {
    "gs-ldp-fig1": ("papers.gs_ldp.figures.density", "EXPERIMENT", "density of a graph after randomised response"),
    "gs-ldp-table2": ("papers.gs_ldp.figures.tables", "TABLE_2", "the graphs of GS-LDP's experiments"),
    "gs-ldp-table3": ("papers.gs_ldp.figures.tables", "TABLE_3", "what each algorithm collects; time of the collector"),
    "gs-ldp-fig3": (
        "papers.gs_ldp.figures.degrees",
        "EXPERIMENT",
        "degree distribution, Node-LDP: GS-LDP's figure 3 and the repair",
    ),
    "gs-ldp-fig4": ("papers.gs_ldp.figures.triangles", "FIGURE_4", "everybody's triangles, Edge-LDP"),
    "gs-ldp-fig5": ("papers.gs_ldp.figures.triangles", "FIGURE_5", "everybody's triangles, Node-LDP"),
    "gs-ldp-fig6": ("papers.gs_ldp.figures.clustering", "FIGURE_6", "everybody's clustering, Edge-LDP"),
    "gs-ldp-fig7": (
        "papers.gs_ldp.figures.clustering",
        "FIGURE_7",
        "everybody's clustering, Node-LDP, generated networks",
    ),
    "gs-ldp-fig8": ("papers.gs_ldp.figures.cost", "FIGURE_8", "bits to fetch for the second round"),
    "gs-ldp-fig8-generated": (
        "papers.gs_ldp.figures.cost",
        "FIGURE_8_GENERATED",
        "bits to fetch, against the number of people",
    ),
    "gs-ldp-fig9": ("papers.gs_ldp.figures.parameters", "FIGURE_9", "what GS-LDP's L does"),
    "gs-ldp-fig9-time": (
        "papers.gs_ldp.figures.parameters",
        "FIGURE_9_TIME",
        "what GS-LDP's L does to the time of a report",
    ),
    "gs-ldp-fig10": ("papers.gs_ldp.figures.parameters", "FIGURE_10", "what GS-LDP's Level does"),
    "download-curve": (
        "evaluation.figures.download_curve",
        "EXPERIMENT",
        "number of triangles: error against bits to fetch",
    ),
    "central-vs-local": (
        "evaluation.figures.central_vs_local",
        "EXPERIMENT",
        "a curator against everybody's own devices",
    ),
    "pgb": (
        "papers.peers.pgb",
        "EXPERIMENT",
        "PGB's fifteen queries: every synthesizer, beside PGB's own best figures",
    ),
    "bcpa-table1": ("papers.bcpa.table", "EXPERIMENT", "the graphs of BCPA's experiments"),
    "bcpa-fig2": (
        "papers.bcpa.figures",
        "FIGURE_2",
        "distortion of neighbours' degrees: dK-PA, DRC, BCPA and the repairs",
    ),
    "bcpa-fig3": ("papers.bcpa.figures", "FIGURE_3", "average clustering of their graphs"),
    "bcpa-fig4": ("papers.bcpa.figures", "FIGURE_4", "average path length of their graphs"),
    "bcpa-fig5": ("papers.bcpa.figures", "FIGURE_5", "degree distribution of their graphs"),
    "anonymity-vs-dp": (
        "evaluation.figures.anonymity_vs_dp",
        "EXPERIMENT",
        "attacks on and uses of every way to hand out a graph",
    ),
}


def find_figure(name: str) -> Experiment:
    """The experiment of that name."""
    if name not in FIGURES:
        raise unknown_name("figure", name, FIGURES)
    module, attribute, _ = FIGURES[name]
    experiment: Experiment = getattr(importlib.import_module(f"graphveil.{module}"), attribute)
    return experiment
