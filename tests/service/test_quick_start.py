"""What README and the guide tell operators works as written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from conftest import free_port, wait_until

ROOT = Path(__file__).parents[2]
TEXTS = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/operate.md")]
OPEN, JOIN = re.findall(r"^```sh\n(.*?)^```$", TEXTS[0], flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def shell(tmp_path: Path):
    """Run a line as a person would, with this project's commands."""
    port = str(free_port())
    folder = Path(sys.executable).parent
    surroundings = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "GRAPHVEIL_PORT": port}
    surroundings["XDG_DATA_HOME"] = str(tmp_path / "user")
    surroundings["GRAPHVEIL_SERVER"] = f"http://127.0.0.1:{port}"

    def command(line: str, start=subprocess.run, **options):
        return start(["bash", "-c", line], cwd=tmp_path, env=surroundings, text=True, **options)

    command.url = surroundings["GRAPHVEIL_SERVER"]
    return command


def ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ready").status_code == 200
    except httpx.TransportError:
        return False


def test_both_guides_show_the_same_commands() -> None:
    assert re.findall(r"^```sh\n(.*?)^```$", TEXTS[1], flags=re.MULTILINE | re.DOTALL) == [OPEN, JOIN]


def test_one_command_opens_a_campaign_and_one_joins_it(shell, tmp_path) -> None:
    (tmp_path / "people.txt").write_text("ann\nbob\ncat\n", encoding="utf-8")
    (tmp_path / "friends.txt").write_text("bob\ncat\nsomebody else\n", encoding="utf-8")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    serving = shell("exec " + OPEN, start=subprocess.Popen, **quiet)
    try:
        wait_until(lambda: ready(shell.url))
        for secret in ("invitations.csv", "graphveil-operator.token"):
            assert (tmp_path / secret).stat().st_mode & 0o077 == 0
        joined = shell(JOIN, input="y\ny\n", capture_output=True)
        assert joined.returncode == 0, joined.stderr
        assert "1-differential privacy" in joined.stdout
        assert "your answer to round 1" in joined.stdout
        assert "sent and counted" in joined.stdout
        declined = shell(JOIN.replace("ann", "bob") + " --diary bob.diary", input="n\n", capture_output=True)
        assert declined.returncode != 0
        bob = JOIN.strip().replace("ann", "bob") + " --diary bob.diary --json"
        assert json.loads(shell(bob, capture_output=True).stdout)["rounds"][0]["round"] == 1
        status = json.loads(shell("graphveil collect status --json", capture_output=True).stdout)
        assert (status["enrolled"], status["reports"], status["refusals"]) == (2, [2], {})
        stranger = shell("graphveil collect renew-token dan cat --out new.csv", capture_output=True)
        assert stranger.returncode == 2
        assert "did not invite dan; no token was renewed" in stranger.stderr
        assert not (tmp_path / "new.csv").exists()
        renewed = shell("graphveil collect renew-token cat --out new.csv --json", capture_output=True)
        assert json.loads(renewed.stdout)["renewed"] == ["cat"]
        assert "round 1 of 1" in shell("graphveil collect close", capture_output=True).stdout
        result = json.loads(shell("graphveil collect result --json", capture_output=True).stdout)
        assert result["participation"] == {"people": 3, "reports": [2]}
        assert result["guarantee"]["epsilon"] == 1
        shown = shell("graphveil collect result", capture_output=True).stdout
        assert "2 of 3 people" in shown
        more = shell(
            "graphveil collect create people.txt --statistic degree-distribution --unit edge --epsilon 0.5"
            " --invitations more.csv --known keep --json",
            capture_output=True,
        )
        assert len(json.loads(more.stdout)["id"]) == 64
        assert "say which" in shell("graphveil collect status", capture_output=True).stderr
    finally:
        serving.terminate()
        serving.wait()


ASKED = "--statistic degree-distribution --unit node --epsilon 1 --serve"
BAD = [
    (
        "graphveil collect create people.txt --statistic nonsense --unit node --epsilon 1 --serve",
        2,
        "degree-distribution",
    ),
    (
        f"graphveil collect create nobody.txt {ASKED}",
        2,
        "nobody.txt",
    ),
    (
        f"graphveil collect create people.txt --protocol gs-ldp {ASKED}",
        3,
        "may not be deployed",
    ),
    (
        f"graphveil collect create people.txt {ASKED.replace('--epsilon 1', '--epsilon 11')}",
        3,
        "within the budget of 0 of 3 people",
    ),
    (
        f"graphveil collect create people.txt {ASKED} --purpose {'x' * 1_001}",
        2,
        "at most 1000 characters",
    ),
    ("graphveil collect status", 2, "operator's token"),
    ("graphveil collect join nonsense --friends people.txt", 2, "an invitation looks like"),
    ("graphveil collect serve --database mysql://x/y", 2, "database must be"),
    ("graphveil collect serve --database nowhere/x.db", 2, "database cannot be used"),
    ("graphveil collect serve --database postgresql://nobody@127.0.0.1:1/x", 2, "database cannot be used"),
    ("GRAPHVEIL_PORT=many graphveil collect serve", 2, "port must be of type int"),
]


@pytest.mark.parametrize(("line", "status", "words"), BAD, ids=range(len(BAD)))
def test_mistakes_get_one_line_and_leave_nothing(shell, tmp_path, line: str, status: int, words: str) -> None:
    (tmp_path / "people.txt").write_text("ann\nbob\ncat\n", encoding="utf-8")
    done = shell(line, capture_output=True, timeout=60)
    assert done.returncode == status, done.stderr
    assert words in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "invitations.csv").exists()
