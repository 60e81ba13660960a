"""A plug-in of pytest: what the examples in docstrings of the source use without importing it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from graphveil.graph.core import Graph
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.release.draw import run


@pytest.fixture(scope="session", autouse=True)
def example_names(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace |= {"Fraction": Fraction, "Graph": Graph, "SeededNoise": SeededNoise, "run": run}
