"""The life of a campaign up to its first report, and what can be asked about it at any time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection

from graphveil.errors import BudgetExceeded, ParameterError
from graphveil.local.campaign import Campaign
from graphveil.local.memory import check_memory
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.odds import refuse_weak, weak_warning
from graphveil.registry import build_protocol
from graphveil.service.auth import Role, derived_token, hash_token, new_token
from graphveil.service.problems import Problem
from graphveil.service.service import Service, to_seconds, to_text, trillionths
from graphveil.service.store import blobs, collector, people, reports
from graphveil.service.store import campaigns as rows
from graphveil.service.store.campaigns import State
from graphveil.service.store.tables import members
from graphveil.service.terms import read_deadlines, read_roster, read_statements, write_roster, write_terms

_SPANS = 100  # in how many parts the time since the beginning is shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What an operator asks for; everything else follows from the protocol."""

    statistic: str
    protocol: str
    unit: str
    epsilon: str
    title: str
    people: Sequence[str]
    closes: Sequence[str]  # when each round closes at the latest
    known: str = "keep"  # what becomes of people who have a token: keep it, renew it, or refuse the campaign
    secret: str = ""  # 256 bits from which new tokens follow, so that an interrupted request can be repeated
    minimum_reports: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    accept_weak: bool = False  # that epsilon promises next to nothing
    statements: Mapping[str, str] = field(default_factory=dict)  # who asks, why, for how long (`terms.STATEMENTS`)

    def token(self, person: int) -> str:
        """A new token for a person; with a secret, the same whenever the same is asked for."""
        return derived_token(Role.PERSON, person, self.secret) if self.secret else new_token(Role.PERSON, person)

    def campaign(self, now: float) -> Campaign:
        """The immutable text that clients will see; refuses what cannot be promised or kept."""
        page = build_protocol(
            self.statistic,
            self.protocol,
            unit=self.unit,
            epsilon=self.epsilon,
            n_people=len(self.people),
            parameters=self.parameters,
        )
        deadlines = [to_seconds(text) for text in self.closes]
        terms = write_terms(write_roster(self.people), deadlines, self.statements)
        minimum = (len(self.people) + 1) // 2 if self.minimum_reports is None else self.minimum_reports
        campaign = Campaign(page, self.title, minimum, tuple(terms.items()))
        if read_deadlines(campaign)[0] <= now:
            raise ParameterError("the first round would be closed before it begins; give later deadlines")
        if any(guarantee.delta for guarantee in campaign.protocol.guarantees):
            raise ParameterError(f"{self.protocol} has a delta, which the ledger of people does not count")
        return campaign


@dataclass(frozen=True, slots=True)
class Created:
    """A new campaign and the tokens of people who had none; they are kept nowhere else."""

    campaign: Campaign
    tokens: dict[str, str]

    @property
    def warning(self) -> str:
        """What to warn of at its epsilon, else an empty text."""
        return weak_warning(self.campaign.protocol.epsilon)


def create(service: Service, plan: Plan, *, actor: str) -> Created:
    """Publish a campaign and open its first round."""
    now = service.clock()
    campaign = plan.campaign(now)
    refuse_weak(campaign.protocol.epsilon, accepted=plan.accept_weak)
    check_memory(campaign.protocol, service.settings.memory_mb * 2**20)
    limit = trillionths(exact_epsilon(service.settings.person_limit, "person_limit"))
    with service.database.write() as connection:
        if rows.find(connection, campaign.id) is not None:
            return Created(campaign, _tokens_again(connection, plan))
        known = people.ids_of(connection, plan.people)
        if known and plan.known == "refuse":
            raise Problem("known-people", f"{len(known):,} of {len(plan.people):,} do: keep or renew it (--known)")
        tokens = people.add_people(service.database, connection, plan.people, limit, plan.token)
        if plan.known == "renew":
            tokens |= {name: people.renew_token(connection, row, plan.token(row)) for name, row in known.items()}
        key = rows.add(
            connection,
            id=campaign.id,
            document=campaign.to_json(),
            roster_id=blobs.put(connection, write_roster(plan.people)),
            state=State.OPEN,
            round=1,
            arrived=0,
            eligible=campaign.n_people,
            closes_at=read_deadlines(campaign)[0],
            created_at=now,
        )
        rows_of = people.ids_of(connection, plan.people)
        entries = [(key, number, rows_of[name]) for number, name in enumerate(plan.people)]
        service.database.append(connection, members, ("campaign", "number", "person"), entries)
        _check_budgets(connection, key, campaign)
        rows.note(connection, now, actor, "create", campaign.id, people=campaign.n_people, new_tokens=len(tokens))
        collector.note_time(connection, service.watch.believed())  # its deadlines were set by this time
    return Created(campaign, tokens)


