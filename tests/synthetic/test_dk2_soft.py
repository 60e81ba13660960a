"""Graphs from soft joint degrees: what they reach."""

from fractions import Fraction

import pytest

from graphveil.evaluation.metrics.compare import evaluate
from graphveil.graph.generate.random import power_law_cluster
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run
from graphveil.synthetic.dk2.soft import SoftDk2

NETWORK = power_law_cluster(400, 5, 0.4, seed=1)


def test_soft_joint_degrees_follow_degrees_and_mixing():
    method = SoftDk2(epsilon=Fraction(100))
    fit = run(method, NETWORK, SeededNoise(1))
    table = fit.parameters["table"]
    assert table.table.sum(axis=1) == pytest.approx(table.degrees * table.people, rel=0.02)
    counts = table.whole(seed=1)[1]
    assert counts.sum() == pytest.approx(fit.targets["edges"], abs=2)
    drawn = method.sample(fit, seed=1)
    errors = evaluate(NETWORK, drawn).errors
    assert errors["joint_degree_l1"] < 0.15
    assert errors["edges"] < 0.01
    assert errors["degree_ks"] < 0.05


@pytest.mark.needs_data
@pytest.mark.parametrize(("epsilon", "most"), [(1, 0.17), (5, 0.094), (10, 0.075)])
def test_joint_degrees_of_facebook_come_out_as_promised(real_graph, epsilon, most):
    graph = real_graph("ego-Facebook")
    method = SoftDk2(epsilon=Fraction(epsilon))
    errors = evaluate(graph, method.sample(run(method, graph, SeededNoise(1)), seed=1)).errors
    assert errors["joint_degree_l1"] < most
    assert errors["edges"] < 0.01
