"""Labels: the persistent names of people, non-negative integers or text.

Integers are kept as an int64 array, text as an array of numpy's variable-length strings. Names that are exactly
0, 1, …, n - 1 in this order need no array: None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import GraphFormatError, ParameterError

Labels = AnyArray | None
INTEGER = re.compile(r"[+-]?[0-9]+")
LARGEST = 2**63 - 1


def text_labels(names: Sequence[str]) -> AnyArray:
    """Labels that are text, as an array of variable-length strings."""
    return np.array(names, dtype=np.dtypes.StringDType())


def integer_labels(numbers: Integers) -> Labels:
    """Labels that are integers; None if they are 0, 1, …, n - 1 in this order."""
    return None if np.array_equal(numbers, np.arange(len(numbers))) else numbers


def is_text(labels: Labels) -> bool:
    """Whether the labels are text rather than integers."""
    return labels is not None and not np.issubdtype(labels.dtype, np.integer)


def label_list(labels: Labels, n_nodes: int) -> list[Any]:
    """Labels as plain Python integers or strings."""
    return list(range(n_nodes)) if labels is None else labels.tolist()


def parse_labels(names: Sequence[str], place: Callable[[int], str], *, keep_text: bool = False) -> Labels:
    """Integers if every name is one and no two are the same number, otherwise text.

    `place(i)` says where name i stands, for messages.

    >>> [parse_labels(names, str) for names in (["7", "3"], ["0", "1"], ["7", "07"])]
    [array([7, 3]), None, array(['7', '07'], dtype=StringDType())]
    """
    if keep_text or not all(INTEGER.fullmatch(name) for name in names):
        return text_labels(names)
    for i, name in enumerate(names):
        if fault := fault_of_integer(name):
            raise GraphFormatError(f"{place(i)}: {fault}")
    numbers = [int(name) for name in names]
    if len(set(numbers)) < len(numbers):
        return text_labels(names)
    return integer_labels(np.array(numbers, dtype=np.int64))


def labels_of_objects(names: Sequence[Any]) -> Labels:
    """Labels from the node names of another library, which must be all integers or all text, each once."""
    if len(set(names)) < len(names):
        raise ParameterError("two nodes have the same name; give every node a name of its own")
    if all(isinstance(name, int | np.integer) and not isinstance(name, bool) for name in names):
        for name in names:
            if fault := fault_of_integer(str(name)):
                raise ParameterError(fault)
        return integer_labels(np.array(names, dtype=np.int64))
    if all(isinstance(name, str) for name in names):
        return text_labels(names)
    raise ParameterError("node names must be all integers or all text; rename the nodes first")


def fault_of_integer(name: str) -> str | None:
    """Why a name that spells an integer cannot be a label, or None if it can; the name is private and not shown."""
    digits = name.lstrip("+-0")
    if name.startswith("-") and digits:
        return "an id is negative; renumber the ids from 0, or put a letter in front to make them text"
    if len(digits) > 19 or int(digits or "0") > LARGEST:
        return f"an id is above {LARGEST}, the largest integer id; put a letter in front of all ids to make them text"
    return None
