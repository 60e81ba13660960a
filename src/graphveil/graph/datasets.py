"""Public graphs by name: where they come from, and the counts that prove a download whole.

Nothing is fetched. Put the files into one folder and name it in the environment variable GRAPHVEIL_DATA. Directions,
repeats and self-loops are dropped; all counts are of the simple undirected graph.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.errors import GraphFormatError, ParameterError, unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.statistics.triangles import exact_triangles

if TYPE_CHECKING:
    from graphveil.graph.files.fold import ReadReport

FOLDER = "GRAPHVEIL_DATA"


@dataclass(frozen=True, slots=True)
class Dataset:
    """A public graph: `file` is its name at the source, `nodes` to `triangles` are its counts."""

    name: str
    file: str
    nodes: int
    edges: int
    max_degree: int
    triangles: int
    source: str
    paper: str

    @property
    def files(self) -> tuple[str, ...]:
        """File names under which the graph is looked for."""
        return (f"{self.name}.txt.gz", f"{self.name}.txt", self.file, self.file.removesuffix(".gz"))


_SNAP = "https://snap.stanford.edu/data/"
DATASETS = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "ego-Facebook", "facebook_combined.txt.gz", 4_039, 88_234, 1_045, 1_612_010,
            f"{_SNAP}ego-Facebook.html", "McAuley and Leskovec 2012",
        ),
        Dataset(
            "ca-AstroPh", "ca-AstroPh.txt.gz", 18_772, 198_050, 504, 1_351_441,
            f"{_SNAP}ca-AstroPh.html", "Leskovec, Kleinberg and Faloutsos 2007",
        ),
        Dataset(
            "email-Enron", "email-Enron.txt.gz", 36_692, 183_831, 1_383, 727_044,
            f"{_SNAP}email-Enron.html", "Klimt and Yang 2004; Leskovec et al. 2009",
        ),
        Dataset(
            "wiki-Vote", "wiki-Vote.txt.gz", 7_115, 100_762, 1_065, 608_389,
            f"{_SNAP}wiki-Vote.html", "Leskovec, Huttenlocher and Kleinberg 2010",
        ),
        Dataset(
            "ego-Twitter", "twitter_combined.txt.gz", 81_306, 1_342_296, 3_383, 13_082_506,
            f"{_SNAP}ego-Twitter.html", "McAuley and Leskovec 2012",
        ),
        Dataset(
            "ca-GrQc", "ca-GrQc.txt.gz", 5_242, 14_484, 81, 48_260,
            f"{_SNAP}ca-GrQc.html", "Leskovec, Kleinberg and Faloutsos 2007",
        ),
        Dataset(
            "musae-twitch-DE", "musae_DE_edges.csv", 9_498, 153_138, 4_259, 603_088,
            f"{_SNAP}twitch-social-networks.html", "Rozemberczki, Allen and Sarkar 2021",
        ),
        Dataset(
            "feather-lastfm-asia", "lastfm_asia_edges.csv", 7_624, 27_806, 216, 40_433,
            f"{_SNAP}feather-lastfm-social.html", "Rozemberczki and Sarkar 2020",
        ),
    )
}  # fmt: skip


def load_dataset(name: str, *, folder: str | os.PathLike[str] | None = None) -> Graph:
    """A public graph from `folder` (by default the one that GRAPHVEIL_DATA names), checked against its counts."""
    if name not in DATASETS:
        raise unknown_name("dataset", name, DATASETS)
    from graphveil.graph.files.read import read_graph

    dataset = DATASETS[name]
    path = _find(dataset, folder if folder is not None else os.environ.get(FOLDER))
    graph = read_graph(path)
    _check_whole(dataset, graph, path)
    return graph


def count_file(name: str) -> ReadReport:
    """What the file of a public graph lists: lines, self-loops and repeats, which the graph itself lacks."""
    from graphveil.graph.files.read import read_with_report

    return read_with_report(_find(DATASETS[name], os.environ.get(FOLDER)))[1]


def is_present(name: str) -> bool:
    """Whether the file of a public graph is on this machine."""
    folder = os.environ.get(FOLDER)
    return folder is not None and any(Path(folder, file).is_file() for file in DATASETS[name].files)


def check_present(names: Iterable[str]) -> None:
    """Refuse if any of these public graphs is not on this machine, and say of all of them where they are had."""
    missing = []
    for name in names:
        try:
            _find(DATASETS[name], os.environ.get(FOLDER))
        except ParameterError as error:
            missing.append(str(error))
    if missing:
        raise ParameterError("; ".join(missing))


def _find(dataset: Dataset, folder: str | os.PathLike[str] | None) -> Path:
    advice = f"download {dataset.file} from {dataset.source}"
    if folder is None:
        raise ParameterError(f"{dataset.name} is not on this machine: {advice} and set {FOLDER} to its folder")
    for file in dataset.files:
        if (path := Path(folder, file)).is_file():
            return path
    raise ParameterError(f"no {' or '.join(dataset.files)} in {os.fspath(folder)}: {advice} and put it there")


def _check_whole(dataset: Dataset, graph: Graph, path: Path) -> None:
    found = {
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "max_degree": int(graph.degrees.max()),
        "triangles": exact_triangles(graph),
    }
    for count, value in found.items():
        if value != (published := getattr(dataset, count)):
            raise GraphFormatError(
                f"{path}: {count.replace('_', ' ')} is not {published:,}, as {dataset.name} has it: "
                f"the file is not whole, download it again from {dataset.source}"
            )
