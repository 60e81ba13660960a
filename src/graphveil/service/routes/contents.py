"""Serving a content that is addressed by its hash: cacheable for ever, whole or in ranges (RFC 9110)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.responses import Response

from graphveil.service.problems import Problem

MEDIA_TYPE = "application/gzip"
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


def serve(content: bytes, name: str, headers: Mapping[str, str], *, public: bool) -> Response:
    """The gzip file of a content; `name` is the hash of what is in it, and its tag."""
    tag = f'"{name}"'
    said = {
        "ETag": tag,
        "Cache-Control": f"{'public' if public else 'private'}, max-age=31536000, immutable",
        "Accept-Ranges": "bytes",
    }
    if tag in headers.get("if-none-match", ""):
        return Response(status_code=304, headers=said)
    wanted = headers.get("range")
    if wanted is None or headers.get("if-range", tag) != tag:
        return Response(content, media_type=MEDIA_TYPE, headers=said)
    ends = _ends(wanted, len(content))
    if ends is None:  # several ranges, or another unit: the whole is a right answer too
        return Response(content, media_type=MEDIA_TYPE, headers=said)
    first, last = ends
    said["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
    return Response(content[first : last + 1], 206, media_type=MEDIA_TYPE, headers=said)


def _ends(wanted: str, length: int) -> tuple[int, int] | None:
    """First and last byte of a range; None if it is none that we serve.

    >>> _ends("bytes=2-4", 10), _ends("bytes=-3", 10), _ends("bytes=5-", 10), _ends("lines=1-2", 10)
    ((2, 4), (7, 9), (5, 9), None)
    """
    match = _RANGE.fullmatch(wanted.strip())
    if match is None or match.group(0) == "bytes=-":
        return None
    first, last = match.groups()
    from_end = (max(0, length - int(last or 0)), length - 1)
    ends = (int(first), min(int(last or length), length - 1)) if first else from_end
    if ends[0] > ends[1]:
        raise Problem("unsatisfiable-range", headers={"Content-Range": f"bytes */{length}"})
    return ends
