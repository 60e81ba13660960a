"""Which sets of pairs to fill and which to empty, so that the graph keeps its size and most of its edges.

A notion of anonymity may ask that certain sets of pairs, blocks, are all joined or all parted. Filling the blocks with
the largest share of edges first, until there are as many edges as before, keeps as many of the old edges as any choice
of that many new pairs would, up to the size of one block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def fullest_blocks(
    edges_in: NDArray[np.int64], size: NDArray[np.int64], n_edges: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The positions of the blocks to fill; block i has `edges_in[i]` edges among `size[i]` pairs."""
    order = np.lexsort((rng.random(len(size)), -edges_in / size))
    filled = np.concatenate(([0], np.cumsum(size[order])))
    return order[: int(np.abs(filled - n_edges).argmin())]
