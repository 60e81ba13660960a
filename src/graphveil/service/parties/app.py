"""The web application of a party: its addresses, and the worker that moves campaigns on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from sqlalchemy import text
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from graphveil.service.parties import routes, store
from graphveil.service.parties.desk import read
from graphveil.service.parties.party import Party
from graphveil.service.parties.wire import HttpWire
from graphveil.service.parties.work import Worker
from graphveil.service.server.frame import frame, keep_ticking
from graphveil.two_servers.parties.names import HELPER, LEADER

_FOR_PEOPLE = re.compile(r"/api/v1/campaigns/([0-9a-f]{64})/(?:accepted|answered|degree|share)")
_MINUTES = 10


def create_party_app(party: Party) -> FastAPI:
    """A leader, helper or dealer as an ASGI application."""
    title = f"graphveil {party.role}"
    app = FastAPI(title=title, version=version("graphveil"), lifespan=_lifespan, docs_url=None, redoc_url=None)
    app.state.party = party
    app.include_router(routes.router)
    app.include_router(routes.page)

    @app.get("/health")
    def health() -> dict[str, str]:
        """The process is alive and its database answers."""
        with party.service.database.read() as connection:
            connection.execute(text("SELECT 1"))
        return {"status": "alive"}

    app.add_middleware(LeaderOrigin, party=party)
    frame(app, party.service)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start the worker; at the end let it finish its step, and let the database go."""
    party: Party = app.state.party
    stopping = asyncio.Event()
    wire = HttpWire()
    worker = Worker(party, wire)
    ticker = asyncio.create_task(keep_ticking(party.service, app.state.metrics, stopping, worker.tick))
    yield
    stopping.set()
    await ticker
    wire.close()
    await asyncio.to_thread(party.service.database.close)


class LeaderOrigin:
    """Middleware that lets the page which the leader serves talk to the helper, and nothing else across servers.

    For each campaign this is one origin, that of the leader in its text, and three addresses of people: whether the
    helper takes part, whether it has an answer of theirs, and where they hand in a noisy degree and a share. No cookies
    are involved: a token in the request says who asks.
    """

    def __init__(self, app: ASGIApp, party: Party) -> None:
        self._app, self._party = app, party

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through; with the headers that its browser waits for, where it comes from the leader's page."""
        app = self._app
        if scope["type"] == "http" and "origin" in Headers(scope=scope):
            asked = _FOR_PEOPLE.fullmatch(scope["path"])
            if asked and (origin := await run_in_threadpool(self._origin, asked[1])):
                app = CORSMiddleware(
                    app,
                    allow_origins=(origin,),
                    allow_methods=("GET", "PUT"),
                    allow_headers=("Authorization", "Content-Type"),
                    max_age=60 * _MINUTES,
                )
        await app(scope, receive, send)

    def _origin(self, campaign_id: str) -> str | None:
        """The origin of a campaign's page: that of its leader."""
        with self._party.service.database.read() as connection:
            row = store.find(connection, campaign_id)
        return None if row is None or self._party.role != HELPER else read(row.document).party(LEADER).origin
