import pickle
import re
import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from graphveil.errors import BudgetExceeded, ParameterError, RefusedByLedger
from graphveil.privacy.ledger.ledger import Ledger
from graphveil.privacy.loss import Approximate, Concentrated, Pure
from graphveil.privacy.unit import EDGE, NODE, Trust

HALF = Pure(Fraction(1, 2))
REST = "dataset, '0', delta, rho, request_id, what, time, version, part_of, edges, graph, people"


@pytest.fixture(params=["file", "memory"])
def ledger(request, tmp_path: Path) -> Ledger:
    opened = Ledger.in_memory() if request.param == "memory" else Ledger.open(tmp_path / "a.ledger")
    opened.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
    return opened


def test_three_tenths_fit_three_times_a_tenth(ledger: Ledger) -> None:
    ledger.declare("thirds", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction("0.3"), separate=True)
    for number in range(3):
        ledger.spend("thirds", Pure(Fraction("0.1")), request_id=None, what=f"query {number}")
    assert ledger.left("thirds") == (0, 0)
    assert ledger.spent("thirds") == (Fraction("0.3"), 0)
    assert ledger.left("friends") == (1, 0)  # another dataset is not touched


def test_a_refused_request_spends_nothing(ledger: Ledger) -> None:
    ledger.spend("friends", HALF, request_id="a", what="edges")
    with pytest.raises(BudgetExceeded) as refusal:
        ledger.spend("friends", Pure(Fraction(3, 4)), request_id="b", what="triangles")
    assert str(refusal.value) == (
        "the budget of 'friends' is exceeded: asked epsilon 0.75, left epsilon 0.5 of 1; "
        "epsilon 0.5 or less would fit; nothing was spent"
    )
    assert refusal.value.asked == Pure(Fraction(3, 4))
    assert refusal.value.left == (Fraction(1, 2), 0)
    assert [entry.request_id for entry in ledger.entries()] == ["a"]
    assert ledger.left("friends") == (Fraction(1, 2), 0)
    ledger.spend("friends", HALF, request_id="b", what="triangles")  # what was said to fit does fit


def test_losses_paid_together_are_one_entry_and_counted_one_by_one(ledger: Ledger) -> None:
    tail = {"delta": Fraction(1, 10**6), "tail_delta": Fraction(1, 10**6)}
    for name in ("together", "alone"):
        ledger.declare(name, unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1), **tail, separate=True)
    parts = [Pure(Fraction(1, 50)), Pure(Fraction(1, 100)), Pure(Fraction(1, 100))]
    for number in range(40):
        entry = ledger.spend_together("together", parts, request_id=f"r{number}", what="three")
        assert ledger.settle(entry, f"{number}") == f"{number}"
        for loss in parts:
            ledger.spend("alone", loss, request_id=None, what="one")
    assert ledger.spent("together") == ledger.spent("alone") < (Fraction(1), 1)
    assert ledger.left("together") == ledger.left("alone")
    assert [(e.losses, e.what, e.settled) for e in ledger.entries("together")] == [(tuple(parts), "three", True)] * 40
    assert len(ledger.entries()) == 40 + 120


def test_losses_paid_together_are_paid_once_or_not_at_all(ledger: Ledger) -> None:
    first = ledger.spend_together("friends", [HALF, Pure(Fraction(1, 4))], request_id="a", what="two")
    assert ledger.spend_together("friends", first.losses, request_id="a", what="two") == first
    ledger.settle(first, "12")
    assert (ledger.stored("a"), ledger.left("friends")[0]) == ("12", Fraction(1, 4))
    for others in ([HALF], [HALF, HALF], [Pure(Fraction(1, 4)), HALF]):
        with pytest.raises(ParameterError, match="another request"):
            ledger.spend_together("friends", others, request_id="a", what="two")
    with pytest.raises(BudgetExceeded) as refusal:
        ledger.spend_together("friends", [Pure(Fraction(1, 5))] * 2, request_id="b", what="two")
    assert str(refusal.value) == (
        "the budget of 'friends' is exceeded: asked epsilon 0.4 for 2 answers, left epsilon 0.25 of 1; "
        "epsilon 0.25 or less, shared in the same way, would fit; nothing was spent"
    )
    assert refusal.value.asked == (Pure(Fraction(1, 5)),) * 2
    assert len(ledger.entries()) == 1
    with pytest.raises(ParameterError, match="at least one loss"):
        ledger.spend_together("friends", [], request_id="b", what="none")


