"""Leader, helper and dealer with lost messages and kills: one noise, one result, and no secrets left."""

from __future__ import annotations

import asyncio
import hashlib
import math
import random
import time
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import httpx
import numpy as np
import pytest
from sqlalchemy import text

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.source import SystemNoise
from graphveil.service.auth import Role, derived_token, hash_token
from graphveil.service.client.api import Api
from graphveil.service.client.two_servers import signed_page
from graphveil.service.parties import store
from graphveil.service.parties.app import create_party_app
from graphveil.service.parties.keys import KeyFolder, message_label
from graphveil.service.parties.party import Party
from graphveil.service.parties.seal import message_seal, seal, share_seal
from graphveil.service.parties.wire import SIGNATURE, HttpWire, OtherBytes, exchange_path, receiver_of
from graphveil.service.parties.work import Worker
from graphveil.service.problems import Problem
from graphveil.service.service import Service, to_text
from graphveil.service.settings import Settings
from graphveil.service.terms import write_roster
from graphveil.two_servers.cost import MOST_PEOPLE
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.parties.campaign import TwoServerCampaign
from graphveil.two_servers.parties.contents import read_words
from graphveil.two_servers.parties.names import PartyName
from graphveil.two_servers.parties.page import Page
from graphveil.two_servers.parties.payload import share_of, split_answer
from graphveil.two_servers.simulate import Sources, simulate_sum, simulate_transitivity, simulate_triangles
from graphveil.two_servers.sum_statistics import Edges
from graphveil.two_servers.triangle_terms import ANSWER_BYTES

ROLES = ("leader", "helper", "dealer")
NAMES = [f"p{i}" for i in range(7)]
ANSWERS = ("no", "yes", "perhaps")


class Lost(Exception):
    """The network failed, or the process was killed."""


class Direct:
    """Messages by call, lost at random before or after they arrive."""

    def __init__(self, parties, rng, loss, repeats=0.0):
        self.parties, self.rng, self.loss, self.repeats = parties, rng, loss, repeats
        self.sent = set()

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
        self.sent.add((to.role, sender, step))
        try:
            for _ in range(1 + (self.rng.random() < self.repeats)):
                self.parties[to.role].receive(campaign, sender, step, int(block), content, signature)
        except Problem as problem:
            if problem.code == "conflict":
                raise OtherBytes from None
            raise
        self._maybe_lost()


def start(folder: Path, role: str, databases=None, clock=time.time) -> Party:
    address = databases[role] if databases else str(folder / f"{role}.db")
    return Party(Service.open(Settings(database=address), clock), role, KeyFolder(folder / f"{role}-keys"))


def die_between_writes(party, rng, often):
    """Let the process end now and then, just before a transaction or just after its commit."""
    write = party.service.database.write

    @contextmanager
    def deadly():
        if rng.random() < often:
            raise Lost
        with write() as connection:
            yield connection
        if rng.random() < often:
            raise Lost

    party.service.database.write = deadly


def begin(folder, statistic, databases=None):
    """A campaign for 7 people; `hubs` is one for triangles with a round of noisy degrees and two hubs."""
    with_hubs, counts = statistic in ("hubs", "transitivity"), statistic in ("triangles", "hubs", "transitivity")
    asks = statistic == "attribute-shares"
    roles = ROLES if counts else ROLES[:2]
    parties = {role: start(folder, role, databases) for role in roles}
    named = tuple(
        PartyName(role, f"Office {role}", f"https://{role}.example", keys.public, keys.sealing)
        for role in roles
        if (keys := parties[role].keys)
    )
    campaign = TwoServerCampaign(
        "May",
        "triangles" if statistic == "hubs" else statistic,
        "node" if asks else "edge",
        "1",
        7,
        3,
        to_text(time.time() + 36_000),
        hashlib.sha256(write_roster(NAMES)).hexdigest(),
        named,
        5 if statistic == "triangles" else None,
        hubs=2 if with_hubs else 0,
        values=ANSWERS if asks else (),
        degrees_close=to_text(time.time() + 30_000) if with_hubs else None,
    )
    for role, party in parties.items():
        tokens = [hash_token(derived_token(Role.PERSON, i, f"s/{role}")) for i in range(7)]
        given = (NAMES, tokens) if role != "dealer" else ([], [])
        party.accept_campaign(campaign.to_json(), *given)
    return parties, campaign


