"""Private records of people: label and features of everybody on a public list, for learning under the record unit.

Which labels and which words occur is private too, since one person may be the only one who has them. So words are put
into a fixed number of buckets by a public hash, and the shape of everything is the same whoever is blanked. A person's
role follows from that person's name and own label alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy

from graphveil.arrays import AnyArray, Bits, Integers, Words
from graphveil.errors import ParameterError
from graphveil.graph.order import keys_of_labels
from graphveil.learn.features import EMPTY
from graphveil.learn.people import MOST_CLASSES, cell_text, natural_order, used_columns

BUCKETS = 4096  # of words
MOST_WORDS = 1000  # of one person that count
READER_SHARE = 0.1  # of the labelled people: they read and are tested; the others teach and contribute


@dataclass(frozen=True, slots=True)
class PeopleRecords:
    """Everybody's label (empty: to be predicted) and words by bucket, in the order of the names.

    `classes` are those that somebody declared; without them a noisy count finds them. Neither text nor JSON say
    anything of labels or features.

    >>> table = {"person": [1, 2, 3], "year": ["2008", "", "2008"], "dorm": ["a", "b", ""]}
    >>> records = PeopleRecords.from_columns(table, label="year")
    >>> str(records), records.words.shape, records.words.sum(axis=1).astype(int).tolist()
    ('3 people, label year, features dorm', (3, 4096), [1, 1, 0])
    """

    names: AnyArray = field(compare=False)
    label: str
    columns: tuple[str, ...]
    classes: tuple[str, ...]  # declared; empty: to be found
    labels: tuple[str, ...] = field(compare=False, repr=False)
    words: scipy.sparse.csr_array[Any] = field(compare=False, repr=False)
    digest: bytes = field(compare=False, repr=False)  # of all cells, as private as they are

    @classmethod
    def from_columns(
        cls,
        table: Mapping[str, Sequence[Any]] | Any,
        *,
        label: str,
        features: Sequence[str] | None = None,
        classes: Sequence[Any] | None = None,
    ) -> PeopleRecords:
        """Read a table of columns, such as a data frame: the first holds the names, an empty label means "predict"."""
        columns, person, used = used_columns(table, label, features)
        declared = tuple(dict.fromkeys(cell_text(each) for each in classes or ()))
        if classes is not None and not (2 <= len(declared) <= MOST_CLASSES and EMPTY not in declared):
            raise ParameterError(f"declare 2 to {MOST_CLASSES} classes, each with a name, not {list(classes)}")
        names = columns[person]
        repeated = next((name for name, times in Counter(names).items() if times > 1), None)
        if repeated is not None:
            raise ParameterError(f"person {repeated!r} is listed twice; everybody has one line")
        order = sorted(range(len(names)), key=lambda place: natural_order(names[place]))
        labels = tuple(columns[label][place] for place in order)
        cells = [[columns[name][place] for name in used] for place in order]
        digest = hashlib.sha256(repr((labels, cells)).encode("utf-8", "surrogatepass")).digest()
        named = np.array([names[place] for place in order])
        return cls(named, label, tuple(used), declared, labels, _buckets(used, cells), digest)

    def __str__(self) -> str:
        declared = f", classes {', '.join(self.classes)}" if self.classes else ""
        return f"{len(self.names)} people, label {self.label}, features {', '.join(self.columns) or 'none'}{declared}"

    def to_json(self) -> dict[str, Any]:
        """What a release says of this table: nothing of labels and features."""
        declared = list(self.classes) or None
        return {
            "people": len(self.names),
            "label": self.label,
            "features": list(self.columns),
            "declared_classes": declared,
        }

    def numbers(self, classes: Sequence[str]) -> Integers:
        """Everybody's label as a number among these classes; -1 for no label, and for any other."""
        number = {name: place for place, name in enumerate(classes)}
        return np.array([number.get(label, -1) for label in self.labels], dtype=np.int64)

    def may_read(self) -> Bits:
        """Who reads although labelled, by a public hash of the name."""
        keys: Words = keys_of_labels(self.names)
        return keys < np.uint64(READER_SHARE * 2**64)


def _buckets(columns: Iterable[str], cells: list[list[str]]) -> scipy.sparse.csr_array[Any]:
    known: dict[tuple[str, str], int] = {}
    rows: list[int] = []
    places: list[int] = []
    columns = tuple(columns)
    for row, own in enumerate(cells):
        found: set[int] = set()
        for pair in ((name, word) for name, cell in zip(columns, own, strict=True) for word in cell.split()):
            if pair not in known:
                text = "\0".join(pair).encode("utf-8", "surrogatepass")
                known[pair] = int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % BUCKETS
            found.add(known[pair])
        kept = sorted(found)[:MOST_WORDS]
        rows += [row] * len(kept)
        places += kept
    ones = np.ones(len(rows), dtype=np.int64)
    return scipy.sparse.csr_array(
        (ones, (np.array(rows, dtype=np.int64), np.array(places, dtype=np.int64))), (len(cells), BUCKETS)
    )
