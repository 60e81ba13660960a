"""Friend suggestions through a running collector: `python -m benchmarks.local.suggestions_served --epsilon 1 2`.

A tenth of the friendships is hidden. The collector is a process of its own. Each person of the graph is a participant
as `graphveil collect join` makes one, with a diary of their own: fetches the campaign and the roster, enrols, answers
and sends over HTTP. When the campaign is done, everybody with a hidden friend comes back with the diary and the list,
fetches the noisy graph and gets ten suggestions. `hit@10` is how many of these people find a hidden friend there;
`AUC` is how often a hidden friendship has a higher score than a pair of strangers, by what a device computes from its
own list and the fetched graph. Exact: the same from the graph itself. The noise is that of the operating system.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import numpy as np
from benchmarks.service import serving

from graphveil.graph.datasets import load_dataset
from graphveil.local.suggestions.protocol import FriendSuggestions
from graphveil.local.suggestions.trial import Trial, known_score, private_score
from graphveil.service import campaigns
from graphveil.service.campaigns import Created, Plan
from graphveil.service.client.api import Api
from graphveil.service.client.diary import Diary
from graphveil.service.client.participant import Participant
from graphveil.service.serve import ensure_operator
from graphveil.service.service import Service
from graphveil.service.settings import Settings

AT_ONCE = 4  # devices that are awake


class Shared(httpx.HTTPTransport):
    """One connection pool for all devices of this process, which no device closes."""

    def close(self) -> None:
        """Stay open."""


@dataclass(frozen=True)
class Devices:
    """Everybody's device: what it takes to come back, as often as one likes."""

    url: str
    created: Created
    trial: Trial
    folder: Path
    connection: Shared

    @contextmanager
    def person(self, number: int) -> Iterator[Participant]:
        """One person, with a diary on disk."""
        name = name_of(number)
        friends = [name_of(friend) for friend in self.trial.left.neighbors(number).tolist()]
        with Api(self.url, self.created.tokens[name], transport=self.connection) as api:
            diary = Diary(self.folder / f"{number}.diary", "10")
            yield Participant(api, self.created.campaign.id, name, friends, diary)

    def answer(self, number: int) -> None:
        """Take part: enrol, draw the answer, send it."""
        with self.person(number) as person:
            person.enrol()
            person.send(person.answer(1))

    def wait(self) -> None:
        """Until the collector has published: it closes a round that everybody has answered."""
        with self.person(0) as person:
            while person.progress().state in ("open", "closing"):
                time.sleep(0.5)

    def finds(self, number: int) -> bool:
        """Whether a hidden friend is among the suggestions that the person's device makes."""
        with self.person(number) as person:
            best = person.suggested(person.progress().publications)
        hidden = np.setdiff1d(self.trial.graph.neighbors(number), self.trial.left.neighbors(number))
        return bool({name for name, _ in best} & {name_of(friend) for friend in hidden.tolist()})


def name_of(number: int) -> str:
    return f"person {number}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", default="ego-Facebook")
    parser.add_argument("--epsilon", nargs="+", default=["1", "2"])
    parser.add_argument("--seed", type=int, default=1, help="of what is hidden; noise has none")
    parser.add_argument("--back", type=int, help="how many people come back for suggestions; everybody if not given")
    options = parser.parse_args()
    trial = Trial.draw(load_dataset(options.graph), np.random.default_rng(options.seed))
    known = known_score(trial.left)
    print(f"exact: AUC {trial.auc(known):.3f}, hit@10 {trial.hits(known):.2f}; chance: hit@10 {trial.chance():.3f}")
    for epsilon in options.epsilon:
        ask(trial, epsilon, options.back)


def ask(trial: Trial, epsilon: str, back: int | None = None) -> None:
    """One campaign among everybody, and what its suggestions are worth."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        created = prepare(folder, trial.graph.n_nodes, epsilon)
        with serving(str(folder / "collector.db"), folder) as server:
            url = f"http://127.0.0.1:{server.port}"
            devices = Devices(url, created, trial, folder, Shared())
            start = time.process_time()
            with ThreadPoolExecutor(AT_ONCE) as pool:
                list(pool.map(devices.answer, range(trial.graph.n_nodes)))
            joined = (time.process_time() - start) / trial.graph.n_nodes
            devices.wait()
            start = time.process_time()
            with ThreadPoolExecutor(AT_ONCE) as pool:
                found = list(pool.map(devices.finds, trial.people[:back].tolist()))
            suggested = (time.process_time() - start) / len(found)
            protocol = created.campaign.protocol
            assert isinstance(protocol, FriendSuggestions)
            with Api(url, created.tokens[name_of(0)]) as api:
                path = f"/api/v1/campaigns/{created.campaign.id}"
                (published,) = api.send("GET", f"{path}/status").json()["publications"]
                noisy = protocol.read_publication(1, api.content(f"{path}/publications/{published}", published))
    auc = trial.auc(private_score(noisy, protocol.response))
    print(f"epsilon {epsilon}: AUC {auc:.3f}, hit@10 {np.mean(found):.2f} of {len(found):,} people", flush=True)
    print(
        f"  {trial.graph.n_nodes:,} clients, {joined:.3f} s of processor time to answer, {suggested:.3f} s to suggest"
    )


def prepare(folder: Path, n_people: int, epsilon: str) -> Created:
    """A campaign to which everybody is invited."""
    place = Settings(database=str(folder / "collector.db"), operator_token_file=str(folder / "operator.token"))
    service = Service.open(place)
    ensure_operator(service)
    plan = Plan(
        statistic="friend-suggestions",
        protocol="veil",
        unit="edge",
        epsilon=epsilon,
        title="friends",
        people=[name_of(number) for number in range(n_people)],
        closes=["2096-01-01T00:00:00Z"],
    )
    created = campaigns.create(service, plan, actor="benchmark")
    service.database.close()
    return created


if __name__ == "__main__":
    main()
