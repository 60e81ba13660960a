"""Uploads that arrive at the same time share a transaction: whoever comes while the workers are busy waits for one.

There is no timer: a lone upload is stored at once, and under load batches grow by themselves. An upload is answered
only when its transaction is durable.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from sqlalchemy.exc import SQLAlchemyError

from graphveil.service.problems import Problem
from graphveil.service.reports import Uploads, Verdict, take
from graphveil.service.service import Service

MOST_AT_ONCE = 4_000


@dataclass(frozen=True, slots=True)
class _Waiting:
    """The uploads of one request, and the answer it waits for."""

    campaign_id: str
    uploads: Uploads
    answer: asyncio.Future[list[Verdict]] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Intake:
    """The queue of one server."""

    def __init__(self, service: Service, *, n_workers: int) -> None:
        self._service, self._n_workers = service, n_workers
        self._queue: asyncio.Queue[_Waiting | None] = asyncio.Queue()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the workers; needs a running event loop."""
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._n_workers)]

    async def stop(self) -> None:
        """Store what has arrived, then end."""
        for _ in self._workers:
            await self._queue.put(None)
        await asyncio.gather(*self._workers)

    @property
    def waiting(self) -> int:
        """How many requests wait for a transaction."""
        return self._queue.qsize()

    async def submit(self, campaign_id: str, uploads: Uploads) -> list[Verdict]:
        """Hand in uploads and wait until they are stored or refused."""
        waiting = _Waiting(campaign_id, uploads)
        await self._queue.put(waiting)
        return await waiting.answer

    async def _work(self) -> None:
        while (first := await self._queue.get()) is not None:
            together, ended = [first], False
            while not self._queue.empty() and sum(len(w.uploads) for w in together) < MOST_AT_ONCE:
                following = self._queue.get_nowait()
                if following is None:
                    ended = True
                    break
                together.append(following)
            for campaign_id in dict.fromkeys(waiting.campaign_id for waiting in together):
                await self._store([waiting for waiting in together if waiting.campaign_id == campaign_id])
            if ended:
                return

    async def _store(self, together: list[_Waiting]) -> None:
        """One transaction; if it fails on one request's account, the others get one of their own."""
        uploads = Uploads.join([waiting.uploads for waiting in together])
        try:
            verdicts = await asyncio.to_thread(take, self._service, together[0].campaign_id, uploads)
        except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to the requests and must not end the worker
            if len(together) == 1 or isinstance(error, Problem | SQLAlchemyError):
                for waiting in together:
                    if not waiting.answer.done():
                        waiting.answer.set_exception(error)
                return
            for waiting in together:
                await self._store([waiting])
            return
        for waiting in together:
            own, verdicts = verdicts[: len(waiting.uploads)], verdicts[len(waiting.uploads) :]
            if not waiting.answer.done():  # the sender may have gone
                waiting.answer.set_result(own)
