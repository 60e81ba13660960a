"""Three processes in generated histories: whatever is killed, lost or set wrong, everybody counts once, by one noise.

While people answer and servers count, parties are killed with -9 in the midst of anything and started again, with
clocks that are hours off, and connections to PostgreSQL break. People run the same command again until it succeeds.
"""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from itertools import combinations

import numpy as np
import pytest
from test_two_servers import NAMES
from three_parties import ThreeParties

from graphveil.errors import GraphveilError
from graphveil.two_servers.parties.names import ROLES
from graphveil.two_servers.parties.page import Page

PADDED = {"bits", "both", "numbers"}  # messages under a mask of the deal


class Chaos:
    """Things that go wrong, one after the other, in a thread of their own until told to stop."""

    def __init__(self, parties: ThreeParties, rng: random.Random, cluster) -> None:
        self.parties, self.rng, self.cluster, self.stopping = parties, rng, cluster, threading.Event()
        self.happened: list[str] = []
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self.stopping.wait(self.rng.uniform(0.2, 2)):
            what = self.rng.choice([*ROLES, *ROLES, "connections" if self.cluster else "leader"])
            if what == "connections":
                self.cluster.hang_up()
            else:
                self.parties.kill(what, ahead=self.rng.choice([-7_200, 0, 0, 3_000, 50_000]))
            self.happened.append(what)

    def __enter__(self) -> Chaos:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self.thread.join()


def insist(step):
    """Do what a person or an operator does until it works."""
    for _ in range(100):
        with suppress(GraphveilError, OSError, AssertionError):
            return step()
        time.sleep(0.2)
    return step()


@pytest.mark.laws
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nothing_is_counted_twice_and_no_noise_drawn_twice(tmp_path, commands, monkeypatch, request, kind):
    rng = random.Random(f"{kind} 1")
    lists = [rng.sample([j for j in range(6) if j != i], rng.randint(3, 5)) for i in range(6)]
    cluster = request.getfixturevalue("cluster") if kind == "postgres" else None
    monkeypatch.setenv("SSL_CERT_FILE", "")
    parties = ThreeParties(tmp_path, commands, databases=cluster and {role: cluster.new_database() for role in ROLES})
    noises, messages = {role: set() for role in ROLES[:2]}, set()
    try:
        words = ("--statistic", "triangles", "--epsilon", "2", "--option", "hubs=0", "--minimum", "4")
        campaign = parties.create(NAMES, *words)

        def answer(person: int, *, wait: bool) -> object:
            friends = [NAMES[j] for j in lists[person]]
            return parties.answer(parties.links[person], friends, tmp_path / f"{person}.diary", wait=wait)

        def look() -> bool:
            """Note what is on disk now; whether all is over."""
            done = []
            for role in ROLES:
                with suppress(Exception):  # of connections that break
                    messages.update(parties.messages(role))
                    if role in noises:
                        noises[role] |= {parties.noise(role)} - {None}
                    done.append("erased" in parties.written(role))
            return done == [True] * 3

        with Chaos(parties, rng, cluster) as chaos:
            for person in range(5):
                insist(lambda person=person: answer(person, wait=False))
            insist(lambda: parties.ask("POST", "helper", f"/{campaign.id}/close", json={"round": 1}))
            for person in range(5):
                assert insist(lambda person=person: answer(person, wait=True))
            page = Page.from_json(campaign.plan, insist(lambda: parties.page("leader")))
            insist(lambda: parties.ask("POST", "leader", f"/{campaign.id}/close", json={"round": 2}))
            end = time.monotonic() + 400
            while not look():
                assert time.monotonic() < end, (chaos.happened, [parties.ask("GET", r, "") for r in ROLES])
        results = [insist(lambda role=role: parties.ask("GET", role, f"/{campaign.id}/result")) for role in ROLES[:2]]
    finally:
        parties.stop()
    assert len(chaos.happened) > 5
    assert results[0] == results[1]
    assert results[0]["participation"] == {"people": 6, "reports": [5, 5]}
    assert [len(each) for each in noises.values()] == [1, 1]
    places = {(sender, step, block) for sender, step, block, _ in messages}
    assert len(places) == len(messages)  # in each place one message, in all databases and at all times: no pad twice
    assert {step for _, step, _ in places} >= PADDED
    kept = [set(campaign.triangle_terms(page).kept_friends(i, np.array(sorted(each)))) for i, each in enumerate(lists)]
    linked = {(i, j) for i, j in combinations(range(5), 2) if j in kept[i] and i in kept[j]}
    exact = sum({(i, j), (j, k), (i, k)} <= linked for i, j, k in combinations(range(5), 3))
    assert results[0]["opened"][0] - sum(min(each) for each in noises.values()) == exact
