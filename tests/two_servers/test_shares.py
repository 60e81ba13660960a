"""Shares add up exactly, whatever people send and whoever is absent."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.two_servers.dealer import expand_key
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.pairs import square_blocks, symmetric
from graphveil.two_servers.streams import mask_words, stream
from graphveil.two_servers.sums import SumTerms, add_shares, open_sum, split_vector
from graphveil.two_servers.triangle_server import split_row
from graphveil.two_servers.triangle_terms import TriangleTerms
from graphveil.two_servers.views import run_count


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
    sent = {}, {}
    for person, friends in enumerate(rows):
        shares = split_row(terms, person, np.array(sorted(friends), dtype=np.int64))
        for role, share in enumerate(shares):
            if (person, role) not in absent:
                sent[role][person] = share
    opened, *views = run_count(terms, sent, answers, (SeededNoise(1), SeededNoise(2)))
    people = set(range(len(rows))) - {person for person, _ in absent}
    noise = sum(view.noise for view in views)
    assert opened - noise == weighted_count(terms, lists_of(rows, people), answers)


def test_squares_are_exact_modulo_2_64():
    rng = np.random.default_rng(5)
    pairs = rng.integers(0, 2**64, 150 * 149 // 2, dtype=np.uint64)
    pairs[:3] = (0, 2**63, 2**64 - 1)
    matrix = symmetric(pairs, 150)
    exact = matrix.astype(object) @ matrix.astype(object) % 2**64
    for start, block in square_blocks(matrix):
        assert (block.astype(object) == exact[start : start + len(block), start:]).all()


def test_shares_of_the_same_people_add_up():
    terms = SumTerms("c", "edges", 2, Fraction(1))
    sent = {person: split_vector(terms, person, np.array([10**person, -1])) for person in (0, 2, 4)}
    totals = [add_shares(terms, [(i, each[role]) for i, each in sent.items()], is_leader=not role) for role in (0, 1)]
    assert open_sum(*totals).tolist() == [1 + 100 + 10_000, -3]
    assert open_sum(totals[0], 0 * totals[1]).tolist() != [1 + 100 + 10_000, -3]


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


def test_a_deal_masks_every_use_by_a_stream_of_its_own(monkeypatch):
    asked = []

    def note(key, label, size):
        asked.append(label)
        return stream(key, label, size)

    monkeypatch.setattr("graphveil.two_servers.streams.stream", note)
    expand_key(bytes(32), 9)
    assert len(asked) == len(set(asked)) == 8
