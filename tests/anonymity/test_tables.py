"""Tables of attributes: what is measured is what the definitions say, and what is generalised meets its demands."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.anonymity.tables.certify_table import certify_table
from graphveil.anonymity.tables.generalize_table import generalize_table
from graphveil.anonymity.tables.table import Table, read_table
from graphveil.errors import GraphFormatError, ParameterError
from graphveil.mechanisms.noise.source import SeededNoise

HOSPITAL = Table.from_columns(
    {
        "zip": ["47677", "47602", "47678", "47905", "47909", "47906", "47605", "47673", "47607"],
        "age": [29, 22, 27, 43, 52, 47, 30, 36, 32],
        "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10],
        "disease": [
            "ulcer",
            "gastritis",
            "cancer",
            "gastritis",
            "flu",
            "bronchitis",
            "bronchitis",
            "pneumonia",
            "cancer",
        ],
    }
)


def test_closeness_of_the_published_example():
    """Li, Li and Venkatasubramanian 2007: salaries {3k, 4k, 5k} are at distance 0.375 of {3k … 11k}."""
    classes = Table.from_columns({"class": [0, 0, 0, 1, 1, 1, 2, 2, 2], "salary": HOSPITAL.column("salary").tolist()})
    found = certify_table(classes, quasi_identifiers=["class"], sensitive="salary")
    assert found.t == pytest.approx(0.375)
    assert (found.k, found.distinct_l, found.classes) == (3, 3, 3)
    assert found.entropy_l == pytest.approx(3)


def test_a_class_that_agrees_on_the_sensitive_value_has_no_diversity():
    patients = Table.from_columns({"zip": ["30332"] * 3 + ["30333"] * 3, "G": ["yes"] * 3 + ["yes", "no", "no"]})
    found = certify_table(patients, quasi_identifiers=["zip"], k=3, sensitive="G", l_diversity=2)
    assert (found.k, found.distinct_l, found.holds) == (3, 1, False)
    assert found.t == pytest.approx(1 / 3)
    assert certify_table(patients, quasi_identifiers=["zip"], k=3, sensitive="G").holds
    assert not certify_table(patients, quasi_identifiers=["zip"], k=4, sensitive="G").holds


@st.composite
def tables(draw):
    size = draw(st.integers(1, 30))
    column = lambda values: st.lists(values, min_size=size, max_size=size)  # noqa: E731
    return Table.from_columns(
        {
            "age": draw(column(st.integers(0, 9))),
            "city": draw(column(st.sampled_from("abcd"))),
            "secret": draw(column(st.sampled_from("xyz"))),
        }
    )


@given(tables(), st.integers(1, 5), st.sampled_from([1, 1.5, 2]), st.sampled_from([0.2, 0.5, 1]))
def test_generalised_tables_meet_their_demands_or_none_does(table, k, diversity, closeness):
    demands = {"k": k, "sensitive": "secret", "l_diversity": diversity, "t_closeness": closeness}
    try:
        told = generalize_table(table, quasi_identifiers=["age", "city"], **demands, seed=3)
    except ParameterError:
        assert not certify_table(table, quasi_identifiers=[], **demands).holds
        return
    assert certify_table(told, quasi_identifiers=["age", "city"], **demands).holds
    order = np.argsort(SeededNoise(3).words(table.n_rows))
    for row, before in enumerate(order):
        low, _, high = told.column("age")[row].partition("..")
        assert int(low) <= table.column("age")[before] <= int(high or low)
        assert table.column("city")[before] in told.column("city")[row].split("|")
    assert told.column("secret").tolist() == table.column("secret")[order].tolist()


@given(tables())
def test_measures_are_those_of_the_definitions(table):
    found = certify_table(table, quasi_identifiers=["age", "city"], sensitive="secret")
    people = list(zip(*(table.column(name).tolist() for name in ("age", "city", "secret")), strict=True))
    classes = Counter(person[:2] for person in people)
    assert found.k == min(classes.values())
    assert found.distinct_l == min(len({p[2] for p in people if p[:2] == key}) for key in classes)
    overall = Counter(person[2] for person in people)
    distances = [
        sum(abs(sum(p == (*key, v) for p in people) / size - overall[v] / len(people)) for v in overall) / 2
        for key, size in classes.items()
    ]
    assert found.t == pytest.approx(max(distances))


def test_more_people_are_told_more_precisely():
    rng = np.random.default_rng(1)
    table = Table.from_columns({"age": rng.integers(0, 80, 500).tolist(), "secret": ["x"] * 500})
    classes = [
        certify_table(generalize_table(table, quasi_identifiers=["age"], k=k), quasi_identifiers=["age"]).classes
        for k in (2, 10, 100)
    ]
    assert classes[0] > classes[1] > classes[2] > 1


PEOPLE = Table.from_columns(
    {
        "name": [f"person {i}" for i in range(40)],
        "age": list(range(20, 60)),
        "city": ["Oslo", "Rome"] * 20,
        "sick": ["yes", "no", "no", "yes"] * 10,
    }
)


def test_columns_that_are_not_listed_are_left_out_and_kept_ones_must_not_name_people():
    made = generalize_table(PEOPLE, quasi_identifiers=["age"], k=5, sensitive="sick")
    assert list(made.columns) == ["age", "sick"]
    kept = generalize_table(PEOPLE, quasi_identifiers=["age"], k=5, sensitive="sick", keep=["city"])
    assert list(kept.columns) == ["age", "city", "sick"]
    with pytest.raises(ParameterError, match="'name' cannot be kept: it has 40 different values among 40"):
        generalize_table(PEOPLE, quasi_identifiers=["age"], k=5, keep=["name"])
    with pytest.raises(ParameterError, match="no column 'nmae'"):
        generalize_table(PEOPLE, quasi_identifiers=["age"], k=5, keep=["nmae"])


def test_rows_are_shuffled_in_secret():
    """Two orders of 20 pairs of rows agree with probability 2^20 / 40!, below 1e-40."""
    classes = {"age": [1] * 40, "row": [i // 2 for i in range(40)]}
    table = Table.from_columns(classes)
    once, again = (generalize_table(table, quasi_identifiers=["age"], k=5, keep=["row"]) for _ in range(2))
    orders = [each.column("row").tolist() for each in (once, again, table)]
    assert orders[0] != orders[1]
    assert classes["row"] not in orders[:2]
    assert sorted(orders[0]) == sorted(classes["row"])  # rows stay whole


def test_a_column_that_names_people_is_never_certified():
    coarse = generalize_table(PEOPLE, quasi_identifiers=["age"], k=5, keep=["city"], seed=1)
    found = certify_table(coarse, quasi_identifiers=["age"], k=5, keep=["city"])
    assert (found.holds, found.other_columns, found.naming_columns) == (True, ("city",), ())
    assert found.k_if_all_known < found.k
    named = Table({**coarse.columns, "name": PEOPLE.column("name")})
    found = certify_table(named, quasi_identifiers=["age"], k=5, keep=["city", "name"])
    assert (found.holds, found.naming_columns, found.k_if_all_known) == (False, ("name",), 1)
    nearly = Table({**coarse.columns, "name": np.array([*PEOPLE.column("name")[:30], *["-"] * 10])})
    assert not certify_table(nearly, quasi_identifiers=["age"], k=5, keep=["city", "name"]).holds
    found = certify_table(named, quasi_identifiers=["age"], k=5, sensitive="name")
    assert (found.holds, found.naming_columns) == (False, ("name",))
    with pytest.raises(ParameterError, match="'name' cannot be the sensitive one"):
        generalize_table(PEOPLE, quasi_identifiers=["age"], k=5, sensitive="name")


def test_a_column_that_nobody_listed_is_not_certified():
    """Each family name occurs twice, so that no rule about distinct values finds it; still it tells people apart."""
    coarse = generalize_table(PEOPLE, quasi_identifiers=["age"], k=5, sensitive="sick", seed=1)
    family = {"family": np.array([f"family {i // 2}" for i in range(40)])}
    demands = {"quasi_identifiers": ["age"], "k": 5, "sensitive": "sick"}
    found = certify_table(Table({**coarse.columns, **family}), **demands)
    assert (found.holds, found.unlisted_columns, found.naming_columns) == (False, ("family",), ())
    accepted = certify_table(Table({**coarse.columns, **family}), **demands, keep=["family"])
    assert (accepted.holds, accepted.other_columns, accepted.unlisted_columns) == (True, ("family",), ())
    assert accepted.k_if_all_known <= 2
    empty = Table({name: column[:0] for name, column in {**coarse.columns, **family}.items()})
    assert not certify_table(empty, **demands).holds
    with pytest.raises(ParameterError, match="no column 'famly'"):
        certify_table(coarse, **demands, keep=["famly"])


def test_tables_are_read_with_their_types(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text('name,zip,age,height\nann,03033,31,1.7\n"b, b",10115,40,1.8\n', encoding="utf-8")
    table = read_table(path)
    assert table.column("zip").tolist() == ["03033", "10115"]
    assert table.column("age").tolist() == [31, 40]
    assert (table.is_ordered("height"), table.is_ordered("name")) == (True, False)
    with pytest.raises(ParameterError, match="no column 'weight'"):
        table.column("weight")


@pytest.mark.parametrize("text", ["", "a,b\n1\n", 'a,b\n"1,2\n'])
def test_broken_tables_are_refused(tmp_path, text):
    path = tmp_path / "people.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GraphFormatError, match=r"people\.csv"):
        read_table(path)


def test_what_is_asked_must_make_sense():
    with pytest.raises(ParameterError, match="name it"):
        certify_table(HOSPITAL, quasi_identifiers=["zip"], l_diversity=2)
    with pytest.raises(ParameterError, match="at least 1"):
        generalize_table(HOSPITAL, quasi_identifiers=["zip"], k=0)
    with pytest.raises(ParameterError, match="equally long"):
        Table.from_columns({"a": [1], "b": [1, 2]})
