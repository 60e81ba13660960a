"""What an operator's commands ask of a collector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphveil.errors import BudgetExceeded, ClaimRefuted, ParameterError, WeakGuarantee
from graphveil.service.client.api import Api, Refused

_ROOT = "/api/v1/campaigns"


@dataclass(frozen=True, slots=True)
class OperatorClient:
    """One collector, run with an operator's token."""

    api: Api

    def create(self, plan: Mapping[str, Any]) -> dict[str, Any]:
        """Publish a campaign: its id, and the tokens of people who had none."""
        try:
            created: dict[str, Any] = self.api.send(
                "POST", _ROOT, json=dict(plan), repeat=bool(plan.get("secret"))
            ).json()
        except Refused as refusal:
            if refusal.code == "claim-refuted":
                raise ClaimRefuted(str(refusal)) from None
            if refusal.code == "budget-exceeded":
                raise BudgetExceeded(str(refusal)) from None
            if refusal.code == "weak-guarantee":
                raise WeakGuarantee(str(refusal)) from None
            raise
        return created

    def find(self, beginning: str | None) -> str:
        """The id of the one campaign whose id begins so, or of the only one there is."""
        known = [str(campaign["id"]) for campaign in self.api.get(_ROOT)]
        fitting = [each for each in known if each.startswith(beginning or "")]
        if len(fitting) != 1:
            listed = ", ".join(each[:12] for each in (fitting or known)[:10]) or "none"
            raise ParameterError(f"{len(fitting)} campaigns fit; say which by --campaign: {listed}")
        return fitting[0]

    def progress(self, campaign_id: str) -> dict[str, Any]:
        """The status, participation and refusals of a campaign."""
        told: dict[str, Any] = self.api.get(f"{_ROOT}/{campaign_id}/progress")
        return told

    def close(self, campaign_id: str) -> dict[str, Any]:
        """End the round that is open."""
        number = self.progress(campaign_id)["round"]
        path = f"{_ROOT}/{campaign_id}/close"
        told: dict[str, Any] = self.api.send("POST", path, json={"round": number}, repeat=False).json()
        return told

    def steer(self, campaign_id: str, action: str) -> dict[str, Any]:
        """Pause, resume or cancel a campaign; its status afterwards."""
        told: dict[str, Any] = self.api.send("POST", f"{_ROOT}/{campaign_id}/{action}", repeat=False).json()
        return told

    def delete(self, campaign_id: str) -> None:
        """Remove a campaign that is over."""
        self.api.send("DELETE", f"{_ROOT}/{campaign_id}", repeat=False)

    def missing(self, campaign_id: str) -> dict[str, Any]:
        """Who has not answered the open round."""
        told: dict[str, Any] = self.api.get(f"{_ROOT}/{campaign_id}/missing")
        return told

    def roster(self, campaign_id: str) -> set[str]:
        """The names of everybody who was invited to a campaign."""
        return set(self.api.unpacked(f"{_ROOT}/{campaign_id}/roster").decode().splitlines())

    def renew_token(self, name: str) -> str:
        """Another token for a person; the old one ends."""
        answer = self.api.send("POST", "/api/v1/people/token", json={"name": name}, repeat=False)
        return str(answer.json()["token"])

    def staff(self) -> list[dict[str, str]]:
        """Names and roles of those who run the collector."""
        told: list[dict[str, str]] = self.api.get("/api/v1/staff")
        return told

    def add_staff(self, name: str, role: str) -> str:
        """The token of a new operator or gateway."""
        answer = self.api.send("POST", "/api/v1/staff", json={"name": name, "role": role}, repeat=False)
        return str(answer.json()["token"])

    def remove_staff(self, name: str) -> None:
        """End the token of an operator or gateway."""
        self.api.send("DELETE", "/api/v1/staff", params={"name": name}, repeat=False)

    def result(self, campaign_id: str) -> dict[str, Any]:
        """The result document of a campaign that is done."""
        told: dict[str, Any] = self.api.get(f"{_ROOT}/{campaign_id}/result")
        return told
