"""What a model of features is given of each column of a table, by what its cells are.

- Cells of one word: an indicator for each value; an empty cell is a value, too.
- Numbers with decimals, and numbers of which most occur once: an indicator for each tenth of the people.
- Sets of words: an indicator for each word. A model weighs words, the rarer the more, and is also given topics: the
  strongest directions in the words of all people (latent semantic analysis), which need no labels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import scipy

from graphveil.arrays import Bits, Floats

EMPTY = ""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?")
TENTHS = 10  # more values than these are cut at deciles
TOPICS = 15  # of 15, 30, 60 and 120 the best on each of two graphs with words; see docs/learn.md
ROUNDS = 10  # of the search for topics
WEAK = 1e-6  # shorter than this is a rounding error

Sparse: TypeAlias = "scipy.sparse.csr_array[Any]"


def indicators(columns: Mapping[str, list[str]], n_people: int) -> tuple[Sparse, Bits]:
    """An indicator for each value, tenth or word of each column; and which of them are words of sets."""
    rows: list[int] = []
    places: list[int] = []
    number: dict[tuple[str, str], int] = {}
    in_set: list[bool] = []
    for name, given in columns.items():
        cells = in_tenths(given)
        single = all(len(cell.split()) <= 1 for cell in cells)
        for row, cell in enumerate(cells):
            for word in dict.fromkeys(cell.split()) or ([EMPTY] if single else []):  # in the same order every time
                if (name, word) not in number:
                    number[name, word] = len(number)
                    in_set.append(not single)
                rows.append(row)
                places.append(number[name, word])
    where = (np.array(rows, dtype=np.int64), np.array(places, dtype=np.int64))
    found = scipy.sparse.csr_array((np.ones(len(rows)), where), (n_people, len(number)))
    return found, np.array(in_set, dtype=np.bool_)


def in_tenths(cells: list[str]) -> list[str]:
    """The tenth in which each number of a column is; other columns as they are.

    Numbers without decimals may be codes, such as of a dormitory. So they stay unless most of them occur once.

    >>> in_tenths(["red", "1.5"]), in_tenths([f"{i}.5" for i in range(20)])[:4]
    (['red', '1.5'], ['tenth0', 'tenth0', 'tenth1', 'tenth1'])
    """
    filled = [cell for cell in cells if cell]
    kinds = len(set(filled))
    if kinds <= TENTHS or not all(NUMBER.fullmatch(cell) for cell in filled):
        return cells
    if 2 * kinds <= len(filled) and not any("." in cell for cell in filled):
        return cells
    values = np.array([float(cell) for cell in filled])
    ends = np.quantile(values, np.arange(1, TENTHS) / TENTHS, method="inverted_cdf")
    tenths = iter(np.searchsorted(ends, values).tolist())
    return [f"tenth{next(tenths)}" if cell else EMPTY for cell in cells]


def weighted(features: Sparse, in_set: Bits) -> Sparse:
    """Features as a model is given them: words of sets weighed by how rare they are, and their topics added.

    Every person's words have one length together, and so have the topics: the root of the mean number of words.
    """
    words = scipy.sparse.csr_array(features[:, np.flatnonzero(in_set)])
    if not words.nnz:
        return features
    n_people = words.shape[0]
    rarity = np.log((1 + n_people) / (1 + words.sum(axis=0)))
    rare = _of_length_one(words.multiply(rarity[None, :]).tocsr())
    length = np.sqrt(words.nnz / n_people)
    others = features[:, np.flatnonzero(~in_set)]
    return scipy.sparse.csr_array(scipy.sparse.hstack((others, rare * length, topics(rare) * length)))


def topics(words: Sparse) -> Floats:
    """Where each person is in the strongest directions of all people's words, with length 1.

    The directions are found by subspace iteration; any basis of them serves a model with a ridge penalty alike.
    """
    found = np.random.default_rng(1).standard_normal((words.shape[1], min(TOPICS, words.shape[1])))
    for _ in range(ROUNDS):
        found = np.linalg.qr(words.T @ (words @ found))[0]
    place = words @ found
    length = np.linalg.norm(place, axis=1, keepdims=True)
    unit: Floats = np.where(length > WEAK, place / np.maximum(length, WEAK), 0.0)
    return unit


def _of_length_one(rows: Any) -> Sparse:
    length = np.sqrt(rows.multiply(rows).sum(axis=1))
    return scipy.sparse.csr_array(rows.multiply(1 / np.maximum(length, 1e-9)[:, None]))
