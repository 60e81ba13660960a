"""Around every request: how large it may be, how many an address may send, and counting what was answered."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphveil.service.metrics import Metrics
from graphveil.service.problems import MEDIA_TYPE, Problem
from graphveil.service.settings import Settings

_METHODS = {"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"}
_ALWAYS = {"/health", "/ready", "/metrics"}
_MOST_ADDRESSES = 100_000


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
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics
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

        problem = self._against(scope)
        try:
            if problem is None:
                await self._app(scope, self._limited(receive, self._most(scope)), watched_send)
            else:
                await problem_response(problem)(scope, receive, watched_send)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.count_request(method, status, time.perf_counter() - start)

    def _against(self, scope: Scope) -> Problem | None:
        address = scope["client"][0] if scope.get("client") else ""
        wait = 0.0 if scope["path"] in _ALWAYS else self._allowance.wait(address)
        if wait:
            return Problem("too-many-requests", headers={"Retry-After": str(int(wait) + 1)})
        length = dict(scope["headers"]).get(b"content-length", b"0")
        most = self._most(scope)
        if not length.isdigit() or int(length[:20]) > most:
            return Problem("too-large", f"this request has at most {most} bytes", headers={"Connection": "close"})
        return None

    def _most(self, scope: Scope) -> int:
        """What anybody may send without being known is small."""
        is_single = scope["path"].endswith("/reports")
        return self._settings.max_report_bytes if is_single else self._settings.max_body_bytes

    def _limited(self, receive: Receive, most: int) -> Receive:
        """Without a length in the head, the bytes are counted as they come."""
        total = 0

        async def counted() -> Message:
            nonlocal total
            message = await receive()
            total += len(message.get("body", b""))
            if total > most:
                raise Problem("too-large", f"this request has at most {most} bytes")
            return message

        return counted


def problem_response(problem: Problem) -> JSONResponse:
    """A problem as an answer."""
    headers = problem.headers | ({"WWW-Authenticate": "Bearer"} if problem.status == 401 else {})
    return JSONResponse(problem.document(), problem.status, headers=headers, media_type=MEDIA_TYPE)
