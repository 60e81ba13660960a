"""What a person's device does whatever the network and the collector do to it."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from threading import Barrier

import counting_protocol
import httpx
import pytest
from crowds import Crowd

from conftest import wait_until
from graphveil.errors import BudgetExceeded, ClaimRefuted, ParameterError
from graphveil.graph.generate.random import power_law_cluster
from graphveil.local.messages import Report
from graphveil.registry import find_protocol
from graphveil.service.client.api import Api, Refused, Unreachable
from graphveil.service.client.diary import Diary, usual_place
from graphveil.service.client.operator import OperatorClient
from graphveil.service.client.participant import Participant

VEIL = find_protocol("degree-distribution", "veil", "node")
NETWORK = power_law_cluster(6, 2, 0.5, seed=1)
OPENED: list[Api] = []
FRIENDS = ["person 1", "person 2", "somebody else"]


@pytest.fixture
def crowd(start, sqlite, counting) -> Crowd:
    return Crowd.invite(start(sqlite), VEIL, NETWORK)


class Between(httpx.BaseTransport):
    """Stands between a client and the collector: loses requests or answers, or changes answers."""

    def __init__(self, *, lose_request=(), lose_answer=(), change=None) -> None:
        self._inner = httpx.HTTPTransport()
        self.lose_request, self.lose_answer, self.change = set(lose_request), set(lose_answer), change
        self.sent: list[tuple[str, bytes]] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        number = len(self.sent)
        self.sent.append((f"{request.method} {request.url.path}", request.read()))
        if number in self.lose_request:
            raise httpx.ConnectError("lost")
        answer = self._inner.handle_request(request)
        answer.read()
        if number in self.lose_answer:
            raise httpx.ReadError("lost")
        changed = self.change and self.change(request.url.path, answer)
        return changed or answer

    def close(self) -> None:
        self._inner.close()


@pytest.fixture(autouse=True)
def _hang_up():
    yield
    while OPENED:
        OPENED.pop().__exit__()


def connect(crowd: Crowd, user: int = 0, transport=None) -> Api:
    OPENED.append(Api(crowd.server.url, crowd.tokens[user], transport=transport, pause=lambda _: None))
    return OPENED[-1]


def join(crowd: Crowd, diary: Path, user: int = 0, budget="3", transport=None, friends=FRIENDS, **options):
    api = connect(crowd, user, transport)
    return Participant(api, crowd.campaign.id, f"person {user}", friends, Diary(diary, budget), **options)


def test_every_request_and_every_answer_may_be_lost(crowd, tmp_path) -> None:
    for user, lost in enumerate([{"lose_request": range(0, 40, 2)}, {"lose_answer": range(0, 40, 2)}]):
        between = Between(**lost)
        person = join(crowd, tmp_path / f"{user}.diary", user, transport=between)
        person.enrol()
        person.send(person.answer(1))
        bodies = {body for where, body in between.sent if where.endswith("/reports")}
        assert len(bodies) == 1
    assert crowd.progress()["reports"] == [2]
    assert set(crowd.progress()["refusals"]) <= {"duplicate"}


def test_an_answer_is_on_disk_before_it_leaves_and_is_the_only_one_ever_sent(crowd, tmp_path) -> None:
    diary = tmp_path / "my.diary"
    with pytest.raises(ParameterError, match="enrol first"):
        join(crowd, diary).answer(1)
    person = join(crowd, diary)
    person.enrol()
    first = person.answer(1)  # drawn, and then the device died before sending
    for _ in range(3):
        person = join(crowd, diary, budget=None, friends=["person 5"])
        assert person.answered == 1
        assert person.answer(1) == first
    person.send(first)
    person.send(first)
    assert crowd.progress()["reports"] == [1]
    with pytest.raises(Refused) as refusal:
        person.send(Report(crowd.campaign.id, 1, 0, bytes([first.payload[0] ^ 1]) + first.payload[1:]))
    assert refusal.value.code == "conflict"


def test_a_lost_diary_draws_no_second_answer(crowd, tmp_path) -> None:
    between = Between()
    person = join(crowd, tmp_path / "lost.diary", transport=between)
    person.enrol()
    again = join(crowd, tmp_path / "lost.diary", budget=None)  # died between enrolling and drawing: goes on
    again.enrol()
    again.send(again.answer(1))
    another = join(crowd, tmp_path / "new.diary", transport=between)
    for replace in (False, True):
        with pytest.raises(Refused, match="joined this campaign before") as refusal:
            another.enrol(replace_device=replace)
        assert refusal.value.code == "answered-elsewhere"
    with pytest.raises(ParameterError, match="enrol first"):
        another.answer(1)
    assert another.answered == 0
    assert Diary(tmp_path / "new.diary").left == 3
    assert crowd.server.ask("GET", "/api/v1/me", crowd.tokens[0]).json()["spent"] == 1


def test_two_devices_that_join_in_the_same_moment_send_one_answer(crowd, tmp_path) -> None:
    together = Barrier(4)

    class Racing(Between):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            if request.method == "PUT" and not self.sent[-1][0].startswith("PUT"):
                together.wait(30)  # all have looked, none has joined
            return super().handle_request(request)

    between = [Racing() for _ in range(4)]
    people = [join(crowd, tmp_path / f"{i}.diary", transport=each) for i, each in enumerate(between)]

    def take_part(person: Participant) -> str:
        try:
            person.enrol()
        except Refused as refusal:
            return refusal.code
        person.send(person.answer(1))
        return "sent"

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(take_part, people)) == ["other-device"] * 3 + ["sent"]
    assert sum(where.endswith("/reports") for each in between for where, _ in each.sent) == 1
    assert sorted(Diary(tmp_path / f"{i}.diary").left for i in range(4)) == [2, 3, 3, 3]
    assert crowd.progress()["reports"] == [1]


def test_a_lost_device_is_replaced_and_sends_nothing_if_it_is_found_again(crowd, tmp_path) -> None:
    between = Between()
    lost = join(crowd, tmp_path / "lost.diary", transport=between)
    lost.enrol()
    drawn = lost.answer(1)
    new = join(crowd, tmp_path / "new.diary")
    with pytest.raises(Refused, match="--replace-device"):
        new.enrol()
    new.enrol(replace_device=True)
    with pytest.raises(Refused) as refusal:
        lost.send(drawn)
    assert refusal.value.code == "other-device"
    assert not [where for where, _ in between.sent if where.endswith("/reports")]
    new.send(new.answer(1))
    with pytest.raises(Refused) as refusal:
        lost.enrol(replace_device=True)  # it is too late to change one's mind
    assert refusal.value.code == "answered-elsewhere"
    assert crowd.progress()["reports"] == [1]
    assert crowd.server.ask("GET", "/api/v1/me", crowd.tokens[0]).json()["spent"] == 1


def test_a_device_without_a_name_joins_only_where_none_has_one(crowd, tmp_path) -> None:
    """A client of 0.1 gives no name; it goes on where it joined, and so does its diary under this version."""
    place = f"{crowd.path}/enrolment"
    assert crowd.server.ask("PUT", place, crowd.tokens[0]).status_code == 200
    assert crowd.server.ask("PUT", place, crowd.tokens[0]).status_code == 200
    unknown = join(crowd, tmp_path / "other.diary")
    with pytest.raises(Refused, match="go on with the diary"):
        unknown.enrol()
    old = join(crowd, tmp_path / "old.diary")
    Diary(tmp_path / "old.diary", "3").join(crowd.campaign)
    old.enrol()
    assert crowd.server.ask("PUT", place, crowd.tokens[0]).status_code == 409
    answers = crowd.enrol()  # a gateway enrols everybody, and is no device
    assert [each["number"] for each in answers] == list(range(6))


def test_two_processes_of_one_person_send_the_same(crowd, tmp_path) -> None:
    one, other = join(crowd, tmp_path / "my.diary"), join(crowd, tmp_path / "my.diary")
    one.enrol()
    other.enrol()
    assert one.answer(1) == other.answer(1)


def test_two_commands_at_once_in_any_folder_keep_one_diary_and_send_one_answer(crowd, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    monkeypatch.setattr("sys.platform", "linux")
    places = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        places.append(usual_place())
    assert places == [tmp_path / "user" / "graphveil" / "my.diary"] * 2
    people = [join(crowd, place) for place in places * 2]
    people[0].enrol()
    with ThreadPoolExecutor() as pool:
        assert len(set(pool.map(lambda person: person.answer(1).encode(), people))) == 1
    (tmp_path / "other" / "my.diary").touch()
    assert usual_place() == Path("my.diary")  # of 0.1: what it has spent stays spent


def test_the_person_has_a_budget_of_their_own(crowd, tmp_path) -> None:
    with pytest.raises(ParameterError, match="--budget"):
        join(crowd, tmp_path / "none.diary", budget=None).enrol()
    poor = join(crowd, tmp_path / "poor.diary", budget="0.5")
    with pytest.raises(BudgetExceeded, match="nothing was spent"):
        poor.enrol()
    with pytest.raises(ParameterError, match="enrol first"):
        poor.answer(1)
    assert crowd.server.ask("GET", "/api/v1/me", crowd.tokens[0]).json()["spent"] == 0


def test_a_limit_is_checked_before_it_is_on_file_and_may_be_raised(crowd, tmp_path) -> None:
    place = tmp_path / "new" / "my.diary"
    for budget, error in ((None, ParameterError), ("1/2", BudgetExceeded)):
        with pytest.raises(error, match=r"--budget 1\b"):
            Diary(place, budget).check_limit(Fraction(1))
    assert not place.parent.exists()
    first = join(crowd, place, budget="1")
    first.enrol()
    assert first.send(first.answer(1))
    assert not first.send(first.answer(1))  # counted before
    with pytest.raises(ParameterError, match="can be raised"):
        join(crowd, place, budget="2").enrol()
    more = Diary(place, "2")
    assert more.asks_for_more
    more.check_limit(Fraction(1))
    more.raise_limit()
    assert (Diary(place).limit, Diary(place).left) == (2, 1)
    with pytest.raises(BudgetExceeded, match="--budget 3 --raise-budget"):
        Diary(place).check_limit(Fraction(2))


def test_later_rounds_cost_nothing_and_keep_the_role(start, sqlite, counting, tmp_path) -> None:
    crowd = Crowd.invite(start(sqlite), counting_protocol.ENTRY, NETWORK, minimum_reports=1)
    person = join(crowd, tmp_path / "my.diary", budget="1")
    person.enrol()
    person.send(person.answer(1))
    crowd.close(1)
    told = person.progress()
    assert (told.state, told.round, len(told.publications)) == ("open", 2, 1)
    again = join(crowd, tmp_path / "my.diary", budget="1")
    again.send(again.answer(2, told.publications))
    wait_until(lambda: crowd.status()["state"] == "done")
    assert Diary(tmp_path / "my.diary").left == 0
    with pytest.raises(ParameterError, match="another role"):
        join(crowd, tmp_path / "my.diary", user=1, budget=None)


def test_a_device_fetches_the_part_of_the_graph_that_its_role_needs_and_no_list_decides_which(
    start, sqlite, tmp_path
) -> None:
    crowd = Crowd.invite(start(sqlite), find_protocol("triangles", "veil-low-download", "edge"), NETWORK)
    between = [Between() for _ in range(6)]
    people = [
        join(crowd, tmp_path / f"{user}.diary", user, transport=between[user], friends=friends)
        for user, friends in enumerate([FRIENDS, [], FRIENDS, [], FRIENDS, []])
    ]
    for person in people:
        person.enrol()
        person.send(person.answer(1))
    wait_until(lambda: crowd.status()["round"] == 2)
    (name,) = crowd.status()["publications"]
    for user, person in enumerate(people):
        person.send(person.answer(2, (name,)))
        asked = [where for where, _ in between[user].sent if "/publications/" in where]
        assert asked == [f"GET {crowd.path}/publications/{name}/parts/{user}"]
    wait_until(lambda: crowd.status()["state"] == "done")
    operator = crowd.server.operator
    for path in (f"{name}/parts/6", f"{'0' * 64}/parts/0", f"{name}/parts/x", f"{name}/parts/-1"):
        assert crowd.server.ask("GET", f"{crowd.path}/publications/{path}", operator).status_code in (404, 422)
    assert crowd.server.ask("GET", f"{crowd.path}/publications/{name}/parts/0").status_code == 401


def _rewritten(answer: httpx.Response, content: bytes) -> httpx.Response:
    return httpx.Response(answer.status_code, content=content, headers={"content-type": answer.headers["content-type"]})


def test_a_collector_that_changes_anything_is_not_answered(crowd, tmp_path) -> None:
    def another_epsilon(path: str, answer: httpx.Response):
        if path == crowd.path:
            return _rewritten(answer, answer.content.replace(b'"epsilon":"1"', b'"epsilon":"9"'))
        return None

    def refuted(path: str, answer: httpx.Response):
        if path == crowd.path:
            document = json.loads(answer.content) | {"protocol": "gs-ldp", "parameters": {}}
            return _rewritten(answer, json.dumps(document, sort_keys=True, separators=(",", ":")).encode())
        return None

    def another_roster(path: str, answer: httpx.Response):
        if path.endswith("/roster"):
            names = gzip.decompress(answer.content).splitlines(keepends=True)
            return _rewritten(answer, gzip.compress(b"".join(reversed(names))))
        return None

    def rubbish(path: str, answer: httpx.Response):
        if path.endswith("/roster"):
            return _rewritten(answer, b"rubbish")
        return None

    cases = [
        (another_epsilon, ParameterError, "another campaign"),
        (refuted, ClaimRefuted, "may not be deployed"),
        (another_roster, ParameterError, "another content"),
        (rubbish, ParameterError, "damaged"),
    ]
    for change, error, words in cases:
        with pytest.raises(error, match=words):
            join(crowd, tmp_path / "my.diary", transport=Between(change=change))


@pytest.mark.parametrize(
    "told",
    [
        b"",
        b"\xff",
        b"[1]",
        b"[" * 100_000,
        b'{"state":"open","round":"x","publications":[]}',
        b'{"state":"open","round":1e999,"publications":[]}',
        b'{"state":"open","round":1,"publications":[[1]]}',
        b'{"state":"open","round":1,"publications":7}',
    ],
)
def test_a_status_that_makes_no_sense_ends_in_one_line(crowd, tmp_path, told) -> None:
    def nonsense(path: str, answer: httpx.Response):
        return _rewritten(answer, told) if path.endswith("/status") else None

    person = join(crowd, tmp_path / "my.diary", transport=Between(change=nonsense))
    with pytest.raises(ParameterError, match=r"^the collector sent an answer that makes no sense"):
        person.progress()


def test_what_an_operators_command_is_told_is_checked_too() -> None:
    def told(content: bytes) -> OperatorClient:
        return OperatorClient(
            Api("http://x", transport=httpx.MockTransport(lambda _: httpx.Response(200, content=content)))
        )

    asked = [lambda it: it.find(None), lambda it: it.staff(), lambda it: it.renew_token("ann")]
    for content in (b"{}", b"[{}]", b'[{"id": 7, "name": [], "role": "operator"}]', b'{"token": 7}', b"7", b""):
        for ask in asked:
            with pytest.raises(ParameterError, match="makes no sense"):
                ask(told(content))
    assert told(b'[{"id": "ab", "title": "May"}]').find("a") == "ab"
    assert told(b'[{"name": "ann", "role": "operator"}]').staff() == [{"name": "ann", "role": "operator"}]
    assert told(b'{"token": "gvp_1"}').renew_token("ann") == "gvp_1"


def test_a_publication_changed_after_it_was_answered_ends_the_conversation(start, sqlite, counting, tmp_path) -> None:
    crowd = Crowd.invite(start(sqlite), counting_protocol.ENTRY, NETWORK, minimum_reports=1)

    def another_content(path: str, answer: httpx.Response):
        if "/publications/" in path:
            return _rewritten(answer, gzip.compress(b"5"))
        return None

    person = join(crowd, tmp_path / "my.diary", transport=Between(change=another_content))
    person.enrol()
    person.send(person.answer(1))
    crowd.close(1)
    with pytest.raises(ParameterError, match="another content"):
        person.answer(2, person.progress().publications)


def test_a_round_without_the_publications_that_it_needs_ends_in_one_line(start, sqlite, tmp_path) -> None:
    crowd = Crowd.invite(start(sqlite), find_protocol("triangles", "veil-low-download", "edge"), NETWORK)
    person = join(crowd, tmp_path / "my.diary")
    person.enrol()
    person.send(person.answer(1))
    with pytest.raises(ParameterError, match="did not publish what it needs"):
        person.answer(2, ())
    assert person.answered == 1


def test_a_file_that_unpacks_to_too_much_is_not_read(monkeypatch) -> None:
    monkeypatch.setattr("graphveil.service.client.api.MOST_BYTES", 10**6)
    bomb = gzip.compress(bytes(10**8))
    assert len(bomb) < 10**6
    sent = [httpx.Response(200, content=bomb), httpx.Response(200, content=bomb, headers={"Content-Encoding": "gzip"})]
    with Api("http://collector.example", transport=httpx.MockTransport(lambda _: sent.pop())) as api:
        for ask in (lambda path: api.ask(dict, "GET", path), api.unpacked):
            tracemalloc.start()
            with pytest.raises(ParameterError, match="MB at once"):
                ask("/anything")
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert peak < 2 * 10**7


def test_who_is_not_on_the_roster_or_not_themselves_learns_so(crowd, tmp_path) -> None:
    api = connect(crowd)
    with pytest.raises(ParameterError, match="has no 'nobody'"):
        Participant(api, crowd.campaign.id, "nobody", [], Diary(tmp_path / "a.diary", 3))
    posing = Participant(api, crowd.campaign.id, "person 3", [], Diary(tmp_path / "b.diary", 3))
    posing.enrol()
    with pytest.raises(Refused) as refusal:
        posing.send(posing.answer(1))
    assert refusal.value.code == "foreign"


def test_a_collector_that_is_away_is_asked_again_and_then_given_up() -> None:
    pauses: list[float] = []
    away = httpx.MockTransport(lambda _: httpx.Response(503))
    with Api("http://collector.example", transport=away, pause=pauses.append) as api, pytest.raises(Unreachable):
        api.ask(dict, "GET", "/anything")
    assert pauses == sorted(pauses)
    assert len(pauses) == 5
    refusing = httpx.MockTransport(lambda _: httpx.Response(404, json={"type": "urn:graphveil:problem:not-found"}))
    with Api("http://collector.example", transport=refusing, pause=pauses.append) as api, pytest.raises(Refused):
        api.ask(dict, "GET", "/anything")
    assert len(pauses) == 5
    paused = httpx.MockTransport(lambda _: httpx.Response(503, json={"type": "urn:graphveil:problem:paused"}))
    with Api("http://collector.example", transport=paused, pause=pauses.append) as api, pytest.raises(Refused):
        api.ask(dict, "GET", "/anything")
    assert len(pauses) == 5


def test_nothing_private_reaches_the_server_or_its_file(crowd, tmp_path) -> None:
    between = Between()
    person = join(crowd, tmp_path / "my.diary", transport=between)
    person.enrol()
    report = person.answer(1)
    person.send(report)
    bodies = [body for _, body in between.sent if body]
    name = Diary(tmp_path / "my.diary").device(crowd.campaign)
    asked = [json.loads(body) for body in bodies[:-1]]
    assert asked == [{"device": name, "joined": joined, "replace": False} for joined in (False, True)]
    assert bodies[-1:] == [report.encode()]
