"""Connections that send half a request stop nobody and write nothing; a served collector is set up against them."""

from __future__ import annotations

import logging
import socket
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx
import pytest
import uvicorn

from conftest import free_port, run_in_thread, wait_until
from graphveil.service import serve
from graphveil.service.app import create_app
from graphveil.service.server import connections
from graphveil.service.server.connections import Room
from graphveil.service.service import Service
from graphveil.service.settings import Settings


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`run_server` hands everything to uvicorn; what it hands over is then run in a thread."""
    given: dict = {}
    monkeypatch.setattr(uvicorn, "run", lambda app, **options: given.update(options, app=app))
    settings = Settings(database=str(tmp_path / "x.db"), port=free_port(), requests_per_second=1e6, request_burst=10**6)
    service = Service.open(settings)
    serve.run_server(service, create_app(service))
    given["log_config"] = None  # the log of the tests
    with run_in_thread(uvicorn.Config(**given)):
        yield settings


def half_open(stack: ExitStack, settings: Settings, number: int) -> list[socket.socket]:
    opened = []
    for _ in range(number):
        connection = stack.enter_context(closing(socket.create_connection((settings.host, settings.port))))
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        opened.append(connection)
    return opened


def test_300_half_sent_heads_from_one_address_stop_nobody(served, caplog) -> None:
    with ExitStack() as stack, caplog.at_level(logging.WARNING):
        opened = half_open(stack, served, 300)
        for _ in range(20):
            assert httpx.get(f"{served.url}/health", timeout=5).status_code == 200
        wait_until(lambda: closed(opened) >= 300 - connections.PER_ADDRESS)
        assert len(caplog.records) == 0


def closed(opened: list[socket.socket]) -> int:
    count = 0
    for connection in opened:
        connection.setblocking(False)
        try:
            count += connection.recv(65_536) == b""
        except BlockingIOError:
            pass
        except ConnectionError:
            count += 1
    return count


@pytest.mark.parametrize("sent", [b"", b"GET /health HTTP/1.1\r\nX-Slow: ", b"POST /operator/login HTTP/1.1\r\n"])
def test_a_head_has_its_time_however_it_drips(served, monkeypatch, sent) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    with closing(socket.create_connection((served.host, served.port))) as slow:
        slow.sendall(sent)
        for _ in range(3):
            time.sleep(0.1)
            slow.sendall(b"a")
        wait_until(lambda: closed([slow]), seconds=5)


def test_a_body_has_its_time(served, monkeypatch) -> None:
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.3)
    path = f"/api/v1/campaigns/{'0' * 64}/reports".encode()
    head = b"POST " + path + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
    with closing(socket.create_connection((served.host, served.port))) as slow:
        slow.sendall(head + b"toke")
        wait_until(lambda: closed([slow]), seconds=5)


def test_a_connection_may_be_used_again_and_again(served) -> None:
    with httpx.Client(base_url=served.url, timeout=60) as client:
        for _ in range(300):
            assert client.get("/health").status_code == 200


def test_a_head_that_is_too_long_is_refused(served) -> None:
    with suppress(httpx.TransportError):  # closed while it was still being sent
        assert httpx.get(f"{served.url}/health", headers={"X-Long": "x" * 500_000}, timeout=60).status_code == 400
    assert httpx.get(f"{served.url}/health", timeout=60).status_code == 200


class Silent:
    is_waiting = True

    def __init__(self, room: Room, address: str) -> None:
        self.room, self.address, self.dropped = room, address, False

    def drop(self) -> None:
        self.dropped = True
        self.room.leave(self.address, self)


def test_room_for_an_address_for_all_and_for_proxies() -> None:
    room = Room(per_address=2, total=5, proxies=frozenset({"proxy"}))
    first = [Silent(room, "a") for _ in range(3)]
    assert all(room.enter("a", each) for each in first)
    assert [each.dropped for each in first] == [True, False, False]
    relayed = [Silent(room, "proxy") for _ in range(3)]
    for each in relayed:
        each.is_waiting = False
        assert room.enter("proxy", each)
    assert room.enter("b", Silent(room, "b"))  # in the place of the oldest that says nothing
    busy = Room(per_address=1)
    answering = Silent(busy, "a")
    answering.is_waiting = False
    assert busy.enter("a", answering)
    assert not busy.enter("a", Silent(busy, "a"))
