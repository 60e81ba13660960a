"""What every server has around its addresses: limits, problem documents, and work beside requests."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from graphveil.errors import BudgetExceeded, ClaimRefuted, ParameterError, UnitMismatch, WeakGuarantee
from graphveil.service.limits import Limits, problem_response
from graphveil.service.metrics import Metrics
from graphveil.service.pages import session
from graphveil.service.problems import Problem
from graphveil.service.service import Service
from graphveil.service.store.database import DiskFull

_log = logging.getLogger(__name__)
_BY_STATUS = {404: "not-found", 405: "method-not-allowed"}


def frame(app: FastAPI, service: Service) -> None:
    """Put around an application what every server has: problem documents, limits and metrics."""
    app.state.service = service
    app.state.metrics = Metrics()
    for error, to_problem in _TRANSLATIONS.items():
        app.add_exception_handler(error, _handler(to_problem))
    limits = {"settings": service.settings, "metrics": app.state.metrics}
    app.add_middleware(Limits, **limits, is_staff=partial(session.is_staff, service))


async def keep_ticking(
    service: Service, metrics: Metrics, stopping: asyncio.Event, tick: Callable[[], bool | None]
) -> None:
    """Work until told to stop; what is being computed then is finished first. A tick that says True goes on at once."""
    while not stopping.is_set():
        again = None
        try:
            again = await asyncio.to_thread(tick)
            metrics.count_tick()
        except DiskFull:
            _log.error("the disk of the database is full: nothing can be stored until there is room")
        except SQLAlchemyError:
            _log.warning("the database cannot be reached; deadlines are looked at again in a moment")
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), 0.001 if again else service.settings.tick_seconds)


def _handler(to_problem: Callable[[Any], Problem]) -> Any:
    async def answer(_: Request, error: Exception) -> Response:
        return problem_response(to_problem(error))

    return answer


def _from_http(error: HTTPException) -> Problem:
    return Problem(_BY_STATUS.get(error.status_code, "bad-request"), headers=dict(error.headers or {}))


def _from_validation(error: RequestValidationError) -> Problem:
    """Where it is wrong and what is wanted there, never what was sent."""
    places = [f"{'.'.join(str(part)[:40] for part in each['loc'][:6])}: {each['msg']}" for each in error.errors()[:5]]
    return Problem("invalid-request", "; ".join(places)[:500])


_TRANSLATIONS: dict[type[Exception], Callable[[Any], Problem]] = {
    Problem: lambda problem: problem,
    HTTPException: _from_http,
    RequestValidationError: _from_validation,
    ClaimRefuted: lambda error: Problem("claim-refuted", str(error)),
    BudgetExceeded: lambda error: Problem("budget-exceeded", str(error)),
    WeakGuarantee: lambda error: Problem("weak-guarantee", str(error)),
    ParameterError: lambda error: Problem("wrong-parameters", str(error)),
    UnitMismatch: lambda error: Problem("wrong-parameters", str(error)),
    DiskFull: lambda _: Problem("storage-full", headers={"Retry-After": "60"}),
    SQLAlchemyError: lambda _: Problem("unavailable"),
    Exception: lambda _: Problem("internal-error"),
}
