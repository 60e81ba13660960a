"""What tests all over the tree share."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset

DATA = os.environ.get("GRAPHVEIL_DATA") or Path(__file__).parents[2] / "shared" / "data"


settings.register_profile("no-deadline", deadline=None)  # no timed assertions: machines differ, kernels compile
settings.load_profile("no-deadline")


@pytest.fixture(scope="session")
def real_graph() -> Callable[[str], Graph]:
    """`real_graph(name)` loads one of the public graphs once; the test is skipped where its file is absent."""

    @cache
    def load(name: str) -> Graph:
        try:
            return load_dataset(name, folder=DATA)
        except ParameterError as absent:
            pytest.skip(str(absent))

    return load


@pytest.fixture(scope="session")
def need() -> Callable[[str], None]:
    """`need(missing)` skips a test for what is missing, or fails it where nothing may be skipped."""

    def check(missing: str) -> None:
        if missing and os.environ.get("GRAPHVEIL_SKIP_NOTHING"):
            pytest.fail(missing)
        if missing:
            pytest.skip(missing)

    return check
