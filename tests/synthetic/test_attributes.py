"""Categories in synthetic graphs: counts stay, mixing is carried, and it is paid for."""

import json
from fractions import Fraction

import numpy as np
import pytest

import graphveil as gv
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.generate.random import erdos_renyi
from graphveil.mechanisms.measurement import draw
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session
from graphveil.synthetic.attributes import (
    SENSITIVITY,
    Categories,
    Mixing,
    conclude_mixing,
    mixing_measurements,
    read_categories,
)


def two_parties() -> tuple[Graph, dict[int, str]]:
    """300 people of two parties who rarely know one another."""
    left, right = (erdos_renyi(150, m=900, seed=seed).edges() + 150 * seed for seed in (0, 1))
    across = np.array([(i, 150 + i) for i in range(0, 150, 3)])
    parties = {u: "left" if u < 150 else "right" for u in range(300)}
    return Graph.from_edges(np.concatenate((left, right, across)), n_nodes=300), parties


def measured_mixing(graph: Graph, categories: Categories, epsilon: Fraction) -> Mixing:
    (noisy,) = draw(mixing_measurements(graph, categories, epsilon), SeededNoise(1))
    return conclude_mixing(noisy, categories, epsilon)


@pytest.mark.parametrize("pair", [(0, 1), (0, 200), (160, 170)])
def test_one_edge_changes_one_entry_by_one(pair):
    graph, given = two_parties()
    categories = read_categories(graph, given)
    edges = {tuple(edge) for edge in graph.edges().tolist()} ^ {pair}
    other = Graph.from_edges(sorted(edges), n_nodes=300)
    counts = [mixing_measurements(g, categories, Fraction(1))[0].exact for g in (graph, other)]
    assert np.abs(counts[0] - counts[1]).sum() == SENSITIVITY


def test_without_noise_the_table_is_exact():
    graph, given = two_parties()
    table = measured_mixing(graph, read_categories(graph, given), Fraction(1000)).table
    assert table.tolist() == [[900, 50], [0, 900]]


def test_a_session_pays_for_both_and_says_so():
    graph, given = two_parties()
    session = Session(graph, unit="edge", budget=2, noise=SeededNoise(1))
    release = session.synthesize("dk2-soft", epsilon=2, attributes=given)
    assert session.left[0] == 0
    assert release.guarantee.epsilon == 2
    assert release.synthesizer.epsilon == Fraction(9, 5)
    assert any("categories" in text for text in release.guarantee.assumes)
    assert json.loads(json.dumps(release.statement()))["attributes"]["people"] == {"left": 150, "right": 150}
    drawn = gv.to_networkx(release.sample(1), attributes={"party": release.attributes()})
    assert sorted(dict(drawn.nodes("party")).values()) == sorted(given.values())


def test_strangers_and_too_many_categories_are_refused():
    graph, _ = two_parties()
    with pytest.raises(ParameterError, match="1 people"):
        read_categories(graph, {999: "left"})
    with pytest.raises(ParameterError, match="at most"):
        read_categories(graph, {u: str(u) for u in range(300)})
    assert read_categories(graph, {0: "left"}).names == ("(none)", "left")
    plain = Session(graph, unit="edge", budget=2, noise=SeededNoise(1)).synthesize("tmf", epsilon=2)
    with pytest.raises(ParameterError, match="no attributes"):
        plain.attributes()


def test_people_who_are_followed_leave_in_a_new_order_with_their_own_category():
    """Without names nobody can tell person 7; still, the categories of the nodes fit the edges."""
    graph, given = two_parties()
    session = Session(graph, unit="edge", budget=500, noise=SeededNoise(1))
    release = session.synthesize("tmf", epsilon=200, attributes=given)
    drawn, categories = release.sample(3), np.array(release.attributes())
    ends = categories[drawn.edges()]
    assert abs((ends[:, 0] != ends[:, 1]).sum() - 50) <= 5
    assert drawn != graph
    assert sorted(drawn.degrees.tolist()) != drawn.degrees.tolist()
    followed = session.synthesize("tmf", epsilon=200, attributes=given, keep_names=True)
    assert followed.attributes() == tuple(given.values())
    same = set(map(tuple, followed.sample(3).edges().tolist())) & set(map(tuple, graph.edges().tolist()))
    assert len(same) > 0.98 * graph.n_edges
