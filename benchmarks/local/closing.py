"""Peak memory of a running collector that closes large campaigns: `python -m benchmarks.local.closing`.

A collector of its own process is asked over HTTP: create, enrol, fetch publications, and report, a thousand people a
request, with everybody's reports drawn here on an invented network. The last report of a round closes it. The peak is
that of the collector's process as Linux counts it, beside its peak after a small campaign of the same kind, when all
code is loaded. It must not rise by more than what is stated for closing and what publications may be kept at hand. At
the end a campaign that could not be closed is asked for, and refused.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from benchmarks.service import Running, serving

from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.lists import Lists
from graphveil.local.messages import Report
from graphveil.local.protocol import LocalProtocol, RoundContext
from graphveil.local.simulate import secret
from graphveil.service.publications import PART_BYTES, READ_BYTES

CAMPAIGNS = [
    ("degree-distribution", "veil", "node", 50_000),
    ("triangles", "veil", "edge", 20_000),
]
TOO_LARGE = ("triangles", "veil", "edge", 200_000)
AT_A_TIME, WARM_UP = 1_000, 300
CLOSES = [f"209{i}-01-01T00:00:00Z" for i in range(5)]


class Operator:
    """An operator's requests to a collector."""

    def __init__(self, server: Running, folder: Path) -> None:
        self._server, self._token = server, (folder / "operator.token").read_text().strip()

    def ask(self, method: str, path: str, body: Any = None) -> bytes:
        """What the collector answers; anything but success raises."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        address = f"http://127.0.0.1:{self._server.port}/api/v1/campaigns{path}"
        request = urllib.request.Request(address, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=3_600) as answer:
            content: bytes = answer.read()
            return content

    def json(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON that the collector answers."""
        return json.loads(self.ask(method, path, body))

    def create(self, statistic: str, name: str, unit: str, n: int) -> Any:
        """Publish a campaign; its id, and everybody's token."""
        rounds = 3 if statistic == "triangles" else 1
        asked = {"statistic": statistic, "protocol": name, "unit": unit, "epsilon": "1", "title": f"{statistic} {n}"}
        people = [f"person {i} of {n}" for i in range(n)]
        return self.json("POST", "", asked | {"people": people, "closes": CLOSES[:rounds]})


def peak_megabytes(server: Running) -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def run(folder: Path, statistic: str, name: str, unit: str, n: int) -> str:
    """One campaign in a collector of its own, to its result, after a small one that loads what it computes with."""
    with serving(str(folder / "collector.db"), folder) as server:
        operator = Operator(server, folder)
        collect(operator, statistic, name, unit, WARM_UP)
        before = peak_megabytes(server)
        protocol, waited = collect(operator, statistic, name, unit, n)
        peak = peak_megabytes(server)
    stated, kept = protocol.memory_bytes / 2**20, (READ_BYTES + PART_BYTES) / 2**20
    assert peak - before <= stated + kept, "the collector took more memory than is stated"
    return (
        f"{statistic} by {name}, {n:,} people: {stated:,.0f} MB stated and {kept:,.0f} MB kept; the peak of the "
        f"collector's process rose from {before:,.0f} MB (after {WARM_UP} people) to {peak:,.0f} MB; {waited:.0f} s "
        "from the last reports of rounds to what was made of them"
    )


def collect(operator: Operator, statistic: str, name: str, unit: str, n: int) -> tuple[LocalProtocol, float]:
    """Run a campaign to its result; its protocol, and the time from last reports to what was made of them."""
    lists = Lists.of_graph(power_law_cluster(n, 5, 0.5, seed=1))
    created = operator.create(statistic, name, unit, n)
    path, tokens = f"/{created['id']}", list(created["tokens"].values())
    protocol = Campaign.from_json(operator.ask("GET", path)).protocol
    for start in range(0, n, 10 * AT_A_TIME):
        operator.ask("POST", f"{path}/enrolments", {"tokens": tokens[start : start + 10 * AT_A_TIME]})
    sent: list[Any] = []
    waited = 0.0
    for number in range(1, protocol.rounds + 1):
        names = operator.json("GET", f"{path}/status")["publications"]
        contents = [gzip.decompress(operator.ask("GET", f"{path}/publications/{each}")) for each in names]
        published = tuple(protocol.read_publication(i, data) for i, data in enumerate(contents, 1))
        context = RoundContext(number, published, tuple(sent))
        batch = protocol.perturb(context, lists, secret(number, lists.people))
        payloads = protocol.pack(context, lists.people, batch)
        sent.append({part: made for part, made in batch.items() if part != "pairs"} if isinstance(batch, dict) else ())
        for start in range(0, n, AT_A_TIME):
            people = range(start, min(n, start + AT_A_TIME))
            reports = [(tokens[i], Report(created["id"], number, i, payloads[i]).encode()) for i in people]
            items = [{"token": token, "report": base64.b64encode(report).decode()} for token, report in reports]
            answer = operator.json("POST", f"{path}/reports/bulk", {"reports": items})
            assert answer["refused"] == [], answer["refused"][:3]
        waited += _wait_for_round(operator, path, number)
    assert operator.json("GET", f"{path}/result")["participation"]["reports"] == [n] * protocol.rounds
    return protocol, waited


def _wait_for_round(operator: Operator, path: str, number: int) -> float:
    """Seconds until a round is closed."""
    began = time.perf_counter()
    while (told := operator.json("GET", f"{path}/status"))["round"] == number and told["state"] != "done":
        assert told["state"] in ("open", "closing"), told
        time.sleep(0.2)
    return time.perf_counter() - began


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()  # only --help
    for campaign in CAMPAIGNS:
        with tempfile.TemporaryDirectory() as name:
            print(run(Path(name), *campaign), flush=True)
    with tempfile.TemporaryDirectory() as name, serving(str(Path(name) / "refused.db"), Path(name)) as server:
        try:
            Operator(server, Path(name)).create(*TOO_LARGE)
        except urllib.error.HTTPError as refusal:
            print(f"refused when made, status {refusal.code}: {json.loads(refusal.read())['detail']}")
        else:
            raise AssertionError("a campaign that cannot be closed was accepted")


if __name__ == "__main__":
    main()
