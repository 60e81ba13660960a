"""An interrupted `collect create` loses no token, and no link is written without one unless somebody said so."""

from __future__ import annotations

import csv
import json

import pytest
from crowds import plan

from graphveil.cli.collect import create as command
from graphveil.errors import ParameterError
from graphveil.registry import find_protocol
from graphveil.service.client.api import Refused

VEIL = find_protocol("degree-distribution", "veil", "node")
SECRET = "s" * 43
ASKED = {"statistic": "degree-distribution", "unit": "node", "epsilon": "1"}


@pytest.fixture
def create(start, sqlite, tmp_path):
    """Run the command in this process, against a server."""
    server = start(sqlite)
    (tmp_path / "people.txt").write_text("ann\nbob\n=cat()\n", encoding="utf-8")
    (tmp_path / "token").write_text(server.operator)

    def run(**changes) -> list[dict[str, str]]:
        links = tmp_path / changes.pop("links", "links.csv")
        places = {"roster": tmp_path / "people.txt", "invitations": links, "token": tmp_path / "token"}
        command.create(**ASKED, **places, server=server.url, **changes)
        return list(csv.DictReader(links.read_text(encoding="utf-8").splitlines()))

    run.server, run.folder = server, tmp_path
    return run


def valid(server, link: str) -> bool:
    return server.ask("GET", "/api/v1/me", link.rpartition(":")[2]).status_code == 200


def test_the_same_request_with_its_secret_gets_the_same_tokens(start, database) -> None:
    server = start(database)
    asked = plan(VEIL, 4) | {"secret": SECRET, "known": "refuse"}
    post = lambda body: server.ask("POST", "/api/v1/campaigns", server.operator, json=body)  # noqa: E731
    first, again = post(asked), post(asked)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert len(first.json()["tokens"]) == 4
    for other in ("t" * 43, ""):
        assert post(asked | {"secret": other}).json()["type"].endswith(":exists")
    known = post(asked | {"title": "next"})
    assert (known.status_code, known.json()["type"].rpartition(":")[2]) == (409, "known-people")
    renewed = post(asked | {"title": "next", "known": "renew", "secret": "t" * 43}).json()["tokens"]
    assert set(renewed) == set(first.json()["tokens"])
    assert server.ask("GET", "/api/v1/me", renewed["person 0"]).status_code == 200
    assert server.ask("GET", "/api/v1/me", first.json()["tokens"]["person 0"]).status_code == 401
    assert len(server.ask("GET", "/api/v1/campaigns", server.operator).json()) == 2


def test_an_interrupted_command_is_given_again_and_no_link_is_lost(create, monkeypatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(command, "write_links", interrupt)
        with pytest.raises(KeyboardInterrupt):
            create()  # the campaign is there; its links are not
    assert not (create.folder / "links.csv").exists()
    rows = create()
    assert [row["name"] for row in rows] == ["ann", "bob", "'=cat()"]  # no formula for a spreadsheet
    assert all(valid(create.server, row["link"]) for row in rows)
    assert len(create.server.ask("GET", "/api/v1/campaigns", create.server.operator).json()) == 1
    assert not list(create.folder.glob("*.unfinished"))


def test_links_without_tokens_are_written_only_where_somebody_said_so(create) -> None:
    create()
    with pytest.raises(Refused, match="--known"):
        create(links="more.csv", title="more")
    assert not list(create.folder.glob("more.csv*"))
    rows = create(links="kept.csv", known="keep", title="kept", as_json=True)
    assert all(row["link"].endswith(":") for row in rows)
    rows = create(links="renewed.csv", known="renew", title="renewed")
    assert all(valid(create.server, row["link"]) for row in rows)


def test_the_secret_of_another_campaign_is_not_used(create) -> None:
    (create.folder / "links.csv.unfinished").write_text(json.dumps({"statistic": "triangles"}), encoding="utf-8")
    with pytest.raises(Exception, match="another campaign"):
        create()
    assert create.server.ask("GET", "/api/v1/campaigns", create.server.operator).json() == []


def test_the_same_command_goes_on_after_its_links_were_written(create, sqlite, monkeypatch, capsys) -> None:
    served = []
    monkeypatch.setattr(command, "serve_until_stopped", served.append)
    monkeypatch.chdir(create.folder)
    own = {"serve": True, "database": str(create.folder / "own.db")}
    first = create(**own)
    assert create(**own) == first  # the same links, and the collector runs again
    assert len(served) == 2
    assert "this campaign was made before and goes on" in capsys.readouterr().err
    with pytest.raises(ParameterError, match=r"another campaign, .* differs in minimum_reports, title"):
        create(**own, minimum=1, title="other")
    (create.folder / "people.txt").write_text("ann\nbob\ncat\n", encoding="utf-8")
    with pytest.raises(ParameterError, match=r"another campaign, .* differs in roster:"):
        create(**own)
    with pytest.raises(ParameterError, match="is not in this database"):
        create(serve=True, database=sqlite)
    (create.folder / "links.csv").write_text("name,link\nann,nothing\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="does not hold the links of one campaign"):
        create(**own)
    assert len(served) == 2
