"""Lets the page that the leader serves talk to the helper: the one thing that a browser may do across servers here.

For each campaign this is one origin, that of the leader in its text, and three addresses of people: whether the helper
takes part, whether it has an answer of theirs, and where they hand in a noisy degree and a share. Everything else is as
closed to pages of other servers as before. No cookies are involved: who asks is told by a token in the request.
"""

from __future__ import annotations

import re

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from graphveil.service.parties import store
from graphveil.service.parties.desk import read
from graphveil.service.parties.party import Party
from graphveil.two_servers.parties.names import HELPER, LEADER

_FOR_PEOPLE = re.compile(r"/api/v1/campaigns/([0-9a-f]{64})/(?:accepted|answered|degree|share)")
_MINUTES = 10


class LeadersPage:
    """ASGI middleware: answers of the helper that the leader's page may read, and no others."""

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
        """Where the page of a campaign comes from."""
        with self._party.service.database.read() as connection:
            row = store.find(connection, campaign_id)
        return None if row is None or self._party.role != HELPER else read(row.document).party(LEADER).origin
