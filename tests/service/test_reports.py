"""Reports as columns say what single reports say, and tokens are recognised among thousands as one by one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from graphveil.local.messages import Reason, Report, read_columns
from graphveil.service.auth import NOBODY, Role, Token, hash_token, new_token, read_persons
from graphveil.service.reports import Uploads, compact
from graphveil.service.store.people import Senders

CAMPAIGN = "ab" * 32
REPORT = Report(CAMPAIGN, 1, 7, b"hi")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (REPORT.to_json().encode(), None),
        (json.dumps(json.loads(REPORT.to_json()) | {"version": 2}).encode(), Reason.UNKNOWN_VERSION),
        (b"rubbish", Reason.MALFORMED),
        (b"", Reason.MALFORMED),
    ],
)
def test_the_readable_form_is_refused_for_the_reason_of_the_compact_one(text: bytes, reason: Reason | None) -> None:
    assert read_columns([compact(text)]).refusals.tolist() == [reason]


def test_tokens_are_read_together_as_one_by_one() -> None:
    texts = [
        new_token(Role.PERSON, 17),
        new_token(Role.OPERATOR, 3),
        "gvp.5.",
        "gvp.1٣.x",
        "gvp.1.\n",
        "gvp..x",
        "",
        "é",
    ]
    texts.append("gvp." + "9" * 19 + ".x")
    singly = [Uploads.single(Token.parse(text), b"") for text in texts]
    holders, hashes = read_persons(texts)
    assert holders == Uploads.join(singly).holders
    assert holders[:2] == [17, NOBODY]
    assert hashes == [hash_token(text) for text in texts]


def test_a_token_is_its_holders_only_if_every_byte_of_its_hash_is() -> None:
    own, other = hash_token("own"), hash_token("other")
    words = np.frombuffer(bytes(32) + own + other, dtype=np.uint64).reshape(-1, 4)
    senders = Senders(np.array([NOBODY, 4, 9]), words, np.array([-1, 0, 1]), np.ones(3, dtype=np.bool_))
    nearly = [bytes([own[i] ^ (i == place) for i in range(32)]) for place in range(32)]
    holders = [4, 9, 9, 4, 5, 10, NOBODY, *[4] * 32]
    _, theirs = senders.identify(holders, [own, other, own, other, own, other, bytes(32), *nearly])
    assert theirs.tolist() == [True, True] + [False] * 37
