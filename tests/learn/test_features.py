"""What a model is given of the columns of a table: words and their topics, numbers, codes."""

import numpy as np

from graphveil.learn.features import in_tenths, indicators, topics, weighted
from graphveil.learn.people import LabelledPeople
from graphveil.learn.roles import RIDGE, prior_from, prior_of


def talkers(n_people: int, labelled: int) -> tuple[LabelledPeople, np.ndarray]:
    """People of two kinds, who use five of the thirty words of their kind and some that everybody uses."""
    rng = np.random.default_rng(3)
    kinds = rng.integers(0, 2, n_people)
    words = [
        [*(f"k{kind}w{word}" for word in rng.choice(30, 5, replace=False)), *(f"c{word}" for word in rng.choice(9, 4))]
        for kind in kinds
    ]
    shown = [f"k{kind}" if place < labelled else "" for place, kind in enumerate(kinds)]
    table = {"who": list(range(n_people)), "kind": shown, "says": [" ".join(each) for each in words]}
    return LabelledPeople.from_columns(table, label="kind"), kinds


def test_few_labels_are_enough_where_everybodys_words_tell_topics() -> None:
    """With 10 labelled people of 400, words alone are right for .94 of the others here."""
    people, kinds = talkers(400, 10)
    assert {"k0", "k1"} == set(people.classes)
    right = (prior_of(people).argmax(axis=1) == kinds)[10:]
    assert right.mean() > 0.99


def test_a_word_that_everybody_uses_says_nothing() -> None:
    features, in_set = indicators({"says": ["all one", "all two", "all three", "all one"]}, 4)
    given = weighted(features, in_set).toarray()
    assert given[:, 0].tolist() == [0, 0, 0, 0]
    assert np.allclose(given[0], given[3])


def test_measured_numbers_are_cut_at_deciles_and_codes_are_not() -> None:
    measured = [f"{place / 7:.3f}" for place in range(1000)]
    features, in_set = indicators({"height": measured, "dorm": [str(place % 40) for place in range(1000)]}, 1000)
    assert features.shape == (1000, 10 + 40)
    assert not in_set.any()
    assert np.bincount(features.indices)[:10].tolist() == [100] * 10
    years = [str(1900 + place * 37 % 1000) for place in range(1000)]  # whole, but nearly everybody has another one
    assert len(set(in_tenths(years))) == 10
    assert in_tenths(["", *measured])[0] == ""
    assert in_tenths([*measured, "tall"]) == [*measured, "tall"]


def test_a_number_with_a_thousand_values_predicts() -> None:
    rng = np.random.default_rng(5)
    heights = rng.random(1000)
    shown = ["" if place % 4 == 0 else ("tall" if height > 0.5 else "short") for place, height in enumerate(heights)]
    table = {"who": list(range(1000)), "kind": shown, "height": [str(height) for height in heights]}
    people = LabelledPeople.from_columns(table, label="kind")
    found = prior_from(people, people.labels, RIDGE).argmax(axis=1)
    assert (found == (heights > 0.5))[::4].mean() > 0.95


def test_odd_words_make_no_odd_numbers() -> None:
    for cells in (["a b", "", "a b"], ["a b"] * 3, ["a a", "", ""], ["a b", "c d", "e f"]):
        features, in_set = indicators({"says": cells}, 3)
        given = weighted(features, in_set)
        assert np.isfinite(given.toarray()).all()
        assert (np.linalg.norm(topics(given), axis=1) < 1.001).all()
