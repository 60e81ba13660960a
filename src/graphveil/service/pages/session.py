"""Logging in: the operator's token in a cookie that scripts cannot read and other sites cannot use.

The cookie is the token itself, so the rights of a session are those of its token and end with it; nothing more is
stored. It goes with requests from these pages only (SameSite=Strict), and whatever changes something is refused unless
its `Origin` is this very address: no other site can act in an operator's name. The API takes no cookies.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Form, Request
from fastapi.concurrency import run_in_threadpool
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response
from starlette.types import Scope

from graphveil.service.auth import Role, Token
from graphveil.service.pages.render import LoginNeeded, PageRoute, page, see_other
from graphveil.service.problems import Problem
from graphveil.service.routes.parts import TheService, staff_name
from graphveil.service.service import Service

COOKIE = "graphveil-operator"
router = APIRouter(prefix="/operator", route_class=PageRoute, include_in_schema=False)


def own_origin(request: Request, service: TheService) -> None:
    """Refuse a form that another site sent."""
    origin = request.headers.get("origin", "")
    host = urlsplit(origin).netloc
    if not host or host not in (request.headers.get("host"), urlsplit(service.settings.url).netloc):
        raise Problem("forbidden", "this form has to be sent from the collector's own pages")


def _operator(request: Request, service: TheService) -> str:
    try:
        return staff_name(service, Token.parse(request.cookies.get(COOKIE, "")), Role.OPERATOR)
    except Problem:
        raise LoginNeeded from None


async def is_staff(service: Service, scope: Scope) -> bool:
    """Whether a request comes from an operator or a gateway, whose token is in its head or in the cookie."""
    request = Request(scope)
    kind, _, sent = request.headers.get("authorization", "").partition(" ")
    token = Token.parse(sent.strip() if kind.lower() == "bearer" else request.cookies.get(COOKIE, ""))
    try:
        await run_in_threadpool(staff_name, service, token, Role.OPERATOR, Role.GATEWAY)
    except Problem:
        return False
    except SQLAlchemyError:
        raise Problem("unavailable") from None
    return True


LoggedIn = Annotated[str, Depends(_operator)]
OWN_ORIGIN = Depends(own_origin)


@router.get("/login")
def show_login() -> Response:
    """Show the form that asks for the operator's token."""
    return page("login.html", wrong=False)


@router.post("/login", dependencies=[OWN_ORIGIN])
def login(service: TheService, token: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Check the token and remember it."""
    try:
        staff_name(service, Token.parse(token.strip()), Role.OPERATOR)
    except Problem:
        return page("login.html", 403, wrong=True)
    answer = see_other("/operator")
    _set_cookie(answer, service, token.strip())
    return answer


@router.post("/logout", dependencies=[OWN_ORIGIN])
def logout(service: TheService) -> Response:
    """Delete the cookie that holds the token."""
    answer = see_other("/operator/login")
    _set_cookie(answer, service, "", max_age=0)
    return answer


def _set_cookie(answer: Response, service: Service, value: str, max_age: int | None = None) -> None:
    secure = service.settings.url.startswith("https:")
    answer.set_cookie(COOKIE, value, max_age, path="/operator", secure=secure, httponly=True, samesite="strict")
