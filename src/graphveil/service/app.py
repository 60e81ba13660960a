"""The web application: routes, limits, problem documents, and what runs beside requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.staticfiles import StaticFiles

from graphveil.service import rounds
from graphveil.service.auth import Recent
from graphveil.service.batcher import Intake
from graphveil.service.pages import exports, join, new, operator, session, steer
from graphveil.service.pages.render import FOLDER
from graphveil.service.problems import MEDIA_TYPE
from graphveil.service.routes import campaigns, health, people, protocols, reports
from graphveil.service.server.frame import frame, keep_ticking
from graphveil.service.service import Service

_REMEMBERED_SECONDS = 5.0  # for which a gateway that was let in is not looked up again


class ProblemDocument(BaseModel):
    """A problem in the form of RFC 9457."""

    type: str
    title: str
    status: int
    detail: str | None = None


_PROBLEM_SCHEMA = ProblemDocument.model_json_schema()


def create_app(service: Service) -> FastAPI:
    """The collector as an ASGI application."""
    problem = {"description": "A problem document.", "content": {MEDIA_TYPE: {"schema": _PROBLEM_SCHEMA}}}
    app = FastAPI(
        title="graphveil collector",
        version=version("graphveil"),
        lifespan=_lifespan,
        responses={"4XX": problem, "5XX": problem},
        docs_url=None,  # the usual pages load scripts from elsewhere; /openapi.json is ours
        redoc_url=None,
    )
    app.state.recent = Recent(_REMEMBERED_SECONDS)
    for module in (campaigns, protocols, reports, people, health, session, new, steer, operator, exports, join):
        app.include_router(module.router)
    app.mount("/static", StaticFiles(directory=FOLDER / "static", packages=[("graphveil.display", "static")]))
    frame(app, service)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start what runs beside requests; at the end store what has arrived and let the database go."""
    service: Service = app.state.service
    # PostgreSQL stores one batch elsewhere while we look at the next; SQLite works in this very process.
    app.state.intake = intake = Intake(service, n_workers=1 if service.database.is_sqlite else 2)
    intake.start()
    stopping = asyncio.Event()
    ticker = asyncio.create_task(keep_ticking(service, app.state.metrics, stopping, partial(rounds.tick, service)))
    yield
    stopping.set()
    await ticker
    await intake.stop()
    await asyncio.to_thread(service.database.close)
