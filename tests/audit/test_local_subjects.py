"""What is audited of collection protocols: all that one person sends, at the most that a page promises."""

from __future__ import annotations

from fractions import Fraction

from graphveil.audit.subjects.local import N_PEOPLE, USER, _picks
from graphveil.registry import build_protocol


def test_the_person_asked_picks_the_most_on_offer_and_others_pick_everything() -> None:
    parameters = {"strengths": ("1/4", "1", "1/2")}
    page = build_protocol("triangles", "preference", unit="edge", epsilon=1, n_people=N_PEOPLE, parameters=parameters)
    picks = _picks(page, USER)
    assert page.guarantees[picks[USER]].epsilon == Fraction(1)
    assert set(picks.tolist()) == {0, 1, 2}
