"""The collector under load, beside a bare FastAPI endpoint that stores nothing: `python -m benchmarks service`.

Both run as processes of their own under uvicorn and are sent the very same bodies by the same client: 1,000 reports a
request in the order of the roster (bulk) or in any (shuffled), or one a request over 32 connections (single). The bare
endpoint decodes and validates with pydantic and answers; the collector also checks a token and a place on the roster
for every report and answers when all is on disk. "ratio" is the collector's time a report over the bare endpoint's in
runs that took turns, the median and in brackets the least and the most, by the clock and by the processor time of the
server's process, which a busy machine distorts less; the other figures are the best runs. The last table is the
server's memory while a million people report. PostgreSQL is left out where it is missing; its server is the one of the
tests (no fsync).
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from graphveil.local.lists import Lists
from graphveil.local.messages import Report
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import seeded
from graphveil.service import campaigns, enrolment
from graphveil.service.auth import Token
from graphveil.service.campaigns import Plan
from graphveil.service.serve import ensure_operator
from graphveil.service.service import Service
from graphveil.service.settings import Settings

ROOT = Path(__file__).parents[1]
BATCH, CONNECTIONS, RUNS = 1_000, 32, 5
BULK, SHUFFLED, SINGLE, MANY = 60_000, 20_000, 4_000, 1_000_000  # reports
EACH_RUN = BULK + SHUFFLED + SINGLE


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()  # only --help
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{'':20}{'reports/s':>12}{'bare':>12}{'ratio':>18}{'CPU µs':>10}{'bare':>8}{'ratio':>18}")
        for kind, database in databases(folder):
            compare(kind, database, folder)
        remember(folder)


def databases(folder: Path) -> Iterator[tuple[str, str]]:
    yield "SQLite", str(folder / "load.db")
    sys.path.insert(0, str(ROOT / "tests" / "service"))
    from postgres import Cluster

    if Cluster.missing():
        print(f"{'PostgreSQL':14}{Cluster.missing()}")
        return
    cluster = Cluster()
    try:
        yield "PostgreSQL", cluster.new_database()
    finally:
        cluster.remove()


def compare(kind: str, database: str, folder: Path) -> None:
    """Bulk and single, each in turn with the bare endpoint."""
    campaign = prepare(database, folder, RUNS * EACH_RUN)
    order = np.random.default_rng(2)
    costs: dict[tuple[str, str], list[Cost]] = {}
    with serving(database, folder) as ours, serving_bare() as bare:
        for run in range(RUNS):
            people = np.arange(run * EACH_RUN, (run + 1) * EACH_RUN)
            order.shuffle(people[BULK : BULK + SHUFFLED])
            bodies = [campaign.bulk_body(people[start : start + BATCH]) for start in range(0, BULK + SHUFFLED, BATCH)]
            bulk, shuffled = bodies[: BULK // BATCH], bodies[BULK // BATCH :]
            single = [campaign.single(i) for i in people[BULK + SHUFFLED :]]
            for server, name, prefix in ((ours, "ours", campaign.path), (bare, "bare", "")):
                for way, part in (("bulk", bulk), ("shuffled", shuffled)):
                    requests = [post(f"{prefix}/reports/bulk", body, campaign.operator) for body in part]
                    costs.setdefault((name, way), []).append(cost(server, requests, 4, BATCH * len(part)))
                requests = [post(f"{prefix}/reports", body, token) for token, body in single]
                costs.setdefault((name, "single"), []).append(cost(server, requests, CONNECTIONS, SINGLE))
    for way in ("bulk", "shuffled", "single"):
        mine, theirs = np.array(costs["ours", way]), np.array(costs["bare", way])
        best, bare, ratios = mine.min(axis=0), theirs.min(axis=0), mine / theirs
        wall = f"{1 / best[0]:>12,.0f}{1 / bare[0]:>12,.0f}{spread(ratios[:, 0]):>18}"
        processor = f"{1e6 * best[1]:>10,.1f}{1e6 * bare[1]:>8,.1f}{spread(ratios[:, 1]):>18}"
        print(f"{kind + ', ' + way:20}{wall}{processor}", flush=True)


def spread(ratios: np.ndarray) -> str:
    return f"{np.median(ratios):.1f} ({ratios.min():.1f}-{ratios.max():.1f})"


class Cost(NamedTuple):
    """Seconds a report: on the clock, and of the server's processor."""

    wall: float
    processor: float


def cost(server: Running, requests: list[bytes], connections: int, reports: int) -> Cost:
    before = processor_seconds(server.process)
    wall = seconds(server.port, requests, connections)
    return Cost(wall / reports, (processor_seconds(server.process) - before) / reports)