def send(parties, campaign, lists, absent=()):
    page = page_of(parties["leader"], campaign)
    sent = {"leader": {}, "helper": {}}
    for person, friends in enumerate(lists):
        payloads = split_answer(
            campaign, page, person, np.array(sorted(friends), dtype=np.int64), SystemNoise(), answer_of(friends)
        )
        for role, payload in payloads.items():
            if (person, role) not in absent:
                parties[role].accept_share(campaign.id, person, payload)
                sent[role][person] = payload
    return sent


def answer_of(friends):
    return ANSWERS[len(friends) % 3]


def tell_degrees(parties, campaign, lists):
    """Everybody tells both servers the same, except for person 2."""
    for person, friends in enumerate(lists):
        for role in ROLES[:2]:
            parties[role].accept_degree(campaign.id, person, len(friends) - (person == 2 and role == "helper"))


def page_of(party, campaign):
    return Page.from_json(campaign.plan, party.row(campaign.id).page) if campaign.asks_degrees else None


def noise_of(party, campaign):
    """The noise as it stands in the database, once it is there."""
    stored = party.row(campaign.id).noise
    return None if stored is None else read_words(stored).view(np.int64).tolist()


@pytest.mark.parametrize(
    ("statistic", "kind"),
    [("attribute-shares", "sqlite"), ("triangles", "sqlite"), ("transitivity", "sqlite"), ("hubs", "postgres")],
)
def test_histories_with_losses_repeats_kills_and_wrong_clocks_change_nothing(tmp_path, request, statistic, kind):
    run_history(tmp_path, request, statistic, kind, 0)


@pytest.mark.laws
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("statistic", ["edges", "attribute-shares", "triangles", "hubs", "transitivity"])
@pytest.mark.parametrize("seed", range(1, 21))
def test_many_histories(tmp_path, request, statistic, kind, seed):
    run_history(tmp_path, request, statistic, kind, seed)


def run_history(tmp_path, request, statistic, kind, seed):
    """The result is the exact value and one noise of each server, whatever happened; then no secret is left.

    Messages get lost or come twice, two workers share a database, either is killed between any two transactions, and
    clocks jump by hours.
    """
    rng = random.Random(f"{statistic} {kind} {seed}")
    cluster = request.getfixturevalue("cluster") if kind == "postgres" else None
    databases = cluster and {role: cluster.new_database() for role in ROLES}
    parties, campaign = begin(tmp_path, statistic, databases)
    lists = [set(rng.sample([j for j in range(7) if j != i], rng.randint(4, 5))) for i in range(7)]
    absent, sent = {(0, "leader"), (1, "helper")}, {}
    if campaign.asks_degrees:
        tell_degrees(parties, campaign, lists)
    secrets = {role: party.keys.of(campaign.id) for role, party in parties.items()}
    workers = {(role, twin): party for role, party in parties.items() for twin in (0, 1)}
    noises, kills, wire = {"leader": set(), "helper": set()}, 0, Direct(parties, rng, 0.15, repeats=0.15)
    for _ in range(3000):
        if not sent and all(parties[role].state(campaign.id).has_page for role in ROLES[:2]):
            sent = send(parties, campaign, lists, absent)
            parties["leader"].close(campaign.id, parties["leader"].round_of(parties["leader"].row(campaign.id)))
        place = rng.choice(list(workers))
        try:
            Worker(workers[place], wire).tick()
        except Lost:  # killed: all that is left is on disk
            kills += 1
            workers[place].service.database.engine.dispose()
            ahead = rng.choice([-7_200, 0, 7_200])
            workers[place] = start(tmp_path, place[0], databases, lambda ahead=ahead: time.time() + ahead)
            die_between_writes(workers[place], rng, 0.1)
        for each in noises:
            noises[each] |= {tuple(noise_of(parties[each], campaign) or [])} - {()}
        if all(party.state(campaign.id).erased for party in parties.values()):
            break
    for party in workers.values():
        party.service.database.close()
    assert kills > 5
    results = [parties[role].result(campaign.id) for role in ("leader", "helper")]
    assert results[0] == results[1]
    assert [len(each) for each in noises.values()] == [1, 1]  # drawn once, however often the party was killed
    noise = np.sum([min(each) for each in noises.values()], axis=0)
    assert (results[0]["opened"] - noise).tolist() == exact(parties["leader"], campaign, lists, sent)
    assert results[0]["participation"] == {"people": 7, "reports": [6, 5] if campaign.asks_degrees else [5]}
    for role, party in parties.items():
        party.service.database.close()
        stored = b"".join(path.read_bytes() for path in tmp_path.glob(f"{role}.db*"))  # nothing on PostgreSQL
        kept = (tmp_path / f"{role}-keys" / f"{campaign.id}.json").read_bytes()
        assert secrets[role].deal not in stored
        assert secrets[role].noise.hex().encode() not in kept
        if role != "dealer":
            shares = [share_of(campaign, payload) for payload in sent[role].values()]
            assert not [share for share in shares if len(share) > 8 and share in stored]
        with pytest.raises(ParameterError, match="gone"):
            party.keys.begin(campaign.id, campaign.party(role).x25519)


