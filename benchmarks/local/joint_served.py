"""Three statistics in one campaign through a running collector: a client for each person of a graph, with secret noise.

`python -m benchmarks.local.joint_served --graph ego-Facebook --epsilon 1`. The collector is a process of its own; each
person is a client of their own, who fetches what was published, answers, and sends over HTTP. Shown are the errors of
the result, in which share of entries the interval holds, the bytes of an answer and of the publication, and seconds.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np
from benchmarks.service import serving

from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset
from graphveil.local.client import Client
from graphveil.local.result import section_documents
from graphveil.local.statistics import find_statistic
from graphveil.service import campaigns, enrolment
from graphveil.service.auth import Token
from graphveil.service.campaigns import Created, Plan
from graphveil.service.serve import ensure_operator
from graphveil.service.service import Service
from graphveil.service.settings import Settings

THREE = "degree-distribution,triangle-sequence,clustering"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", default="ego-Facebook")
    parser.add_argument("--epsilon", default="1")
    options = parser.parse_args()
    graph = load_dataset(options.graph)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = str(folder / "collector.db")
        created = prepare(database, folder, graph, options.epsilon)
        token = (folder / "operator.token").read_text().strip()
        with serving(database, folder) as server:
            result = ask(f"http://127.0.0.1:{server.port}", token, created, graph)
    for statistic, section in section_documents(result).items():
        asked = find_statistic(statistic)
        truth = np.asarray(asked.exact(graph), dtype=np.float64)
        errors = "  ".join(f"{error} {size:.4g}" for error, size in asked.metrics(section["value"], truth).items())
        print(f"{statistic:20} {errors}  held {held(section['interval95'], truth):.3f}")


def prepare(database: str, folder: Path, graph: Graph, epsilon: str) -> Created:
    """A campaign in which everybody of the graph has enrolled."""
    service = Service.open(Settings(database=database, operator_token_file=str(folder / "operator.token")))
    ensure_operator(service)
    plan = Plan(
        statistic=THREE,
        protocol="veil",
        unit="edge",
        epsilon=epsilon,
        title="three at once",
        people=[f"person {i}" for i in range(graph.n_nodes)],
        closes=["2096-01-01T00:00:00Z", "2096-01-02T00:00:00Z"],
    )
    created = campaigns.create(service, plan, actor="benchmark")
    tokens = [Token.parse(created.tokens[name]) for name in plan.people]
    for start in range(0, len(tokens), 10_000):
        enrolment.enrol(service, created.campaign.id, tokens[start : start + 10_000])
    service.database.close()
    return created


def ask(url: str, operator: str, created: Created, graph: Graph) -> dict:
    """Both rounds, every report by itself; the result."""
    campaign, path = created.campaign, f"/api/v1/campaigns/{created.campaign.id}"
    clients = [Client(campaign, user, graph.neighbors(user)) for user in range(graph.n_nodes)]
    tokens = [created.tokens[f"person {user}"] for user in range(graph.n_nodes)]
    published: list[bytes] = []
    with httpx.Client(base_url=url, timeout=600) as http:
        for number in (1, 2):
            while (status := http.get(f"{path}/status").json())["round"] < number:
                time.sleep(0.5)
            for name in status["publications"]:
                data = http.get(f"{path}/publications/{name}", headers={"Authorization": f"Bearer {tokens[0]}"}).content
                published.append(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
                print(f"publication: {len(data):,} bytes as sent, {len(published[-1]):,} unpacked")
            start, sent = time.perf_counter(), 0
            for client, token in zip(clients, tokens, strict=True):
                report = client.answer(number, published).encode()
                sent += len(report)
                headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"}
                answer = http.post(f"{path}/reports", content=report, headers=headers)
                assert answer.status_code == 201, answer.text
            seconds = time.perf_counter() - start
            print(f"round {number}: {len(clients):,} clients, {sent / len(clients):.0f} bytes each, {seconds:.0f} s")
        while http.get(f"{path}/status").json()["state"] in ("open", "closing"):
            time.sleep(0.5)
        answer = http.get(f"{path}/result", headers={"Authorization": f"Bearer {operator}"})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


def held(interval: list, truth: np.ndarray) -> float:
    """In which share of the entries that have an interval it holds the truth."""
    low, high = (np.array(ends, dtype=np.float64) for ends in interval)
    true = np.pad(truth, (0, max(0, len(low) - len(truth))))[: len(low)]
    known = np.isfinite(low)
    return float(((low <= true) & (true <= high))[known].mean()) if known.any() else float("nan")


if __name__ == "__main__":
    main()
