"""Peak memory and time of closing a campaign through the collector: `python -m benchmarks.local.closing`.

Everybody's reports are drawn at once, on an invented network; they arrive a thousand at a time, and every round is
closed. Each campaign runs in a process of its own, whose peak includes the interpreter, the lists and the drawing.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.campaign import Campaign
from graphveil.local.collector import Collector, CollectorState
from graphveil.local.lists import Lists
from graphveil.local.messages import Report
from graphveil.local.protocol import RoundContext
from graphveil.local.simulate import secret

CAMPAIGNS = [
    ("degree-distribution", "veil", "node", 50_000),
    ("triangles", "veil", "edge", 20_000),
]
AT_A_TIME = 1_000


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def close(statistic: str, name: str, unit: str, n: int) -> str:
    lists = Lists.of_graph(power_law_cluster(n, 5, 0.5, seed=1))
    campaign = Campaign.create(statistic, name, unit=unit, epsilon=1, n_people=n, title="size")
    protocol, collector, state = campaign.protocol, Collector(campaign), CollectorState()
    before, taking, closing, sent = peak_megabytes(), 0.0, 0.0, []
    for number in range(1, protocol.rounds + 1):
        published = tuple(protocol.read_publication(i, data) for i, data in enumerate(state.publications, 1))
        context = RoundContext(number, published, tuple(sent))
        batch = protocol.perturb(context, lists, secret(number, lists.people))
        payloads = protocol.pack(context, lists.people, batch)
        sent.append({part: made for part, made in batch.items() if part != "pairs"} if isinstance(batch, dict) else ())
        del batch, published, context
        began = time.perf_counter()
        for start in range(0, n, AT_A_TIME):
            users = range(start, min(n, start + AT_A_TIME))
            state, verdicts = collector.take(state, [Report(campaign.id, number, u, payloads[u]) for u in users])
            assert set(verdicts) == {None}
        taken = time.perf_counter()
        state = collector.close_round(state)
        taking, closing = taking + taken - began, closing + time.perf_counter() - taken
    began = time.perf_counter()
    collector.outcome(state)
    closing += time.perf_counter() - began
    stated = protocol.memory_bytes / 1e6
    return (
        f"{statistic} by {name}, {n:,} people: {stated:,.0f} MB stated; peak {peak_megabytes():,.0f} MB, "
        f"{before:,.0f} MB of it before anything was sent; {taking:.0f} s to take reports, {closing:.0f} s to close"
    )


def main() -> None:
    if len(sys.argv) > 1:
        statistic, name, unit, n = sys.argv[1:]
        print(close(statistic, name, unit, int(n)))
        return
    for campaign in CAMPAIGNS:
        subprocess.run([sys.executable, "-m", "benchmarks.local.closing", *map(str, campaign)], check=True)


if __name__ == "__main__":
    main()
