"""What `collect create` writes down before it asks for a campaign, so that an interruption loses no token.

The file beside the invitations holds the request and a secret from which the collector makes new tokens. The same
request with the same secret gets the same answer, so whoever was interrupted gives the command again.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from graphveil.cli.collect.options import secret_file, service_extra
from graphveil.cli.output import note
from graphveil.errors import GraphveilError, ParameterError

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
