"""Walls between campaigns: a token reads what it was invited to, and the part that was made for its holder."""

from __future__ import annotations

import pytest
from crowds import Crowd, plan

from conftest import wait_until
from graphveil.graph.generate.random import power_law_cluster
from graphveil.registry import find_protocol
from graphveil.service import publications

VEIL = find_protocol("degree-distribution", "veil", "node")
TRIANGLES = find_protocol("triangles", "veil", "edge")
NETWORK = power_law_cluster(6, 2, 0.5, seed=1)


def test_a_token_reads_rosters_and_results_of_its_own_campaigns_only(start, database) -> None:
    server = start(database)
    ours = Crowd.invite(server, VEIL, NETWORK)
    ours.run(seed=1)
    others = plan(VEIL, 3, title="others") | {"people": ["x", "y", "z"]}
    stranger = server.ask("POST", "/api/v1/campaigns", server.operator, json=others).json()["tokens"]["x"]
    for path in ("roster", "result"):
        assert server.ask("GET", f"{ours.path}/{path}", ours.tokens[3]).status_code == 200
        assert server.ask("GET", f"{ours.path}/{path}", server.operator).status_code == 200
        refused = server.ask("GET", f"{ours.path}/{path}", stranger)
        nowhere = server.ask("GET", f"/api/v1/campaigns/{'0' * 64}/{path}", stranger)
        assert refused.status_code == nowhere.status_code == 403
        assert refused.json() == nowhere.json()  # not even whether there is such a campaign
        assert server.ask("GET", f"{ours.path}/{path}", stranger[:-1] + "_").status_code == 401


@pytest.fixture
def graph_published(start, sqlite) -> tuple[Crowd, str]:
    """A triangle campaign whose noisy graph is out, and the address of its parts."""
    crowd = Crowd.invite(start(sqlite), TRIANGLES, NETWORK)
    crowd.enrol()
    sent: tuple = ()
    for number in range(1, crowd.campaign.rounds):
        wait_until(lambda number=number: crowd.status()["round"] == number)
        reports, sent = crowd.reports(1, number, sent)
        crowd.send(reports)
    wait_until(lambda: crowd.status()["round"] == crowd.campaign.rounds)
    return crowd, f"{crowd.path}/publications/{crowd.status()['publications'][-1]}/parts"


def test_a_token_fetches_its_own_part_which_is_made_once(graph_published, monkeypatch) -> None:
    crowd, parts = graph_published
    made: list[int] = []
    protocol = type(crowd.campaign.protocol)
    write = protocol.write_part
    monkeypatch.setattr(
        protocol, "write_part", lambda self, context, user: made.append(user) or write(self, context, user)
    )
    fetched = [crowd.server.ask("GET", f"{parts}/2", crowd.tokens[2]) for _ in range(3)]
    assert [answer.status_code for answer in fetched] == [200] * 3
    assert len({answer.content for answer in fetched}) == 1
    assert made == [2]
    assert crowd.server.ask("GET", f"{parts}/3", crowd.tokens[2]).status_code == 403
    assert crowd.server.ask("GET", f"{parts}/3", crowd.server.operator).status_code == 200
    assert "private" in fetched[0].headers["cache-control"]


def test_parts_that_are_kept_have_a_bound() -> None:
    kept: publications.Shelf[str] = publications.Shelf(10)
    for number in range(20):
        kept.put(number, "four", 4)
        kept.get(0)  # used all the time
    assert [number for number in range(20) if kept.get(number)] == [0, 19]
    kept.put("large", "twelve", 12)
    assert [kept.get(each) for each in (0, 19, "large")] == [None, None, "twelve"]  # what is used now is kept
    assert publications.READ_BYTES + publications.PART_BYTES == 320 * 2**20  # as docs/operate.md says