def exact(leader, campaign, lists, sent):
    """From the lists of those who reached both servers, and the answers of hubs in the clear."""
    people = sorted(sent["leader"].keys() & sent["helper"].keys())
    if campaign.statistic == "edges":
        return [sum(len(lists[person]) for person in people)]
    if not campaign.has_dealer:
        told = [answer_of(lists[person]) for person in people]
        return [told.count(each) for each in ANSWERS]
    terms = campaign.triangle_terms(page_of(leader, campaign))
    answers = {}
    for first, second in permutations(terms.hubs, 2):
        if {first, second} <= set(people):
            bits = sent["leader"][first][-ANSWER_BYTES:]
            answers[first, second] = bits[0] >> (7 - terms.hubs.index(second)) & 1
    flat = [friend for person in people for friend in sorted(lists[person])]
    indptr = np.concatenate(([0], np.cumsum([len(lists[person]) for person in people])))
    kept = Lists(7, np.array(people), indptr, np.array(flat), np.zeros(len(people), dtype=np.int64))
    count = weighted_count(terms, kept, answers)
    if campaign.statistic != "transitivity":
        return [count]
    limit = page_of(leader, campaign).without_hubs
    return [count, sum(math.comb(min(limit, len(lists[person])), 2) for person in people)]


SIMULATED = {
    "edges": lambda campaign, graph, sources: simulate_sum(Edges(7), graph.degrees, Fraction(1), sources, split=False),
    "triangles": lambda campaign, graph, sources: simulate_triangles(campaign.plan, graph, sources, split=False),
    "hubs": lambda campaign, graph, sources: simulate_triangles(campaign.plan, graph, sources, split=False),
    "transitivity": lambda campaign, graph, sources: simulate_transitivity(
        campaign.transitivity, graph, sources, split=False
    ),
}


