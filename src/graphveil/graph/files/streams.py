"""Bytes in and out: whole files, decompressed or compressed, with one-line errors and no half-written output."""

from __future__ import annotations

import gzip
import os
import secrets
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from graphveil.errors import GraphFormatError, ParameterError
from graphveil.graph.files.formats import Compression

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

STDIN = "-"
_MAGIC = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}


def check_readable(path: Path, *, may_be_empty: bool = False) -> None:
    """Refuse what is no file, or holds nothing; a pipe is not even opened, since that might wait for ever."""
    try:
        if path.is_dir():
            raise GraphFormatError(f"{path}: is a folder; give the file itself")
        if not stat.S_ISREG(path.stat().st_mode):
            raise GraphFormatError(
                f"{path}: is a pipe or a device; save the data in a file first, or give it on the standard input (-)"
            )
        with path.open("rb") as handle:
            if not handle.read(1) and not may_be_empty:
                raise GraphFormatError(f"{path}: the file is empty")
    except OSError as error:
        raise GraphFormatError(f"{path}: cannot be read: {error.strerror}") from None


@contextmanager
def spooled_stdin(format: str | None) -> Iterator[Path]:  # noqa: A002 - the word of the option
    """What comes on the standard input, as a file that readers can open; in memory where the system can do that.

    Without a format it is an edge list. gzip and zstd are known by their first bytes.
    """
    data = sys.stdin.buffer.read()
    packed = next((suffix for suffix, magic in _MAGIC.items() if data.startswith(magic)), "")
    with tempfile.TemporaryDirectory(prefix="graphveil-", dir=_memory_folder()) as folder:  # for this user alone
        path = Path(folder, f"stdin.{(format or 'txt').removeprefix('.')}{packed}")
        path.write_bytes(data)
        yield path


def _memory_folder() -> str | None:
    """A folder that is kept in memory, so that private data does not reach a disk; None if there is none."""
    shared = Path("/dev/shm")  # noqa: S108 - a folder of our own is made there
    return str(shared) if shared.is_dir() and os.access(shared, os.W_OK) else None


def read_bytes(path: Path, compression: Compression | None, *, may_be_empty: bool = False) -> bytes:
    """Everything in a file, decompressed."""
    try:
        if compression is None:
            data = path.read_bytes()
        elif compression == "gzip":
            data = gzip.decompress(path.read_bytes())
        else:
            data = zstd.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error, zstd.ZstdError) as error:
        what = "cannot be read" if compression is None else f"is damaged, cut short or not {compression}"
        reason = getattr(error, "strerror", None)  # other reasons may quote the file, which is private
        raise GraphFormatError(f"{path}: {what}" + (f": {reason}" if reason else "")) from None
    if not data and not may_be_empty:
        raise GraphFormatError(f"{path}: the file is empty")
    return data


def place_of(path: Path) -> Path:
    """Where a file of this name is to be put: behind a link, so that the link stays one.

    Refused where something else than a file is, since a file that takes its place would destroy it: whoever reads from
    a pipe would wait for ever, and a device would be gone for every program.
    """
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return Path(os.path.realpath(path))
    except OSError as error:
        raise ParameterError(f"{path}: cannot be written: {error.strerror}") from None
    if stat.S_ISDIR(kind):
        raise ParameterError(f"{path}: cannot be written: it is a directory; give the name of a file")
    if not stat.S_ISREG(kind):
        raise ParameterError(f"{path}: cannot be written: it is a pipe or a device; give the name of a file")
    return Path(os.path.realpath(path))


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` when the block succeeds, and vanishes when it fails."""
    target = place_of(path)
    pending = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        handle = pending.open("xb")
    except OSError as error:
        raise ParameterError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        with handle:
            yield handle
        pending.replace(target)
    except OSError as error:
        raise ParameterError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        pending.unlink(missing_ok=True)


@contextmanager
def compressing(handle: IO[bytes], compression: Compression | None) -> Iterator[Any]:
    """A stream that compresses into `handle`, to the same bytes each time."""
    if compression == "gzip":
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=handle, mtime=0) as stream:
            yield stream
    elif compression == "zstd":
        with zstd.ZstdFile(handle, "w") as stream:
            yield stream
    else:
        yield handle
