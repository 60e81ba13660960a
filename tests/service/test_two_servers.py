"""Campaigns with two servers as users run them: three processes over HTTPS, commands, kill -9."""

from __future__ import annotations

import random
import re
import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import DEVNULL, Popen, run
from sys import executable
from time import sleep

import httpx
import numpy as np
from three_parties import ThreeParties

from conftest import free_port, wait_until
from graphveil.graph.files.write import write_graph
from graphveil.graph.generate.random import power_law_cluster
from graphveil.two_servers.parties.names import ROLES
from graphveil.two_servers.parties.page import Page

NAMES = [f"p{i}" for i in range(6)]
GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "two-servers.md"
KILLED = {"leader": {"both"}, "helper": {"noise"}, "dealer": {"corrections"}}


def is_ready(url):
    try:
        return httpx.get(f"{url}/health").status_code == 200
    except httpx.TransportError:
        return False


def run_to_the_end(parties, killed):
    """Kill each party as soon as it has written one of these steps; the noises that were ever on disk."""
    noises = {role: set() for role in ROLES[:2]}
    waiting = {(role, step) for role, steps in killed.items() if role in parties.ports for step in steps}
    while not all("erased" in parties.written(role) for role in parties.ports):
        for role, step in sorted(waiting):
            if step in parties.written(role):
                parties.kill(role)
                waiting.discard((role, step))
        for role, seen in noises.items():
            seen |= {parties.noise(role)} - {None}
    return noises


def test_triangles_of_three_processes_are_exact_though_each_is_killed(tmp_path, commands, monkeypatch):
    """One-sided lists, and one person who takes no part: the opened count less both noises is the clear count."""
    rng = random.Random(1)
    lists = [rng.sample([j for j in range(6) if j != i], rng.randint(4, 5)) for i in range(6)]
    monkeypatch.setenv("SSL_CERT_FILE", "")  # is set to the parties' own, and afterwards as it was
    parties = ThreeParties(tmp_path, commands)
    try:
        words = ("--statistic", "triangles", "--epsilon", "1", "--option", "hubs=0", "--minimum", "4")
        campaign = parties.create(NAMES, *words)
        friends = [[NAMES[j] for j in each] for each in lists]
        (tmp_path / "friends.txt").write_text("\n".join(friends[4]))
        joined = ("join", parties.links[4], "--friends", "friends.txt", "--budget", "2", "--diary", "4.diary")

        def answer(person: int, *, wait: bool) -> dict[str, str] | None:
            return parties.answer(parties.links[person], friends[person], tmp_path / f"{person}.diary", wait=wait)

        assert [answer(person, wait=False) for person in range(4)] == [None] * 4
        with ThreadPoolExecutor() as pool:
            told = pool.submit(parties.command, *joined)
            wait_until(lambda: parties.ask("GET", "leader", f"/{campaign.id}/progress")["reports"] == [5, 0], 180)
            parties.ask("POST", "helper", f"/{campaign.id}/close", json={"round": 1})
            assert set(told.result()["receipts"]) == {"leader", "helper"}
        assert all(answer(person, wait=True) for person in range(4))
        assert not list(tmp_path.glob("*.shares*"))
        parties.ask("POST", "helper", f"/{campaign.id}/close", json={"round": 2})
        page = Page.from_json(campaign.plan, parties.page("leader"))
        noises = run_to_the_end(parties, KILLED)
        results = [parties.ask("GET", role, f"/{campaign.id}/result") for role in ("leader", "helper")]
    finally:
        parties.stop()
    assert results[0] == results[1]
    assert results[0]["participation"] == {"people": 6, "reports": [5, 5]}
    assert [len(each) for each in noises.values()] == [1, 1]
    kept = [set(campaign.triangle_terms(page).kept_friends(i, np.array(sorted(each)))) for i, each in enumerate(lists)]
    both = {(i, j) for i in range(5) for j in kept[i] if j < 5 and i in kept[j]}
    exact = sum(
        (i, j) in both and (j, k) in both and (i, k) in both for i in range(5) for j in range(i) for k in range(j)
    )
    assert results[0]["facts"] == {"max_degree": page.max_degree, "hubs": 0}
    assert results[0]["opened"][0] - sum(min(each) for each in noises.values()) == exact > 0


def test_the_commands_of_the_guide_run_in_order(tmp_path, commands):
    """As they stand there, on free ports; shown is what three people's one triangle became."""
    write_graph(power_law_cluster(100, 4, 0.5, seed=1), tmp_path / "friends.txt.gz")
    text, serving = "".join(re.findall(r"^```sh\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)), []
    for port in ("8101", "8102", "8103"):
        text = text.replace(port, str(free_port()))
    try:
        for line in text.splitlines():
            if line.startswith("graphveil collect serve"):
                url = f"http://127.0.0.1:{line.partition('--port ')[2][:5]}"
                serving.append((url, Popen([executable, "-m", *shlex.split(line)], cwd=tmp_path, stderr=DEVNULL)))
                continue
            while serving and not all(is_ready(url) for url, _ in serving):
                sleep(0.1)
            words = run(
                ["bash", "-c", f"printf '%s\\0' {line}" if "graphveil" in line else line],
                check=True,
                capture_output=True,
                text=True,
                cwd=tmp_path,
            )
            if line.startswith("graphveil"):
                arguments = words.stdout.split("\0")[1:-1]
                done = commands.run(arguments, tmp_path)
                while "no result yet" in done.stderr:  # of servers that are still at it
                    done = commands.run(arguments, tmp_path)
                assert done.returncode == 0, (line, done.stderr)
    finally:
        for _, process in serving:
            process.kill()
            process.wait()
    assert "3 of 4" in done.stdout
