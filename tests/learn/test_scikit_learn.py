"""The classifier within scikit-learn: nothing that it does with one spends or reads a graph."""

from __future__ import annotations

import numpy as np
import pytest
from networks import block_model, hide

from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.session import Session

base = pytest.importorskip("sklearn.base")
selection = pytest.importorskip("sklearn.model_selection")


def test_clones_searches_and_cross_validation_spend_nothing() -> None:
    graph, table = block_model()
    hidden, _ = hide(table, 0.75)
    session = Session(graph, unit="edge", budget=1, noise=SeededNoise(1))
    model = session.learn(hidden, label="kind", epsilon=1)
    names = np.array([name for name, kind in zip(hidden["person"], hidden["kind"], strict=True) if kind])[:, None]
    kinds = np.array([kind for kind in hidden["kind"] if kind])
    assert base.is_classifier(model)
    clone = base.clone(model)
    assert not hasattr(clone, "posterior_")
    assert clone.get_params() == model.get_params()
    search = selection.GridSearchCV(model, {"ridge": [0.3, 30.0]}, cv=3).fit(names, kinds)
    assert search.best_params_["ridge"] in (0.3, 30.0)
    assert search.score(names, kinds) > 0.6
    assert selection.cross_val_score(model, names, kinds, cv=3).mean() > 0.5
    assert session.left == (0, 0)
