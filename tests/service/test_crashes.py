"""Servers as processes: killed in the middle, stopped gently, two on one database, a database that dies."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
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
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.simulate import simulate
from graphveil.registry import find_protocol

GRR = find_protocol("degree-distribution", "grr", "node")  # quick to estimate
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
        settings = {"GRAPHVEIL_REQUESTS_PER_SECOND": "1e6", "GRAPHVEIL_REQUEST_BURST": "1000000"}
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


def send_one_by_one(servers: list[Process], crowd: Crowd, reports: list[bytes], order=None) -> threading.Thread:
    """Every client retries until its answer is counted, with whichever server answers."""

    def deliver() -> None:
        for user in range(len(reports)) if order is None else order:
            report = reports[user]
            for attempt in itertools.count():
                server = servers[(user + attempt) % len(servers)]
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


def generated_faults(run, address: str, cluster, seed: int, number: int) -> None:
    """Two servers on one database, clients that all send twice, and faults drawn from a seed until they are done."""
    draw = random.Random(seed)
    servers = [run(address), run(address)]
    crowd = Crowd.invite(servers[0], GRR, NETWORK)
    crowd.enrol()
    reports, _ = crowd.reports(seed=seed)
    orders = [draw.sample(range(60), 60) for _ in range(3)]
    clients = [send_one_by_one(servers, crowd, reports, order) for order in orders[:2]]
    clients.append(send_rubbish(servers, crowd, reports, orders[2]))
    faults = {"kill": 4, "stop": 1} | ({} if cluster is None else {"hang up": 4, "restart": 1})
    for _ in range(number):
        time.sleep(draw.random() / 2)
        fault = draw.choices(list(faults), list(faults.values()))[0]
        server = draw.choice(servers)
        if fault == "restart":
            cluster.restart()
        elif fault == "hang up":
            cluster.hang_up()
        else:
            server.end(signal.SIGKILL if fault == "kill" else signal.SIGTERM)
            server.run()
    for client in clients:
        client.join()
    check_result(crowd, seed)


def send_rubbish(servers: list[Process], crowd: Crowd, reports: list[bytes], order) -> threading.Thread:
    """Payloads that cannot be, noise, foreign reports, once each; whatever becomes of them, they must not count."""

    def deliver() -> None:
        for user in order:
            for token, body in ((user, reports[user][:-1] + b"\xff"), (user, b"rubbish"), (user - 1, reports[user])):
                with contextlib.suppress(httpx.TransportError):
                    answer = servers[user % 2].ask("POST", f"{crowd.path}/reports", crowd.tokens[token], content=body)
                    assert answer.status_code >= 400, answer.text

    thread = threading.Thread(target=deliver)
    thread.start()
    return thread


def test_generated_faults_on_two_servers(run, cluster) -> None:
    generated_faults(run, cluster.new_database(), cluster, seed=1, number=3)


@pytest.mark.laws
@pytest.mark.parametrize("seed", range(2, 22))
def test_more_generated_faults(run, cluster, seed) -> None:
    generated_faults(run, cluster.new_database(), cluster, seed, number=8)


@pytest.mark.laws
@pytest.mark.parametrize("seed", range(2, 22))
def test_more_generated_faults_on_sqlite(run, sqlite, seed) -> None:
    generated_faults(run, sqlite, None, seed, number=8)
