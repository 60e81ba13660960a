"""The files of deploy/ name settings and commands that exist."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphveil.cli.app import app
from graphveil.service.publications import PART_BYTES, READ_BYTES
from graphveil.service.settings import PREFIX, Settings

DEPLOY = Path(__file__).parents[2] / "deploy"


def test_settings_are_read() -> None:
    loaded = Settings.load(DEPLOY / "graphveil.toml", environment={})
    assert (loaded.url, loaded.trusted_proxies) == ("https://collect.example.org", "127.0.0.1")


def test_the_container_sets_what_there_is() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    named = set(re.findall(rf"{PREFIX}([A-Z_]+)=", text))
    assert {name.lower() for name in named} <= {field.name for field in fields(Settings)}
    assert "USER graphveil" in text


def test_proxy_unit_and_settings_speak_of_one_port_and_one_folder() -> None:
    settings = Settings.load(DEPLOY / "graphveil.toml", environment={})
    assert f"proxy_pass http://{settings.host}:{settings.port};" in (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    unit = (DEPLOY / "graphveil.service").read_text(encoding="utf-8")
    assert f"WorkingDirectory={Path(settings.database).parent}" in unit


def test_the_commands_that_are_started_exist() -> None:
    told = CliRunner().invoke(app, ["collect", "serve", "--help"], env={"COLUMNS": "200"}).stdout
    start = _unit()["ExecStart"].split()
    assert start[1:3] == ["collect", "serve"]
    assert all(word in told for word in start if word.startswith("--"))
    container = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert container.rstrip().endswith('CMD ["graphveil", "collect", "serve"]')


def test_what_a_campaign_may_take_fits_into_what_the_unit_may_take() -> None:
    unit = _unit()
    allowed = int(unit["MemoryMax"].removesuffix("G")) * 2**30
    program = 250 * 2**20  # as docs/operate.md says
    settings = Settings.load(DEPLOY / "graphveil.toml", environment={})
    assert settings.memory_mb * 2**20 + READ_BYTES + PART_BYTES + program <= allowed
    assert unit["Environment"] == f"NUMBA_CACHE_DIR=/var/cache/{unit['CacheDirectory']}"  # nothing else is writable


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is missing")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "graphveil.service").read_text(encoding="utf-8")
    unit = tmp_path / "graphveil.service"
    unit.write_text(re.sub("ExecStart=[^ ]+", f"ExecStart={sys.executable}", text), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_proxy_is_written_in_whole_directives() -> None:
    """As `nginx -t` reads it: blocks are closed, and every directive ends."""
    lines = [
        line.partition("#")[0].strip() for line in (DEPLOY / "nginx.conf").read_text(encoding="utf-8").splitlines()
    ]
    assert all(line[-1] in ";{}" for line in lines if line)
    assert sum(line.count("{") - line.count("}") for line in lines) == 0


def _unit() -> configparser.SectionProxy:
    parsed = configparser.ConfigParser(interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read(DEPLOY / "graphveil.service", encoding="utf-8")
    return parsed["Service"]
