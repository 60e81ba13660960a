"""Uploads that share a transaction do not share each other's fate."""

from __future__ import annotations

import asyncio
import threading

import pytest

from graphveil.service import batcher as intake
from graphveil.service.batcher import Intake
from graphveil.service.problems import Problem
from graphveil.service.reports import Uploads


@pytest.fixture
def transactions(monkeypatch) -> list:
    """A stand-in for the database: remembers batches, and holds the first one until the others have arrived."""
    batches: list = []
    arrived = threading.Event()

    def take(service, campaign_id, uploads):
        if not batches:
            arrived.wait(10)
        batches.append((campaign_id, uploads.reports))
        if campaign_id == "missing":
            raise Problem("not-found")
        if b"breaks" in uploads.reports:
            raise ZeroDivisionError
        return [None] * len(uploads)

    monkeypatch.setattr(intake, "take", take)
    monkeypatch.setattr(intake, "arrived", arrived, raising=False)
    return batches


async def _submit_all(wanted: list[tuple[str, list[bytes]]], n_workers: int = 1) -> list:
    queue = Intake(service=None, n_workers=n_workers)  # type: ignore[arg-type]
    queue.start()
    tasks = [
        asyncio.create_task(queue.submit(campaign, Uploads.read([""] * len(reports), reports)))
        for campaign, reports in wanted
    ]
    await asyncio.sleep(0.05)
    intake.arrived.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    await queue.stop()
    return answers


def test_who_comes_while_a_transaction_runs_shares_the_next_one(transactions) -> None:
    wanted = [("a", [b"1"]), ("a", [b"2", b"3"]), ("b", [b"4"]), ("a", [b"5"])]
    answers = asyncio.run(_submit_all(wanted))
    assert answers == [[None], [None, None], [None], [None]]
    assert len(transactions) < len(wanted)
    assert sorted(report for _, reports in transactions for report in reports) == [b"1", b"2", b"3", b"4", b"5"]


@pytest.mark.parametrize("n_workers", [1, 2])
def test_an_upload_that_breaks_something_breaks_only_itself(transactions, n_workers) -> None:
    wanted = [("a", [b"1"]), ("a", [b"breaks"]), ("missing", [b"2"]), ("a", [b"3"])]
    first, broken, missing, last = asyncio.run(_submit_all(wanted, n_workers))
    assert (first, last) == ([None], [None])
    assert isinstance(broken, ZeroDivisionError)
    assert isinstance(missing, Problem)


@pytest.mark.parametrize("n_workers", [1, 2])
def test_what_has_arrived_is_stored_before_the_end(transactions, n_workers) -> None:
    async def stop_at_once() -> list:
        queue = Intake(service=None, n_workers=n_workers)  # type: ignore[arg-type]
        queue.start()
        task = asyncio.create_task(queue.submit("a", Uploads.single(None, b"1")))
        await asyncio.sleep(0)
        intake.arrived.set()
        await queue.stop()
        return await task

    assert asyncio.run(stop_at_once()) == [None]
