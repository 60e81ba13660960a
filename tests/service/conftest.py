"""Real servers, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import counting_protocol
import httpx
import pytest
import uvicorn
from chromium import Browser
from postgres import Cluster

from graphveil.service.app import create_app
from graphveil.service.pages.join import CALCULATING, script
from graphveil.service.serve import ensure_operator
from graphveil.service.service import Service
from graphveil.service.settings import Settings

RoomyLimits = {"requests_per_second": 1e6, "request_burst": 10**6, "tick_seconds": 0.05}


@pytest.fixture(scope="session")
def cluster(need: Callable[[str], None]) -> Iterator[Cluster]:
    """A PostgreSQL server of our own."""
    need(Cluster.missing())
    running = Cluster()
    yield running
    running.remove()


@pytest.fixture(scope="session")
def chromium(need: Callable[[str], None]) -> Iterator[Browser]:
    """Chromium with an empty profile."""
    need(Browser.missing())
    running = Browser()
    yield running
    running.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The same, whose pages are closed after each test: they would go on asking a server that is gone."""
    kept = list(chromium.pages)
    chromium.said.clear()
    yield chromium
    chromium.close_pages(kept)


@pytest.fixture(scope="module")
def calculate(chromium, tmp_path_factory):
    """Run a function of the page's script on each of some arguments, in a page that may seal: one of this machine."""
    blank = tmp_path_factory.mktemp("page") / "blank.html"
    blank.write_text("<!doctype html>")
    tab = chromium.open(blank.as_uri())
    tab.run(script(parts=CALCULATING))

    def run(function: str, arguments: list):
        return tab.run(f"Promise.all({json.dumps(arguments)}.map({function}))")

    return run


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "collector.db")
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database()


@pytest.fixture
def counting() -> Iterator[None]:
    """The protocol `counting_protocol`, for servers in this process."""
    counting_protocol.install()
    yield
    counting_protocol.uninstall()


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return str(tmp_path / "collector.db")


class Server:
    """A collector in a thread of this process, reached over a real socket."""

    def __init__(self, service: Service, token_file: Path) -> None:
        self.service = service
        self.operator = token_file.read_text().strip() if token_file.exists() else ""  # an older database has its own
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(create_app(service), port=self.port, log_level="warning", lifespan="on")
        self._running = ExitStack()
        self._running.enter_context(run_in_thread(config))
        self.http = httpx.Client(base_url=self.url, timeout=60)

    def ask(self, method: str, path: str, token: str = "", **options: object) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= options.pop("headers", {})
        return self.http.request(method, path, headers=headers, **options)

    def stop(self) -> None:
        self.http.close()
        self._running.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """`start(database, **settings)` runs a collector until the test ends."""
    running: list[Server] = []

    def begin(
        database: str,
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] | None = None,
        **changes: object,
    ) -> Server:
        token_file = tmp_path / f"operator-{len(running)}.token"
        values = {"database": database, "operator_token_file": str(token_file), **RoomyLimits, **changes}
        steady = time.monotonic if clock is time.time else clock  # the clock of a test leaps only where it says so
        service = Service.open(Settings(**values), clock, timer or steady)
        ensure_operator(service)
        running.append(Server(service, token_file))
        return running[-1]

    yield begin
    for server in running:
        server.stop()


@contextmanager
def run_in_thread(config: uvicorn.Config) -> Iterator[None]:
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    yield
    server.should_exit = True
    thread.join()


def free_port() -> int:
    """Return a port that nobody listens on, below those that the system gives to outgoing connections meanwhile."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port


def wait_until(happened: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError(happened)
        time.sleep(0.01)
