"""What an operator's commands ask of a collector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from graphveil.errors import BudgetExceeded, ClaimRefuted, ParameterError, WeakGuarantee
from graphveil.service.client.api import Api, Document, Refused
from graphveil.service.terms import read_names

_ROOT = "/api/v1/campaigns"


class _Named(TypedDict):
    id: str


class _Token(TypedDict):
    token: str


class StaffMember(TypedDict):
    """Somebody who runs a collector."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class OperatorClient:
    """One collector, run with an operator's token."""

    api: Api

    def create(self, plan: Mapping[str, Any]) -> Document:
        """Publish a campaign: its id, and the tokens of people who had none."""
        try:
            return self.api.ask(Document, "POST", _ROOT, json=dict(plan), repeat=bool(plan.get("secret")))
        except Refused as refusal:
            if refusal.code == "claim-refuted":
                raise ClaimRefuted(str(refusal)) from None
            if refusal.code == "budget-exceeded":
                raise BudgetExceeded(str(refusal)) from None
            if refusal.code == "weak-guarantee":
                raise WeakGuarantee(str(refusal)) from None
            raise

    def find(self, beginning: str | None) -> str:
        """The id of the one campaign whose id begins so, or of the only one there is."""
        known = [campaign["id"] for campaign in self.api.ask(list[_Named], "GET", _ROOT)]
        fitting = [each for each in known if each.startswith(beginning or "")]
        if len(fitting) != 1:
            listed = ", ".join(each[:12] for each in (fitting or known)[:10]) or "none"
            raise ParameterError(f"{len(fitting)} campaigns fit; say which by --campaign: {listed}")
        return fitting[0]

    def progress(self, campaign_id: str) -> Document:
        """The status, participation and refusals of a campaign."""
        return self.api.ask(Document, "GET", f"{_ROOT}/{campaign_id}/progress")

    def close(self, campaign_id: str) -> Document:
        """End the round that is open."""
        number = self.progress(campaign_id)["round"]
        return self.api.ask(Document, "POST", f"{_ROOT}/{campaign_id}/close", json={"round": number}, repeat=False)

    def steer(self, campaign_id: str, action: str) -> Document:
        """Pause, resume or cancel a campaign; its status afterwards."""
        return self.api.ask(Document, "POST", f"{_ROOT}/{campaign_id}/{action}", repeat=False)

    def delete(self, campaign_id: str) -> None:
        """Remove a campaign that is over."""
        self.api.send("DELETE", f"{_ROOT}/{campaign_id}", repeat=False)

    def missing(self, campaign_id: str) -> Document:
        """Who has not answered the open round."""
        return self.api.ask(Document, "GET", f"{_ROOT}/{campaign_id}/missing")

    def roster(self, campaign_id: str) -> set[str]:
        """The names of everybody who was invited to a campaign."""
        return set(read_names(self.api.unpacked(f"{_ROOT}/{campaign_id}/roster")))

    def renew_token(self, name: str) -> str:
        """Another token for a person; the old one ends."""
        return self.api.ask(_Token, "POST", "/api/v1/people/token", json={"name": name}, repeat=False)["token"]

    def staff(self) -> list[StaffMember]:
        """Names and roles of those who run the collector."""
        return self.api.ask(list[StaffMember], "GET", "/api/v1/staff")

    def add_staff(self, name: str, role: str) -> str:
        """The token of a new operator or gateway."""
        asked = {"name": name, "role": role}
        return self.api.ask(_Token, "POST", "/api/v1/staff", json=asked, repeat=False)["token"]

    def remove_staff(self, name: str) -> None:
        """End the token of an operator or gateway."""
        self.api.send("DELETE", "/api/v1/staff", params={"name": name}, repeat=False)

    def result(self, campaign_id: str) -> Document:
        """The result document of a campaign that is done."""
        return self.api.ask(Document, "GET", f"{_ROOT}/{campaign_id}/result")
