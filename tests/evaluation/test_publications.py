import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.evaluation.figures import anonymity_vs_dp
from graphveil.evaluation.publications import publish
from graphveil.evaluation.reproduce import reproduce
from graphveil.graph.generate.random import power_law_cluster

GRAPH = power_law_cluster(300, 4, 0.5, seed=1)


def test_pseudonyms_change_names_alone():
    published, key = publish(GRAPH, "pseudonyms", seed=3)
    back = {tuple(sorted(pair)) for pair in key[published.edges()].tolist()}
    assert back == {tuple(pair) for pair in GRAPH.edges().tolist()}
    assert not np.array_equal(key, np.arange(300))


def test_the_strength_stands_in_the_name():
    published, key = publish(GRAPH, "k-degree k=7", seed=1)
    assert np.unique(published.degrees, return_counts=True)[1].min() >= 7
    assert sorted(key.tolist()) == list(range(300))
    with pytest.raises(ParameterError, match="epsilon=1"):
        publish(GRAPH, "veil k=3", seed=1)
    with pytest.raises(ParameterError, match="unknown method"):
        publish(GRAPH, "nonsense epsilon=1", seed=1)


def test_the_comparison_has_every_attack_and_every_use(tmp_path):
    done = reproduce("anonymity-vs-dp", folder=tmp_path, quick=True)
    means = {(point.series, point.metric): point.mean for point in done.points}
    assert {metric for _, metric in means} == {metric.key for metric in anonymity_vs_dp.METRICS}
    assert means["pseudonyms", "attack: seed-and-propagate"] > 0.9
    assert means["k-automorphism k=5", "attack: seed-and-propagate"] < 0.05
    assert means["pseudonyms", "error: triangles"] == 0
    columns, rows = anonymity_vs_dp.table(done.points)
    assert {len(row) for row in rows} == {len(columns)}
    assert (tmp_path / "anonymity-vs-dp-quick.png").stat().st_size > 10_000