def test_a_part_of_a_batch_is_no_entry(ledger: Ledger) -> None:
    batch = ledger.spend_together("friends", [Pure(Fraction(1, 4)), Pure(Fraction(1, 8))], request_id=None, what="two")
    assert ledger.release_of(batch.id) == (batch, None)
    assert ledger.release_of(batch.id + 1) is None
    assert [ledger.part_of(number) for number in (batch.id, batch.id + 1, batch.id + 2)] == [None, batch.id, None]


def test_what_is_said_to_fit_of_a_batch_does_fit(ledger: Ledger) -> None:
    tail = Fraction(1, 10**6)
    ledger.declare("d", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1), delta=tail, tail_delta=tail, separate=True)
    ledger.spend_together("d", [Pure(Fraction(1, 100))] * 400, request_id=None, what="many")
    with pytest.raises(BudgetExceeded, match="asked epsilon 9 for 3 answers") as refusal:
        ledger.spend_together("d", [Pure(Fraction(4)), Pure(Fraction(4)), Pure(Fraction(1))], request_id=None, what="x")
    fits = Fraction(re.search(r"epsilon ([0-9.]+) or less, shared", str(refusal.value))[1])
    assert fits > ledger.left("d")[0]  # three losses are less than one of their sum
    wider = [Pure(fits * share * Fraction(1001, 1000) / 9) for share in (4, 4, 1)]
    with pytest.raises(BudgetExceeded):
        ledger.spend_together("d", wider, request_id=None, what="x")
    ledger.spend_together("d", [Pure(fits * share / 9) for share in (4, 4, 1)], request_id=None, what="x")
    ledger.spend("friends", Pure(Fraction(1)), request_id=None, what="all")
    with pytest.raises(BudgetExceeded, match="nothing more would fit"):
        ledger.spend_together("friends", [HALF] * 2, request_id=None, what="x")


def test_nobody_can_write_a_part_of_another_entry(ledger: Ledger) -> None:
    entry = ledger.spend("friends", HALF, request_id="a", what="edges")
    with pytest.raises(ParameterError, match="one line of text"):  # what marked parts in format 1
        ledger.spend("friends", HALF, request_id=None, what=f"\tpart of entry {entry.id}")
    ledger.spend("friends", HALF, request_id=None, what=f"part of entry {entry.id}")
    assert [len(each.losses) for each in ledger.entries()] == [1, 1]


def test_a_refusal_survives_the_way_between_processes(ledger: Ledger) -> None:
    with pytest.raises(BudgetExceeded) as refusal:
        ledger.spend("friends", Pure(Fraction(2)), request_id=None, what="edges")
    copy = pickle.loads(pickle.dumps(refusal.value))
    assert (str(copy), copy.asked, copy.left) == (str(refusal.value), refusal.value.asked, refusal.value.left)


def test_a_repeated_request_is_not_paid_again(ledger: Ledger) -> None:
    first = ledger.spend("friends", HALF, request_id="a", what="edges")
    again = ledger.spend("friends", HALF, request_id="a", what="edges")
    assert again == first
    assert not first.settled
    assert ledger.left("friends") == (Fraction(1, 2), 0)
    ledger.spend("friends", HALF, request_id="b", what="edges")
    assert ledger.spend("friends", HALF, request_id="a", what="edges") == first  # also when nothing is left


