"""Addresses for machines that watch the collector."""

from __future__ import annotations

from fastapi import APIRouter, Response
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from graphveil.service.metrics import MEDIA_TYPE
from graphveil.service.problems import Problem
from graphveil.service.routes.parts import TheIntake, TheMetrics, TheService
from graphveil.service.store import campaigns

router = APIRouter(tags=["health"])


@router.get("/health")
def health() -> dict[str, str]:
    """Say that the process is alive."""
    return {"status": "alive"}


@router.get("/ready")
def ready(service: TheService) -> dict[str, str]:
    """The database answers and has room: requests are welcome."""
    if service.database.is_full:
        raise Problem("storage-full")
    try:
        with service.database.read() as connection:
            connection.execute(text("SELECT 1 FROM campaigns WHERE 1 = 0"))
    except SQLAlchemyError:
        raise Problem("unavailable") from None
    return {"status": "ready"}


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def metrics(metrics: TheMetrics, service: TheService, intake: TheIntake) -> Response:
    """Counters in the text form of Prometheus."""
    try:
        with service.database.read() as connection:
            states = campaigns.count_states(connection)
    except SQLAlchemyError:
        states = {}
    doubtful, full = service.watch.in_doubt, service.database.is_full
    metrics.show_now(campaigns=states, queue=intake.waiting, clock_in_doubt=doubtful, disk_full=full)
    return Response(metrics.text(), media_type=MEDIA_TYPE)
