"""A cluster of processes of its own gives the answers of one process, also when a worker is killed in the middle."""

from __future__ import annotations

import json
import time
from pathlib import Path

import engine_answers
import pytest
from spark_cluster import standalone

from graphveil.engines.engine import InProcess
from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster

STATISTICS = engine_answers.STATISTICS
FEW = ("triangles", "components")  # and a release
TASKS = ("--edges-per-task", "400")  # so that every statistic takes several tasks


@pytest.fixture
def friends(tmp_path):
    path = tmp_path / "friends.parquet"
    write_graph(power_law_cluster(150, 4, 0.5, seed=9), path)
    return path


def answers_of(process):
    out, err = process.communicate()
    assert process.returncode == 0, err
    return json.loads(out)[0]["answers"]


def in_one_process(path, statistics=STATISTICS):
    return engine_answers.answers(InProcess(), str(path), list(statistics))["answers"]


def start(cluster, path, master, *others):
    return cluster.start(engine_answers.__file__, str(path), "--master", master, *TASKS, *others)


def test_two_workers_give_the_answers_of_one_process(spark_cluster, friends):
    process = start(spark_cluster, friends, spark_cluster.master, "--statistics", *FEW)
    assert answers_of(process) == in_one_process(friends, FEW)


@pytest.mark.laws
@pytest.mark.parametrize("master", ["standalone", "local-cluster[2,1,1024]"])
def test_every_answer_is_that_of_one_process(spark_cluster, friends, master):
    process = start(spark_cluster, friends, spark_cluster.master if master == "standalone" else master)
    assert answers_of(process) == in_one_process(friends)


@pytest.mark.laws
def test_a_worker_that_is_killed_changes_no_answer_and_no_noise(need_spark, friends, tmp_path):
    """With the worker go its rows, what it counted and what it had sorted for others; all of it is made again."""
    marker = tmp_path / "counting"
    with standalone(tmp_path / "cluster") as cluster:
        process = start(cluster, friends, cluster.master, "--wait", str(marker), "--statistics", *FEW)
        cluster.kill_worker(wait_for(marker, process))
        assert answers_of(process) == in_one_process(friends, FEW)


def wait_for(marker: Path, process) -> int:
    """The number in a file that another process will write."""
    while process.poll() is None:
        if marker.is_file() and (text := marker.read_text()):
            return int(text)
        time.sleep(0.05)
    raise AssertionError(process.stderr.read())
