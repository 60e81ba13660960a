from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise.bernoulli import sample_uniform
from graphveil.mechanisms.noise.person_streams import CrowdNoise, in_parts
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.response import KaryResponse
from graphveil.mechanisms.square_wave import SquareWave
from graphveil.mechanisms.unary import OptimalUnary

ALPHA = 1e-6
PEOPLE = np.arange(40)
MECHANISMS = [
    KaryResponse(epsilon=1, n_values=9),
    SquareWave(epsilon=1, n_values=9),
    OptimalUnary(epsilon=1, n_values=9),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: type(mechanism).__name__)
def test_a_person_alone_reports_what_they_report_in_the_crowd(mechanism) -> None:
    values = PEOPLE % 9
    together = mechanism.perturb(values, CrowdNoise(3, PEOPLE, turn=2))
    alone = [mechanism.perturb(values[[u]], CrowdNoise(3, [u], turn=2))[0] for u in PEOPLE]
    assert np.array_equal(together, np.array(alone))
    assert not np.array_equal(together, mechanism.perturb(values, CrowdNoise(3, PEOPLE, turn=1)))
    assert not np.array_equal(together, mechanism.perturb(values, CrowdNoise(4, PEOPLE, turn=2)))


def test_rejected_words_are_drawn_again_by_their_person_alone() -> None:
    bound = 2**62 + 2**61 + 1  # more than a quarter of all words is rejected
    together = sample_uniform(CrowdNoise(1, PEOPLE), bound, len(PEOPLE))
    alone = [int(sample_uniform(CrowdNoise(1, [u]), bound, 1)[0]) for u in PEOPLE]
    assert together.tolist() == alone
    twice = CrowdNoise(1, PEOPLE)
    assert sample_uniform(twice, bound, 40).tolist() == alone
    assert sample_uniform(twice, bound, 40).tolist() != alone


def test_parts_of_the_crowd_read_on_at_the_same_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphveil.mechanisms.noise.person_streams.MOST_WORDS", 12)
    whole, cut = CrowdNoise(5, PEOPLE), CrowdNoise(5, PEOPLE)
    parts = [(part, noise.words(3 * (part.stop - part.start))) for part, noise in in_parts(cut, 40, 3)]
    assert [part.stop - part.start for part, _ in parts] == [4] * 10
    assert np.array_equal(np.concatenate([words for _, words in parts]), whole.words(120))
    assert np.array_equal(cut.words(40), whole.words(40))
    seeded = [noise.words(2).tolist() for _, noise in in_parts(SeededNoise(1), 8, 6)]
    assert seeded == SeededNoise(1).words(8).reshape(4, 2).tolist()


def test_addressed_words_do_not_depend_on_who_asks_for_what_else() -> None:
    pairs = np.array([(3, 9), (3, 10), (17, 9)])
    words = CrowdNoise(2, PEOPLE).words_at(pairs[:, 0], pairs[:, 1])
    assert words[1] == CrowdNoise(2, [3]).words_at(3, [10])[0]
    assert len({*words.tolist(), *CrowdNoise(2, PEOPLE).words(40).tolist()}) == 43


def test_a_crowd_draws_evenly_and_single_numbers_only_alone() -> None:
    with pytest.raises(ParameterError, match="evenly"):
        CrowdNoise(1, PEOPLE).words(41)
    with pytest.raises(ParameterError, match="crowd of 40"):
        CrowdNoise(1, PEOPLE).below(6)
    alone = CrowdNoise(1, [4])
    assert {alone.below(6) for _ in range(200)} == set(range(6))


@pytest.mark.parametrize("axis", ["people", "slots"])
def test_words_are_uniform_along_people_and_along_slots(axis: str) -> None:
    noise = CrowdNoise(11, np.arange(60_000)) if axis == "people" else CrowdNoise(11, [5])
    words = noise.words(60_000)
    critical = chi2.ppf(1 - ALPHA, 255)
    for shift in (0, 28, 56):
        assert _statistic((words >> np.uint64(shift)) & np.uint64(255)) < critical
    skewed = words[(words & np.uint64(3) != 0) | (np.arange(60_000) % 10 > 2)]  # 30 % of some values are missing
    assert _statistic(skewed & np.uint64(255)) > critical


def _statistic(bytes_seen: np.ndarray) -> float:
    counts = np.bincount(bytes_seen.astype(np.int64), minlength=256)
    expected = counts.sum() / 256
    return float(((counts - expected) ** 2 / expected).sum())
