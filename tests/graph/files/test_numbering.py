"""Names become numbers in rising order, whichever way."""

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.graph.files import names
from graphveil.graph.files.integers import number_integers
from graphveil.graph.files.numbering import number_people

IDS = st.one_of(st.integers(0, 20), st.integers(0, 2**63 - 1))
COLUMNS = st.lists(st.lists(st.lists(IDS, max_size=6), max_size=3), min_size=2, max_size=3)


@settings(deadline=None)
@given(COLUMNS)
def test_integers_are_ranked_across_columns_and_chunks(columns):
    numbers, names = number_integers([[np.array(chunk, dtype=np.int64) for chunk in column] for column in columns])
    flat = [[value for chunk in column for value in chunk] for column in columns]
    assert names.tolist() == sorted({value for column in flat for value in column})
    assert [names[column].tolist() for column in numbers] == flat


def test_many_scattered_ids_outgrow_the_first_table():
    rng = np.random.default_rng(2)
    values = rng.integers(0, 2**62, 40_000)
    values[20_000:] = rng.choice(values[:20_000], 20_000)
    (first, second), names = number_integers([[values[:15_000], values[15_000:]], [values[::-1].copy()]])
    expected, inverse = np.unique(values, return_inverse=True)
    assert np.array_equal(names, expected)
    assert np.array_equal(first, inverse)
    assert np.array_equal(second, inverse[::-1])


def test_crowded_ids_use_a_table():
    values = np.arange(0, 3_000_000, 3)
    (numbers,), names = number_integers([[values]])
    assert np.array_equal(numbers, np.arange(1_000_000))
    assert np.array_equal(names, values)


TEXTS = st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20)), min_size=3, max_size=3)


def assert_ranked(columns):
    source, target, alone = (pl.Series(column, dtype=pl.String) for column in columns)
    u, v, n, labels = number_people([source, target], alone, str, keep_text=True)
    everybody = sorted({name for column in columns for name in column})
    assert (n, labels.tolist()) == (len(everybody), everybody)
    assert [[everybody[i] for i in column] for column in (u, v)] == columns[:2]


@settings(deadline=None)
@given(TEXTS)
def test_text_is_ranked_in_order_of_code_points(columns):
    assert_ranked(columns)


def test_names_that_begin_alike_are_ranked_by_what_follows():
    tails = ["", "\0", "a", "b", "é", "aaaaaaaaa", "aaaaaaaab", "aaaaaaaaaa", "bbbbbbbb", "bbbbbbbba", "bbbbbbbb\0"]
    assert_ranked([[f"user{tail}" for tail in tails], [f"user{tail}" for tail in tails[::-1]], ["userz"]])
    assert_ranked([tails, tails[::-1], ["z"]])


def test_names_with_the_same_hash_stay_apart(monkeypatch):
    keys = []
    hashes = names._hashes

    def clash_at_first(piece, key):
        keys.append(key)
        return [piece.ends - piece.starts] if len(keys) <= 4 else hashes(piece, key)

    monkeypatch.setattr(names, "_hashes", clash_at_first)
    assert_ranked([["ann", "bob", "dora"], ["bob", "cem", "ann"], ["eve"]])
    assert len(set(keys)) == len(keys) > 4


def test_many_long_names_in_pieces_are_numbered_alike():
    rng = np.random.default_rng(5)
    many = [f"{'x' * int(i % 40)}{i}" for i in rng.integers(0, 3_000, 20_000)]
    column = pl.concat([pl.Series(many[:9_000]), pl.Series(many[9_000:])], rechunk=False).slice(7)
    (first, second), found = names.intern([names.names_of(column), names.names_of(pl.Series(many[::-1]))])
    distinct = names.series_of(found).to_list()
    assert len(set(distinct)) == len(distinct)
    assert [distinct[i] for i in first] == many[7:]
    assert [distinct[i] for i in second] == many[::-1]


def test_names_that_are_integers_become_integers_unless_told_otherwise():
    ends, nobody = [pl.Series(["10", "9"]), pl.Series(["007", "10"])], pl.Series([], dtype=pl.String)
    u, v, n, labels = number_people(ends, nobody, str)
    assert (n, labels.tolist(), u.tolist(), v.tolist()) == (3, [7, 9, 10], [2, 1], [0, 2])
    assert number_people(ends, nobody, str, keep_text=True)[3].tolist() == ["007", "10", "9"]