@pytest.mark.parametrize(
    ("dataset", "loss", "what"),
    [("others", HALF, "edges"), ("friends", Pure(Fraction(1, 4)), "edges"), ("friends", HALF, "triangles")],
)
def test_a_request_id_stands_for_one_request_only(ledger: Ledger, dataset: str, loss: Pure, what: str) -> None:
    ledger.declare("others", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1), separate=True)
    ledger.spend("friends", HALF, request_id="a", what="edges")
    with pytest.raises(ParameterError, match="'a' is on record for another request"):
        ledger.spend(dataset, loss, request_id="a", what=what)
    assert len(ledger.entries()) == 1


def test_without_a_request_id_every_spend_is_new(ledger: Ledger) -> None:
    one = ledger.spend("friends", HALF, request_id=None, what="edges")
    two = ledger.spend("friends", HALF, request_id=None, what="edges")
    assert one.id != two.id
    assert ledger.left("friends") == (0, 0)


def test_the_first_settled_release_is_the_only_one(ledger: Ledger) -> None:
    entry = ledger.spend("friends", HALF, request_id="a", what="edges")
    assert ledger.stored("a") is None
    assert not ledger.entries()[0].settled
    assert ledger.settle(entry, '{"value": 1}') == '{"value": 1}'
    assert ledger.settle(entry, '{"value": 2}') == '{"value": 1}'
    assert ledger.stored("a") == '{"value": 1}'
    assert ledger.entries()[0].settled
    assert ledger.stored("unknown") is None


def test_an_entry_of_another_ledger_is_not_settled_here(ledger: Ledger) -> None:
    other = Ledger.in_memory()
    other.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
    ledger.spend("friends", HALF, request_id="a", what="edges")
    stranger = other.spend("friends", HALF, request_id="b", what="edges")
    with pytest.raises(ParameterError, match="not of this ledger"):
        ledger.settle(stranger, "{}")


def test_a_declaration_is_final(ledger: Ledger) -> None:
    ledger.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
    for unit, trust in ((NODE, Trust.CENTRAL), (EDGE, Trust.LOCAL)):
        with pytest.raises(RefusedByLedger, match="on file with unit edge, central model, epsilon 1"):
            ledger.declare("friends", unit=unit, trust=trust, epsilon=Fraction(1))
    for limits in ({"epsilon": Fraction(2)}, {"epsilon": Fraction(1), "delta": Fraction(1, 10)}):
        with pytest.raises(ParameterError, match="on file with unit edge, central model, epsilon 1, delta 0"):
            ledger.declare("friends", unit=EDGE, trust=Trust.CENTRAL, **limits)
    assert ledger.left("friends") == (1, 0)
    assert [(d.name, d.unit, d.trust, d.epsilon, d.delta) for d in ledger.datasets()] == [
        ("friends", EDGE, Trust.CENTRAL, 1, 0)
    ]


def test_an_undeclared_dataset_is_named(ledger: Ledger) -> None:
    for ask in (
        lambda: ledger.spend("strangers", HALF, request_id=None, what="edges"),
        lambda: ledger.left("strangers"),
        lambda: ledger.spent("strangers"),
    ):
        with pytest.raises(ParameterError, match="no budget is declared for 'strangers'; declared are: 'friends'"):
            ask()


