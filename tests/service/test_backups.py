"""A backup taken in the middle of a campaign and restored elsewhere: nothing counts twice, no budget is forgotten."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import counting_protocol
import pytest
from crowds import Crowd, plan

from conftest import wait_until
from graphveil.errors import ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.registry import find_protocol
from graphveil.service.backups import _new_file, back_up, restore
from graphveil.service.client.api import Api, Refused
from graphveil.service.client.diary import Diary
from graphveil.service.client.participant import Participant
from graphveil.service.serve import open_collector
from graphveil.service.settings import Settings

VEIL = find_protocol("degree-distribution", "veil", "node")
COUNT = counting_protocol.ENTRY
NETWORK = power_law_cluster(6, 2, 0.5, seed=1)


class Person:
    """Somebody with a diary, who can be pointed at another collector."""

    def __init__(self, folder: Path, crowd: Crowd, number: int) -> None:
        self.folder, self.crowd, self.number = folder, crowd, number

    def answers(self, server, diary: str = "own", *, replace: bool = False) -> bytes:
        own = Diary(self.folder / f"{self.number}-{diary}.diary", "9")
        with Api(server.url, self.crowd.tokens[self.number], tries=2, pause=lambda _: None) as api:
            person = Participant(api, self.crowd.campaign.id, f"person {self.number}", ["person 1"], own)
            person.enrol(replace_device=replace)
            told = person.progress()
            report = person.answer(told.round, told.publications)
            person.send(report)
            return report.encode()


def spent(server, tokens: list[str]) -> list[float]:
    return [server.ask("GET", "/api/v1/me", token).json()["spent"] for token in tokens]


@pytest.fixture
def restored(start, tmp_path):
    """`restored(backup, later)` serves a backup from a folder of its own."""

    def begin(backup: Path, later: str = "0"):
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        settings = Settings(database=str(folder / "new.db"), operator_token_file=str(folder / "new.token"))
        told = restore(backup, settings, Fraction(later))
        server = start(settings.database)
        server.operator = told.token_file.read_text().strip()
        return server, told

    return begin


def test_a_backup_in_the_middle_of_a_campaign(start, sqlite, tmp_path, restored) -> None:
    first = start(sqlite)
    crowd = Crowd.invite(first, VEIL, NETWORK, minimum_reports=3, title="running")
    people = [Person(tmp_path, crowd, number) for number in range(6)]
    early = [people[number].answers(first) for number in (0, 1)]
    backup = tmp_path / "monday.backup"
    assert back_up(sqlite, backup).reports == 2
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    late = [people[number].answers(first) for number in (2, 3)]
    lost = spent(first, crowd.tokens)
    first.stop()

    second, told = restored(backup)
    assert told.paused == [crowd.campaign.id]
    now = spent(second, crowd.tokens)
    assert all(after >= before for after, before in zip(now, lost, strict=True))  # nothing is forgotten
    assert now == [1.0] * 6
    crowd.server = second
    assert crowd.status()["paused"]
    refused = second.ask("POST", f"{crowd.path}/reports", crowd.tokens[2], content=late[0])
    assert refused.status_code == 503  # to be tried again later
    assert second.ask("POST", f"{crowd.path}/resume", second.operator).status_code == 200
    for number in range(4):
        assert people[number].answers(second) == [*early, *late][number]  # what each device had stored
        assert people[number].answers(second) == [*early, *late][number]
    assert crowd.progress()["reports"] == [4]
    assert spent(second, crowd.tokens) == now  # joined again for nothing
    for replace in (False, True):  # nobody knows whether the lost collector had an answer
        with pytest.raises(Refused, match="joined this campaign before"):
            people[2].answers(second, diary="another", replace=replace)
        with pytest.raises(Refused, match="cannot tell whether"):
            people[5].answers(second, replace=replace)
    assert crowd.close(1)["state"] == "done"
    result = second.ask("GET", f"{crowd.path}/result", second.operator).json()
    assert result["participation"]["reports"] == [4]
    assert second.ask("GET", "/api/v1/audit", second.operator).json()[-1]["action"] == "create"
    assert second.ask("GET", "/api/v1/campaigns", first.operator).status_code == 401


def test_after_a_restore_no_device_takes_the_place_of_one_that_may_have_answered(
    start, sqlite, tmp_path, restored
) -> None:
    first = start(sqlite)
    crowd = Crowd.invite(first, VEIL, NETWORK, minimum_reports=1)
    person = Person(tmp_path, crowd, 0)
    with Api(first.url, crowd.tokens[0]) as api:
        own = Diary(tmp_path / "0-own.diary", "9")
        Participant(api, crowd.campaign.id, "person 0", ["person 1"], own).enrol()
    back_up(sqlite, tmp_path / "a.backup")
    sent = person.answers(first)
    first.stop()
    second, _ = restored(tmp_path / "a.backup")
    crowd.server = second
    second.ask("POST", f"{crowd.path}/resume", second.operator)
    with pytest.raises(Refused) as refusal:
        person.answers(second, diary="another", replace=True)
    assert refusal.value.code == "answered-elsewhere"
    assert person.answers(second) == sent


def test_what_later_campaigns_cost_is_charged_to_everybody(start, sqlite, tmp_path, restored) -> None:
    first = start(sqlite, person_limit="2")
    Crowd.invite(first, VEIL, NETWORK, title="known").run(seed=1)
    back_up(sqlite, tmp_path / "a.backup")
    later = plan(VEIL, 7, epsilon="1", title="later")
    asked = first.ask("POST", "/api/v1/campaigns", first.operator, json=later).json()
    new = asked["tokens"]["person 6"]  # nobody the backup knows
    assert first.ask("PUT", f"/api/v1/campaigns/{asked['id']}/enrolment", new).status_code == 200
    first.stop()
    second, _ = restored(tmp_path / "a.backup", later="1")
    again = second.ask(
        "POST", "/api/v1/campaigns", second.operator, json=later | {"title": "again", "minimum_reports": 1}
    ).json()
    (token,) = again["tokens"].values()
    assert second.ask("GET", "/api/v1/me", token).json()["spent"] == 1
    with closing(sqlite3.connect(second.service.settings.database)) as connection:
        (least,) = connection.execute("SELECT min(spent_trillionths) FROM people WHERE name <> 'person 6'").fetchone()
    assert least == 2 * 10**12  # the known campaign, and the later one


def test_a_later_round_that_changed_is_not_answered_with_old_answers(
    start, sqlite, tmp_path, restored, counting
) -> None:
    """Round 2 had begun when the collector was lost; what it publishes now is not what people have answered to."""
    first = start(sqlite)
    crowd = Crowd.invite(first, COUNT, NETWORK, minimum_reports=2)
    people = [Person(tmp_path, crowd, number) for number in range(6)]
    for number in (0, 1, 2):
        people[number].answers(first)
    back_up(sqlite, tmp_path / "a.backup")
    people[3].answers(first)
    crowd.close(1)
    people[0].answers(first)  # round 2
    first.stop()
    second, _ = restored(tmp_path / "a.backup")
    crowd.server = second
    second.ask("POST", f"{crowd.path}/resume", second.operator)
    crowd.close(1)  # with three reports instead of four
    with pytest.raises(ParameterError, match="published something else"):
        people[0].answers(second)
    assert crowd.progress()["reports"] == [3, 0]


def test_a_file_alone_holds_everything_when_a_campaign_has_ended_or_the_server(start, sqlite, tmp_path) -> None:
    server = start(sqlite)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    crowd.run(seed=1)
    copy = tmp_path / "copied.db"

    def copied() -> tuple[int, str]:
        shutil.copy(sqlite, copy)  # the file and not the log beside it, while the server runs
        with closing(sqlite3.connect(copy)) as connection:
            return connection.execute(
                "SELECT sum(spent_trillionths), (SELECT state FROM campaigns) FROM people"
            ).fetchone()

    wait_until(lambda: copied() == (6 * 10**12, "done"))
    server.ask("POST", "/api/v1/staff", server.operator, json={"name": "bea", "role": "operator"})
    server.stop()
    shutil.copy(sqlite, copy)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM staff").fetchone() == (2,)


def test_the_name_of_a_backup_is_on_the_disk_when_it_is_reported(tmp_path, monkeypatch) -> None:
    synced: list[tuple[bool, bool]] = []

    def note(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        synced.append((is_folder, (tmp_path / "copy").exists()))

    monkeypatch.setattr("graphveil.service.backups.os.fsync", note)
    with _new_file(tmp_path / "copy") as partial:
        partial.write_text("whole")
    assert synced == [(False, False), (True, True)]


def test_an_empty_database_is_not_made_beside_a_token(tmp_path) -> None:
    token = tmp_path / "operator.token"
    settings = Settings(database=str(tmp_path / "collector.db"), operator_token_file=str(token))
    service, written = open_collector(settings)
    service.database.close()
    kept = written.read_text()
    for mistyped in ("colector.db", f"sqlite:///{tmp_path}/other.db"):
        wrong = Settings(database=str(tmp_path / mistyped), operator_token_file=str(token))
        with pytest.raises(ParameterError, match=r"holds an operator's token"):
            open_collector(wrong)
    assert token.read_text() == kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["collector.db", "operator.token"]
    service, written = open_collector(settings)
    service.database.close()
    assert written is None


@pytest.mark.parametrize("damage", ["empty", "text", "torn", "nobody", "missing"])
def test_what_is_no_backup_leaves_nothing(start, sqlite, tmp_path, damage) -> None:
    server = start(sqlite)
    Crowd.invite(server, VEIL, NETWORK)
    backup, folder = tmp_path / "a.backup", tmp_path / "elsewhere"
    folder.mkdir()
    back_up(sqlite, backup)
    if damage == "torn":
        content = bytearray(backup.read_bytes())
        content[8_192:40_960] = bytes(40_960 - 8_192)
        backup.write_bytes(content)
    elif damage == "nobody":
        with closing(sqlite3.connect(backup)) as connection:
            connection.execute("DELETE FROM staff")
            connection.commit()
    elif damage == "missing":
        backup.unlink()
    else:
        backup.write_text("" if damage == "empty" else "no database" * 1_000)
    with pytest.raises(ParameterError):
        restore(backup, Settings(database=str(folder / "x.db"), operator_token_file=str(folder / "t")), Fraction(0))
    assert list(folder.iterdir()) == []
    with pytest.raises(ParameterError, match="exists"):
        back_up(sqlite, tmp_path / "operator-0.token")


def test_postgresql_is_put_back_by_its_own_tools_and_then_mended(start, cluster, tmp_path) -> None:
    address = cluster.new_database()
    server = start(address)
    crowd = Crowd.invite(server, VEIL, NETWORK)
    with pytest.raises(ParameterError, match="pg_dump"):
        back_up(address, tmp_path / "a.backup")
    server.stop()
    told = restore(None, Settings(database=address, operator_token_file=str(tmp_path / "new.token")), Fraction(1, 2))
    assert (told.paused, told.charged) == ([crowd.campaign.id], 6)
    again = start(address)
    assert spent(again, crowd.tokens) == [1.5] * 6


def test_the_commands(commands, tmp_path, start, sqlite) -> None:
    Crowd.invite(start(sqlite), VEIL, NETWORK)
    backed = commands.run(["collect", "backup", sqlite, "--out", "a.backup", "--json"], tmp_path)
    assert json.loads(backed.stdout) == {"backup": "a.backup", "people": 6, "campaigns": 1, "reports": 0}
    words = ["collect", "restore", "a.backup", "--database", "new.db"]
    assert commands.run(words, tmp_path).returncode == 2  # what was created later has to be said
    told = commands.run([*words, "--later-epsilon", "0", "--json"], tmp_path)
    assert (told.returncode, json.loads(told.stdout)["charged"]) == (0, 6)
    again = commands.run([*words, "--later-epsilon", "0"], tmp_path)
    assert again.returncode == 2
    assert len(again.stderr.strip().splitlines()) == 1