@pytest.mark.parametrize("statistic", SIMULATED)
def test_a_simulation_under_a_seed_is_what_parties_make_of_the_same_noise(tmp_path, monkeypatch, statistic):
    """People and servers draw what the simulation draws; nobody's list is cut, since each campaign cuts its own way."""
    parties, campaign = begin(tmp_path, statistic)
    graph, sources = Graph.from_edges([*combinations(range(5), 2), (5, 0), (5, 1), (6, 2)], n_nodes=7), Sources(7)
    keys = {parties[role].keys.of(campaign.id).noise: place for place, role in enumerate(ROLES[:2])}
    monkeypatch.setattr(
        "graphveil.two_servers.parties.contents.server_noise",
        lambda campaign, use, _, key, bind: sources.servers(int(use != campaign.statistic))[keys[key]],
    )
    if campaign.asks_degrees:
        told = campaign.plan.noisy_degrees(graph.degrees.astype(np.int64), sources.crowd(1, np.arange(7)))
        for role in ROLES[:2]:
            for person, degree in enumerate(told.tolist()):
                parties[role].accept_degree(campaign.id, person, degree)
        run_until(parties, campaign, "page")
    page = page_of(parties["leader"], campaign)
    for person in range(7):
        friends = graph.indices[graph.indptr[person] : graph.indptr[person + 1]].astype(np.int64)
        pieces = split_answer(campaign, page, person, friends, sources.crowd(2, np.array([person])))
        for role, piece in pieces.items():
            parties[role].accept_share(campaign.id, person, piece)
    wire = Direct(parties, random.Random(0), 0)
    while not all(party.state(campaign.id).erased for party in parties.values()):
        for party in parties.values():
            Worker(party, wire).tick()
    simulated, result = SIMULATED[statistic](campaign, graph, sources), parties["helper"].result(campaign.id)
    assert page is None or page.max_degree >= 6
    found = simulated.estimated
    assert [result["value"], *result["interval95"]] == [found.value, found.low, found.high]
    assert all(simulated.facts[name] == told for name, told in result["facts"].items() if name in simulated.facts)


@pytest.mark.parametrize("role", ["leader", "helper"])
def test_a_share_swapped_in_the_database_stops_the_campaign_and_nothing_more_leaves(tmp_path, role):
    """Before each step after the input is bound; a database that was set back looks the same."""
    parties, campaign = begin(tmp_path, "triangles")
    send(parties, campaign, [{1, 2, 3} - {i} for i in range(7)])
    party, wire, refused = parties[role], Direct(parties, random.Random(0), 0), set()
    with party.service.database.read() as connection:
        share = store.shares(connection, 1)[4]

    def change(share):
        with party.service.database.write() as connection:
            store.keep_share(connection, 1, 4, share)
            store.change(connection, 1, stopped=None)

    def try_with_another_share():
        before = party.state(campaign.id)
        if "bind" not in before.written:
            return
        change(bytes(len(share)))
        for _ in range(5):  # what holds nothing of the input may be written on the way to what does
            if not party.state(campaign.id).stopped:
                Worker(party, wire).tick()
        after = party.state(campaign.id)
        assert after.written - before.written <= {"spent", "noise", "deal-key", "result"}  # nothing of the input
        if after.stopped:
            assert "another input" in after.stopped
            refused.add(len(after.written))
        change(share)

    while not party.state(campaign.id).erased:
        for each in parties.values():
            if each is party:
                try_with_another_share()
            Worker(each, wire).tick()
    assert len(refused) == 4  # bits, both, numbers, total


def test_different_results_erase_nothing_and_show_nothing(tmp_path):
    parties, campaign = begin(tmp_path, "edges")
    send(parties, campaign, [{1, 2}] * 7)
    leader, helper = parties["leader"], parties["helper"]
    wire = Direct(parties, random.Random(0), 0)
    while "result" not in leader.state(campaign.id).written:
        Worker(leader, wire).tick()
        if "total" not in helper.state(campaign.id).delivered:
            Worker(helper, wire).tick()
    lie = bytes(8)
    label = message_label(campaign.id, "helper", "leader", "result", 0, hashlib.sha256(lie).digest())
    leader.receive(campaign.id, "helper", "result", 0, lie, helper.keys.sign(label))
    for _ in range(5):
        Worker(leader, wire).tick()
    assert leader.state(campaign.id).stage == "disputed"
    assert not leader.state(campaign.id).erased
    leader.keys.of(campaign.id)
    with pytest.raises(Problem, match="different results"):
        leader.result(campaign.id)


def test_secrets_are_erased_in_time_though_the_other_server_never_confirms_the_result(tmp_path):
    parties, campaign = begin(tmp_path, "edges")
    send(parties, campaign, [{1, 2}] * 7)
    leader, wire = parties["leader"], Direct(parties, random.Random(0), 0)
    while "result" not in leader.state(campaign.id).received:
        for party in parties.values():
            if party is not leader or "result" not in leader.state(campaign.id).written:
                Worker(party, wire).tick()
    wire.loss, after = 1, campaign.closing_time + 86_400 * leader.service.settings.keep_days
    assert not leader.state(campaign.id).erased
    later = start(tmp_path, "leader", clock=lambda: after + 1)
    Worker(later, wire).tick()
    assert later.state(campaign.id).erased
    assert later.result(campaign.id)["participation"]["reports"] == [7]
    with pytest.raises(ParameterError, match="gone"):
        later.keys.of(campaign.id)


