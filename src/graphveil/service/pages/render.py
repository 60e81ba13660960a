"""Templates, the headers every page has, and problems as pages instead of documents."""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from graphveil.errors import GraphveilError
from graphveil.service.problems import PROBLEMS, Problem
from graphveil.service.settings import Settings

FOLDER = Path(__file__).parent
_POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
HEADERS = SAFE | {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}


class LoginNeeded(Exception):
    """Nobody is logged in, or whoever was is no operator any more."""


class PageRoute(APIRoute):
    """An address that answers with pages, also when something is wrong."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Turn what is raised into a page."""
        handler = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except LoginNeeded:
                return see_other("/operator/login")
            except Problem as problem:
                return _problem_page(problem)
            except GraphveilError as error:
                return _problem_page(Problem("wrong-parameters", str(error)))
            except RequestValidationError:
                return _problem_page(Problem("invalid-request"))
            except HTTPException:
                return _problem_page(Problem("bad-request", "the form could not be read; give a long roster as a file"))

        return answer


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from its template."""
    return HTMLResponse(_templates().get_template(template).render(values), status, headers=HEADERS)


def see_other(address: str) -> RedirectResponse:
    """Go on with a GET elsewhere."""
    return RedirectResponse(address, 303, headers=HEADERS)


def public_address(settings: Settings, request: Request) -> str:
    """The address of this collector in invitations: the stated one, or the one that the operator's browser used."""
    return settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")


def _problem_page(problem: Problem) -> HTMLResponse:
    status, title = PROBLEMS[problem.code]
    return page("problem.html", status, title=title, detail=problem.detail)


@lru_cache(maxsize=1)
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = _number
    environment.filters["bits"] = _bits
    return environment


def _number(value: float | None) -> str:
    """For people.

    >>> _number(1234567), _number(0.12345678), _number(None)
    ('1,234,567', '0.12346', '-')
    """
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.5g}"


def _bits(bits: float) -> str:
    """A number of bits as a size.

    >>> _bits(27.5), _bits(174_167), _bits(8e9)
    ('4 bytes', '21.8 kB', '1,000 MB')
    """
    size = bits / 8
    if size < 1_000:
        return f"{math.ceil(size):,} bytes"
    return f"{size / 1e3:,.3g} kB" if size < 1e6 else f"{size / 1e6:,.4g} MB"
