"""Servers as processes: killed in the middle, stopped gently, two on one database, a database that dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
from crowds import Crowd

from conftest import free_port, wait_until
from graphveil.graph.generate import power_law_cluster
from graphveil.local.registry import find
from graphveil.local.simulate import simulate

GRR = find("degree-distribution", "grr", "node")  # quick to estimate
NETWORK = power_law_cluster(60, 3, 0.5, seed=3)


class Process:
    """`graphveil collect serve`, as an operator runs it."""

    def __init__(self, database: str, folder: Path) -> None:
        self.port = free_port()
        self._database, self._folder = database, folder
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)
        self.run()
        self.operator = (folder / "graphveil-operator.token").read_text().strip()

    def run(self) -> None:
        words = ["collect", "serve", "--database", self._database, "--port", str(self.port)]
        settings = {"GRAPHGRR_REQUESTS_PER_SECOND": "1e6", "GRAPHGRR_REQUEST_BURST": "1000000"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "graphveil", *words],
            cwd=self._folder,
            env={**os.environ, **settings},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._is_ready)

    def _is_ready(self) -> bool:
        try:
            return self.http.get("/ready").status_code == 200
        except httpx.TransportError:
            return False

    def ask(self, method: str, path: str, token: str = "", **options) -> httpx.Response:
        headers = ({"Authorization": f"Bearer {token}"} if token else {}) | options.pop("headers", {})
        return self.http.request(method, path, headers=headers, **options)

    def end(self, how: int) -> int:
        self.process.send_signal(how)
        return self.process.wait()


@pytest.fixture
def run(tmp_path: Path):
    running: list[Process] = []

    def begin(database: str) -> Process:
        running.append(Process(database, tmp_path))
        return running[-1]

    yield begin
    for server in running:
        server.process.kill()
        server.process.wait()
        server.http.close()


def send_one_by_one(servers: list[Process], crowd: Crowd, reports: list[bytes]) -> threading.Thread:
    """Every client retries until its answer is counted, with whichever server answers."""

    def deliver() -> None:
        for user, report in enumerate(reports):
            while True:
                server = servers[user % len(servers)]
                try:
                    answer = server.ask("POST", f"{crowd.path}/reports", crowd.tokens[user], content=report)
                except httpx.TransportError:
                    time.sleep(0.02)
                    continue
                if answer.status_code == 201 or answer.json()["type"].endswith(":duplicate"):
                    break
                assert answer.status_code >= 500 or answer.status_code == 429, answer.text
                time.sleep(0.1)  # as a client does; a database that restarts would otherwise be asked into a limit

    thread = threading.Thread(target=deliver)
    thread.start()
    return thread


def check_result(crowd: Crowd, seed: int) -> None:
    wait_until(lambda: crowd.status().get("state") == "done")  # a problem document while the database is away
    result = crowd.server.ask("GET", f"{crowd.path}/result", crowd.server.operator).json()
    assert result["participation"]["reports"] == [60]
    assert np.array_equal(result["value"], simulate(crowd.campaign.protocol, NETWORK, seed=seed).value)


def test_killed_in_the_middle_nothing_is_lost_and_nothing_counts_twice(run, database) -> None:
    server = run(database)
    crowd = Crowd.invite(server, GRR, NETWORK)
    crowd.enrol()
    reports, _ = crowd.reports(seed=4)
    clients = send_one_by_one([server], crowd, reports)
    wait_until(lambda: sum(crowd.progress()["reports"]) >= 20)
    server.end(signal.SIGKILL)
    server.run()
    clients.join()
    check_result(crowd, 4)


def test_a_gentle_stop_finishes_what_has_arrived(run, sqlite) -> None:
    server = run(sqlite)
    crowd = Crowd.invite(server, GRR, NETWORK)
    crowd.enrol()
    clients = send_one_by_one([server], crowd, crowd.reports(seed=4)[0])
    assert server.end(signal.SIGTERM) in (0, -signal.SIGTERM)
    server.run()
    clients.join()
    check_result(crowd, 4)


def test_two_servers_share_one_postgresql_that_restarts(run, cluster) -> None:
    address = cluster.new_database()
    first, second = run(address), run(address)
    crowd = Crowd.invite(first, GRR, NETWORK)
    crowd.enrol()
    reports, _ = crowd.reports(seed=4)
    clients = [send_one_by_one(pair, crowd, reports) for pair in ([first, second], [second, first])]
    wait_until(lambda: sum(crowd.progress()["reports"]) >= 10)
    cluster.restart()
    for client in clients:
        client.join()
    check_result(crowd, 4)
