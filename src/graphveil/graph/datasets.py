"""Public graphs by name: where they come from, and the counts that prove a download whole.

The files lie in one folder, which the environment variable GRAPHVEIL_DATA names. Nothing is fetched unless it is asked
for (`fetch_dataset`). Directions, repeats and self-loops are dropped; all counts are of the simple undirected graph.

A download is kept only if it has the known checksum, that of its edges (`graph.digest`): it does not depend on the
order of lines, comments or compression, in which copies of one graph differ.
"""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.errors import GraphFormatError, ParameterError, unknown_name
from graphveil.graph.core import Graph
from graphveil.graph.digest import graph_digest
from graphveil.graph.statistics.triangles import exact_triangles

if TYPE_CHECKING:
    from graphveil.graph.files.fold import ReadReport

FOLDER = "GRAPHVEIL_DATA"
SECONDS = 60  # without a byte from the source
MOST_BYTES = 500_000_000


@dataclass(frozen=True, slots=True)
class Dataset:
    """A public graph: `file` is its name at the source, `nodes` to `triangles` are its counts.

    `checksum` is the digest of its edges. Of an archive `member` is the file inside, a table of edges with a header.
    """

    name: str
    file: str
    nodes: int
    edges: int
    max_degree: int
    triangles: int
    source: str
    paper: str
    checksum: str = ""
    member: str = ""

    @property
    def url(self) -> str:
        """Where the file itself lies: beside the page about it."""
        return f"{self.source.rpartition('/')[0]}/{self.file}"

    @property
    def files(self) -> tuple[str, ...]:
        """File names under which the graph is looked for."""
        ours = (f"{self.name}.txt.gz", f"{self.name}.txt")
        return ours if self.member else tuple(dict.fromkeys((*ours, self.file, self.file.removesuffix(".gz"))))


_SNAP = "https://snap.stanford.edu/data/"
DATASETS = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "ego-Facebook", "facebook_combined.txt.gz", 4_039, 88_234, 1_045, 1_612_010,
            f"{_SNAP}ego-Facebook.html", "McAuley and Leskovec 2012",
            "9b858a58f9826c15d625953cabcb1551cdb96f59fe24377e53d94a6b4e1ae074",
        ),
        Dataset(
            "ca-AstroPh", "ca-AstroPh.txt.gz", 18_772, 198_050, 504, 1_351_441,
            f"{_SNAP}ca-AstroPh.html", "Leskovec, Kleinberg and Faloutsos 2007",
            "e9ec54e20c704f1fe9c01183fdd64709a2d16dac40a579e393827005ebfde7c8",
        ),
        Dataset(
            "email-Enron", "email-Enron.txt.gz", 36_692, 183_831, 1_383, 727_044,
            f"{_SNAP}email-Enron.html", "Klimt and Yang 2004; Leskovec et al. 2009",
            "3003277f45bf525fb4e9dac671eb80173c1730203922277d5c4198bd069e14ed",
        ),
        Dataset(
            "wiki-Vote", "wiki-Vote.txt.gz", 7_115, 100_762, 1_065, 608_389,
            f"{_SNAP}wiki-Vote.html", "Leskovec, Huttenlocher and Kleinberg 2010",
            "dfc5ad8c4dc0705f1a59885fad49a305c48bf212b37193f91cfe1fad3cf8e7ba",
        ),
        Dataset(
            "ego-Twitter", "twitter_combined.txt.gz", 81_306, 1_342_296, 3_383, 13_082_506,
            f"{_SNAP}ego-Twitter.html", "McAuley and Leskovec 2012",
            "b9d92bffca671dc22fc2746f3d38145f0ef4791f1657789e10d9c142369801d4",
        ),
        Dataset(
            "ca-GrQc", "ca-GrQc.txt.gz", 5_242, 14_484, 81, 48_260,
            f"{_SNAP}ca-GrQc.html", "Leskovec, Kleinberg and Faloutsos 2007",
            "534c00de6994352e4057187d9e8e6c6014147edbe4153d5a2a2fa33cd8b9826c",
        ),
        Dataset(
            "musae-twitch-DE", "twitch.zip", 9_498, 153_138, 4_259, 603_088,
            f"{_SNAP}twitch-social-networks.html", "Rozemberczki, Allen and Sarkar 2021",
            "ab95a38f85e4a2baeb11c4763559d679ccd60a69eae82a0de12c39ca6e0fcaa7", "musae_DE_edges.csv",
        ),
        Dataset(
            "feather-lastfm-asia", "lastfm_asia.zip", 7_624, 27_806, 216, 40_433,
            f"{_SNAP}feather-lastfm-social.html", "Rozemberczki and Sarkar 2020",
            "de9e8f6b830ef3fde0ed888888b6edcfec40610e481679b40b62938bd8b8b2dd", "lastfm_asia_edges.csv",
        ),
    )
}  # fmt: skip


