"""Campaigns with two servers as users run them: three processes over HTTPS, commands, kill -9."""

from __future__ import annotations

import random

from three_parties import ThreeParties

from graphveil.service.client.diary import Diary
from graphveil.service.client.invitation import Invitation
from graphveil.service.client.two_servers import TwoServerParticipant
from graphveil.two_servers.parties.campaign import ROLES

NAMES = [f"p{i}" for i in range(6)]
KILLED = {"leader": {"both"}, "helper": {"noise"}, "dealer": {"corrections"}}


def run_to_the_end(parties, killed):
    """Kill each party as soon as it has written one of these steps; the noises that were ever on disk."""
    noises = {role: set() for role in ROLES[:2]}
    waiting = {(role, step) for role, steps in killed.items() if role in parties.ports for step in steps}
    while not all("erased" in parties.written(role) for role in parties.ports):
        for role, step in sorted(waiting):
            if step in parties.written(role):
                parties.kill(role)
                waiting.discard((role, step))
        for role, seen in noises.items():
            seen |= {parties.noise(role)} - {None}
    return noises


def test_triangles_of_three_processes_are_exact_though_each_is_killed(tmp_path, monkeypatch):
    """One-sided lists, and one person who takes no part: the opened count less both noises is the clear count."""
    rng = random.Random(1)
    lists = [rng.sample([j for j in range(6) if j != i], rng.randint(4, 5)) for i in range(6)]
    parties = ThreeParties(tmp_path)
    try:
        monkeypatch.setenv("SSL_CERT_FILE", str(parties.certificate[0]))
        words = ("--statistic", "triangles", "--epsilon", "1", "--option", "max_degree=5")
        campaign = parties.create(NAMES, *words)
        friends = [[NAMES[j] for j in each] for each in lists]
        for person, link in enumerate(parties.links[:4]):
            TwoServerParticipant(
                Invitation.parse(link), friends[person], Diary(tmp_path / f"{person}.diary", "2")
            ).send()
        (tmp_path / "friends.txt").write_text("\n".join(friends[4]))
        joined = ("join", parties.links[4], "--friends", "friends.txt", "--budget", "2", "--diary", "4.diary")
        assert set(parties.command(*joined)["receipts"]) == {"leader", "helper"}
        assert not list(tmp_path.glob("*.shares*"))
        parties.ask("POST", "helper", f"/{campaign.id}/close", json={"round": 1})
        noises = run_to_the_end(parties, KILLED)
        results = [parties.ask("GET", role, f"/{campaign.id}/result") for role in ("leader", "helper")]
    finally:
        parties.stop()
    assert results[0] == results[1]
    assert results[0]["participation"] == {"people": 6, "reports": [5]}
    assert [len(each) for each in noises.values()] == [1, 1]
    both = {(i, j) for i in range(5) for j in lists[i] if j < 5 and i in lists[j]}
    exact = sum(
        (i, j) in both and (j, k) in both and (i, k) in both for i in range(5) for j in range(i) for k in range(j)
    )
    assert exact > 0
    assert results[0]["opened"][0] - sum(min(each) for each in noises.values()) == exact