@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "nul\x00", "\ud800"])
def test_text_that_would_break_a_line_is_refused(ledger: Ledger, text: str) -> None:
    with pytest.raises(ParameterError, match="one line of text"):
        ledger.declare(text, unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
    with pytest.raises(ParameterError, match="one line of text"):
        ledger.spend("friends", HALF, request_id=text, what="edges")
    with pytest.raises(ParameterError, match="one line of text"):
        ledger.spend("friends", HALF, request_id="a", what=text)


def test_every_kind_of_loss_is_kept_exactly(tmp_path: Path) -> None:
    losses = [Pure(Fraction(1, 7)), Approximate(Fraction(1, 3), Fraction(1, 10**9)), Concentrated(Fraction(1, 10**5))]
    ledger = Ledger.open(tmp_path / "a.ledger")
    ledger.declare(
        "d", unit=NODE, trust=Trust.LOCAL, epsilon=Fraction(2), delta=Fraction(1, 100), tail_delta=Fraction(1, 200)
    )
    for loss in losses:
        ledger.spend("d", loss, request_id=None, what="größe ≤ 3")
    again = Ledger.open(tmp_path / "a.ledger")
    assert [entry.losses for entry in again.entries("d")] == [(loss,) for loss in losses]
    assert again.datasets() == ledger.datasets()
    assert again.left("d") == ledger.left("d")
    entry = again.entries()[0]
    assert entry.what == "größe ≤ 3"
    assert abs(datetime.now(UTC) - datetime.fromisoformat(entry.time)) < timedelta(minutes=10)
    assert re.match(r"\d+\.\d+", entry.version)


def test_a_loss_beyond_any_text_is_refused(ledger: Ledger) -> None:
    with pytest.raises(ParameterError, match="round it up"):
        ledger.spend("friends", Pure(Fraction(1, 10**5000)), request_id=None, what="edges")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE spend SET epsilon = '0'",
        "DELETE FROM spend",
        "UPDATE budget SET epsilon = '100'",
        "DELETE FROM budget",
        "UPDATE release SET json = '{}'",
        "DELETE FROM release",
        f"INSERT OR REPLACE INTO spend SELECT id, {REST} FROM spend",
        f"INSERT OR REPLACE INTO spend SELECT 99, {REST} FROM spend",
        "INSERT OR REPLACE INTO budget SELECT dataset, unit, trust, '9', delta, '0', rho, time, version FROM budget",
        "INSERT OR REPLACE INTO release SELECT spend_id, '{}', time, version FROM release",
    ],
)
def test_the_file_itself_refuses_to_forget(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "a.ledger"
    ledger = Ledger.open(path)
    ledger.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
    ledger.settle(ledger.spend("friends", HALF, request_id="a", what="edges"), '{"value": 1}')
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()
    assert ledger.left("friends") == (Fraction(1, 2), 0)
    assert ledger.stored("a") == '{"value": 1}'


def test_threads_share_a_ledger(ledger: Ledger) -> None:
    outcomes: list[bool] = []

    def ask() -> None:
        try:
            ledger.spend("friends", Pure(Fraction(1, 4)), request_id=None, what="edges")
            outcomes.append(True)
        except BudgetExceeded:
            outcomes.append(False)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [False] * 4 + [True] * 4
    assert ledger.left("friends") == (0, 0)


def test_only_pure_losses_are_paid_together() -> None:
    ledger = Ledger.in_memory()
    ledger.declare("d", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1), delta=Fraction(1, 100), separate=True)
    for losses in ([], [Pure(Fraction(1, 10)), Approximate(Fraction(1, 10), Fraction(1, 1000))]):
        with pytest.raises(ParameterError, match="each a pure one"):
            ledger.spend_together("d", losses, request_id=None, what="x")
    assert ledger.spent("d") == (0, 0)


def test_people_raise_the_limit_of_their_own_list_and_curators_never_do(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "my.diary")
    ledger.declare("mine", unit=EDGE, trust=Trust.LOCAL, epsilon=Fraction(1, 2))
    ledger.spend("mine", Pure(Fraction(1, 2)), request_id=None, what="a")
    for lower in (Fraction(1, 4), Fraction(1, 2)):
        with pytest.raises(ParameterError, match="not above it"):
            ledger.raise_limit("mine", lower)
    for limit in (1, 2):
        ledger.raise_limit("mine", Fraction(limit))
        assert Ledger.open(tmp_path / "my.diary").left("mine")[0] == limit - Fraction(1, 2)
    with pytest.raises(BudgetExceeded):
        ledger.spend("mine", Pure(Fraction(2)), request_id=None, what="b")
    held = Ledger.in_memory()
    held.declare("friends", unit=EDGE, trust=Trust.CENTRAL, epsilon=Fraction(1))
    with pytest.raises(ParameterError, match="final"):
        held.raise_limit("friends", Fraction(2))
