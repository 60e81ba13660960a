"""The operator's and the participant's tutorials, typed line by line."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from test_quick_start import ready, shell  # noqa: F401 - a fixture

from conftest import wait_until

SHOWN = ("asked by:", "contact:", "purpose:", "kept:", "roster:", "withdraw:", "promise:", "sent:", "learned:")
TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"


def lines(name: str) -> list[str]:
    text = (TUTORIALS / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [line for line in "".join(blocks).splitlines() if line]


def test_an_operator_and_two_participants(shell) -> None:  # noqa: F811
    plan, write_people, serve, status, close, result = lines("operator.md")
    write_friends, join = lines("participant.md")
    assert shell(plan, capture_output=True).returncode == 0
    assert shell(write_people).returncode == 0
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    serving = shell("exec " + serve, start=subprocess.Popen, **quiet)
    try:
        wait_until(lambda: ready(shell.url))
        assert shell(write_friends).returncode == 0
        joined = shell(join, input="y\ny\n", capture_output=True)
        shown = (TUTORIALS / "participant.md").read_text(encoding="utf-8")
        for line in joined.stdout.splitlines():
            if line.startswith(SHOWN):
                assert line in shown
        assert "round 1 of 1: sent and counted" in joined.stdout
        bob = join.replace("ann", "bob") + " --diary bob.diary"
        assert shell(bob, input="y\ny\n", capture_output=True).returncode == 0
        for command in (status, close, result):
            done = shell(command, capture_output=True)
            assert done.returncode == 0, done.stderr
        assert "guarantee: proved" in done.stdout
    finally:
        serving.terminate()
        serving.wait()
