"""Queries about people and staff."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, delete, func, insert, select, text, update

from graphveil.arrays import Bits, Integers, Words
from graphveil.service.auth import NOBODY, Role, hash_token, new_token
from graphveil.service.store.collector import unknown_loss
from graphveil.service.store.conditions import Listed, Near
from graphveil.service.store.database import Database
from graphveil.service.store.tables import members, people, staff

CHUNK = 1_000  # how many values one statement asks for


class Assumed(IntEnum):
    """What a collector that was restored from a backup does not know of a person in a campaign."""

    NOTHING = 0
    JOINED = 1  # charged at the restore, in case they had joined
    ANSWERED = 2  # they take part, and may have sent an answer that was lost with the collector


class Member(NamedTuple):
    """A person and, where they are on a campaign's roster, their number there."""

    person: int
    token_hash: bytes
    limit: int
    spent: int
    number: int | None
    enrolled_at: float | None
    assumed: int | None  # `Assumed`
    device: str | None  # the one that answers


def chunks(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Parts small enough for one statement."""
    return (values[i : i + CHUNK] for i in range(0, len(values), CHUNK))


def add_staff(connection: Connection, name: str, role: Role) -> str:
    """A new operator or gateway; returns the token, which is nowhere else."""
    known = connection.execute(insert(staff).values(name=name, role=role.value, token_hash=b"").returning(staff.c.id))
    token = new_token(role, known.scalar_one())
    connection.execute(update(staff).where(staff.c.name == name).values(token_hash=hash_token(token)))
    return token


def lock_staff(connection: Connection) -> None:
    """Keep others from adding or removing until the transaction ends: two who remove each other would leave nobody."""
    if connection.dialect.name != "sqlite":
        connection.execute(text("LOCK TABLE staff IN SHARE ROW EXCLUSIVE MODE"))


def remove_staff(connection: Connection, name: str) -> None:
    """End the token of an operator or gateway."""
    connection.execute(delete(staff).where(staff.c.name == name))


def find_staff(connection: Connection, holder: int) -> Any:
    """The row of an operator or gateway."""
    return connection.execute(select(staff).where(staff.c.id == holder)).one_or_none()


def all_staff(connection: Connection) -> list[Any]:
    """The rows of all operators and gateways, oldest first."""
    return list(connection.execute(select(staff).order_by(staff.c.id)))


def find_person(connection: Connection, holder: int) -> Any:
    """The row of a person."""
    return connection.execute(select(people).where(people.c.id == holder)).one_or_none()


def has_staff(connection: Connection) -> bool:
    """Whether anybody runs this collector yet."""
    return bool(connection.scalar(select(func.count()).select_from(staff)))


def add_people(
    database: Database, connection: Connection, names: Sequence[str], limit: int, make: Callable[[int], str]
) -> dict[str, str]:
    """Make those of these people who are not known, with the token that `make` has for a row; the tokens of the new."""
    if not database.is_sqlite:
        connection.execute(text("LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE"))
    known = ids_of(connection, names)
    first = (connection.scalar(select(func.max(people.c.id))) or 0) + 1
    new = [name for name in names if name not in known]
    tokens = {name: make(first + i) for i, name in enumerate(new)}
    spent = min(limit, unknown_loss(connection))
    rows = [(first + i, name, hash_token(tokens[name]), limit, spent) for i, name in enumerate(new)]
    columns = ("id", "name", "token_hash", "limit_trillionths", "spent_trillionths")
    database.append(connection, people, columns, rows)
    return tokens


def renew_token(connection: Connection, person: int, token: str = "") -> str:
    """Another token for a person; the old one ends."""
    token = token or new_token(Role.PERSON, person)
    connection.execute(update(people).where(people.c.id == person).values(token_hash=hash_token(token)))
    return token


def ids_of(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """Rows of the people of these names."""
    found: dict[str, int] = {}
    for part in chunks(names):
        rows = connection.execute(select(people.c.name, people.c.id).where(people.c.name.in_(part)))
        found.update((name, person) for name, person in rows)
    return found


def hashes_of(connection: Connection, names: Sequence[str]) -> dict[str, tuple[int, bytes]]:
    """Rows and hashes of the tokens of the people of these names."""
    found: dict[str, tuple[int, bytes]] = {}
    for part in chunks(names):
        rows = connection.execute(select(people).where(people.c.name.in_(part)))
        found.update((row.name, (row.id, row.token_hash)) for row in rows)
    return found


_MEMBERS = (
    "SELECT p.id, p.token_hash, p.limit_trillionths, p.spent_trillionths, m.number, m.enrolled_at, m.assumed, m.device "
    "FROM people p LEFT JOIN members m ON m.person = p.id AND m.campaign = {} WHERE p.id {}"
)


def find_members(connection: Connection, campaign: int, persons: Iterable[int]) -> dict[int, Member]:
    """People by their rows, with their place on a roster."""
    rows = Database.fetch(connection, _MEMBERS, campaign, Near(set(persons)))
    return {row[0]: Member._make(row) for row in rows}


class Senders(NamedTuple):
    """People by their rows, rising; nobody, whose hash is no token's, is the first."""

    rows: Integers
    hashes: Words  # four words each
    numbers: Integers  # on a roster, -1 for people who are not on it
    enrolled: Bits

    def identify(self, holders: Sequence[int], hashes: Sequence[bytes]) -> tuple[Integers, Bits]:
        """Where the holder of each token stands here, and whether it is theirs; every byte of a hash is compared."""
        asked = np.array(holders, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.rows, asked), len(self.rows) - 1)
        given = np.frombuffer(b"".join(hashes), dtype=np.uint64).reshape(-1, 4)
        differences = np.bitwise_or.reduce(self.hashes[places] ^ given, axis=1)
        return places, (differences == 0) & (self.rows[places] == asked) & (asked != NOBODY)


