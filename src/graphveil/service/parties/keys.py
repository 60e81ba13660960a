"""A party's secrets, in files outside its database, so that no backup of the database holds them.

The key that signs is made once. Each campaign has a file with the keys of its noise, its deal and its seals: the
public half of the last is shown to whoever asks, until a campaign that names it is accepted; then that of the next.
Before anything is opened the bind of the input is written there too: a database that was set back cannot use the keys
for another input. When a campaign is over its file is emptied, so that traffic which somebody recorded cannot be opened
any more. The empty file stays, so that the campaign is never begun again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from graphveil.errors import ParameterError
from graphveil.service.parties.seal import unseal
from graphveil.two_servers.streams import KEY_BYTES, label_bytes

SIGNATURE_BYTES = 64


class CannotContinue(ParameterError):
    """A campaign must stop here: too few people, another input than before, or secrets that are gone."""


@dataclass(frozen=True, slots=True)
class CampaignKeys:
    """The secrets of one party in one campaign."""

    noise: bytes
    deal: bytes
    opening: X25519PrivateKey


class KeyFolder:
    """The folder of one party's secrets."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise ParameterError(f"cannot keep keys in {folder}: {error.strerror}") from None
        self._folder = folder
        self._signing = Ed25519PrivateKey.from_private_bytes(_kept(folder / "signing.key"))

    @property
    def public(self) -> str:
        """The key that others check signatures with, in hex."""
        return self._signing.public_key().public_bytes_raw().hex()

    @property
    def sealing(self) -> str:
        """The key that others seal with what only this party may open, in the next campaign; in hex."""
        return _public(X25519PrivateKey.from_private_bytes(_kept(self._next)))

    def unseal(self, campaign_id: str, label: tuple[str | int, ...], sealed: bytes) -> bytes:
        """What is inside a seal for this party in a campaign."""
        return unseal(self.of(campaign_id).opening, label, sealed)

    def sign(self, label: tuple[str | int, ...]) -> bytes:
        """A signature of a label; parts of a label cannot run into each other."""
        return self._signing.sign(label_bytes(label))

    def begin(self, campaign_id: str, sealing: str) -> None:
        """Draw the secrets of a campaign, once, and give it the key of seals that its text names."""
        if not self._path(campaign_id).exists():
            if sealing != self.sealing:
                raise ParameterError(
                    "this campaign names a sealing key that is not this server's, or that of an earlier campaign; "
                    "each campaign has its own: propose it again"
                )
            fresh = {"noise": secrets.token_hex(KEY_BYTES), "deal": secrets.token_hex(KEY_BYTES), "bind": ""}
            self._store(campaign_id, fresh | {"opening": _kept(self._next).hex()})
        if _public(self.of(campaign_id).opening) == self.sealing:
            _overwrite(self._next, secrets.token_bytes(KEY_BYTES))

    def of(self, campaign_id: str) -> CampaignKeys:
        """The secrets of a campaign that goes on."""
        kept = self._read(campaign_id)
        opening = X25519PrivateKey.from_private_bytes(bytes.fromhex(kept["opening"]))
        return CampaignKeys(bytes.fromhex(kept["noise"]), bytes.fromhex(kept["deal"]), opening)

    def bind(self, campaign_id: str, bind: bytes) -> None:
        """Tie the secrets to an input, for ever."""
        kept = self._read(campaign_id)
        if kept["bind"] not in ("", bind.hex()):
            raise CannotContinue("the keys of this campaign were used for another input; was the database set back?")
        if not kept["bind"]:
            _overwrite(self._path(campaign_id), json.dumps(kept | {"bind": bind.hex()}).encode())

    def erase(self, campaign_id: str) -> None:
        """Forget the secrets of a campaign; that it was there stays known."""
        if self._path(campaign_id).exists():
            _overwrite(self._path(campaign_id), b"{}")
        else:
            self._store(campaign_id, {})

    def _read(self, campaign_id: str) -> dict[str, str]:
        try:
            kept: dict[str, str] = json.loads(self._path(campaign_id).read_text())
        except (FileNotFoundError, ValueError):  # what else a disk refuses may pass, and is tried again
            kept = {}
        if set(kept) != {"noise", "deal", "bind", "opening"}:
            raise CannotContinue("the keys of this campaign are gone; it cannot go on")
        return kept

    def _store(self, campaign_id: str, kept: dict[str, str]) -> None:
        _write(self._path(campaign_id), json.dumps(kept).encode())

    @property
    def _next(self) -> Path:
        return self._folder / "opening.key"

    def _path(self, campaign_id: str) -> Path:
        return self._folder / f"{campaign_id}.json"


def _kept(path: Path) -> bytes:
    """A key of 32 random bytes, drawn when it is read for the first time."""
    if not path.exists():
        _write(path, secrets.token_bytes(KEY_BYTES))
    return path.read_bytes()


def _public(key: X25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def _overwrite(path: Path, content: bytes) -> None:
    """Replace a file, and write over what was in it: the new file alone would leave the old bytes on the disk."""
    with path.open("r+b") as old:
        _write(path, content)
        old.write(bytes(os.fstat(old.fileno()).st_size))
        os.fsync(old.fileno())


def _write(path: Path, content: bytes) -> None:
    """Replace a file as a whole, durably, readable by its owner."""
    new = path.with_suffix(".new")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def is_signed(ed25519: str, label: tuple[str | int, ...], signature: bytes) -> bool:
    """Whether the holder of a key signed a label."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(ed25519)).verify(signature, label_bytes(label))
    except (InvalidSignature, ValueError):
        return False
    return True


def message_label(
    campaign: str, sender: str, receiver: str, step: str, block: int, digest: bytes
) -> tuple[str | int, ...]:
    """What a party signs when it sends a message."""
    return ("message", campaign, sender, receiver, step, block, digest.hex())


def accepted_label(campaign: str, role: str) -> tuple[str | int, ...]:
    """What a party signs when its operator accepts a campaign."""
    return ("accepted", campaign, role)


def receipt_label(campaign: str, role: str, person: int, share: bytes) -> tuple[str | int, ...]:
    """What a server signs when it holds a person's share."""
    return ("receipt", campaign, role, person, hashlib.sha256(share).hexdigest())
