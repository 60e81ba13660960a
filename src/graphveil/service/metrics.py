"""Counters for Prometheus, of this process since it started; the database holds those of each campaign for good."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from graphveil.local.messages import Reason
from graphveil.service.problems import Refusal

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """One registry a server, so that several can live in one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._accepted = Counter("graphveil_reports_accepted", "Reports counted.", registry=self._registry)
        self._refused = Counter("graphveil_reports_refused", "Reports refused.", ["reason"], registry=self._registry)
        self._requests = Counter(
            "graphveil_requests", "Requests answered.", ["method", "status"], registry=self._registry
        )
        self._seconds = Histogram("graphveil_request_seconds", "Time to answer.", registry=self._registry)
        self._ticks = Counter("graphveil_ticks", "Times that deadlines were looked at.", registry=self._registry)
        self._last_tick = Gauge("graphveil_last_tick_seconds", "When that was, since 1970.", registry=self._registry)
        self._campaigns = Gauge("graphveil_campaigns", "Campaigns by state.", ["state"], registry=self._registry)
        self._queue = Gauge("graphveil_queue", "Requests that wait to be stored.", registry=self._registry)
        self._doubt = Gauge("graphveil_clock_in_doubt", "1: the clock has leapt ahead.", registry=self._registry)
        self._full = Gauge("graphveil_disk_full", "1: the database has no room.", registry=self._registry)
        for reason in (*Reason, *Refusal):
            self._refused.labels(reason.value)

    def count_verdicts(self, verdicts: Iterable[str | None]) -> None:
        """Count each report as accepted or by the reason of its refusal."""
        for verdict, count in Counts(verdicts).items():
            counter = self._accepted if verdict is None else self._refused.labels(str(verdict))
            counter.inc(count)

    def count_request(self, method: str, status: int, seconds: float) -> None:
        """Count an answered request by method and status, and the time it took."""
        self._requests.labels(method, str(status)).inc()
        self._seconds.observe(seconds)

    def count_tick(self) -> None:
        """Count that all deadlines were looked at, now."""
        self._ticks.inc()
        self._last_tick.set_to_current_time()

    def show_now(self, *, campaigns: Mapping[str, int], queue: int, clock_in_doubt: bool, disk_full: bool) -> None:
        """Set what is not counted but looked up when somebody asks."""
        for state, count in campaigns.items():
            self._campaigns.labels(state).set(count)
        self._queue.set(queue)
        self._doubt.set(clock_in_doubt)
        self._full.set(disk_full)

    def text(self) -> bytes:
        """All counters in the text format of Prometheus."""
        return generate_latest(self._registry)