# All in one row, which costs half of a row for each person. The third part is twice the number on the roster, and one
# more for people who have enrolled. PostgreSQL is told the range of both tables, or it looks for members one by one.
_MARK = "COALESCE(2 * m.number + (CASE WHEN m.enrolled_at IS NULL THEN 0 ELSE 1 END), -2)"
_SENDERS_SQLITE = (
    f"SELECT group_concat(p.id), group_concat(hex(p.token_hash), ''), group_concat({_MARK}) "  # noqa: S608 - constants
    "FROM people p LEFT JOIN members m ON m.person = p.id AND m.campaign = {0} WHERE p.id {1}"
)
_SENDERS_POSTGRESQL = (
    f"SELECT string_agg(int8send(p.id), ''), string_agg(p.token_hash, ''), string_agg(int8send({_MARK}), '') "
)
_CLOSE = "FROM people p LEFT JOIN members m ON m.person = p.id AND m.campaign = {0} AND m.person {1} WHERE p.id {1}"
_SCATTERED = (  # as in `reports`: PostgreSQL would rather read all people
    "FROM unnest({1}) AS asked (person), LATERAL (SELECT * FROM people WHERE id = asked.person LIMIT 1) AS p LEFT JOIN "
    "LATERAL (SELECT * FROM members WHERE campaign = {0} AND person = asked.person LIMIT 1) AS m ON TRUE"
)


def find_senders(connection: Connection, campaign: int, persons: Iterable[int]) -> Senders:
    """What is known about these people, at little cost for thousands."""
    near = Near(set(persons))
    if connection.dialect.name == "sqlite":
        ((found, digits, marked),) = Database.fetch(connection, _SENDERS_SQLITE, campaign, near)
        rows, marks = (np.fromstring(text or "", dtype=np.int64, sep=",") for text in (found, marked))
        hashes = bytes.fromhex(digits or "")
    else:
        where, asked = (_CLOSE, near) if near.span else (_SCATTERED, Listed(near.values))
        ((found, hashes, marked),) = Database.fetch(connection, _SENDERS_POSTGRESQL + where, campaign, asked)
        rows, marks = (np.frombuffer(words or b"", dtype=">i8").astype(np.int64) for words in (found, marked))
    rows, marks = np.append(rows, NOBODY), np.append(marks, -2)
    words = np.frombuffer((hashes or b"") + bytes(32), dtype=np.uint64).reshape(-1, 4)
    order = np.argsort(rows)
    return Senders(rows[order], words[order], marks[order] >> 1, marks[order] & 1 == 1)


def lock(connection: Connection, persons: Iterable[int]) -> None:
    """Keep others from charging these people until the transaction ends; in order, so that nobody waits in a circle."""
    if connection.dialect.name != "sqlite":
        Database.fetch(connection, "SELECT id FROM people WHERE id {} ORDER BY id FOR UPDATE", set(persons))


def enrol(connection: Connection, campaign: int, persons: Sequence[int], *, cost: int, now: float) -> None:
    """Charge these people and write down that they take part."""
    charge = "UPDATE people SET spent_trillionths = spent_trillionths + {} WHERE id {}"
    Database.fetch(connection, charge, cost, persons)
    place = "UPDATE members SET enrolled_at = {} WHERE campaign = {} AND person {}"
    Database.fetch(connection, place, int(now), campaign, persons)


def confirm(connection: Connection, campaign: int, persons: Sequence[int]) -> None:
    """Write down that people who were only assumed to take part do."""
    if persons:
        change = "UPDATE members SET assumed = {} WHERE campaign = {} AND person {}"
        Database.fetch(connection, change, int(Assumed.ANSWERED), campaign, persons)


def bind_device(connection: Connection, campaign: int, person: int, device: str) -> None:
    """Write down which device of a person answers a campaign."""
    place = (members.c.campaign == campaign) & (members.c.person == person)
    connection.execute(update(members).where(place).values(device=device))


def staff_exists(connection: Connection, name: str) -> bool:
    """Whether an operator or gateway has this name."""
    return connection.scalar(select(staff.c.id).where(staff.c.name == name)) is not None
