"""What a user of `audit` relies on: the right verdict, words, repeatability, clear refusals."""

import json
from fractions import Fraction

import numpy as np
import pytest

from graphveil.audit import AuditVerdict, Pair, audit
from graphveil.audit.engine.tester import examine
from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bulk import bulk_discrete_laplace
from graphveil.mechanisms.noise.source import SeededNoise


def laplace(rate):
    def noisy_count(truth, count, noise):
        return truth + bulk_discrete_laplace(noise, Fraction(rate), count)

    return noisy_count


def test_a_sound_mechanism_passes_close_to_its_epsilon():
    result = audit(laplace(1), pairs=[(3, 4)], epsilon=1, samples=4000, seed=1)
    assert result.verdict is AuditVerdict.CONSISTENT
    assert 0.85 < result.epsilon_lower_bound <= 1


def test_too_little_noise_is_refuted():
    result = audit(laplace(2), pairs=[(3, 4)], epsilon=1, samples=2000, seed=1)
    assert result.verdict is AuditVerdict.REFUTED
    assert 1.6 < result.epsilon_lower_bound <= 2


def test_a_claimed_delta_excuses_a_rare_failure_and_no_more():
    def failing(truth, count, noise):
        outputs = laplace(1)(truth, count, noise)
        return np.where(noise.words(count) < np.uint64(2**64 // 20), 1000 + truth, outputs)

    options = {"pairs": [(0, 1)], "epsilon": 1, "samples": 4000, "seed": 2}
    assert audit(failing, **options).verdict is AuditVerdict.REFUTED
    assert audit(failing, **options, delta=0.01).verdict is AuditVerdict.REFUTED
    assert audit(failing, **options, delta=0.05).verdict is AuditVerdict.CONSISTENT


def test_noise_used_twice_is_seen_in_a_difference():
    def two_counts(truth, count, noise):
        drawn = bulk_discrete_laplace(noise, Fraction(1, 40), count)
        return np.column_stack((truth[0] + drawn, truth[1] + drawn))

    result = audit(two_counts, pairs=[((5, 9), (6, 9))], epsilon=1, samples=500, seed=1)
    assert result.epsilon_lower_bound > 4
    assert "entry 1 minus entry 0" in result.event


def test_the_worst_of_many_pairs_is_found_and_named():
    def scale_from_data(truth, count, noise):
        return truth + bulk_discrete_laplace(noise, Fraction(1, 1 + 5 * (truth > 6)), count)

    pairs = [Pair(n, n + 1, f"{n} friends or {n + 1}") for n in range(10)]
    result = audit(scale_from_data, pairs=pairs, epsilon=1, samples=1000, seed=1)
    assert result.worst_pair == "6 friends or 7"
    assert result.verdict is AuditVerdict.REFUTED
    assert result.pairs_tried == 10


def test_pairs_share_the_error_probability(monkeypatch):
    heard = []

    def listen(pair, sampler, *, confidence, **options):
        heard.append(confidence)
        return examine(pair, sampler, confidence=confidence, **options)

    monkeypatch.setattr("graphveil.audit.engine.auditor.examine", listen)
    audit(laplace(1), pairs=[(3, 4), (8, 9)], epsilon=1, samples=200, confidence=0.9, seed=1)
    assert heard == pytest.approx([0.95, 0.95])


def test_a_mechanism_of_one_run_is_called_many_times():
    rng = np.random.default_rng(1)
    result = audit(lambda truth: bool(rng.random() < (0.9 if truth else 0.1)), pairs=[(0, 1)], epsilon=1, samples=500)
    assert result.verdict is AuditVerdict.REFUTED


def test_noise_that_repeats_from_call_to_call_is_seen():
    def seeded(truth, count):
        return truth + bulk_discrete_laplace(SeededNoise(7), Fraction(1), count)

    result = audit(seeded, pairs=[(3, 4)], epsilon=1, samples=200, seed=1)
    assert result.epsilon_lower_bound > 3


def test_a_constant_mechanism_that_repeats_is_sound():
    result = audit(lambda truth, count: np.zeros(count), pairs=[(3, 4)], epsilon=1, samples=200, seed=1)
    assert result.epsilon_lower_bound == 0
    assert result.event == "nothing was found that differs between the inputs" or "of" in result.event


def test_a_seed_repeats_the_audit():
    first, second = (audit(laplace(1), pairs=[(3, 4)], epsilon=1, samples=500, seed=9) for _ in range(2))
    assert first == second


def test_the_json_holds_the_contract_keys():
    result = audit(laplace(2), pairs=[(3, 4)], epsilon=1, samples=500, seed=1, name="mine")
    document = json.loads(json.dumps(result.to_json()))
    assert {"name", "claimed_epsilon", "epsilon_lower_bound", "confidence", "samples", "verdict"} <= set(document)
    assert (document["name"], document["verdict"], document["samples"]) == ("mine", "refuted", 500)


def test_the_histogram_counts_every_test_run():
    histogram = audit(laplace(2), pairs=[(3, 4)], epsilon=1, samples=500, seed=1).histogram
    assert sum(histogram.first) + sum(histogram.second) == 1000
    assert len(histogram.edges) == len(histogram.first) + 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pairs": []}, "at least one pair"),
        ({"samples": 10}, "samples"),
        ({"confidence": 1.0}, "confidence"),
        ({"epsilon": 0}, "epsilon"),
        ({"delta": 1}, "delta"),
        ({"seed": 1, "noise": SeededNoise(1)}, "either a seed or a noise source"),
        ({"samples": "many"}, "samples"),
        ({"samples": 1500.0}, "samples"),
        ({"confidence": "high"}, "confidence"),
        ({"seed": "a"}, "seed"),
        ({"pairs": 5}, "pairs"),
        ({"features": lambda outputs: ["a"] * len(outputs), "samples": 100}, "features"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(options, words):
    with pytest.raises(ParameterError, match=words) as caught:
        audit(laplace(1), **{"pairs": [(0, 1)], "epsilon": 1, **options})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("pairs", [[1, 2], [(1, 2, 3)]])
def test_pairs_that_are_none_are_refused(pairs):
    with pytest.raises(ParameterError, match="two neighbouring inputs"):
        audit(laplace(1), pairs=pairs, epsilon=1)


def test_rows_whose_length_gives_the_input_away_are_seen():
    result = audit(lambda extra, count: np.zeros((count, 2 + extra)), pairs=[(0, 1)], epsilon=1, samples=200, seed=1)
    assert result.verdict is AuditVerdict.REFUTED


@pytest.mark.parametrize(("mechanism", "words"), [(5, "one input"), (lambda truth, scale: truth, "fix scale")])
def test_what_cannot_be_called_with_one_input_is_refused(mechanism, words):
    with pytest.raises(ParameterError, match=words):
        audit(mechanism, pairs=[(0, 1)], epsilon=1)


@pytest.mark.parametrize(
    "made", [lambda count: "x" * count, lambda count: set(range(count)), iter], ids=["text", "set", "iterator"]
)
def test_many_outputs_come_in_a_list_or_an_array(made):
    with pytest.raises(ParameterError, match="a list or an array"):
        audit(lambda truth, count: made(range(count)) if made is iter else made(count), pairs=[(0, 1)], epsilon=1)


def test_a_real_number_is_seen_next_to_failures():
    """Outputs of several kinds: where most are unlike any other, the numbers still count."""
    rng = np.random.default_rng(2)
    result = audit(
        lambda truth: None if rng.random() < 0.2 else {"count": 3 * truth + rng.normal(), "unit": "edge"},
        pairs=[(0, 1)],
        epsilon=1,
        samples=400,
    )
    assert result.epsilon_lower_bound > 2


def test_one_output_for_many_runs_is_refused():
    with pytest.raises(ParameterError, match="returned one int"):
        audit(lambda truth, count: 5, pairs=[(0, 1)], epsilon=1)


def test_a_mechanism_that_returns_too_few_outputs_is_named():
    with pytest.raises(ParameterError, match="returned 1 outputs"):
        audit(lambda truth, count: [truth], pairs=[(0, 1)], epsilon=1)
