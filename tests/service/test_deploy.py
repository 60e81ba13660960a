"""The files of deploy/ name settings and commands that exist."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from graphveil.service.settings import PREFIX, Settings

DEPLOY = Path(__file__).parents[2] / "deploy"


def test_settings_are_read() -> None:
    loaded = Settings.load(DEPLOY / "graphveil.toml", environment={})
    assert (loaded.url, loaded.trusted_proxies) == ("https://collect.example.org", "127.0.0.1")


def test_the_container_sets_what_there_is() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    named = set(re.findall(rf"{PREFIX}([A-Z_]+)=", text))
    assert {name.lower() for name in named} <= {field.name for field in fields(Settings)}
    assert "USER graphveil" in text


def test_proxy_unit_and_settings_speak_of_one_port_and_one_folder() -> None:
    settings = Settings.load(DEPLOY / "graphveil.toml", environment={})
    assert f"proxy_pass http://{settings.host}:{settings.port};" in (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    unit = (DEPLOY / "graphveil.service").read_text(encoding="utf-8")
    assert f"WorkingDirectory={Path(settings.database).parent}" in unit
