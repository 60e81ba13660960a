"""Around every request: how large it may be, how many an address may send, and counting what was answered."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphveil.service.metrics import Metrics
from graphveil.service.parties.store import BLOCK_BYTES
from graphveil.service.problems import MEDIA_TYPE, Problem
from graphveil.service.settings import Settings
from graphveil.two_servers.cost import SEAL_BYTES

IsStaff = Callable[[Scope], Awaitable[bool]]

_METHODS = {"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"}
_ALWAYS = {"/health", "/ready", "/metrics"}
_MOST_ADDRESSES = 100_000
_OF_STRANGERS = 64 * 2**10  # bytes; reading a body of many wrong fields takes a second for each MiB
_READ_LATER = ("/reports/bulk", "/enrolments")  # bodies that are read when their sender is known


class Allowance:
    """Buckets that fill at a steady rate and are emptied by requests, one an address."""

    def __init__(self, rate: float, burst: int, timer: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._timer = rate, burst, timer
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take one request out; the seconds until there is room for one if there is none now, else 0."""
        now = self._timer()
        level, since = self._levels.pop(address, (float(self._burst), now))
        level = min(self._burst, level + (now - since) * self._rate)
        fits = level >= 1
        self._levels[address] = (level - 1 if fits else level, now)
        if len(self._levels) > _MOST_ADDRESSES:
            self._levels.popitem(last=False)
        return 0.0 if fits else (1 - level) / self._rate


class Limits:
    """ASGI middleware that refuses requests beyond the limits before they are read."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, is_staff: IsStaff) -> None:
        self._app, self._metrics, self._is_staff = app, metrics, is_staff
        self._settings = settings
        self._allowance = Allowance(settings.requests_per_second, settings.request_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it with its problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.perf_counter(), 500

        async def watched_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            try:
                body = _Body(receive, await self._admit(scope))
                with suppress(ClientDisconnect):
                    await self._app(scope, body, body.unless_too_long(watched_send))
                body.check()
            except Problem as problem:
                await problem_response(problem)(scope, receive, watched_send)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.count_request(method, status, time.perf_counter() - start)

    async def _admit(self, scope: Scope) -> int:
        """How many bytes the body may have; raises the problem that stands against the request."""
        address = scope["client"][0] if scope.get("client") else ""
        wait = 0.0 if scope["path"] in _ALWAYS else self._allowance.wait(address)
        if wait:
            raise Problem("too-many-requests", headers={"Retry-After": str(int(wait) + 1)})
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        announced = int(length[:20]) if length.isdigit() else self._settings.max_body_bytes + 1
        most = await self._most(scope, is_long=announced > _OF_STRANGERS or b"transfer-encoding" in headers)
        if announced > most:
            raise Problem("too-large", f"this request has at most {most} bytes", headers={"Connection": "close"})
        return most

    async def _most(self, scope: Scope, *, is_long: bool) -> int:
        """What anybody may send without being known is small: most bodies are read before their token is looked at."""
        path, settings = scope["path"], self._settings
        if path.endswith("/reports"):
            return settings.max_report_bytes
        if "/exchange/" in path:  # of another party, signed
            return BLOCK_BYTES + SEAL_BYTES
        if path.endswith(_READ_LATER) or (is_long and await self._is_staff(scope)):
            return settings.max_body_bytes
        return min(_OF_STRANGERS, settings.max_body_bytes)


class _Body:
    """Without a length in its head, the bytes of a request are counted as they come.

    One that is too long ends, for the application, as if its sender had gone; once it was answered the rest is dropped.
    """

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most, self._total = receive, most, 0
        self._answered = False

    def check(self) -> None:
        """Raise the problem of a body that is too long, unless an answer that did not wait for it is under way."""
        if self._total > self._most and not self._answered:
            raise Problem("too-large", f"this request has at most {self._most} bytes")

    async def __call__(self) -> Message:
        message = await self._receive()
        self._total += len(message.get("body", b""))
        if self._total <= self._most:
            return message
        return {**message, "body": b""} if self._answered else {"type": "http.disconnect"}

    def unless_too_long(self, send: Send) -> Send:
        """Keep back what an application says of a body that it was not let read: it may take it for something else."""

        async def kept(message: Message) -> None:
            if self._answered or self._total <= self._most:
                self._answered = True
                await send(message)

        return kept


def problem_response(problem: Problem) -> JSONResponse:
    """A problem as an answer."""
    headers = problem.headers | ({"WWW-Authenticate": "Bearer"} if problem.status == 401 else {})
    return JSONResponse(problem.document(), problem.status, headers=headers, media_type=MEDIA_TYPE)
