"""Labels: the persistent names of people.

A name is a text, and two names are the same if they are letter by letter: 7 and 07 are two people, whoever else is
there. Where every name spells a whole number as it is usually written (no leading zero, no sign), labels are kept as
integers, an int64 array; otherwise as an array of numpy's variable-length strings. Names that are exactly 0, 1, …, n
- 1 in this order need no array: None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from graphveil.arrays import AnyArray, Integers
from graphveil.errors import ParameterError

Labels = AnyArray | None
PLAIN_INTEGER = re.compile(r"0|[1-9][0-9]{0,18}")
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


def are_plain_integers(names: Iterable[str]) -> bool:
    """Whether every name spells a number from 0 to 2^63 - 1 as it is usually written, so that the number is the name.

    >>> [are_plain_integers([name]) for name in ("7", "0", "07", "+7", "-7", " 7", "9223372036854775808")]
    [True, True, False, False, False, False, False]
    """
    return all(PLAIN_INTEGER.fullmatch(name) and int(name) <= LARGEST for name in names)


def parse_labels(names: Sequence[str], *, keep_text: bool = False) -> Labels:
    """Integers if all names are plain ones, otherwise text; who is who is the same either way.

    >>> [parse_labels(names) for names in (["7", "3"], ["0", "1"], ["7", "07"])]
    [array([7, 3]), None, array(['7', '07'], dtype=StringDType())]
    """
    if keep_text or not are_plain_integers(names):
        return text_labels(names)
    return integer_labels(np.array([int(name) for name in names], dtype=np.int64))


def labels_of_integers(numbers: AnyArray) -> Labels:
    """Labels from integers of any kind; if one is negative or above 2^63 - 1, all of them as text."""
    if len(numbers) and (int(numbers.min()) < 0 or int(numbers.max()) > LARGEST):
        return text_labels([str(number) for number in numbers.tolist()])
    return integer_labels(numbers.astype(np.int64))


def labels_of_objects(names: Sequence[Any]) -> Labels:
    """Labels from the node names of another library, integers or text; each once, also when all are text."""
    if not all(isinstance(name, int | np.integer | str) and not isinstance(name, bool) for name in names):
        raise ParameterError("node names must be integers or text; rename the nodes first")
    texts = [str(name) for name in names]
    if len(set(texts)) < len(texts):
        raise ParameterError("two nodes have the same name; give every node a name of its own")
    return parse_labels(texts, keep_text=any(isinstance(name, str) for name in names))
