"""Whole crowds that take part over HTTP, with repeatable noise: the client library has no place for it, so this has."""

from __future__ import annotations

import base64
import gzip
from dataclasses import dataclass

import numpy as np

from graphveil.graph.core import Graph
from graphveil.local.campaign import Campaign
from graphveil.local.messages import Report
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import lists_of, seeded
from graphveil.registry import Row
from graphveil.service.service import to_text

FAR = 4_000_000_000.0  # no deadline is in sight


def plan(entry: Row, n_people: int, *, epsilon: str = "1", closes: list[float] | None = None, **changes) -> dict:
    deadlines = closes or [FAR + i for i in range(entry.cls.rounds)]
    return {
        "statistic": entry.query,
        "protocol": entry.name,
        "unit": entry.unit,
        "epsilon": epsilon,
        "title": "test",
        "people": [f"person {i}" for i in range(n_people)],
        "closes": [to_text(moment) for moment in deadlines],
        **changes,
    }


@dataclass
class Crowd:
    """Everybody of a graph in one campaign, through a gateway."""

    server: object
    campaign: Campaign
    tokens: list[str]
    graph: Graph
    choices: np.ndarray

    @classmethod
    def invite(cls, server, entry: Row, graph: Graph, **changes) -> Crowd:
        asked = plan(entry, graph.n_nodes, **changes)
        created = server.ask("POST", "/api/v1/campaigns", server.operator, json=asked)
        assert created.status_code == 201, created.text
        told = created.json()
        campaign = Campaign.from_json(server.ask("GET", f"/api/v1/campaigns/{told['id']}").content)
        assert campaign.id == told["id"]
        choices = np.arange(graph.n_nodes) % len(campaign.protocol.guarantees)
        return cls(server, campaign, [told["tokens"][name] for name in asked["people"]], graph, choices)

    @property
    def path(self) -> str:
        return f"/api/v1/campaigns/{self.campaign.id}"

    def status(self) -> dict:
        return self.server.ask("GET", f"{self.path}/status").json()

    def progress(self) -> dict:
        return self.server.ask("GET", f"{self.path}/progress", self.server.operator).json()

    def enrol(self) -> list[dict]:
        body = {"tokens": self.tokens}
        return self.server.ask("POST", f"{self.path}/enrolments", self.server.operator, json=body).json()

    def publications(self) -> list[bytes]:
        names = self.status()["publications"]
        answers = [self.server.ask("GET", f"{self.path}/publications/{name}") for name in names]
        return [gzip.decompress(answer.content) for answer in answers]

    def reports(self, seed: int, number: int = 1, sent: tuple = ()) -> tuple[list[bytes], tuple]:
        """Everybody's report of a round, and the batches sent so far."""
        page = self.campaign.protocol
        published = tuple(page.read_publication(i + 1, data) for i, data in enumerate(self.publications()))
        lists = lists_of(page, self.graph, self.choices)
        context = RoundContext(number, published, sent)
        batch = page.perturb(context, lists, seeded(seed)(number, lists.people))
        payloads = page.pack(context, lists.people, batch)
        packed = [Report(self.campaign.id, number, i, payload).encode() for i, payload in enumerate(payloads)]
        return packed, (*sent, batch)

    def send(self, reports: list[bytes], tokens: list[str] | None = None) -> dict:
        pairs = zip(tokens or self.tokens, reports, strict=True)
        items = [{"token": token, "report": base64.b64encode(report).decode()} for token, report in pairs]
        answer = self.server.ask("POST", f"{self.path}/reports/bulk", self.server.operator, json={"reports": items})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def close(self, number: int) -> dict:
        answer = self.server.ask("POST", f"{self.path}/close", self.server.operator, json={"round": number})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def run(self, seed: int) -> dict:
        """All rounds, closed when everybody has answered; the result."""
        from conftest import wait_until

        self.enrol()
        sent: tuple = ()
        for number in range(1, self.campaign.rounds + 1):
            wait_until(lambda number=number: self.status()["round"] == number)
            reports, sent = self.reports(seed, number, sent)
            assert self.send(reports) == {"accepted": len(reports), "refused": []}
        wait_until(lambda: self.status()["state"] not in ("open", "closing"))
        return self.server.ask("GET", f"{self.path}/result", self.server.operator).json()