def _tokens_again(connection: Connection, plan: Plan) -> dict[str, str]:
    """The tokens that this very request got before: whoever was interrupted asks again with the same secret."""
    stored = people.hashes_of(connection, plan.people)
    made = {name: plan.token(row) for name, (row, _) in stored.items()} if plan.secret else {}
    tokens = {name: token for name, token in made.items() if hash_token(token) == stored[name][1]}
    if not tokens:
        raise Problem("exists", "this very campaign is published already; give it another title")
    return tokens


def _check_budgets(connection: Connection, key: int, campaign: Campaign) -> None:
    """Refuse a campaign that costs more than people have left, so that it could never get its fewest reports."""
    epsilon = max(guarantee.epsilon for guarantee in campaign.protocol.guarantees)
    able = rows.count_able(connection, key, trillionths(epsilon))
    if able < campaign.minimum_reports:
        raise BudgetExceeded(
            f"epsilon {float(epsilon):g} is within the budget of {able:,} of {campaign.n_people:,} people, and "
            f"{campaign.minimum_reports:,} reports are needed; ask for a smaller epsilon, or for fewer reports"
        )


@lru_cache(maxsize=256)
def read_campaign(document: str) -> Campaign:
    """A campaign from its text; the same text again costs nothing."""
    return Campaign.from_json(document)


def found(connection: Connection, campaign_id: str, *, lock: bool = False) -> Any:
    """The row of a campaign, or the problem that there is none."""
    row = rows.find(connection, campaign_id, lock=lock)
    if row is None:
        raise Problem("not-found", "there is no campaign of this id")
    return row


def running(connection: Connection, campaign_id: str, *, lock: bool = False) -> Any:
    """The row of a campaign that is not paused, or the problem that stands against it."""
    row = found(connection, campaign_id, lock=lock)
    if row.paused_at is not None:
        raise Problem("paused", "the operator will let it go on", headers={"Retry-After": "60"})
    return row


def status(service: Service, campaign_id: str) -> dict[str, Any]:
    """What anybody may know: where the campaign stands, and what was published."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        return summary(row) | {"publications": rows.published(connection, row.key), "cost": _cost(row.document)}


@lru_cache(maxsize=256)
def _cost(document: str) -> dict[str, float]:
    """What a person sends and downloads, all rounds together."""
    return asdict(read_campaign(document).protocol.cost())


def progress(service: Service, campaign_id: str) -> dict[str, Any]:
    """What the operator may know besides: who takes part, and what was refused."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        start = int(row.created_at)
        width = max(1, int(service.clock() - start) // _SPANS)
        arrivals = reports.arrivals(connection, row.key, start=start, width=width)
        return summary(row) | {
            "publications": rows.published(connection, row.key),
            "enrolled": rows.count_enrolled(connection, row.key),
            "reports": [sum(count for _, count in arrivals.get(r + 1, [])) for r in range(row.round)],
            "arrivals": [
                [{"at": to_text(moment), "reports": count} for moment, count in arrivals.get(r + 1, [])]
                for r in range(row.round)
            ],
            "refusals": reports.refused(connection, row.key),
        }


def names(service: Service, campaign_id: str) -> list[str]:
    """Everybody on the roster of a campaign, in the order of numbers."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        return read_roster(read_campaign(row.document), blobs.get(connection, row.roster_id))


def missing(service: Service, campaign_id: str) -> dict[str, Any]:
    """Who may still answer the open round and has not: names, and whether they have joined."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
        if row.state != State.OPEN:
            raise Problem("not-now", f"the campaign is {row.state}; nobody is waited for")
        waited = rows.not_answered(connection, row.key, row.round)
    return {
        "id": row.id,
        "round": row.round,
        "closes": to_text(row.closes_at),
        "missing": [{"name": name, "joined": joined} for name, joined in waited],
    }


def summary(row: Any) -> dict[str, Any]:
    """The public facts in a campaign's row."""
    campaign = read_campaign(row.document)
    return {
        "id": row.id,
        "title": campaign.title,
        "statistic": campaign.protocol.statistic,
        "protocol": campaign.protocol.name,
        "state": row.state,
        "paused": row.paused_at is not None,
        "round": row.round,
        "rounds": campaign.rounds,
        "people": campaign.n_people,
        "minimum_reports": campaign.minimum_reports,
        "closes": to_text(row.closes_at) if row.finished_at is None else None,
        "created": to_text(row.created_at),
        "finished": None if row.finished_at is None else to_text(row.finished_at),
        "guarantee": campaign.guarantee.to_json(),
        "statements": read_statements(campaign),
    }


def result(service: Service, campaign_id: str) -> dict[str, Any]:
    """The result document of a campaign that is done."""
    with service.database.read() as connection:
        row = found(connection, campaign_id)
    if row.result is None:
        raise Problem("not-now", f"the campaign is {row.state} and has no result")
    document: dict[str, Any] = json.loads(row.result)
    return {"campaign": row.id} | document
