"""Requests to a collector, by the rules: done when it says so, never again when it refuses, later when it cannot.

2xx is final. 4xx is final too and raises `Refused` with the code of the problem document. Network errors, 5xx and 429
are tried again with growing pauses, as long as the request may be repeated. That a campaign is paused is final here:
how long it stays so is up to people.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import time
import zlib
from collections.abc import Callable
from typing import Any, Self, TypeVar

import httpx
import msgspec

from graphveil.errors import GraphveilError, ParameterError
from graphveil.service.problems import PREFIX

T = TypeVar("T")
Document = dict[str, Any]
_AGAIN = {429, 500, 502, 503, 504}
_LONGEST_PAUSE = 30.0
MOST_BYTES = 2**30  # of one answer, sent and unpacked: what a collector sends may be made to fill the memory
_TOO_LARGE = f"the collector sent more than {MOST_BYTES // 2**20:,} MB at once; this client stops here"


class Refused(GraphveilError):
    """The collector refuses; `code` says why, in a word."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Unreachable(GraphveilError):
    """No answer, or none that makes sense, after several tries."""


class Api:
    """One collector, asked with one token."""

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        tries: int = 6,
        pause: Callable[[float], None] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            self._http = httpx.Client(base_url=url, headers=headers, timeout=60, transport=transport)
        except (httpx.InvalidURL, ValueError):
            raise ParameterError(f"the address of a collector looks like http://host:port, not like {url!r}") from None
        self._tries, self._pause = tries, pause

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def ask(self, kind: type[T], method: str, path: str, **options: Any) -> T:
        """The JSON document that answers a request, if it is of this kind; `options` are those of `send`."""
        return _read_json(self.send(method, path, **options), kind)

    def unpacked(self, path: str) -> bytes:
        """What is in a gzip file, unless it is larger than anything that a collector has to send."""
        packed = self.send("GET", path).content
        try:
            with gzip.open(io.BytesIO(packed)) as file:
                content: bytes = file.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error):
            raise ParameterError("the collector sent a damaged file; this client stops here") from None
        if len(content) > MOST_BYTES:
            raise ParameterError(_TOO_LARGE)
        return content

    def content(self, path: str, name: str) -> bytes:
        """What is in a gzip file, if its hash is its name."""
        content = self.unpacked(path)
        if hashlib.sha256(content).hexdigest() != name:
            raise ParameterError("the collector sent another content than it named; this client stops here")
        return content

    def _request(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        """One request; the answer is read as long as its size makes sense."""
        size, parts = 0, []
        with self._http.stream(method, path, **options) as answer:
            for part in answer.iter_bytes():
                size += len(part)
                if size > MOST_BYTES:
                    raise ParameterError(_TOO_LARGE)
                parts.append(part)
        kind = {"Content-Type": answer.headers.get("Content-Type", "")}
        return httpx.Response(answer.status_code, content=b"".join(parts), headers=kind)

    def send(self, method: str, path: str, *, repeat: bool = True, **options: Any) -> httpx.Response:
        """A request; `repeat` says that sending it twice does no harm."""
        tries = self._tries if repeat else 1
        problem = ""
        for attempt in range(tries):
            if attempt:
                self._pause(min(_LONGEST_PAUSE, 0.5 * 2**attempt))
            try:
                answer = self._request(method, path, options)
            except (httpx.TransportError, httpx.InvalidURL) as error:
                problem = f"{type(error).__name__} at {self._http.base_url}"
                if isinstance(error, httpx.ConnectError):
                    problem = f"nothing answers at {self._http.base_url} (is a collector running there?)"
                continue
            if answer.is_success:
                return answer
            refusal = _refusal(answer)
            if answer.status_code not in _AGAIN or refusal.code == "paused":
                raise refusal
            problem = str(refusal)
        raise Unreachable(f"the collector did not accept it in {tries} tries: {problem}; try again later")


def _read_json(answer: httpx.Response, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ParameterError("the collector sent an answer that makes no sense; this client stops here") from None


def _refusal(answer: httpx.Response) -> Refused:
    try:
        document = _read_json(answer, Document)
        code = str(document["type"]).removeprefix(PREFIX)
        told = ": ".join(str(document[key]) for key in ("title", "detail") if document.get(key))
    except (ParameterError, KeyError):
        code, told = "unknown", f"the collector answered with status {answer.status_code}"
    return Refused(code, " ".join(told.split())[:300])
