"""A PostgreSQL server for tests, from the programs of Debian's package `postgresql` or any on the path."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import psycopg

_USER = "postgres"


def _program(name: str) -> str | None:
    folders = [str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders))


class Cluster:
    """Listens on a socket in its own folder only."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._folder = Path(tempfile.mkdtemp(prefix="graphveil-postgres-"))  # not below pytest's, which only root sees
        self._as = ["runuser", "-u", _USER, "--"] if os.geteuid() == 0 else []  # root may not run it
        if self._as:
            shutil.chown(self._folder, _USER, _USER)
        self._run("initdb", "-D", str(self._folder / "data"), "-U", _USER, "--auth=trust", "--no-sync")
        self.start()

    @staticmethod
    def missing() -> str:
        """What keeps the tests from running, or nothing."""
        if not (_program("initdb") and _program("pg_ctl")):
            return "PostgreSQL is missing: apt-get install postgresql"
        if os.geteuid() == 0 and not shutil.which("runuser"):
            return "PostgreSQL does not run as root, and runuser is missing"
        return ""

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"test{next(self._numbers)}"
        with psycopg.connect(host=str(self._folder), user=_USER, dbname=_USER, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
        return f"postgresql://{_USER}@/{name}?host={self._folder}"

    def restart(self) -> None:
        """Every connection is lost."""
        self.stop()
        self.start()

    def hang_up(self) -> None:
        """Break every connection, in whatever it is doing."""
        with psycopg.connect(host=str(self._folder), user=_USER, dbname=_USER, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self._folder} -c fsync=off"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-o", options, "-l", log, "-w", "start")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *words: str) -> None:
        path = _program(program)
        assert path is not None
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([*self._as, path, *words], check=True, cwd=self._folder, stdin=subprocess.DEVNULL, **quiet)
