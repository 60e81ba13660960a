"""Settings, tokens, database tables and TLS of a server, each tested without a campaign."""

from __future__ import annotations

import datetime
import ipaddress
import os
import ssl
import stat
from pathlib import Path

import httpx
import pytest
import uvicorn
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from sqlalchemy.exc import SQLAlchemyError

from conftest import free_port, run_in_thread
from graphveil.errors import ParameterError
from graphveil.service import serve
from graphveil.service.app import create_app
from graphveil.service.auth import Role, Token, new_token
from graphveil.service.limits import Allowance
from graphveil.service.service import Service
from graphveil.service.settings import Settings
from graphveil.service.store.database import Database
from graphveil.service.store.tables import metadata


def test_flags_win_over_environment_over_file(tmp_path: Path) -> None:
    file = tmp_path / "collector.toml"
    file.write_text('port = 1\nhost = "file"\nkeep_days = 2\n', encoding="utf-8")
    environment = {"GRAPHVEIL_PORT": "2", "GRAPHVEIL_HOST": "environment", "GRAPHVEIL_DATA": "not ours"}
    loaded = Settings.load(file, flags={"port": 3, "database": None}, environment=environment)
    assert (loaded.port, loaded.host, loaded.keep_days, loaded.database) == (3, "environment", 2.0, "graphveil.db")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port = ", "not TOML"),
        ("colour = 1", "unknown settings: colour"),
        ('port = "many"', "type int"),
        ("port = [1]", "type int"),
        ("port = 65536", "port must lie from 0"),
        ("port = -1", "port must lie from 0"),
        ("keep_days = 0", "above 0"),
        ('person_limit = "none"', "person_limit"),
        ('certificate = "a.pem"', "both"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "collector.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError, match=words):
        Settings.load(file, environment={})


def test_tables_are_made_once_and_are_what_the_program_expects(database: str) -> None:
    opened = Database(database)
    try:
        for _ in range(2):  # the second time nothing is left to do
            opened.migrate()
            with opened.read() as connection:
                assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    finally:
        opened.close()


@pytest.mark.parametrize("address", ["mysql://x/y", "nonsense://", "postgresql+nonsense://x/y"])
def test_other_databases_are_refused(address: str) -> None:
    with pytest.raises(ParameterError, match="the database must be"):
        Database(address)


def test_quick_ways_fail_like_all_others(database: str) -> None:
    kept = Database(database)
    with pytest.raises(SQLAlchemyError), kept.read() as connection:  # what is raised decides what is tried again
        Database.fetch(connection, "SELECT {} FROM nothing", 1)
    with pytest.raises(SQLAlchemyError) as failure, kept.write() as connection:
        kept.append(connection, metadata.tables["people"], ("name",), [("ann",)])
    assert "ann" not in str(failure.value)
    kept.close()


def test_the_database_and_the_token_are_their_owners_alone(tmp_path: Path) -> None:
    token = tmp_path / "operator.token"
    token.touch(mode=0o644)
    before = os.umask(0)
    try:
        service = Service.open(Settings(database=str(tmp_path / "collector.db"), operator_token_file=str(token)))
        serve.ensure_operator(service)
        with service.database.write():
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    service.database.close()
    assert {"collector.db", "collector.db-wal", "operator.token"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_a_token_matches_its_own_hash_only() -> None:
    text = new_token(Role.PERSON, 7)
    token = Token.parse(text)
    assert token is not None
    assert (token.role, token.holder) == (Role.PERSON, 7)
    assert token.matches(token.hash)
    assert not token.matches(None)
    assert not token.matches(bytes(32))
    assert text != new_token(Role.PERSON, 7)
    for rubbish in (
        "",
        "gvp",
        "gvp.7",
        "gvp.7.",
        "gvp.-7.x",
        "gvp." + "9" * 19 + ".x",
        text.replace("gvp", "gvx"),
        text.replace(".7.", ".٧."),
    ):
        assert Token.parse(rubbish) is None


def test_an_allowance_fills_up_with_time() -> None:
    now = [0.0]
    allowance = Allowance(2.0, 3, timer=lambda: now[0])
    assert [allowance.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert allowance.wait("b") == 0
    now[0] = 0.5
    assert [allowance.wait("a"), allowance.wait("a")] == [0, 0.5]


def test_the_server_speaks_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run_server` hands everything to uvicorn; what it hands over is then run in a thread."""
    certificate, key = certify(tmp_path)
    given: dict = {}
    monkeypatch.setattr(uvicorn, "run", lambda app, **options: given.update(options, app=app))
    settings = Settings(database=str(tmp_path / "x.db"), certificate=certificate, certificate_key=key, port=free_port())
    service = Service.open(settings)
    serve.run_server(service, create_app(service))
    with run_in_thread(uvicorn.Config(**given)):
        trust = ssl.create_default_context(cafile=certificate)
        assert settings.url == f"https://127.0.0.1:{settings.port}"
        assert httpx.get(f"{settings.url}/ready", verify=trust, timeout=60).json() == {"status": "ready"}


def certify(folder: Path) -> tuple[str, str]:
    """A certificate for this machine, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(signed.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(private)
    return str(folder / "cert.pem"), str(folder / "key.pem")
