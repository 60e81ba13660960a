"""The web application of a party: its addresses, and the worker that moves campaigns on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from sqlalchemy import text

from graphveil.service.parties import routes
from graphveil.service.parties.cross_origin import LeadersPage
from graphveil.service.parties.party import Party
from graphveil.service.parties.wire import HttpWire
from graphveil.service.parties.work import Worker
from graphveil.service.server.frame import frame, keep_ticking


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

    app.add_middleware(LeadersPage, party=party)
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