def test_keys_that_cannot_be_read_for_a_moment_end_no_campaign(tmp_path):
    parties, campaign = begin(tmp_path, "edges")
    send(parties, campaign, [{1, 2}] * 7)
    kept = tmp_path / "leader-keys" / f"{campaign.id}.json"
    kept.rename(tmp_path / "aside")
    kept.mkdir()  # what reads it fails, as it does where a process has too many files open
    wire = Direct(parties, random.Random(0), 0)
    for _ in range(8):
        for party in parties.values():
            Worker(party, wire).tick()
    assert parties["leader"].state(campaign.id).stage == "frozen"
    kept.rmdir()
    (tmp_path / "aside").rename(kept)
    while not all(party.state(campaign.id).erased for party in parties.values()):
        for party in parties.values():
            Worker(party, wire).tick()
    assert parties["leader"].state(campaign.id).stage == "published"


def test_other_bytes_stop_a_campaign_and_roles_are_kept_apart(tmp_path):
    parties, campaign = begin(tmp_path, "edges")
    send(parties, campaign, [{1, 2}] * 7)
    with pytest.raises(Problem, match="another share"):
        parties["leader"].accept_share(campaign.id, 0, bytes(8))
    Worker(parties["leader"], Direct(parties, random.Random(0), 0)).tick()
    leader, helper = parties["leader"], parties["helper"]
    for sender, step in (("dealer", "corrections"), ("helper", "set"), ("leader", "deal-key")):
        with pytest.raises(Problem, match="forbidden"):
            helper.receive(campaign.id, sender, step, 0, b"", bytes(64))
    with pytest.raises(Problem, match="signature"):
        helper.receive(campaign.id, "leader", "root", 0, bytes(32), bytes(64))
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
        ("https://helper.example", "https://Leader.example.", "host"),
        (campaign.parties[1].ed25519, campaign.parties[0].ed25519, "key"),
    ):
        with pytest.raises(ParameterError, match=what):
            TwoServerCampaign.from_json(text.replace(old, new))
    with pytest.raises(ParameterError, match="https"):
        TwoServerCampaign.from_json(text.replace("https://helper", "http://helper"))


@pytest.mark.parametrize(
    ("statistic", "people", "message"),
    [
        *[("degree-histogram", people, "2 to 2") for people in (1, 2**31, 2**64, 10**400)],
        ("triangles", MOST_PEOPLE + 1, "at most 20,000 people here, not 20,001"),
    ],
)
def test_a_text_with_a_hostile_number_of_people_is_refused(tmp_path, statistic, people, message):
    _, campaign = begin(tmp_path, statistic)
    text = campaign.to_json()
    assert '"people":7' in text
    for hostile in (None, 7, text + " " * 100_000):
        with pytest.raises(ParameterError, match="text"):
            TwoServerCampaign.from_json(hostile)
    with pytest.raises(ParameterError, match=message):
        TwoServerCampaign.from_json(text.replace('"people":7', f'"people":{people}'))


def test_each_role_takes_its_own_messages_only():
    """All senders, steps and receivers: the dealer hears nothing but keys, and speaks to the leader only."""
    between = {"degrees", "page", "answers", "set", "root", "bind", "bits", "both", "numbers", "total", "result"}
    allowed = {(a, step, b) for step in between for a, b in (("leader", "helper"), ("helper", "leader"))}
    allowed |= {("leader", "deal-key", "dealer"), ("helper", "deal-key", "dealer"), ("dealer", "corrections", "leader")}
    steps = between | {"deal-key", "corrections", "spent", "noise", "share"}
    found = {(a, step, b) for a in (*ROLES, "public") for step in steps for b in ROLES if receiver_of(a, step) == b}
    assert found == allowed


