"""Campaigns for class rows and for friend suggestions: created by the command, answered by real clients, used."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import numpy as np
import pytest

from commands import Commands
from conftest import wait_until
from graphveil.cli.collect import create as command
from graphveil.cli.collect.predict import predict
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph
from graphveil.service.client.api import Api
from graphveil.service.client.diary import Diary
from graphveil.service.client.invitation import Invitation
from graphveil.service.client.participant import Participant

N = 60
TEAMS = ("red", "blue")


STRANGERS = {2, 4}  # of one team, with all friends in common


def friends_of(person: int) -> list[str]:
    """Everybody of the same team but every seventh, who keep to themselves."""
    team = [other for other in range(person % 2, N, 2) if other != person and other % 7 and person % 7]
    return [f"p{other}" for other in team if {person, other} != STRANGERS]


@pytest.fixture
def campaign(start, sqlite, tmp_path):
    """A campaign that the command has made, and its links."""
    server = start(sqlite)
    (tmp_path / "token").write_text(server.operator)
    with (tmp_path / "people.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(("person", "team", "colour"))
        table.writerows((f"p{i}", "" if i % 3 == 2 else TEAMS[i % 2], f"c{i % 5}") for i in reversed(range(N)))
    (tmp_path / "people.txt").write_text("\n".join(f"p{i}" for i in range(N)))

    def create(statistic: str, roster: str, epsilon: str, **more) -> list[dict[str, str]]:
        places = {"roster": tmp_path / roster, "invitations": tmp_path / "links.csv", "token": tmp_path / "token"}
        asked = {"statistic": statistic, "unit": "edge", "epsilon": epsilon, "title": "May"}
        command.create(**asked, **places, server=server.url, **more)
        return list(csv.DictReader((tmp_path / "links.csv").read_text().splitlines()))

    create.server, create.folder = server, tmp_path
    return create


@contextmanager
def answered(links, folder) -> Iterator[list[Participant]]:
    """Everybody, after having answered."""
    with ExitStack() as stack:
        people = []
        for row in links:
            invited = Invitation.parse(row["link"])
            api = stack.enter_context(Api(invited.url, invited.token))
            diary = Diary(folder / f"{row['name']}.json", "10")
            listed = friends_of(int(row["name"][1:]))
            person = Participant(api, invited.campaign_id, invited.name, listed, diary)
            person.enrol()
            person.send(person.answer(1))
            people.append(person)
        yield people


def finished(campaign, links) -> str:
    """The campaign's path, once it is done."""
    path = f"/api/v1/campaigns/{Invitation.parse(links[0]['link']).campaign_id}"
    wait_until(lambda: campaign.server.ask("GET", f"{path}/status").json()["state"] == "done")
    return path


def test_rows_from_a_table_with_labels_to_predictions(campaign, capsys) -> None:
    links, folder = campaign("class-rows", "people.csv", "6", attribute="team"), campaign.folder
    assert [row["name"] for row in links[:3]] == ["p0", "p1", "p10"]
    with answered(links, folder) as people:
        assert people[0].guarantee.epsilon == people[0].guarantee.relationship_epsilon == 6
        assert "c3" not in people[0].campaign.to_json()  # features stay out of it
    path = finished(campaign, links)
    result = campaign.server.ask("GET", f"{path}/result", campaign.server.operator).json()
    (folder / "result.json").write_text(json.dumps(result))
    asked = {"people": folder / "people.csv", "attribute": "team", "out": folder / "found.csv"}
    predict(folder / "result.json", **asked)
    told = capsys.readouterr().out
    assert "the campaign has paid" in told
    rows = list(csv.DictReader((folder / "found.csv").read_text().splitlines()))
    assert [row["person"] for row in rows] == sorted(f"p{i}" for i in range(2, N, 3))
    sociable = [row for row in rows if int(row["person"][1:]) % 7]
    right = [row["prediction"] == TEAMS[int(row["person"][1:]) % 2] for row in sociable]
    assert np.mean(right) > 0.9
    predict(folder / "result.json", **asked, features="colour", force=True)
    (folder / "people.csv").write_text((folder / "people.csv").read_text().replace("p4,red", "p4,blue"))
    with pytest.raises(ParameterError, match="other people or labels"):
        predict(folder / "result.json", **asked, force=True)


def test_friends_are_suggested_to_clients_who_answered(campaign) -> None:
    links, folder = campaign("friend-suggestions", "people.txt", "9"), campaign.folder
    with answered(links, folder) as people:
        path = finished(campaign, links)
        best, others = (people[each].suggested(people[each].progress().publications) for each in sorted(STRANGERS))
    result = campaign.server.ask("GET", f"{path}/result", campaign.server.operator).json()
    edges = [(person, int(name[1:])) for person in range(N) for name in friends_of(person)]
    assert result["value"] == pytest.approx(Graph.from_edges(edges, n_nodes=N).n_edges, abs=5)
    assert len(best) == 10
    assert (best[0][0], others[0][0]) == ("p4", "p2")
    assert {name for name, _ in best}.isdisjoint(friends_of(2))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--statistic", "class-rows"), "--attribute"),
        (("--statistic", "class-rows", "--attribute", "town"), "unknown label column 'town'"),
        (("--statistic", "class-rows", "--attribute", "team", "--option", "classes=a,b"), "no --option"),
        (("--statistic", "triangles", "--attribute", "team"), "--attribute is for --statistic class-rows"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_line(commands: Commands, tmp_path, words, said) -> None:
    (tmp_path / "people.csv").write_text("person,team\nann,red\nbob,blue\ncat,\n")
    asked = ("--unit", "edge", "--epsilon", "1", *words)
    done = commands.run(["collect", "create", "people.csv", *asked], tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"statistic": "triangles", "value": 3}', '{"statistic": "class-rows"}']
)
def test_what_is_no_result_is_refused(commands: Commands, tmp_path, text) -> None:
    (tmp_path / "people.csv").write_text("person,team\nann,red\nbob,blue\ncat,\n")
    (tmp_path / "result.json").write_text(text)
    asked = ("--people", str(tmp_path / "people.csv"), "--attribute", "team", "--out", str(tmp_path / "out.csv"))
    done = commands.run(["collect", "predict", "result.json", *asked], tmp_path)
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "out.csv").exists()