def load_dataset(name: str, *, folder: str | os.PathLike[str] | None = None) -> Graph:
    """A public graph from `folder` (by default the one that GRAPHVEIL_DATA names), checked against its counts."""
    if name not in DATASETS:
        raise unknown_name("dataset", name, DATASETS)
    from graphveil.graph.files.read import read_graph

    dataset = DATASETS[name]
    path = _find(dataset, folder if folder is not None else data_folder())
    graph = read_graph(path)
    _check_whole(dataset, graph, path)
    return graph


def count_file(name: str) -> ReadReport:
    """What the file of a public graph lists: lines, self-loops and repeats, which the graph itself lacks."""
    from graphveil.graph.files.read import read_with_report

    return read_with_report(_find(DATASETS[name], data_folder()))[1]


def is_present(name: str) -> bool:
    """Whether the file of a public graph is on this machine."""
    return place_of(DATASETS[name], data_folder()) is not None


def check_present(names: Iterable[str]) -> None:
    """Refuse if any of these public graphs is not on this machine, and say how all of them are had."""
    missing = [name for name in names if not is_present(name)]
    if not missing:
        return
    folder = data_folder()
    place = f"set {FOLDER} to the folder that has them" if folder is None else f"put them into {folder}"
    raise ParameterError(
        f"public graphs that are not here: {', '.join(missing)}; {place}. `graphveil datasets` lists where to get "
        "them, and with NAME --fetch downloads one"
    )


def data_folder() -> str | None:
    """The folder of public graphs, if one is named."""
    return os.environ.get(FOLDER) or None


def place_of(dataset: Dataset, folder: str | os.PathLike[str] | None) -> Path | None:
    """The file of a graph in a folder, if it is there."""
    places = () if folder is None else (Path(folder, file) for file in dataset.files)
    return next((path for path in places if path.is_file()), None)


def fetch_dataset(name: str, *, folder: str | os.PathLike[str]) -> Path:
    """Download a public graph into a folder, unless it is there; it is kept only if its checksum is the known one."""
    if name not in DATASETS:
        raise unknown_name("dataset", name, DATASETS)
    from graphveil.graph.files.read import read_graph

    dataset = DATASETS[name]
    if (present := place_of(dataset, folder)) is not None:
        return present
    target = Path(folder, f"{name}.txt" if dataset.member else f"{name}.txt.gz")
    content = _download(dataset)
    with tempfile.TemporaryDirectory(prefix=".fetch-", dir=_made(folder)) as unfinished:
        file = Path(unfinished, target.name)
        file.write_bytes(_edges_within(dataset, content) if dataset.member else content)
        graph = read_graph(file)
        if graph_digest(graph).edges.hex() != dataset.checksum:
            raise GraphFormatError(
                f"{dataset.url}: the edges have another checksum than {dataset.name}, so the file was not kept; it may "
                f"be cut off or another version: see {dataset.source}"
            )
        file.replace(target)
    return target


def _made(folder: str | os.PathLike[str]) -> Path:
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


def _download(dataset: Dataset) -> bytes:
    from urllib.error import URLError
    from urllib.request import urlopen

    try:
        with urlopen(dataset.url, timeout=SECONDS) as answer:  # noqa: S310 - an address of the table above
            content: bytes = answer.read(MOST_BYTES + 1)
    except (URLError, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise ParameterError(
            f"{dataset.url} cannot be fetched ({reason}): download it by hand and put it into the folder as "
            f"{dataset.files[0]}"
        ) from None
    if len(content) > MOST_BYTES:
        raise GraphFormatError(f"{dataset.url} has more than {MOST_BYTES:,} bytes, so it is not {dataset.name}")
    return content


def _edges_within(dataset: Dataset, archive: bytes) -> bytes:
    """The table of edges within an archive as pairs of numbers, without its header."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            inside = next((name for name in packed.namelist() if name.rpartition("/")[2] == dataset.member), None)
            content = b"" if inside is None else packed.read(inside)
    except zipfile.BadZipFile:
        content = b""
    if not content:
        raise GraphFormatError(f"{dataset.url}: no {dataset.member} in it; see {dataset.source}")
    return content.partition(b"\n")[2].replace(b",", b" ")


def _find(dataset: Dataset, folder: str | os.PathLike[str] | None) -> Path:
    advice = f"download {dataset.file} from {dataset.source} (or `graphveil datasets {dataset.name} --fetch`)"
    if folder is None:
        raise ParameterError(f"{dataset.name} is not on this machine: {advice} and set {FOLDER} to its folder")
    path = place_of(dataset, folder)
    if path is not None:
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
