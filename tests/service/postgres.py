"""A PostgreSQL server for tests, from the programs of Debian's package `postgresql` or any on the path."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import count
from pathlib import Path

import psycopg

_USER = "postgres"


def _program(name: str) -> str | None:
    folders = [str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders))


class Cluster:
    """Listens on a socket in its own folder only."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._numbers = folder, count(1)
        # root may not run it, and whoever may must get through to the folder
        self._as = ["runuser", "-u", _USER, "--"] if os.geteuid() == 0 else []
        if self._as:
            for parent in (folder, *folder.parents):
                if parent.owner() == "root" and parent != Path("/"):
                    parent.chmod(parent.stat().st_mode | 0o011)
            shutil.chown(folder, _USER, _USER)
        self._run("initdb", "-D", str(folder / "data"), "-U", _USER, "--auth=trust", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        self._run("pg_ctl", "-D", str(folder / "data"), "-o", options, "-l", str(folder / "log"), "-w", "start")

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
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "restart")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *words: str) -> None:
        path = _program(program)
        assert path is not None
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([*self._as, path, *words], check=True, cwd=self._folder, stdin=subprocess.DEVNULL, **quiet)
