"""Large networks with hubs and triangles, made in seconds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

EDGES_EACH = 10
NEAR = 4  # people ahead on a ring, who make triangles


def write_network(file: Path, n_edges: int, seed: int = 1, each: int = EDGES_EACH) -> None:
    """About this many edges, `each` a person: four along a ring, others between people whose degrees follow d^-3.

    With ten a person the largest degree is about 12 sqrt(n) for n people. Names are in random order. Parquet, or lines
    of text.
    """
    rng = np.random.default_rng(seed)
    n = n_edges // each
    names = rng.permutation(n).astype(np.int32)
    ring = np.arange(n, dtype=np.int32)
    scattered = rng.permutation(n).astype(np.int32)  # so that hubs are not beside hubs
    u = [np.tile(ring, NEAR)]
    v = [np.concatenate([np.roll(ring, -step) for step in range(1, NEAR + 1)])]
    for _ in range(each - NEAR):
        u.append(scattered[(n * rng.random(n) ** 2).astype(np.int64)])
        v.append(scattered[(n * rng.random(n) ** 2).astype(np.int64)])
    table = pl.DataFrame({"source": names[np.concatenate(u)], "target": names[np.concatenate(v)]})
    if file.suffix == ".parquet":
        table.write_parquet(file)
    else:
        table.write_csv(file, include_header=False, separator=" ")
