"""A fit as exact text and back, so that a ledger can keep what a synthesizer measured.

Arrays, exact fractions, tuples and the frozen dataclasses of fits come back as they were. A class is only taken from a
module that is loaded already, and only if it is a dataclass: text from a file must not choose what code is run.
"""

from __future__ import annotations

import base64
import sys
import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphveil.errors import LedgerError

_PLAIN = (str, int, float, bool, type(None))


def to_plain(value: Any) -> Any:
    """A value as JSON has it, with a mark for every type that JSON has not."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, np.ndarray):
        return _array_to_plain(value)
    if isinstance(value, list | tuple):
        return {type(value).__name__: [to_plain(entry) for entry in value]}
    if isinstance(value, Mapping):
        return {"mapping": [[to_plain(name), to_plain(entry)] for name, entry in value.items()]}
    if is_dataclass(value):
        kind = type(value)
        parts = {part.name: to_plain(getattr(value, part.name)) for part in fields(value) if part.init}
        return {"record": [kind.__module__, kind.__qualname__, parts]}
    raise TypeError(f"a {type(value).__name__} cannot be stored")


def from_plain(stored: Any) -> Any:
    """The value that `to_plain` was given."""
    if not isinstance(stored, dict):
        return stored
    ((mark, content),) = stored.items()
    if mark in _READERS:
        return _READERS[mark](content)
    raise LedgerError(f"the ledger is damaged: a stored fit has an unknown mark {mark!r}")


def _array_to_plain(array: Any) -> dict[str, Any]:
    if array.dtype.kind not in "iufb":  # text
        return {"texts": array.tolist()}
    packed = base64.b64encode(zlib.compress(np.ascontiguousarray(array).tobytes())).decode("ascii")
    return {"array": [array.dtype.str, list(array.shape), packed]}


def _array(content: Any) -> Any:
    kind, shape, packed = content
    array = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype=np.dtype(kind)).reshape(shape)
    return array.copy()


def _texts(content: Any) -> Any:
    from graphveil.graph.labels import text_labels

    return text_labels(content)


def _record(content: Any) -> Any:
    module, name, parts = content
    kind: Any = sys.modules.get(module)
    for step in name.split("."):
        kind = getattr(kind, step, None)
    if not isinstance(kind, type) or not is_dataclass(kind):
        raise LedgerError(f"a stored fit needs {module}.{name}, which this version does not have")
    return kind(**{part: from_plain(entry) for part, entry in parts.items()})


_READERS: dict[str, Any] = {
    "fraction": Fraction,
    "array": _array,
    "texts": _texts,
    "list": lambda entries: [from_plain(entry) for entry in entries],
    "tuple": lambda entries: tuple(from_plain(entry) for entry in entries),
    "mapping": lambda pairs: {from_plain(name): from_plain(entry) for name, entry in pairs},
    "record": _record,
}
