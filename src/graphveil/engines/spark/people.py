"""Who is in a graph: the people met in edges, those listed without any, and a roster; numbered as in one process."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.engines.engine import PeopleSource
from graphveil.engines.spark.pairs import Pairs, loop_ids
from graphveil.graph.files.content import Content
from graphveil.graph.files.numbering import number_integers
from graphveil.graph.files.people import enrol, read_people
from graphveil.graph.labels import integer_labels, text_labels


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Everybody. The person with id `ids[i]`, which rise, is number `places[i]`; whoever has no edges has no id."""

    ids: Integers
    places: Integers
    n_people: int
    labels: AnyArray | None
    declared: bool
    text: bool
    named: bool = True

    def spread(self, ids: Integers, values: Integers) -> Integers:
        """Values by id as values by number, 0 for all others."""
        spread = np.zeros(self.n_people, dtype=np.int64)
        spread[self.places[np.searchsorted(self.ids, ids)]] = values
        return spread


def number_people(pairs: Pairs, ids: Integers, people: PeopleSource | None, origin: str) -> People:
    """Numbers in rising order of names; `ids` are those met in edges, rising. A loop also names a person."""
    present = [ids, loop_ids(pairs)]
    if pairs.names is None:
        _, everybody = number_integers([*present, np.array([int(name) for name in pairs.alone], dtype=np.int64)])
        labels = integer_labels(everybody)
        places = np.searchsorted(everybody, ids)
    else:
        assert pairs.ids is not None
        named = pairs.names[np.searchsorted(pairs.ids, number_integers(present)[1])]
        labels = everybody = np.unique(np.concatenate((named, text_labels(pairs.alone))))
        rank = {name: place for place, name in enumerate(everybody.tolist())}  # numpy's search fails on two such arrays
        met = pairs.names[np.searchsorted(pairs.ids, ids)]
        places = np.array([rank[name] for name in met.tolist()], dtype=np.int64)
    n_people, declared = len(everybody), pairs.declared
    if people is not None:
        content = Content(places, places, n_people, labels, declared, lambda _row: origin, named=pairs.named)
        content = enrol(content, read_people(people))
        places, n_people, labels, declared = content.u, content.n_nodes, content.labels, True
    text = pairs.names is not None
    return People(ids, places.astype(np.int64), n_people, labels, declared, text=text, named=pairs.named)
