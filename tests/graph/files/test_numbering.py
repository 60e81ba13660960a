"""Names become numbers in rising order, whichever way."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.graph.files import numbering
from graphveil.graph.files.numbering import number_integers, number_people

IDS = st.one_of(st.integers(0, 20), st.integers(0, 2**63 - 1))
PARTS = st.lists(st.lists(IDS, max_size=6), max_size=4)


@settings(deadline=None)
@given(PARTS)
def test_integers_are_ranked_across_parts(parts):
    numbers, values = number_integers([np.array(part, dtype=np.int64) for part in parts])
    flat = [value for part in parts for value in part]
    assert values.tolist() == sorted(set(flat))
    assert values[numbers].tolist() == flat


def test_many_scattered_ids_are_ranked():
    rng = np.random.default_rng(2)
    values = rng.integers(0, 2**62, 40_000)
    values[20_000:] = rng.choice(values[:20_000], 20_000)
    numbers, names = number_integers([values[:15_000], values[15_000:]])
    expected, inverse = np.unique(values, return_inverse=True)
    assert np.array_equal(names, expected)
    assert np.array_equal(numbers, inverse)


def test_crowded_ids_use_a_table():
    values = np.arange(0, 3_000_000, 3)
    numbers, names = number_integers([values])
    assert np.array_equal(numbers, np.arange(1_000_000))
    assert np.array_equal(names, values)


NAME = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def assert_ranked(columns):
    source, target, alone = (pl.Series(column, dtype=pl.String) for column in columns)
    u, v, n, labels = number_people((source, target, alone), keep_text=True)
    everybody = sorted({name for column in columns for name in column})
    assert (n, labels.tolist()) == (len(everybody), everybody)
    assert [[everybody[i] for i in column] for column in (u, v)] == columns[:2]


@settings(deadline=None)
@given(st.lists(st.tuples(NAME, NAME)), st.lists(NAME))
def test_text_is_ranked_in_order_of_code_points(pairs, alone):
    assert_ranked([[source for source, _ in pairs], [target for _, target in pairs], alone])


def test_names_that_begin_alike_are_ranked_by_what_follows():
    tails = ["", "\0", "a", "b", "é", "aaaaaaaaa", "aaaaaaaab", "aaaaaaaaaa", "bbbbbbbb", "bbbbbbbba", "bbbbbbbb\0"]
    assert_ranked([[f"user{tail}" for tail in tails], [f"user{tail}" for tail in tails[::-1]], ["userz"]])
    assert_ranked([tails, tails[::-1], ["z"]])


def test_names_with_the_same_hash_stay_apart(monkeypatch):
    first_sights, tries = numbering._first_sights, []

    def clash_at_first(hashes):
        tries.append(hashes)
        return first_sights(hashes % 2 if len(tries) <= 4 else hashes)

    monkeypatch.setattr(numbering, "_first_sights", clash_at_first)
    assert_ranked([["ann", "bob", "dora"], ["bob", "cem", "ann"], ["eve"]])
    assert len(tries) == 5
    assert len({tuple(hashes) for hashes in tries}) == 5  # a new seed each time


def test_many_long_names_in_pieces_are_numbered_alike(monkeypatch):
    monkeypatch.setattr(numbering, "BLOCK", 1_000)
    rng = np.random.default_rng(5)
    many = [f"{'x' * int(i % 40)}{i}" for i in rng.integers(0, 3_000, 20_000)]
    column = pl.concat([pl.Series(many[:9_000]), pl.Series(many[9_000:])], rechunk=False).slice(7)
    u, v, _, labels = number_people((column, pl.Series(many[:6:-1]), pl.Series(["y"])))
    assert labels.tolist() == sorted({*many[7:], "y"})
    assert labels[u].tolist() == many[7:]
    assert labels[v].tolist() == many[:6:-1]


@pytest.mark.parametrize("alone", ["-5", "04", "+4", "9223372036854775808"])
def test_one_name_that_is_no_plain_integer_makes_all_text(alone):
    columns = pl.Series([1, 2]), pl.Series([2, 3]), pl.Series(["4", alone])
    assert sorted(number_people(columns)[3].tolist()) == sorted(["1", "2", "3", "4", alone])
    numbers = pl.Series([1, 2]), pl.Series([2, -3]), pl.Series([], dtype=pl.Int64)
    assert number_people(numbers)[3].tolist() == ["-3", "1", "2"]


def test_names_that_are_plain_integers_become_integers_unless_text_is_to_be_kept():
    columns = pl.Series(["10", "9"]), pl.Series(["7", "10"]), pl.Series([], dtype=pl.String)
    u, v, n, labels = number_people(columns)
    assert (n, labels.tolist(), u.tolist(), v.tolist()) == (3, [7, 9, 10], [2, 1], [0, 2])
    assert number_people(columns, keep_text=True)[3].tolist() == ["10", "7", "9"]
