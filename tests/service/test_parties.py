"""Leader, helper and dealer with lost messages and kills: one noise, one result, and no secrets left."""

from __future__ import annotations

import hashlib
import random
import time
from pathlib import Path

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.service.auth import Role, derived_token, hash_token
from graphveil.service.parties.keys import KeyFolder
from graphveil.service.parties.party import Party
from graphveil.service.parties.wire import OtherBytes
from graphveil.service.problems import Problem
from graphveil.service.service import Service, to_text
from graphveil.service.settings import Settings
from graphveil.service.terms import write_roster
from graphveil.two_servers.parties.campaign import PartyName, TwoServerCampaign
from graphveil.two_servers.parties.contents import draw_noise
from graphveil.two_servers.sums import split_vector
from graphveil.two_servers.triangle_server import split_row

ROLES = ("leader", "helper", "dealer")
NAMES = [f"p{i}" for i in range(7)]


class Lost(Exception):
    """The network failed, or the process was killed."""


class Direct:
    """Messages by call, lost at random before or after they arrive."""

    def __init__(self, parties, rng, loss):
        self.parties, self.rng, self.loss = parties, rng, loss

    def _maybe_lost(self):
        if self.rng.random() < self.loss:
            raise Lost

    def held(self, to, path, signature):
        self._maybe_lost()
        _, _, _, _, campaign, _, sender, step, block = path.split("/")
        return self.parties[to.role].held(campaign, sender, step, int(block), signature)

    def put(self, to, path, content, signature):
        self._maybe_lost()
        _, _, _, _, campaign, _, sender, step, block = path.split("/")
        try:
            self.parties[to.role].receive(campaign, sender, step, int(block), content, signature)
        except Problem as problem:
            if problem.code == "conflict":
                raise OtherBytes from None
            raise
        self._maybe_lost()


def start(folder: Path, role: str) -> Party:
    settings = Settings(database=str(folder / f"{role}.db"))
    return Party(Service.open(settings), role, KeyFolder(folder / f"{role}-keys"))


def begin(folder, statistic):
    roles = ROLES if statistic == "triangles" else ROLES[:2]
    parties = {role: start(folder, role) for role in roles}
    named = tuple(
        PartyName(role, f"Office {role}", f"https://{role}.example", parties[role].keys.public) for role in roles
    )
    campaign = TwoServerCampaign(
        "May",
        statistic,
        "edge",
        "1",
        7,
        3,
        to_text(time.time() + 3600),
        hashlib.sha256(write_roster(NAMES)).hexdigest(),
        named,
        5 if statistic == "triangles" else None,
    )
    for role, party in parties.items():
        tokens = [hash_token(derived_token(Role.PERSON, i, f"s/{role}")) for i in range(7)]
        given = (NAMES, tokens) if role != "dealer" else ([], [])
        party.accept_campaign(campaign.to_json(), *given)
    return parties, campaign


def send(parties, campaign, lists, absent=()):
    for person, friends in enumerate(lists):
        listed = np.array(sorted(friends), dtype=np.int64)
        if campaign.has_dealer:
            shares = split_row(campaign.triangle_terms, person, listed)
        else:
            shares = split_vector(campaign.sum_terms, person, campaign.summed.vectors(np.array([len(friends)]))[0])
        for role, share in zip(("leader", "helper"), shares, strict=True):
            if (person, role) not in absent:
                parties[role].accept_share(campaign.id, person, share)


def noise_of(folder, campaign, role, bind):
    from graphveil.two_servers.parties.contents import server_noise

    return int(draw_noise(campaign, server_noise(campaign, bind[0], bind[1]))[0])


