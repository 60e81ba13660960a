"""What tests all over the tree share."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from commands import Commands
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.graph.datasets import load_dataset

ROOT = Path(__file__).parents[1]
DATA = os.environ.get("GRAPHVEIL_DATA") or ROOT.parent / "shared" / "data"


# What a test needs, by the fixture that brings it. `make quick` leaves all of these out.
MARK_OF_FIXTURE = {"need_spark": "spark", "chromium": "browser", "cluster": "postgres", "real_graph": "needs_data"}
# Folders and files whose tests take long: they run commands or servers, simulate many runs, or go through every
# algorithm or every small graph.
SLOW = (
    "src/graphveil/graph/generate/clustering.py",
    "src/graphveil/synthetic/veil",
    "tests/anonymity/test_anonymize.py",
    "tests/audit/attacks",
    "tests/audit/test_audit_documents.py",
    "tests/central/test_choices.py",
    "tests/central/test_degree_histogram.py",
    "tests/central/test_ladder_statistic.py",
    "tests/central/test_node_",
    "tests/central/test_query_losses.py",
    "tests/cli",
    "tests/conformance",
    "tests/docs",
    "tests/engines/test_spark",
    "tests/evaluation",
    "tests/graph/test_distances.py",
    "tests/graph/test_dk_series.py",
    "tests/graph/test_generate",
    "tests/graph/test_project.py",
    "tests/graph/test_random.py",
    "tests/laws",
    "tests/local/test_collect_guide.py",
    "tests/local/test_degree_protocols.py",
    "tests/local/test_forecast.py",
    "tests/local/test_odd_campaigns.py",
    "tests/local/test_own_part.py",
    "tests/local/test_prefer",
    "tests/local/test_protocol_check.py",
    "tests/local/test_published_sequences.py",
    "tests/local/test_sequence_loss.py",
    "tests/local/test_simulation_is_deployment.py",
    "tests/local/test_triangle_p",
    "tests/local/test_triangle_sequences.py",
    "tests/papers/test_peer_sensitivities.py",
    "tests/privacy/test_ledger_processes.py",
    "tests/release/test_engine_check.py",
    "tests/release/test_every_interval.py",
    "tests/release/test_people_order.py",
    "tests/release/test_plan.py",
    "tests/release/test_policy.py",
    "tests/release/test_session.py",
    "tests/service",
    "tests/statistics/test_invented_edges.py",
    "tests/statistics/test_tuple_noise.py",
    "tests/synthetic",
    "tests/test_kernels.py",
    "tests/test_package.py",
    "tests/test_plugins.py",
    "tests/test_readme.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that `make quick` uses."""
    parser.addoption("--quick", action="store_true", help="leave out what is slow or needs more than Python")


def pytest_configure(config: pytest.Config) -> None:
    """Try each property with 100 examples, or with 20 among the quick tests; assert no times, since machines differ."""
    quick = config.getoption("quick", False)
    settings.register_profile("here", deadline=None, max_examples=20 if quick else 100)
    settings.load_profile("here")
    if quick:
        config.option.markexpr = f"not ({' or '.join(['laws', 'slow', *MARK_OF_FIXTURE.values()])})"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow files unopened among the quick tests: to import them takes longer than to run the others."""
    return True if config.getoption("quick", False) and is_slow(collection_path) else None


def is_slow(path: Path) -> bool:
    """Return whether a file or folder is one of the slow ones."""
    return str(path.relative_to(ROOT)).startswith(SLOW)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they need and by where they are."""
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in MARK_OF_FIXTURE:
                item.add_marker(MARK_OF_FIXTURE[fixture])
        parameters = getattr(getattr(item, "callspec", None), "params", {}).values()
        if any(isinstance(parameter, str) and parameter == "postgresql" for parameter in parameters):
            item.add_marker("postgres")
        if is_slow(item.path):
            item.add_marker("slow")


@pytest.fixture(scope="session")
def commands() -> Iterator[Commands]:
    """Runs commands of the command line, each in a process of its own."""
    with Commands() as ready:
        yield ready


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
