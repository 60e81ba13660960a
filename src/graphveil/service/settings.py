"""What an operator can set: by flag, by environment (GRAPHVEIL_…), in a TOML file; the first that speaks wins."""

from __future__ import annotations

import os
import socket
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.privacy.loss import exact_epsilon

PREFIX = "GRAPHVEIL_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Of one server.

    >>> Settings.load(environment={"GRAPHVEIL_PORT": "9000"}, flags={"host": "0.0.0.0"}).port
    9000
    """

    database: str = "graphveil.db"  # a SQLite file, or postgresql://user@host/name
    host: str = "127.0.0.1"
    port: int = 8137
    public_url: str = ""  # the address people reach the collector at, for invitations; default http(s)://host:port
    operator_token_file: str = "graphveil-operator.token"  # noqa: S105 - where it is written, once, readable by the owner
    certificate: str = ""  # TLS: certificate chain and key, both PEM
    certificate_key: str = ""
    trusted_proxies: str = ""  # addresses whose X-Forwarded-For is believed, by commas
    person_limit: str = "10"  # epsilon that one person may spend over all campaigns of this collector
    max_body_bytes: int = 64 * 2**20
    max_report_bytes: int = 2 * 2**20  # of one person's report, which is read before its token is checked
    requests_per_second: float = 50.0  # of one token or address, in the long run
    request_burst: int = 200
    memory_mb: int = 4096  # what closing a campaign may take; larger campaigns are refused when they are made
    keep_days: float = 30.0  # reports of a campaign that failed are erased after that; all others when it ends
    operator: str = ""  # who runs this party, as people read it; with two servers
    keys: str = ""  # the folder of a party's secrets, outside the database; default: beside a SQLite file
    log_format: str = "text"  # or json: one document a line
    tick_seconds: float = 1.0  # how often deadlines are looked at

    def __post_init__(self) -> None:
        exact_epsilon(self.person_limit, "person_limit")
        if self.log_format not in ("text", "json"):
            raise ParameterError(f"log_format must be text or json, not {self.log_format!r}")
        if not 0 <= self.port <= 65_535:
            raise ParameterError(f"port must lie from 0 (any that is free) to 65535, not at {self.port}")
        if bool(self.certificate) != bool(self.certificate_key):
            raise ParameterError("TLS needs both certificate and certificate_key")
        numbers = [f.name for f in fields(self) if f.type in ("int", "float") and f.name != "port"]
        small = [name for name in numbers if not getattr(self, name) > 0]
        if small:
            raise ParameterError(f"{', '.join(small)} must be above 0")

    @property
    def url(self) -> str:
        """The address of this server as invitations state it."""
        scheme = "https" if self.certificate else "http"
        host = socket.gethostname() if self.host in ("0.0.0.0", "::", "") else self.host  # noqa: S104 - no address
        return self.public_url.rstrip("/") or f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"

    @classmethod
    def load(
        cls,
        file: Path | None = None,
        *,
        flags: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Settings:
        """Put together flags over environment over file over defaults; None as a flag says nothing."""
        known = {entry.name: str(entry.type) for entry in fields(cls)}
        given = _read(file) if file else {}
        surroundings = os.environ if environment is None else environment
        spoken = {name: surroundings[PREFIX + name.upper()] for name in known if PREFIX + name.upper() in surroundings}
        given |= spoken | {name: value for name, value in (flags or {}).items() if value is not None}
        unknown = sorted(set(given) - set(known))
        if unknown:
            raise ParameterError(f"unknown settings: {', '.join(unknown)}; there are: {', '.join(known)}")
        return cls(**{name: _typed(name, known[name], value) for name, value in given.items()})


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ParameterError(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise ParameterError(f"{file} is not TOML: {' '.join(str(error).split())}") from None


def _typed(name: str, kind: str, value: Any) -> Any:
    wanted = {"str": str, "int": int, "float": float}[kind]
    try:
        if isinstance(value, bool | list | dict):
            raise ValueError
        return wanted(value)
    except ValueError:
        raise ParameterError(f"{name} must be of type {kind}, not {value!r}") from None
