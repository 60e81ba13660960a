"""Shares add up exactly, whatever people send; one server's shares alone are uniform."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from graphveil.errors import ParameterError
from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.two_servers.dealer import deal, expand_key, leader_numbers
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.pairs import square_blocks, symmetric
from graphveil.two_servers.streams import mask_words, stream
from graphveil.two_servers.sums import SumServer, SumTerms, common_people, draw_noise, open_sum, split_vector
from graphveil.two_servers.triangle_server import CountingServer, RowShares, open_count, split_row
from graphveil.two_servers.triangle_terms import TriangleTerms

ALPHA = 1e-6  # of each test of uniformity, on fresh row keys and fixed keys of deals


def keys(seed: int) -> tuple[bytes, bytes]:
    rng = np.random.default_rng(seed)
    return rng.bytes(32), rng.bytes(32)


class Both:
    """Two servers and their dealer over fixed rows; messages are kept to look at."""

    def __init__(self, terms, rows, *, seed=0, absent=()):
        stores = [RowShares(terms, is_leader=True), RowShares(terms, is_leader=False)]
        for person, friends in enumerate(rows):
            shares = split_row(terms, person, np.array(sorted(friends), dtype=np.int64))
            for role, share in enumerate(shares):
                if (person, role) not in absent:
                    stores[role].accept(person, share)
        self.people = sorted(stores[0].held.keys() & stores[1].held.keys())
        own, other = keys(seed)
        n = terms.n_people
        dealt = leader_numbers(own, n, deal(own, other, n)), expand_key(other, n)
        self.servers = [
            CountingServer(terms, role == 0, stores[role].bits(self.people), dealt[role]) for role in (0, 1)
        ]
        self.stores = stores

    def count(self, answers):
        a, b = self.servers
        self.bits = a.open_bits(), b.open_bits()
        self.both = a.open_both(self.bits[1]), b.open_both(self.bits[0])
        self.numbers = a.open_numbers(*self.both), b.open_numbers(*self.both[::-1])
        return open_count(a.count(*self.numbers, answers), b.count(*self.numbers[::-1], answers))


def lists_of(rows, people):
    kept = [sorted(row) if person in people else [] for person, row in enumerate(rows)]
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in kept])))
    flat = np.array([friend for row in kept for friend in row], dtype=np.int64)
    n = len(rows)
    return Lists(n, np.arange(n), indptr, flat, np.zeros(n, dtype=np.int64))


@st.composite
def campaigns(draw):
    n = draw(st.integers(3, 12))
    rows = [draw(st.sets(st.integers(0, n - 1))) - {i} for i in range(n)]
    hubs = tuple(sorted(draw(st.sets(st.integers(0, n - 1), max_size=min(4, n - 1)))))
    terms = TriangleTerms("c", n, Fraction(1), draw(st.integers(1, n)), hubs)
    absent = draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, 1)), max_size=3))
    answers = {pair: draw(st.integers(0, 1)) for pair in terms.hub_pairs}
    return terms, rows, absent, answers


@settings(max_examples=60, deadline=None)
@given(campaigns())
def test_two_servers_count_what_one_would_in_the_clear(campaign):
    terms, rows, absent, answers = campaign
    run = Both(terms, rows, absent=absent)
    assert run.people == sorted(set(range(len(rows))) - {person for person, _ in absent})
    assert run.count(answers) == weighted_count(terms, lists_of(rows, run.people), answers)


def test_squares_are_exact_modulo_2_64():
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, 2**64, 150 * 149 // 2, dtype=np.uint64)
    pairs[:3] = (0, 2**63, 2**64 - 1)
    matrix = symmetric(pairs, 150)
    exact = matrix.astype(object) @ matrix.astype(object) % 2**64
    for start, block in square_blocks(matrix):
        assert (block.astype(object) == exact[start : start + len(block), start:]).all()


def test_sums_count_people_who_reached_both_servers_once():
    terms = SumTerms("c", "edges", 2, Fraction(1))
    servers = SumServer(terms, is_leader=True), SumServer(terms, is_leader=False)
    for person in range(5):
        shares = split_vector(terms, person, np.array([10**person, -1]))
        for server, share in zip(servers, shares, strict=True):
            if (person, server.is_leader) not in {(1, True), (3, False)}:
                server.accept(person, share)
                server.accept(person, share)  # a repeat changes nothing
    people = common_people(*servers)
    told = [server.tell(people, SeededNoise(role)) for role, server in enumerate(servers)]
    noise = sum(draw_noise(terms, SeededNoise(role)) for role in (0, 1))
    assert (open_sum(*told) - noise).tolist() == [1 + 100 + 10_000, -3]
    assert servers[0].tell(people, SeededNoise(9)).tolist() == told[0].tolist()  # noise is drawn once
    with pytest.raises(ParameterError, match="another share"):
        servers[0].accept(0, bytes(16))


def is_uniform(sample: np.ndarray) -> bool:
    """Chi-square of bytes, at ALPHA."""
    counts = np.bincount(sample, minlength=256)
    statistic = float(((counts - counts.mean()) ** 2 / counts.mean()).sum())
    return statistic < chi2.ppf(1 - ALPHA, 255)


def views(rows, spoil=None):
    """All that each server receives over 40 deals, as bytes: rows or keys, then the other's messages."""
    n = len(rows)
    terms, seen = TriangleTerms("c", n, Fraction(1), n), ([], [])
    for seed in range(40):
        run = Both(terms, rows, seed=seed)
        run.count({})
        for role in (0, 1):
            numbers = run.numbers[1 - role] & np.uint64(2**63 - 1) if spoil == "63 bits" else run.numbers[1 - role]
            masked = np.concatenate((run.bits[1 - role], run.both[1 - role]))
            seen[role].append(np.packbits(masked).view(np.uint8))
            seen[role].append(numbers.view(np.uint8))
            seen[role].append(np.frombuffer(b"".join(run.stores[role].held.values()), dtype=np.uint8))
    return [np.concatenate(each) for each in seen]


FULL = [set(range(16)) - {i} for i in range(16)]
EMPTY = [set() for _ in range(16)]


@pytest.mark.parametrize("rows", [EMPTY, FULL], ids=["empty", "full"])
def test_what_a_server_sees_is_uniform_whatever_the_lists(rows):
    """False alarms: 4e-6 over both graphs and servers."""
    for seen in views(rows):
        assert is_uniform(seen)


def test_a_mask_of_63_bits_and_masks_without_a_ring_are_noticed():
    """Power: one missing bit of a mask, and masks 1..n that are added without wrapping, as CARGO's code does."""
    assert not all(is_uniform(seen) for seen in views(FULL, spoil="63 bits"))
    rng, n = np.random.default_rng(1), 300
    differences = [(bit - rng.integers(1, n + 1, 20_000)) for bit in (0, 1)]
    assert set(differences[0]) != set(differences[1])  # -n only for 0, 0 only for 1: some bits are read for sure


def test_no_two_uses_share_a_stream():
    labels = [
        ("sum", "a", "edges", 1, 2),
        ("sum", "a", "edges", 12),
        ("sum", "a", "edge", "s1", 2),
        ("suma", "edges", 1, 2),
    ]
    labels += [("row", "a", 5, person) for person in range(5)] + [("deal", use, 5) for use in ("u", "v", "z", "x", "w")]
    assert len({stream(bytes(32), label, 16) for label in labels}) == len(labels)
    assert not (mask_words(bytes(32), ("x",), 4) == mask_words(bytes(31) + b"\1", ("x",), 4)).any()
