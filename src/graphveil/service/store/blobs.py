"""Contents addressed by their hash: rosters and publications. Kept compressed; the same bytes for everybody."""

from __future__ import annotations

import gzip
import hashlib

from sqlalchemy import Connection, select, text

from graphveil.service.store.tables import blobs


def put(connection: Connection, content: bytes) -> str:
    """Keep a content; its id is the hash of what it is before compression."""
    name = hashlib.sha256(content).hexdigest()
    connection.execute(
        text("INSERT INTO blobs (id, gzip) VALUES (:id, :gzip) ON CONFLICT DO NOTHING"),
        {"id": name, "gzip": gzip.compress(content, mtime=0)},
    )
    return name


def get_compressed(connection: Connection, name: str) -> bytes | None:
    """The gzip file of a content."""
    found: bytes | None = connection.scalar(select(blobs.c.gzip).where(blobs.c.id == name))
    return found


def get(connection: Connection, name: str) -> bytes:
    """A content that is known to be there."""
    found = get_compressed(connection, name)
    assert found is not None
    return gzip.decompress(found)
