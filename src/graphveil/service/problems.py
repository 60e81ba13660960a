"""Problem documents (RFC 9457): the one shape of every error the collector answers with.

`type` is `urn:graphveil:problem:` and a short code. For a refused report the code is the reason it is counted under.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from graphveil.local.messages import Reason

MEDIA_TYPE = "application/problem+json"
PREFIX = "urn:graphveil:problem:"


class Refusal(StrEnum):
    """Why a report is refused before the protocol looks at it; the rest is `local.messages.Reason`."""

    UNAUTHORISED = "unauthorised"  # no token, a malformed one, or one nobody has
    FOREIGN = "foreign"  # a report in the name of somebody else
    NOT_ENROLLED = "not-enrolled"  # this person has not agreed to take part


# status and title of every problem there is
PROBLEMS: dict[str, tuple[int, str]] = {
    Refusal.UNAUTHORISED: (401, "A valid bearer token is needed"),
    Refusal.FOREIGN: (403, "A token reports for its own holder only"),
    Refusal.NOT_ENROLLED: (403, "This person has not enrolled in the campaign"),
    Reason.MALFORMED: (400, "This is not a report of an honest client"),
    Reason.UNKNOWN_VERSION: (400, "The version of the report is not known here"),
    Reason.WRONG_CAMPAIGN: (409, "The report is bound to another campaign"),
    Reason.UNKNOWN_USER: (404, "The campaign has no such person"),
    Reason.WRONG_ROUND: (409, "This round has not begun, or does not exist"),
    Reason.LATE: (409, "This round is closed"),
    Reason.DUPLICATE: (409, "This answer is already counted"),
    Reason.CONFLICT: (409, "Another answer of this person is already counted"),
    Reason.MISSED_ROUND: (409, "This person sent nothing in an earlier round"),
    "invalid-request": (422, "The request does not have the documented form"),
    "bad-request": (400, "The request cannot be read"),
    "forbidden": (403, "This token may not do that"),
    "not-found": (404, "There is nothing here"),
    "method-not-allowed": (405, "This address does not take that method"),
    "exists": (409, "It exists already"),
    "known-people": (409, "Some of these people have a token of an earlier campaign"),
    "other-device": (409, "Another device of this person is answering this campaign"),
    "answered-elsewhere": (409, "This person has joined this campaign before, and may have answered it"),
    "not-now": (409, "The campaign is not in the state for that"),
    "budget-exceeded": (403, "The person's privacy budget would be exceeded"),
    "claim-refuted": (403, "The protocol's privacy claim is refuted"),
    "weak-guarantee": (403, "The promise would mean next to nothing"),
    "wrong-parameters": (422, "The parameters do not make a campaign"),
    "too-large": (413, "The request is too large"),
    "unsatisfiable-range": (416, "The content has no such range"),
    "too-many-requests": (429, "Too many requests"),
    "internal-error": (500, "The collector failed; nothing was counted by this request"),
    "paused": (503, "The campaign is paused; try again later"),
    "storage-full": (503, "The collector's disk is full and nothing of this request was stored; try again later"),
    "unavailable": (503, "The database cannot be reached; try again"),
}


class Problem(Exception):
    """Ends a request with a problem document; the detail never quotes what was sent."""

    def __init__(self, code: str, detail: str = "", *, headers: dict[str, str] | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = str(code)
        self.detail = detail
        self.headers = headers or {}

    @property
    def status(self) -> int:
        """The HTTP status that belongs to this kind of problem."""
        return PROBLEMS[self.code][0]

    def document(self) -> dict[str, Any]:
        """The body of the answer, as RFC 9457 describes it."""
        status, title = PROBLEMS[self.code]
        document = {"type": PREFIX + self.code, "title": title, "status": status}
        return document | ({"detail": self.detail} if self.detail else {})
