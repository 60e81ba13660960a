"""`collect create` given again: after an interruption, or to serve a campaign whose links are written.

Before it asks for a campaign, the command writes a file beside the invitations with the request and a secret from which
the collector makes new tokens. The same request with the same secret gets the same answer, so no token is lost.
"""

from __future__ import annotations

import csv
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from graphveil.cli.collect.options import secret_file, service_extra
from graphveil.cli.output import note
from graphveil.errors import GraphveilError, ParameterError

if TYPE_CHECKING:
    from graphveil.service.service import Service

_FROM_THE_CLOCK = ("title", "closes", "secret")  # differ when the same command is given again


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A request for a campaign whose invitations are not written yet."""

    path: Path
    plan: dict[str, Any]

    @classmethod
    def begin(cls, invitations: Path, plan: Mapping[str, Any]) -> Self:
        """Write a request down, or take up one that was interrupted."""
        path = invitations.with_name(f"{invitations.name}.unfinished")
        if path.exists():
            return cls(path, _take_up(path, plan))
        asked = {**plan, "secret": secrets.token_urlsafe(32)}
        with secret_file(path) as file:
            json.dump(asked, file)
            file.flush()
            os.fsync(file.fileno())
        return cls(path, asked)

    @contextmanager
    def kept_if_unsure(self) -> Iterator[None]:
        """Forget the request if it was refused; keep it if nobody knows what became of it."""
        with service_extra():
            from graphveil.service.client.api import Unreachable
        try:
            yield
        except Unreachable:
            raise
        except GraphveilError:
            self.end()
            raise

    def end(self) -> None:
        """Forget the request: its invitations are written, or it was refused."""
        self.path.unlink(missing_ok=True)


def _take_up(path: Path, plan: Mapping[str, Any]) -> dict[str, Any]:
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        same = all(stored[name] == plan[name] for name in plan if name not in _FROM_THE_CLOCK)
    except (OSError, ValueError, KeyError, TypeError):
        same = False
    if not same:
        raise ParameterError(
            f"{path} is of another campaign whose creation was interrupted: give that command again, or delete the file"
        )
    note("going on with the campaign whose creation was interrupted")
    return stored


def same_campaign(service: Service, plan: Mapping[str, Any], invitations: Path) -> dict[str, Any]:
    """The campaign of links that are written, if it is the one that is asked for: its id, tokens and deadlines.

    Deadlines come from the clock, and so does a title that is empty: both stay those of the campaign that was made.
    """
    from graphveil.service.campaigns import Plan, read_campaign
    from graphveil.service.store import campaigns as rows

    campaign_id = _id_in(invitations)
    with service.database.read() as connection:
        row = rows.find(connection, campaign_id)
    if row is None:
        raise ParameterError(
            f"{invitations} holds links of campaign {campaign_id[:12]}, which is not in this database: give its own "
            "--database, or another name for the links of a new campaign (--invitations)"
        )
    made = read_campaign(row.document)
    closes = dict(made.terms)["closes"].split()
    asked = Plan(**{**plan, "title": plan["title"] or made.title, "closes": closes}).campaign(now=0.0)
    if asked.id != made.id:
        old, new = json.loads(made.to_json()), json.loads(asked.to_json())
        old, new = old | old.pop("terms"), new | new.pop("terms")
        differ = [name for name in sorted(old | new) if old.get(name) != new.get(name)]
        raise ParameterError(
            f"{invitations} holds the links of another campaign, {campaign_id[:12]}, which differs in "
            f"{', '.join(differ)}: repeat its own command, or choose another name for a new campaign (--invitations)"
        )
    return {"id": campaign_id, "tokens": {}, "closes": closes}


def _id_in(invitations: Path) -> str:
    """The one campaign that all links of a file are of."""
    from graphveil.service.client.invitation import Invitation

    try:
        with invitations.open(encoding="utf-8", newline="") as file:
            ids = {Invitation.parse(row["link"]).campaign_id for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError, ParameterError):
        ids = set()
    if len(ids) != 1:
        raise ParameterError(f"{invitations} exists and does not hold the links of one campaign; choose another name")
    return ids.pop()