@pytest.mark.parametrize("statistic", ["edges", "triangles"])
@pytest.mark.parametrize("seed", range(3))
def test_kills_and_losses_change_nothing(tmp_path, statistic, seed):
    """The result is the exact value and one noise of each server, whatever was lost; then no secret is left."""
    rng = random.Random(seed)
    parties, campaign = begin(tmp_path, statistic)
    lists = [set(rng.sample([j for j in range(7) if j != i], rng.randint(4, 5))) for i in range(7)]
    absent = {(0, "leader"), (1, "helper")}
    send(parties, campaign, lists, absent)
    secrets = {role: party.keys.of(campaign.id) for role, party in parties.items()}
    parties["leader"].close(campaign.id)
    bind = b""
    for _ in range(3000):
        role = rng.choice(list(parties))
        try:
            parties[role].tick(Direct(parties, rng, 0.2))
        except Lost:
            parties[role].service.database.close()  # killed: all that is left is on disk
            parties[role] = start(tmp_path, role)
        bind = bind or parties["leader"]._desk.said(parties["leader"].row(campaign.id), "bind")
        if all(party.state(campaign.id).erased for party in parties.values()):
            break
    results = [parties[role].result(campaign.id) for role in ("leader", "helper")]
    assert results[0] == results[1]
    noise = sum(noise_of(tmp_path, campaign, role, (secrets[role].noise, bind)) for role in ("leader", "helper"))
    assert results[0]["opened"][0] - noise == exact(campaign, lists, {person for person, _ in absent})
    assert results[0]["participation"] == {"people": 7, "counted": 5}
    for role, party in parties.items():
        party.service.database.close()
        stored = b"".join(path.read_bytes() for path in tmp_path.glob(f"{role}.db*"))
        kept = (tmp_path / f"{role}-keys" / f"{campaign.id}.json").read_bytes()
        assert secrets[role].deal not in stored
        assert secrets[role].noise.hex().encode() not in kept
        with pytest.raises(ParameterError, match="gone"):
            party.keys.begin(campaign.id)


def exact(campaign, lists, absent):
    if not campaign.has_dealer:
        return sum(len(each) for person, each in enumerate(lists) if person not in absent)
    kept = {
        i: set(campaign.triangle_terms.kept_friends(i, np.array(sorted(each))).tolist()) for i, each in enumerate(lists)
    }
    both = {(i, j) for i in kept for j in kept[i] if i in kept[j] and not {i, j} & absent}
    return sum(
        (i, j) in both and (j, k) in both and (i, k) in both for i in range(7) for j in range(i) for k in range(j)
    )


def test_another_input_after_a_set_back_database_stops_without_sending(tmp_path):
    parties, campaign = begin(tmp_path, "edges")
    send(parties, campaign, [{1, 2}] * 7)
    wire = Direct(parties, random.Random(0), 0)
    while parties["leader"].state(campaign.id).stage != "noised":
        for party in parties.values():
            party.tick(wire)
    leader = parties["leader"]
    leader.keys.bind(campaign.id, leader._desk.said(leader.row(campaign.id), "bind"))  # the same is fine
    with pytest.raises(ParameterError, match="another input"):
        leader.keys.bind(campaign.id, bytes(32))


def test_other_bytes_stop_a_campaign_and_roles_are_kept_apart(tmp_path):
    parties, campaign = begin(tmp_path, "edges")
    send(parties, campaign, [{1, 2}] * 7)
    with pytest.raises(Problem, match="another share"):
        parties["leader"].accept_share(campaign.id, 0, bytes(8))
    parties["leader"].tick(Direct(parties, random.Random(0), 0))
    leader, helper = parties["leader"], parties["helper"]
    for sender, step in (("dealer", "corrections"), ("helper", "set"), ("leader", "deal-key")):
        with pytest.raises(Problem, match="forbidden"):
            helper.receive(campaign.id, sender, step, 0, b"", bytes(64))
    with pytest.raises(Problem, match="signature"):
        helper.receive(campaign.id, "leader", "root", 0, bytes(32), bytes(64))
    from graphveil.service.parties.keys import message_label

    for content in (bytes(32), bytes(31) + b"1"):
        label = message_label(campaign.id, "leader", "helper", "root", 0, hashlib.sha256(content).digest())
        if content == bytes(32):
            helper.receive(campaign.id, "leader", "root", 0, content, leader.keys.sign(label))
            helper.receive(campaign.id, "leader", "root", 0, content, leader.keys.sign(label))
        else:
            with pytest.raises(Problem, match="stopped"):
                helper.receive(campaign.id, "leader", "root", 0, content, leader.keys.sign(label))
    assert helper.state(campaign.id).stage == "stopped"


def test_one_operator_host_or_key_for_two_roles_is_refused(tmp_path):
    _, campaign = begin(tmp_path, "edges")
    text = campaign.to_json()
    assert TwoServerCampaign.from_json(text) == campaign
    for old, new, what in (
        ("Office helper", "office  leader", "operator"),
        ("https://helper.example", "https://leader.example:1", "host"),
        (campaign.parties[1].ed25519, campaign.parties[0].ed25519, "key"),
    ):
        with pytest.raises(ParameterError, match=what):
            TwoServerCampaign.from_json(text.replace(old, new))
    with pytest.raises(ParameterError, match="https"):
        TwoServerCampaign.from_json(text.replace("https://helper", "http://helper"))
