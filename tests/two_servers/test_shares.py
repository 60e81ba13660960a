"""Shares add up exactly, whatever people send and whoever is absent."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.local.lists import Lists
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.two_servers.dealer import expand_key
from graphveil.two_servers.ideal import weighted_count
from graphveil.two_servers.pairs import all_pairs, squared, symmetric, upper
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
    asked = [(i, j) for i in hubs for j in hubs if i != j]
    answers = {pair: draw(st.integers(0, 1)) for pair in asked if draw(st.integers(0, 3))}
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
    matrix = symmetric(150, pairs.__getitem__)
    exact = matrix.astype(object) @ matrix.astype(object) % 2**64
    found = np.concatenate([squares for _, squares in squared(matrix)])
    assert (found.astype(object) == upper(exact)).all()


@pytest.mark.parametrize("n", [2, 3, 5, 30])
def test_in_small_parts_and_from_a_file_it_is_the_same(monkeypatch, n):
    """What large campaigns do: parts of the pairs, a few rows of a square at a time, the matrix in a file."""
    rng = np.random.default_rng(n)
    terms = TriangleTerms("c", n, Fraction(1), n, (0, n - 1) if n > 3 else ())
    shares = {}, {}
    for person in range(n):
        sent = split_row(terms, person, np.flatnonzero(rng.integers(0, 2, n) & (np.arange(n) != person)))
        shares[0][person], shares[1][person] = sent
    answers = {(0, n - 1): 1} if terms.hubs else {}
    keys = bytes(32), bytes(range(32))
    whole = run_count(terms, shares, answers, (SeededNoise(1), SeededNoise(2)), keys)
    for name, value in (("BLOCK_ROWS", 7), ("MOST_IN_MEMORY", 0)):
        monkeypatch.setattr(f"graphveil.two_servers.pairs.{name}", value)
    assert run_count(terms, shares, answers, (SeededNoise(1), SeededNoise(2)), keys)[0] == whole[0]
    for start in range(0, n * (n - 1) // 2, 3):
        here = slice(start, min(start + 3, n * (n - 1) // 2))
        for view in whole[1:]:
            server = view.server(terms)
            every = server.open_both(all_pairs(n), view.bits)
            assert (server.open_both(here, view.bits[:, here]) == every[here]).all()
            numbers = server.open_numbers(all_pairs(n), every, view.both)
            assert (server.open_numbers(here, every[here], view.both[here]) == numbers[here]).all()


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

    def note(key, label, size, start):
        asked.append(label)
        return stream(key, label, size, start)

    monkeypatch.setattr("graphveil.two_servers.streams.stream", note)
    expand_key(bytes(32), 9, all_pairs(9))
    assert len(asked) == len(set(asked)) == 8
