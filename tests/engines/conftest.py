"""One Spark for all tests of this folder, and the same graph in both engines."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import both
import pytest
from spark_cluster import Cluster, standalone

from graphveil.engines.spark.start import finds_java, start_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {"spark.sql.shuffle.partitions": "3", "spark.driver.memory": "1g", "spark.sql.codegen.wholeStage": "false"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them in one process, since each process would start a Spark of its own."""
    for item in items:
        if "need_spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("spark"))


@pytest.fixture(scope="session")
def need_spark(need: Callable[[str], None]) -> None:
    """What Spark needs."""
    need("" if importlib.util.find_spec("pyspark") else "no pyspark here: pip install '.[spark]'")
    need("" if finds_java() else "no Java here: apt-get install openjdk-17-jre-headless")


@pytest.fixture(scope="module")
def spark_cluster(need_spark: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers, each a process."""
    with standalone(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def spark(need_spark: None) -> Iterator[SparkSession]:
    """Spark on this machine."""
    from pyspark import cloudpickle

    session = start_spark(both.MASTER, SETTINGS)
    cloudpickle.register_pickle_by_value(sys.modules["both"])  # workers cannot import from here
    yield session
    session.stop()


@pytest.fixture
def in_both(spark: SparkSession, tmp_path: Path) -> Callable[..., both.Both]:
    """`in_both(pairs, …)` writes pairs of names to Parquet and reads them with either engine."""

    def read(pairs: Any, **options: Any) -> both.Both:
        return both.read(spark, tmp_path, pairs, **options)

    return read
