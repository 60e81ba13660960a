"""How a ledger knows a graph again without telling anybody about it: a digest under a secret key.

The key is 32 random bytes in a file beside the ledger, `LEDGER.key`, which only its owner may read. The ledger holds
the keyed values alone. Without the key they say nothing about a graph; with it somebody could try out graphs, so the
key belongs with the graph, not with what is published. No command prints either of them.

A key that is lost costs recognition only: earlier graphs are not recognised, and that is said once. Budgets do not
depend on it.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from graphveil.errors import LedgerError

KEY_SUFFIX = ".key"
KEY_BYTES = 32
VALUE_BYTES = 16
DECLARED = "declared"  # in place of the value of people who were listed


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Keyed values: `edges` knows the same edges again, `graph` the same edges, people and declaration of people.

    `people` knows the same people again where they are those with an edge; it is DECLARED where they were listed, and
    None where that was not recorded. `listed` has the people who were listed, to compare with those with an edge of the
    spend before; it is never put on record.
    """

    edges: str
    graph: str
    people: str | None = field(default=None, compare=False)
    listed: str | None = field(default=None, compare=False)


def keyed(key: bytes, edges: bytes, graph: bytes, people: bytes | None, listed: bytes | None = None) -> Fingerprint:
    """The fingerprint of digests under a key; None stands for people who were declared."""

    def value(digest: bytes, kind: bytes) -> str:
        return blake2b(digest, key=key, digest_size=VALUE_BYTES, person=kind).hexdigest()

    who = DECLARED if people is None else value(people, b"people")
    same = None if listed is None else value(listed, b"people")
    return Fingerprint(value(edges, b"edges"), value(graph, b"graph"), who, same)


def key_path(ledger: Path) -> Path:
    """Where the key of a ledger file lies."""
    return ledger.parent / (ledger.name + KEY_SUFFIX)


def read_key(ledger: Path) -> bytes | None:
    """The key of a ledger file, or None where there is none."""
    path = key_path(ledger)
    try:
        text = path.read_text(encoding="ascii").strip()
        key = bytes.fromhex(text)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LedgerError(f"the key {path} cannot be read: {error.strerror}; check its permissions") from error
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise LedgerError(
            f"the key {path} is damaged; restore it, or delete it: earlier graphs will then not be recognised"
        )
    return key


def make_key(ledger: Path, *, was_used: bool) -> bytes:
    """A new key, unless another process made one first; a warning if values under a former key are on record."""
    path = key_path(ledger)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)  # mode 600
        unfinished = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(os.urandom(KEY_BYTES).hex() + "\n")
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(unfinished, path)
        finally:
            unfinished.unlink()
    except OSError as error:
        raise LedgerError(
            f"the key {path} cannot be written: {error.strerror}; check the folder's permissions"
        ) from error
    if was_used:
        warnings.warn(
            f"the key {path} was lost and is made anew: earlier graphs are not recognised (their budgets are kept)",
            stacklevel=2,
        )
    key = read_key(ledger)
    assert key is not None
    return key
