"""The figures that `graphveil reproduce` draws: a module each, loaded when asked for, with an `EXPERIMENT`."""

from __future__ import annotations

import importlib

from graphveil.errors import unknown_name
from graphveil.evaluation.experiment import Experiment

OURS, GS_LDP = "evaluation.figures", "papers.gs_ldp.figures"
# name -> (module, name in it, what it shows)
FIGURES: dict[str, tuple[str, str, str]] = {
    "gs-ldp-fig1": (f"{GS_LDP}.density", "EXPERIMENT", "density of a graph after randomised response"),
    "gs-ldp-table2": (f"{GS_LDP}.tables", "TABLE_2", "the graphs of GS-LDP's experiments"),
    "gs-ldp-table3": (f"{GS_LDP}.tables", "TABLE_3", "what each algorithm collects; time of the collector"),
    "gs-ldp-fig3": (f"{GS_LDP}.degrees", "EXPERIMENT", "degree distribution, Node-LDP, and the repair"),
    "gs-ldp-fig4": (f"{GS_LDP}.triangles", "FIGURE_4", "everybody's triangles, Edge-LDP"),
    "gs-ldp-fig5": (f"{GS_LDP}.triangles", "FIGURE_5", "everybody's triangles, Node-LDP"),
    "gs-ldp-fig6": (f"{GS_LDP}.clustering", "FIGURE_6", "everybody's clustering, Edge-LDP"),
    "gs-ldp-fig7": (f"{GS_LDP}.clustering", "FIGURE_7", "everybody's clustering, Node-LDP, generated networks"),
    "gs-ldp-fig8": (f"{GS_LDP}.cost", "FIGURE_8", "bits to fetch for the second round"),
    "gs-ldp-fig8-generated": (f"{GS_LDP}.cost", "FIGURE_8_GENERATED", "bits to fetch, against the number of people"),
    "gs-ldp-fig9": (f"{GS_LDP}.parameters", "FIGURE_9", "what GS-LDP's L does"),
    "gs-ldp-fig9-time": (f"{GS_LDP}.parameters", "FIGURE_9_TIME", "what GS-LDP's L does to the time of a report"),
    "gs-ldp-fig10": (f"{GS_LDP}.parameters", "FIGURE_10", "what GS-LDP's Level does"),
    "download-curve": (f"{OURS}.download_curve", "EXPERIMENT", "number of triangles: error against bits to fetch"),
    "central-vs-local": (f"{OURS}.central_vs_local", "EXPERIMENT", "a curator against everybody's own devices"),
    "pgb": ("papers.peers.pgb", "EXPERIMENT", "PGB's fifteen queries: every synthesizer, beside PGB's own best"),
    "bcpa-table1": ("papers.bcpa.table", "EXPERIMENT", "the graphs of BCPA's experiments"),
    "bcpa-fig2": ("papers.bcpa.figures", "FIGURE_2", "distortion of neighbours' degrees: dK-PA, DRC, BCPA, repairs"),
    "bcpa-fig3": ("papers.bcpa.figures", "FIGURE_3", "average clustering of their graphs"),
    "bcpa-fig4": ("papers.bcpa.figures", "FIGURE_4", "average path length of their graphs"),
    "bcpa-fig5": ("papers.bcpa.figures", "FIGURE_5", "degree distribution of their graphs"),
    "anonymity-vs-dp": (f"{OURS}.anonymity_vs_dp", "EXPERIMENT", "attacks on and uses of every way to publish a graph"),
}  # fmt: skip


def find_figure(name: str) -> Experiment:
    """The experiment of that name."""
    if name not in FIGURES:
        raise unknown_name("figure", name, FIGURES)
    module, attribute, _ = FIGURES[name]
    experiment: Experiment = getattr(importlib.import_module(f"graphveil.{module}"), attribute)
    return experiment
