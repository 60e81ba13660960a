from __future__ import annotations

import json
from fractions import Fraction

import pytest

from graphveil.errors import ClaimRefuted, ParameterError, UnitMismatch
from graphveil.local.campaign import Campaign
from graphveil.local.degrees.veil import VeilDegrees
from graphveil.privacy.unit import Trust

ASKED = {"unit": "node", "epsilon": "1/3", "n_people": 50, "title": "spring"}


def campaign(protocol: str = "veil", **changes) -> Campaign:
    return Campaign.create("degree-distribution", protocol, **{**ASKED, **changes})


def test_the_text_says_everything_and_its_hash_is_the_id() -> None:
    first = campaign()
    document = json.loads(first.to_json())
    assert document["epsilon"] == "1/3"
    assert document["parameters"]["max_degree"] == 49
    assert Campaign.from_json(first.to_json()) == first
    assert Campaign.from_json(first.to_json().encode()).id == first.id


@pytest.mark.parametrize(
    "change",
    [
        {"title": "summer"},
        {"epsilon": "0.334"},
        {"n_people": 51},
        {"minimum_reports": 3},
        {"places": 100},
        {"terms": {"roster": "ab"}},
        {"protocol": "veil-quantiles"},
    ],
)
def test_any_other_agreement_has_another_id(change: dict) -> None:
    assert campaign(**change).id != campaign().id


def test_the_guarantee_is_computed_for_a_list_and_for_a_relationship() -> None:
    guarantee = campaign().guarantee
    assert guarantee.epsilon == Fraction(1, 3)
    assert guarantee.relationship_epsilon == Fraction(2, 3)
    assert guarantee.trust is Trust.LOCAL
    assert any("(1 + d) epsilon" in fact for fact in guarantee.assumes)


@pytest.mark.parametrize("protocol", ["gs-ldp", "rj"])
def test_a_refuted_claim_is_never_deployed(protocol: str) -> None:
    with pytest.raises(ClaimRefuted, match="simulate it instead"):
        campaign(protocol)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"protocol": "nonsense"}, ParameterError, "there are: veil"),
        ({"unit": "edge", "protocol": "oue"}, UnitMismatch, "under the unit node"),
        ({"unit": "3-edge"}, UnitMismatch, "not '3-edge'"),
        ({"epsilon": 0}, ParameterError, "epsilon"),
        ({"epsilon": "nan"}, ParameterError, "epsilon"),
        ({"n_people": 1}, ParameterError, "2 to 2"),
        ({"n_people": "50"}, ParameterError, "whole number"),
        ({"n_people": True}, ParameterError, "whole number"),
        ({"title": ""}, ParameterError, "title"),
        ({"minimum_reports": 51}, ParameterError, "1..50"),
        ({"minimum_reports": 2.0}, ParameterError, "1..50"),
        ({"max_degree": 50}, ParameterError, "1..49"),
        ({"terms": {"closes": 7}}, ParameterError, "terms"),
        ({"terms": {"closes": "7" * 2001}}, ParameterError, "terms"),
        ({"terms": {"purpose": "tea\npromise:  nobody learns anything"}}, ParameterError, "terms"),
        ({"terms": {"purpose": "tea\x1b[2J"}}, ParameterError, "terms"),
        ({"places": "many"}, ParameterError, "whole number"),
        ({"set_share": 2}, ParameterError, "between 0 and 1"),
        ({"colour": "red"}, ParameterError, "unknown option 'colour' of"),
    ],
)
def test_impossible_agreements_are_refused_in_one_line(change: dict, error: type, words: str) -> None:
    with pytest.raises(error) as refusal:
        campaign(**change)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("{", "{ ", 1),
        lambda text: text.replace('"1/3"', '"2/6"'),
        lambda text: text.replace('"terms":{}', '"terms":[]'),
        lambda text: text.replace('"format":1', '"format":2'),
        lambda text: text.replace('"people":50', '"people":50.0'),
        lambda text: text.replace('"rounds":1', '"rounds":2'),
        lambda text: text.replace('"parameters":{', '"parameters":{"more":1,'),
        lambda text: text.replace('"places":512', '"places":null'),
        lambda text: text[:-1] + ',"note":"hi"}',
        lambda text: text.replace('"protocol":"', '"protocol":["').replace('","rounds"', '"],"rounds"'),
        lambda text: text.replace('"unit":"node"', '"unit":3'),
        lambda text: "[" * 100_000,
        lambda text: "null",
        lambda text: "",
    ],
)
def test_a_text_that_is_not_exactly_a_campaign_is_refused(edit) -> None:
    with pytest.raises(ParameterError):
        Campaign.from_json(edit(campaign().to_json()))


def test_a_campaign_is_closed_to_changes() -> None:
    with pytest.raises(AttributeError):
        campaign().title = "autumn"
    with pytest.raises(AttributeError):
        campaign().protocol.epsilon = Fraction(9)
    assert isinstance(campaign().protocol, VeilDegrees)