def remember(folder: Path) -> None:
    """Memory of a server while a million people report in bulk."""
    database = str(folder / "many.db")
    campaign = prepare(database, folder, MANY)
    print(f"\n{'reports':>12}{'MB':>8}{'reports/s':>12}")
    with serving(database, folder) as server:
        tenth = MANY // 10
        for done in range(0, MANY, tenth):
            bodies = (campaign.bulk_body(range(start, start + BATCH)) for start in range(done, done + tenth, BATCH))
            spent = 0.0
            for body in bodies:
                spent += seconds(server.port, [post(f"{campaign.path}/reports/bulk", body, campaign.operator)], 1)
            print(f"{done + tenth:>12,}{memory(server.process):>8.0f}{tenth / spent:>12,.0f}", flush=True)


class Crowd:
    """A campaign in which everybody has enrolled, and their reports."""

    def __init__(self, campaign, tokens: list[str], operator: str) -> None:
        self.tokens, self.operator = tokens, operator
        self.path = f"/api/v1/campaigns/{campaign.id}"
        page, people = campaign.protocol, campaign.n_people
        lists = Lists.of_degrees(np.random.default_rng(1).integers(1, 100, people))
        batch = page.perturb(RoundContext(), lists, seeded(1)(1, lists.people))
        payloads = page.pack(RoundContext(), lists.people, batch)
        self._reports = [Report(campaign.id, 1, i, payload).encode() for i, payload in enumerate(payloads)]

    def bulk_body(self, people: Iterable[int]) -> bytes:
        """The reports of some people."""
        pairs = (self.single(i) for i in people)
        items = [{"token": token, "report": base64.b64encode(report).decode()} for token, report in pairs]
        return json.dumps({"reports": items}).encode()

    def single(self, i: int) -> tuple[str, bytes]:
        """A person's token and report."""
        return self.tokens[i], self._reports[i]


def prepare(database: str, folder: Path, people: int) -> Crowd:
    token_file = folder / "operator.token"
    service = Service.open(Settings(database=database, operator_token_file=str(token_file)))
    ensure_operator(service)
    plan = Plan(
        statistic="degree-distribution",
        protocol="veil",
        unit="node",
        epsilon="1",
        title="load",
        people=[f"person {i}" for i in range(people + 1)],  # one never reports, so the round stays open
        closes=["2096-01-01T00:00:00Z"],
    )
    created = campaigns.create(service, plan, actor="benchmark")
    tokens = [created.tokens[name] for name in plan.people]
    for start in range(0, people, 10_000):
        enrolment.enrol(service, created.campaign.id, [Token.parse(token) for token in tokens[start : start + 10_000]])
    service.database.close()
    return Crowd(created.campaign, tokens, token_file.read_text().strip())


class Running:
    """A server and its port."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process, self.port = process, port


@contextlib.contextmanager
def running(words: list[str], port: int, **environment: str) -> Iterator[Running]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, *words], env={**os.environ, **environment}, cwd=ROOT, **quiet)
    try:
        while True:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/ready")
                break
            assert process.poll() is None, f"{' '.join(words)} ended before it was ready"
            time.sleep(0.1)
        yield Running(process, port)
    finally:
        process.terminate()
        process.wait()


def serving(database: str, folder: Path) -> contextlib.AbstractContextManager[Running]:
    port = free_port()
    settings = {"DATABASE": database, "PORT": str(port), "REQUESTS_PER_SECOND": "1e9", "REQUEST_BURST": "1000000000"}
    settings["OPERATOR_TOKEN_FILE"] = str(folder / "operator.token")
    named = {f"GRAPHVEIL_{key}": value for key, value in settings.items()}
    return running(["-m", "graphveil", "collect", "serve"], port, **named)


def serving_bare() -> contextlib.AbstractContextManager[Running]:
    port = free_port()
    return running(["-m", "benchmarks._bare_service", str(port)], port)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def post(path: str, body: bytes, token: str) -> bytes:
    kind = "application/json" if body.startswith(b"{") else "application/octet-stream"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    return f"{head}Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def seconds(port: int, requests: list[bytes], connections: int) -> float:
    """Until all requests are answered; a client of plain sockets, so that it is not what is measured."""
    waiting = iter(requests)

    async def talk() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in waiting:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")), head
            body = await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
            assert b'"refused":[{' not in body, body
        writer.close()

    async def everybody() -> None:
        await asyncio.gather(*(talk() for _ in range(connections)))

    start = time.perf_counter()
    asyncio.run(everybody())
    return time.perf_counter() - start


def memory(process: subprocess.Popen[bytes]) -> float:
    """MB of a process."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def processor_seconds(process: subprocess.Popen[bytes]) -> float:
    """Time that a process has computed."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
