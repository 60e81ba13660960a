"""A Spark cluster on this machine: a standalone master and workers, each a process of its own, on 127.0.0.1.

    with standalone(folder) as cluster:
        cluster.run("stats", "friends.parquet")  # a graphveil command on it

Everything it writes goes into the folder, and all of its processes end with the block.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

HOST = "127.0.0.1"
PR_SET_PDEATHSIG = 1
PATIENCE = 120.0  # seconds until a master or a worker has started
SETTINGS = {
    "spark.driver.host": HOST,
    "spark.driver.bindAddress": HOST,
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
}


@dataclass
class Cluster:
    """A running cluster: its address, its settings (`spark-defaults.conf`) and its workers."""

    master: str
    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """For a process that uses the cluster."""
        return environment(self.folder)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """A Python program that uses the cluster."""
        return subprocess.Popen(
            [sys.executable, *words],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> str:
        """What a graphveil command prints, run on the cluster."""
        process = self.start("-m", "graphveil", *words, "--engine", "spark", "--master", self.master)
        out, err = process.communicate()
        if process.returncode:
            raise RuntimeError(err)
        return out

    def kill_worker(self, process: int) -> None:
        """Kill the worker under which this process runs, with all that runs there, as if its machine were lost."""
        ancestors = ancestors_of(process)
        worker = next(worker for worker in self.workers if worker.pid in ancestors)
        os.killpg(worker.pid, signal.SIGKILL)


def environment(folder: Path) -> dict[str, str]:
    """Settings and scratch space of all processes of a cluster in this folder."""
    places = {"SPARK_CONF_DIR": folder, "SPARK_LOCAL_DIRS": folder / "scratch", "SPARK_LOG_DIR": folder}
    return {
        **os.environ,
        **{name: str(place) for name, place in places.items()},
        "SPARK_LOCAL_IP": HOST,
        "SPARK_DAEMON_MEMORY": "256m",
    }


@contextmanager
def standalone(
    folder: Path, *, n_workers: int = 2, cores: int = 1, memory: str = "1g", settings: Mapping[str, str] | None = None
) -> Iterator[Cluster]:
    """A master and workers; `memory` is what a worker may give to executors."""
    port, page = _free_port(), _free_port()
    folder.mkdir(parents=True, exist_ok=True)
    lines = (f"{name} {value}\n" for name, value in {**SETTINGS, **(settings or {})}.items())
    (folder / "spark-defaults.conf").write_text("".join(lines), encoding="utf-8")
    cluster = Cluster(f"spark://{HOST}:{port}", folder)
    ports = ("--host", HOST, "--webui-port")
    with ExitStack() as running:
        running.enter_context(_daemon(folder, "master", "Master", "--port", str(port), *ports, str(page)))
        _wait_for_workers(page, 0)
        for number in range(n_workers):
            size = ("--cores", str(cores), "--memory", memory, "--work-dir", str(folder / f"worker{number}"))
            worker = _daemon(folder, f"worker{number}", "Worker", *ports, "0", *size, cluster.master)
            cluster.workers.append(running.enter_context(worker))
        _wait_for_workers(page, n_workers)
        yield cluster


@contextmanager
def _daemon(folder: Path, name: str, kind: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A master or worker with a process group of its own, which ends with the block."""
    import pyspark

    start = Path(pyspark.__file__).parent / "bin" / "spark-class"
    command = [str(start), f"org.apache.spark.deploy.{kind.lower()}.{kind}", *words]
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            env=environment(folder),
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _end_with_parent() -> None:
    """Be killed when the process that started this one ends, however it ends (Linux)."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def ancestors_of(process: int) -> list[int]:
    """The process, its parent, and so on (Linux)."""
    found = []
    while process > 1:
        found.append(process)
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _wait_for_workers(page: int, wanted: int) -> None:
    """Until the master's page answers and lists so many workers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{page}/json/", timeout=5) as answer:
                if json.load(answer)["aliveworkers"] >= wanted:
                    return
        except OSError:
            pass
        time.sleep(0.2)
    raise TimeoutError(f"no {wanted} workers after {PATIENCE:.0f} seconds")