def test_a_database_that_was_set_back_draws_the_same_noise(tmp_path):
    """Six numbers: fresh noise of this rate would be the same with probability .001."""
    parties, campaign = begin(tmp_path, "degree-distribution")
    send(parties, campaign, [{1, 2}] * 7)
    leader, wire = parties["leader"], Direct(parties, random.Random(0), 0)
    while "total" not in leader.state(campaign.id).written:
        for party in parties.values():
            Worker(party, wire).tick()
    drawn = noise_of(leader, campaign)
    with leader.service.database.write() as connection:
        store.change(connection, 1, noise=None, spent=None)
        connection.execute(text("DELETE FROM party_messages WHERE sender = 'leader' AND step = 'total'"))
    for _ in range(3):
        Worker(leader, wire).tick()
    assert noise_of(leader, campaign) == drawn


def run_until(parties, campaign, step):
    """Let the parties work until both servers have signed a step."""
    wire = Direct(parties, random.Random(0), 0)
    while not all(step in parties[role].state(campaign.id).received for role in ROLES[:2]):
        for party in parties.values():
            Worker(party, wire).tick()


def test_a_page_that_not_both_servers_signed_is_answered_by_nobody(tmp_path):
    """A leader that shows clients a larger limit than the helper's gets no answer, and the helper takes none."""
    parties, campaign = begin(tmp_path, "hubs")
    lists = [{1, 2, 3} - {i} for i in range(7)]
    with pytest.raises(Problem, match="not both signed"):
        parties["leader"].page(campaign.id)
    tell_degrees(parties, campaign, lists)
    run_until(parties, campaign, "page")
    told, page = parties["leader"].page(campaign.id), page_of(parties["leader"], campaign)
    assert signed_page(campaign, told) == page
    other = Page(page.campaign, page.degrees, page.max_degree - 1, page.hubs, page.without_hubs)
    with pytest.raises(ParameterError, match="did not sign"):
        signed_page(campaign, told | {"page": other.to_json()})
    with pytest.raises(ParameterError, match="did not sign"):
        signed_page(campaign, told | {"signatures": dict.fromkeys(ROLES, told["signatures"]["leader"])})
    for hubs in ((0, 0), (7,), (1, 0), (-1,), (0, 1, 2)):
        with pytest.raises(ParameterError, match="belong"):
            signed_page(campaign, told | {"page": Page(page.campaign, page.degrees, 2, hubs, 6).to_json()})
    payloads = split_answer(campaign, other, 3, np.array([1, 2]), SystemNoise())
    for role, payload in payloads.items():
        with pytest.raises(Problem, match="another limit"):
            parties[role].accept_share(campaign.id, 3, payload)
    with pytest.raises(Problem, match="another degree"):
        parties["helper"].accept_degree(campaign.id, 2, 5)


def test_servers_that_compute_different_pages_stop(tmp_path):
    parties, campaign = begin(tmp_path, "hubs")
    tell_degrees(parties, campaign, [{1, 2, 3} - {i} for i in range(7)])
    leader, helper = parties["leader"], parties["helper"]
    wire = Direct(parties, random.Random(0), 0)
    while "page" not in leader.state(campaign.id).written:
        Worker(leader, wire).tick()
        if "degrees" not in helper.state(campaign.id).delivered:
            Worker(helper, wire).tick()
    lie = bytes(32)
    label = message_label(campaign.id, "helper", "leader", "page", 0, hashlib.sha256(lie).digest())
    leader.receive(campaign.id, "helper", "page", 0, lie, helper.keys.sign(label))
    with pytest.raises(Problem, match="not both signed"):
        leader.accept_share(campaign.id, 0, bytes(1 + 32 + ANSWER_BYTES))
    leader.close(campaign.id, 2)
    Worker(leader, wire).tick()
    assert "different limits" in leader.state(campaign.id).stopped


