"""Starting Spark, on a machine that may lack it.

Only what the engine relies on is set here; executors, memory and the number of shuffle partitions are the cluster's own
settings (`spark-defaults.conf`, `SPARK_CONF_DIR`).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NEEDED = {
    "spark.driver.maxResultSize": "0",  # one number per person comes back, however many people there are
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",  # kernels like long arrays
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
}
ON_ONE_MACHINE = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "8",
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",  # Java moves bytes: its second compiler does not pay
}
MEMORY_SHARE = 4  # of one machine's memory, a quarter for Java; kernels run beside it


def start_spark(master: str | None = None, settings: Mapping[str, str] | None = None) -> SparkSession:
    """A session on a master such as `local[2]` or `spark://host:7077`; without one, that of Spark's own settings."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ModuleNotFoundError as missing:
        raise ParameterError(f"--engine spark needs {missing.name}: pip install '.[spark]' (in its source)") from None
    if not finds_java():
        raise ParameterError("--engine spark needs Java 17: install openjdk-17-jre-headless, or set JAVA_HOME")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("graphveil")
    wanted = dict(NEEDED)
    if master is not None:
        builder = builder.master(master)
        if master.startswith("local"):
            wanted |= ON_ONE_MACHINE | {"spark.driver.memory": f"{max(1024, _memory_mb() // MEMORY_SHARE)}m"}
    for name, value in (wanted | dict(settings or {})).items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except (PySparkException, OSError, RuntimeError) as error:
        raise ParameterError(f"Spark does not start on {master or 'its default master'}: {_one_line(error)}") from None


@contextmanager
def running_spark(master: str | None = None) -> Iterator[SparkSession]:
    """A session that ends with the block, unless it ran before."""
    before = _active()
    if before is not None and master not in (None, before.sparkContext.master):
        raise ParameterError(f"Spark runs on {before.sparkContext.master} here already, not on {master}: stop it first")
    spark = before or start_spark(master)
    try:
        yield spark
    finally:
        if before is None:
            spark.stop()


def _active() -> SparkSession | None:
    """The session of this process, if Spark was started in it."""
    if "pyspark.sql" not in sys.modules:
        return None
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession()


def finds_java() -> bool:
    """Whether there is a Java to start Spark with."""
    home = os.environ.get("JAVA_HOME")
    return bool(shutil.which("java") or (home and Path(home, "bin", "java").exists()))


def _memory_mb() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
