"""Answers to one question by randomised response: the better channel, intervals, campaigns of clients."""

import numpy as np
import pytest
from scipy.stats import binom

from graphveil.cli.collect.campaign import _columns, protected
from graphveil.errors import ParameterError
from graphveil.evaluation.reports.results import collection_report
from graphveil.graph.core import Graph
from graphveil.local.attributes.shares import AttributeShares, list_of_answer
from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.degrees.frequency import BinBits, BinNumber
from graphveil.local.experiment import run_experiment
from graphveil.local.forecast import forecast_errors
from graphveil.local.result import entry_names, entry_rows, result_document
from graphveil.local.simulate import seeded, simulate
from graphveil.mechanisms.response import KaryResponse
from graphveil.mechanisms.unary import OptimalUnary
from graphveil.registry import build_protocol

PEOPLE = 400
NOBODY = Graph.from_edges([], n_nodes=PEOPLE)
ANSWERS = np.repeat([0, 1, 2], [240, 120, 40])


def protocol(epsilon=1, values="red,green,blue", n_people=PEOPLE) -> AttributeShares:
    return build_protocol(
        "attribute-shares", "veil", unit="node", epsilon=epsilon, n_people=n_people, parameters={"values": values}
    )


@pytest.mark.parametrize("epsilon", ["0.3", "1", "2"])
@pytest.mark.parametrize("count", [2, 3, 6, 12, 40])
def test_the_channel_is_the_one_with_the_smaller_variance(epsilon, count):
    channel = protocol(epsilon, ",".join(f"v{i}" for i in range(count))).channel
    number, bits = (
        law(epsilon=channel.epsilon, n_values=count).variance(PEOPLE) for law in (KaryResponse, OptimalUnary)
    )
    assert isinstance(channel, BinNumber if number <= bits else BinBits)
    assert channel.response.variance(PEOPLE) == min(number, bits)


def test_intervals_hold_as_often_as_they_say_and_louder_answers_are_seen():
    """95 % of entries; a right program fails with probability below 1e-6, and one at half its epsilon must fail."""
    runs = 150

    def held(asked: AttributeShares, answered: AttributeShares) -> int:
        inside = 0
        for seed in range(runs):
            sent = simulate(answered, NOBODY, seed=seed, answers=ANSWERS)
            std = asked.conclude(np.full(3, PEOPLE // 3), PEOPLE).std
            inside += int(np.all(np.abs(sent.value - [0.6, 0.3, 0.1]) <= 2.4 * std))
        return inside

    least = int(binom.ppf(1e-6, runs, 0.95))
    assert held(protocol(), protocol()) >= least
    assert held(protocol(), protocol("0.5")) < least


def test_a_campaign_of_clients_gives_what_a_simulation_gives():
    campaign = Campaign.create(
        "attribute-shares", "veil", unit="node", epsilon=1, n_people=60, title="May", values="no,yes"
    )
    answers = np.arange(60) % 2
    collector = Collector(campaign)
    lists = [list_of_answer(campaign.protocol, person, ("no", "yes")[answer]) for person, answer in enumerate(answers)]
    clients = [Client(campaign, person, listed, source=seeded(5)) for person, listed in enumerate(lists)]
    state, verdicts = collector.take(CollectorState(), [client.answer(1) for client in clients])
    assert set(verdicts) == {None}
    expected = simulate(campaign.protocol, Graph.from_edges([], n_nodes=60), seed=5, answers=answers)
    assert collector.outcome(collector.close_round(state)).value.tolist() == expected.value.tolist()


def test_results_name_the_answers_in_the_report_and_in_the_tables():
    document = {"campaign": "x"} | result_document(simulate(protocol(), NOBODY, answers=ANSWERS))
    assert entry_names(document) == ["red", "green", "blue"]
    page = collection_report(document).html()
    assert all(f">{answer}<" in page for answer in ("red", "green", "blue"))
    assert "a person's answer" in page.replace("&#39;", "'").replace("&#x27;", "'")
    assert "friend" not in page
    assert protected(document) == "epsilon 1 for one person's answer"
    assert [row[0] for row in entry_rows(document)] == ["red", "green", "blue"]
    assert _columns(document)["label"] == ["red", "green", "blue"]


def test_an_experiment_and_a_forecast_say_how_far_off_it_is():
    document = run_experiment(
        NOBODY,
        statistic="attribute-shares",
        protocol="veil",
        unit="node",
        epsilon=8,
        runs=2,
        seed=1,
        answers=ANSWERS,
        values="red,green,blue",
    )
    assert document["metrics"]["relative_error"] < 0.1
    assert document["facts"]["answers"] == "red, green, blue"
    forecast = forecast_errors(protocol(4), mean_degree=20, clustering=0.5)
    assert forecast.metrics["relative_error"] < forecast.guess["relative_error"]


def test_a_graph_alone_does_not_say_what_people_answer():
    with pytest.raises(ParameterError, match=r"--people TABLE\.csv --attribute COLUMN"):
        run_experiment(NOBODY, statistic="attribute-shares", protocol="veil", unit="node", epsilon=1)


@pytest.mark.parametrize("values", ["", "yes", "yes,yes", "yes,,no", ",".join(f"v{i}" for i in range(101))])
def test_answers_that_cannot_be_told_apart_are_refused(values):
    with pytest.raises(ParameterError, match="2 to 100 different answers"):
        protocol(values=values)


def test_an_answer_is_one_of_those_offered_and_fits_the_campaign():
    assert [list_of_answer(protocol(), 1, value) for value in ("red", "green", "blue")] == [[], [0], [0, 2]]
    with pytest.raises(ParameterError, match="'pink' is none of its answers: give one of red, green, blue"):
        list_of_answer(protocol(), 1, "pink")
    with pytest.raises(ParameterError, match="no answer was given"):
        list_of_answer(protocol(), 1, None)
    degrees = build_protocol("degree-distribution", "grr", unit="node", epsilon=1, n_people=9)
    assert list_of_answer(degrees, 1, None) is None
    with pytest.raises(ParameterError, match="asks for a friend list"):
        list_of_answer(degrees, 1, "red")
