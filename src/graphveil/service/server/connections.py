"""Connections that cost the server something before a request is whole: half-sent heads, and far too many at once.

A connection has `HEAD_SECONDS` to send the head of a request and `BODY_SECONDS` for the rest. Each address has room for
some connections; one more closes the oldest of that address that has not sent a whole head, or is refused if all have.
So an address that opens connections and says nothing stops nobody, itself included. A proxy whose `X-Forwarded-For` is
believed speaks for many people and has room for all; it has to hold such connections off by itself.
"""

from __future__ import annotations

import asyncio
import resource
from collections import OrderedDict
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
BODY_SECONDS = 120.0
PER_ADDRESS = 100
LARGEST_HEAD = 16 * 2**10  # bytes
_RESERVED_FILES = 64  # for the database, logs and the listening socket


def most_connections() -> int:
    """How many connections this process may hold: what the system allows it, less what it needs for itself."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(16, min(10_000, allowed - _RESERVED_FILES))


class Room:
    """The connections of a server, by address, oldest first."""

    def __init__(self, per_address: int = PER_ADDRESS, total: int | None = None, proxies: frozenset[str] = frozenset()):
        self._per_address, self._proxies = per_address, proxies
        self._total = most_connections() if total is None else total
        self._known: dict[str, OrderedDict[Guarded, None]] = {}
        self._count = 0

    def enter(self, address: str, connection: Guarded) -> bool:
        """Make room for a connection if that is possible; whether it may stay."""
        own = self._known.setdefault(address, OrderedDict())
        if len(own) >= self._per_address and address not in self._proxies:
            if not self._drop_oldest(own):
                return False
        elif self._count >= self._total and not any(map(self._drop_oldest, list(self._known.values()))):
            return False
        own[connection] = None
        self._count += 1
        return True

    def leave(self, address: str, connection: Guarded) -> None:
        """Forget a connection that is closed."""
        own = self._known.get(address, OrderedDict())
        if connection in own:
            del own[connection]
            self._count -= 1
        if not own:
            self._known.pop(address, None)

    def _drop_oldest(self, own: OrderedDict[Guarded, None]) -> bool:
        """Close the oldest connection of an address on which no request is being answered."""
        for connection in own:
            if connection.is_waiting:
                connection.drop()
                return True
        return False


class Guarded(H11Protocol):
    """A connection that ends when a request does not come to its end."""

    room: Room  # set by `guarded`, one for each server

    def connection_made(self, transport: Any) -> None:
        """Let a connection in where there is room."""
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        self._timer: asyncio.TimerHandle | None = None
        self._head_is_whole = self._dropped = False
        super().connection_made(transport)
        if self.room.enter(self._address, self):
            self._set_timer(HEAD_SECONDS)
        else:
            self.drop()

    def data_received(self, data: bytes) -> None:
        """Read on; a head and a body each have their time, however slowly they drip."""
        if self._dropped:
            return
        super().data_received(data)
        cycle = self.cycle
        is_answering = cycle is not None and not cycle.response_complete
        if is_answering and not self._head_is_whole:
            self._head_is_whole = True
            self._set_timer(BODY_SECONDS)
        if is_answering and not cycle.more_body:
            self._set_timer(None)
        elif not is_answering and self._timer is None:
            self._set_timer(HEAD_SECONDS)

    def on_response_complete(self) -> None:
        """Wait for the head of the next request on this connection; uvicorn closes it if nothing comes at all."""
        self._head_is_whole = False
        self._set_timer(None)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give back the room that the connection took."""
        self._set_timer(None)
        self.room.leave(self._address, self)
        super().connection_lost(exc)

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered here."""
        return self.cycle is None or self.cycle.response_complete

    def drop(self) -> None:
        """End the connection at once."""
        self._dropped = True
        self._set_timer(None)
        self.room.leave(self._address, self)
        self.transport.abort()

    def _set_timer(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self.drop)


def guarded(room: Room) -> type[Guarded]:
    """The protocol of one server, with its own room."""
    return type("Guarded", (Guarded,), {"room": room})
