from __future__ import annotations

import json

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.experiment import run_experiment
from graphveil.local.statistics import distribution_metrics, entry_metrics

NETWORK = power_law_cluster(120, 3, 0.5, seed=1)
ASKED = {"statistic": "degree-distribution", "unit": "node", "epsilon": 1}


def test_the_document_has_what_scripts_depend_on() -> None:
    document = run_experiment(NETWORK, protocol="veil", runs=3, seed=1, **ASKED)
    assert {"protocol", "statistic", "unit", "epsilon", "guarantee", "metrics", "cost", "seconds", "runs"} <= set(
        document
    )
    assert set(document["metrics"]) == {"mse", "mae", "relative_error", "wasserstein", "ks"}
    assert set(document["cost"]) == {"upload_bits_per_user", "download_bits_per_user"}
    assert document["guarantee"]["relationship_epsilon"] == 2.0
    assert document["guarantee"]["status"] == "seeded-no-guarantee"
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_runs_have_their_own_seeds_and_means_are_over_them() -> None:
    three = run_experiment(NETWORK, protocol="oue", runs=3, seed=7, **ASKED)
    single = [run_experiment(NETWORK, protocol="oue", runs=1, seed=7 + i, **ASKED)["metrics"] for i in range(3)]
    for name, mean in three["metrics"].items():
        values = [metrics[name] for metrics in single]
        assert mean == pytest.approx(np.mean(values))
        assert three["spread"][name] == pytest.approx(np.std(values, ddof=1))


def test_without_a_seed_the_guarantee_stands_unless_the_claim_is_refuted() -> None:
    assert run_experiment(NETWORK, protocol="veil", **ASKED)["guarantee"]["status"] == "proved"
    leaking = run_experiment(NETWORK, protocol="gs-ldp", **ASKED)
    assert leaking["guarantee"]["status"] == "claim-refuted"
    assert leaking["claim"]["verdict"] == "refuted"


def test_people_choose_about_evenly_where_there_is_a_choice() -> None:
    document = run_experiment(NETWORK, protocol="preference", seed=1, **{**ASKED, "unit": "edge"})
    assert document["parameters"]["strengths"] == ["node:1/2", "node:1", "edge:1"]


def test_wrong_questions_are_refused() -> None:
    for change in ({"protocol": "veil", "runs": 0}, {"protocol": "vail"}, {"protocol": "veil", "colour": 1}):
        with pytest.raises(ParameterError):
            run_experiment(NETWORK, **ASKED, **change)
    with pytest.raises(ParameterError, match="unknown statistic"):
        run_experiment(NETWORK, protocol="veil", **{**ASKED, "statistic": "diameter"})


def test_longer_tables_of_zeros_do_not_look_better() -> None:
    truth, guess = [0.25, 0.25, 0.5], [0.5, 0.25, 0.25]
    plain = distribution_metrics(guess, truth)
    assert distribution_metrics([*guess, *[0.0] * 50], truth) == plain
    assert distribution_metrics(guess, [*truth, 0.0, 0.0]) == plain
    far = distribution_metrics([0.25, 0.25, 0, 0, 0.5], truth)
    assert far["wasserstein"] == pytest.approx(1.0)
    assert far["mse"] == pytest.approx(0.5 / 3)


def test_errors_of_numbers_and_of_their_sum() -> None:
    assert entry_metrics(11.0, 10.0) == {"mse": 1.0, "mae": 1.0, "relative_error": 0.1}
    assert entry_metrics([1.0], [0.0])["relative_error"] == 1.0
    assert entry_metrics([0.0], [0.0])["relative_error"] == 0.0