def test_what_a_server_sends_can_be_read_by_its_receiver_only(tmp_path):
    """Whoever ends TLS on the way sees a seal; the same message in another place, or changed, is not opened."""
    parties, campaign = begin(tmp_path, "edges")
    helper, seen = parties["helper"], []

    def take(request):
        seen.append(request)
        return httpx.Response(204)

    path, content = exchange_path(campaign.id, "leader", "root", 0), bytes(range(32))
    wire, to = HttpWire(), campaign.party("helper")
    wire.apis[to.url] = Api(to.url, transport=httpx.MockTransport(take))
    wire.put(to, path, content, bytes(64))
    wire.put(to, path, content, bytes(64))
    first, again = (request.read() for request in seen)
    assert content not in first
    assert first != again
    assert [helper.unseal(campaign.id, message_seal(path), each) for each in (first, again)] == [content, content]
    changed = first[:-1] + bytes([first[-1] ^ 1])
    for party, label, sealed in (
        (helper, message_seal(exchange_path(campaign.id, "leader", "root", 1)), first),
        (helper, message_seal(path), changed),
        (helper, message_seal(path), b""),
        (parties["leader"], message_seal(path), first),
    ):
        with pytest.raises(Problem, match="not sealed"):
            party.unseal(campaign.id, label, sealed)


def test_traffic_that_was_recorded_cannot_be_opened_after_the_end(tmp_path):
    """Each campaign has a key of its own, and it is gone."""
    parties, campaign = begin(tmp_path, "edges")
    place = share_seal(campaign.id, "helper", 3)
    recorded = seal(campaign.party("helper").x25519, place, b"the key of a mask")
    helper = parties["helper"]
    assert helper.keys.unseal(campaign.id, place, recorded) == b"the key of a mask"
    assert helper.keys.sealing != campaign.party("helper").x25519
    with pytest.raises(ParameterError, match="propose it again"):
        helper.keys.begin("another", campaign.party("helper").x25519)
    helper.keys.begin(campaign.id, campaign.party("helper").x25519)  # accepted once more: nothing changes
    wanted = helper.keys.of(campaign.id).opening.private_bytes_raw()
    send(parties, campaign, [{1, 2}] * 7)
    run_until(parties, campaign, "result")
    for _ in range(3):
        for party in parties.values():
            Worker(party, Direct(parties, random.Random(0), 0)).tick()
    for path in (tmp_path / "helper-keys").iterdir():
        assert wanted not in path.read_bytes()
        assert wanted.hex().encode() not in path.read_bytes()
    with pytest.raises(Problem, match="ended"):
        helper.unseal(campaign.id, place, recorded)


def test_a_whole_block_in_its_seal_is_within_the_limit_of_a_request(tmp_path):
    """It is looked at, and refused for its signature; one byte more is not read."""
    parties, campaign = begin(tmp_path, "edges")
    transport = httpx.ASGITransport(create_party_app(parties["helper"]))
    path = exchange_path(campaign.id, "leader", "root", 0)
    sealed = seal(campaign.party("helper").x25519, message_seal(path), bytes(store.BLOCK_BYTES))

    async def put(content):
        async with httpx.AsyncClient(transport=transport, base_url="http://helper") as client:
            return await client.put(path, content=content, headers={SIGNATURE: "00" * 64})

    answers = [asyncio.run(put(sealed + bytes(more))) for more in (0, 1)]
    assert [answer.json()["type"].rpartition(":")[2] for answer in answers] == ["forbidden", "too-large"]


@pytest.mark.parametrize(
    "told", [b"", b"\xff", b"[" * 100_000, b"[]", b"{}", b'{"sha256": 7}', b'{"sha256": ["00"]}', b'{"sha256": "xyz"}']
)
def test_what_another_party_says_it_holds_is_checked_before_it_is_used(tmp_path, told):
    _, campaign = begin(tmp_path, "edges")
    wire, to = HttpWire(), campaign.party("helper")
    wire.apis[to.url] = Api(to.url, transport=httpx.MockTransport(lambda _: httpx.Response(200, content=told)))
    with pytest.raises(ParameterError, match=r"makes no sense|a hash that is none") as caught:
        wire.held(to, exchange_path(campaign.id, "leader", "root", 0), bytes(64))
    assert "\n" not in str(caught.value)
