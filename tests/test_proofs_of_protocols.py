"""What Coq checked about messages and channels is what local protocols send, and about servers what these add up."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from check_proofs import POINTS, RECORD

from graphveil.central.attributes.node_mixing import CellBounds
from graphveil.central.node.patterns.optimum import ETA
from graphveil.local.clustering import plain
from graphveil.local.degrees.channels import WaveChannel
from graphveil.local.degrees.frequency import BinBits, BinNumber
from graphveil.local.degrees.two_stage import TwoStages
from graphveil.local.degrees.veil import SetsOrWaves
from graphveil.local.losses import Message, Messages
from graphveil.local.pairs.replies import PairAnswers
from graphveil.local.protocol import LocalProtocol, RoundContext
from graphveil.local.randomizers import AddedLaplace, AddedLaplaceRow, Answer, BitAnswers
from graphveil.local.triangles import counts
from graphveil.mechanisms.readings import ClassTable, Reading
from graphveil.mechanisms.response import KaryResponse
from graphveil.mechanisms.square_wave import SquareWave
from graphveil.mechanisms.subset import SubsetSelection
from graphveil.mechanisms.unary import UnaryResponse
from graphveil.papers.peers import arr_triangles, local2rounds
from graphveil.privacy.unit import Kind
from graphveil.registry import PROTOCOLS, Row
from graphveil.registry_theorems import THEOREMS

CHECKED = json.loads(RECORD.read_text(encoding="utf-8"))
CONSTANTS = CHECKED["constants"]
PEOPLE = 50
ROWS = [row for row in PROTOCOLS if row.location in THEOREMS]
CHANNELS = {KaryResponse: "kary_loss", SquareWave: "wave_loss", SubsetSelection: "subset_loss"}
COUNTS = {
    "WholeRange": {"accepted_edges_at_most", "whole_list_count_range"},
    "_ThresholdLimits": {"cut_list_count_range"},
    "looked": {"accepted_edges_rise", "looked_count_change"},
    "counted": {"accepted_edges_rise", "local_count_change"},
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.query}-{row.name}")
def test_a_protocol_names_the_theorems_of_what_it_sends(row: Row):
    """Of all messages, at every strength and at public parameters that ask for another channel."""
    named = {"entry_loss"}
    for protocol in forms_of(row):
        named |= set() if protocol.directed else {"relationship_loss"}  # where a relationship is one entry of one list
        for sent, message, strength in messages_of(protocol):
            named |= theorems_of(protocol, sent, message, strength)
    assert named == set(THEOREMS[row.location])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.query}-{row.name}")
def test_messages_are_randomised_for_what_was_proved(row: Row):
    """One entry moves a number by 1, a whole list by as much as there are other people."""
    for protocol in forms_of(row):
        for sent, message, _ in messages_of(protocol):
            drawn = message.randomizer
            if isinstance(drawn, AddedLaplaceRow):
                assert drawn.sensitivity == CONSTANTS["labelled_entries_constant"]
            if not isinstance(drawn, AddedLaplace | PairAnswers) or message.what == "projected degree":
                continue
            proved = CONSTANTS["entries_constant"] if sent.unit is Kind.EDGE else PEOPLE - 1
            assert drawn.sensitivity == proved


def test_a_whole_list_changes_as_many_entries_as_there_are_others():
    assert CONSTANTS["any_change_constant"] == [n - 1 for n in range(1, POINTS + 1)]


def test_projected_degrees_have_noise_for_their_range():
    (row,) = (row for row in ROWS if row.name == "edge-proj")
    protocol = row.build(Fraction(1), n_people=PEOPLE)
    ranges = [protocol.added(bound).sensitivity for bound in range(1, POINTS + 1)]
    assert ranges == CONSTANTS["cut_degree_constant"]


@pytest.mark.parametrize("t", range(2, 7))
def test_worst_ratios_are_those_of_the_theorems(monkeypatch: pytest.MonkeyPatch, t: int):
    """With probabilities in sevenths, wherever reports near the value are the likelier ones."""
    for module in ("response", "square_wave", "subset"):
        monkeypatch.setattr(f"graphveil.mechanisms.{module}.GRID", 7)
        monkeypatch.setattr(f"graphveil.mechanisms.{module}.keep_threshold", lambda *_, **__: t)
    one = Fraction(1)
    made = {
        "kary_constant": {k: lambda k=k: KaryResponse(epsilon=one, n_values=k) for k in range(2, POINTS + 1)},
        "wave_constant": {h: lambda h=h: SquareWave(epsilon=one, n_values=5, half_width=h) for h in (1, 2)},
        "subset_constant": {s: lambda s=s: SubsetSelection(epsilon=one, n_values=7, size=s) for s in range(1, 7)},
    }
    compared = 0
    for name, responses in made.items():
        for point, response in responses.items():
            above, below = CONSTANTS[name][point - 1][t - 1]
            if above > below:
                assert response().worst_ratio == Fraction(above, below)
                compared += 1
    assert compared


def test_unary_ratios_are_those_of_the_theorem():
    for p in range(1, 7):
        for q in range(1, p):

            class Fixed(UnaryResponse):
                keep_probability, flip_probability = Fraction(p, 7), Fraction(q, 7)

            above, below = CONSTANTS["unary_constant"][p - 1][q - 1]
            assert Fixed(epsilon=Fraction(1), n_values=3).worst_ratio == Fraction(above, below)


def test_the_ratio_of_two_stages_is_the_worst_of_the_three_proved():
    """Groups kept with probability 5/7, bits set with 4/7 and 2/7."""
    place = SimpleNamespace(
        keep_probability=Fraction(4, 7), flip_probability=Fraction(2, 7), worst_ratio=Fraction(4 * 5, 3 * 2)
    )
    for m, three in enumerate(CONSTANTS["two_stage_constant"][1:], start=2):
        group = SimpleNamespace(worst_ratio=Fraction(*CONSTANTS["kary_constant"][m - 1][4]))
        stages = SimpleNamespace(place=place, group=group)
        assert TwoStages.worst_ratio.fget(stages) == max(Fraction(*ratio) for ratio in three)


@pytest.mark.parametrize("bound", range(2, POINTS + 1))
def test_counts_have_noise_for_the_widths_of_the_theorems(monkeypatch: pytest.MonkeyPatch, bound: int):
    """With 8 parts for 2^16."""
    for module in (counts, local2rounds, arr_triangles, plain):
        monkeypatch.setattr(module, "PARTS", 8)
    bounds = np.array([bound])
    for c in range(1, 8):
        response = SimpleNamespace(flip_parts=c)
        for cap in range(1, bound):
            for limits, name in ((Capped(cap), "count_width_constant"), (Looked(cap), "looked_width_constant")):
                assert limits.widths(bounds, response, 1)[0] == CONSTANTS[name][bound - 1][c - 1][cap - 1]
        whole = local2rounds.WholeRange(n_people=10).widths(bounds, response, 1)[0]
        assert whole == max(1, CONSTANTS["whole_range_constant"][bound - 1][c - 1])
    cut = plain._ThresholdLimits(bound).widths(bounds, SimpleNamespace(flip_parts=1), 1)[0]
    assert cut == CONSTANTS["cut_range_constant"][bound - 1]


@pytest.mark.parametrize("bound", range(1, POINTS + 1))
def test_pairs_of_a_list_are_those_of_the_theorem(bound: int):
    sizes = np.arange(9)
    assert counts.capped_pairs(sizes, np.full(9, bound)).tolist() == CONSTANTS["capped_pairs_constant"][bound - 1]


def test_steps_of_a_plan_cost_what_the_theorem_says():
    step = Reading((0,), (0, 1), Fraction(1))
    assert CONSTANTS["reading_constant"] == [[step.cost(i, j) for j in range(3)] for i in range(3)]
    assert [ClassTable(1, Fraction(1)).cost(i, j) for i, j in ((1, 1), (0, 1), (0, 0))] == [1, 0, 0]


def test_cells_of_groups_have_noise_for_all_cells_of_one_group():
    for bound, table in enumerate(CONSTANTS["node_cells_constant"], start=1):
        for groups, (alike, weighted) in enumerate(table, start=1):
            assert CellBounds(bound, bound, groups).sensitivity() == alike
            assert CellBounds(bound, 4 * bound, groups).sensitivity() * 2 == weighted


def test_optima_are_proved_as_closely_as_the_theorem_needs():
    assert CONSTANTS["program_slack_constant"] == 1 / ETA


class Capped(counts.SizeLimits):
    """Limits with a given cap."""

    def __init__(self, cap: int) -> None:
        object.__setattr__(self, "cap", cap)

    def caps(self, bounds: Any, response: Any, weight: int) -> Any:
        return np.full(len(bounds), self.cap)


class Looked(arr_triangles.ThinnedLimits):
    """The same for pairs of which one side has to be reported."""

    def __init__(self, cap: int) -> None:
        object.__setattr__(self, "cap", cap)
        object.__setattr__(self, "sides", 1)

    caps = Capped.caps


def forms_of(row: Row) -> Iterator[LocalProtocol]:
    """The protocol, and those of other public parameters that send something else."""
    protocol: Any = row.build(Fraction(1), n_people=PEOPLE)
    yield protocol
    if hasattr(protocol, "values"):
        yield replace(protocol, values=tuple(map(str, range(PEOPLE))))
    if row.name == "preference" and row.query in ("triangle-sequence", "clustering"):
        yield replace(protocol, strengths=("1", "node:1"))


def messages_of(protocol: Any) -> Iterator[tuple[Messages, Message, Any]]:
    """Everything that depends on a list, at every strength, with the strength where there is a choice."""
    for choice in range(protocol.n_strengths):
        sent = protocol.messages(RoundContext(), choice)
        strength = protocol.design.strengths[choice] if hasattr(protocol, "design") else None
        yield from ((sent, message, strength) for message in sent.parts if message.reads)


def theorems_of(protocol: Any, sent: Messages, message: Message, strength: Any) -> set[str]:
    """What the loss of a message rests on."""
    match message.randomizer:
        case AddedLaplace() | PairAnswers() if message.what != "projected degree":
            return {"entries_sensitivity" if sent.unit is Kind.EDGE else "any_change_of_a_list"}
        case AddedLaplace():
            return {"cut_degree_sensitivity"}
        case AddedLaplaceRow():
            return {"labelled_entries_sensitivity"}
        case BitAnswers(response=response) | Answer(response=response) | BinNumber(response=response):
            return {next(name for kind, name in CHANNELS.items() if isinstance(response, kind))}
        case BinBits():
            return {"unary_loss"}
        case TwoStages():
            return {"two_stage_loss"}
        case SetsOrWaves(set_share=share):
            return {"wave_loss"} | ({"subset_loss"} if share else set())
        case WaveChannel():
            return {"wave_loss"}
    limits = type(strength.limits).__name__
    return COUNTS["looked" if getattr(protocol, "sides", 0) == 1 else limits if limits in COUNTS else "counted"]
