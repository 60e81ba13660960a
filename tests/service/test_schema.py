"""Requests made up from the OpenAPI document, good and bad: no crash, and every refusal is a problem document."""

from __future__ import annotations

from contextlib import suppress

import pytest
import schemathesis
from crowds import plan
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from graphveil.registry import find_protocol
from graphveil.service.problems import MEDIA_TYPE, PREFIX, PROBLEMS

CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]


@pytest.fixture
def collector(start, sqlite):
    """A server with one campaign; its id and everybody's token."""
    server = start(sqlite)
    asked = plan(find_protocol("degree-distribution", "grr", "node"), 3, minimum_reports=3)
    told = server.ask("POST", "/api/v1/campaigns", server.operator, json=asked).json()
    return server, told["id"], list(told["tokens"].values())


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_no_request_crashes_the_collector(collector, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"{collector[0].url}/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) >= 18
    statuses: list[int] = []
    for operation in operations:

        @given(operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=15, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
        )
        def ask(case) -> None:
            statuses.append(check(case, *collector))

        with suppress(Unsatisfiable):  # an address without parameters: nothing can be wrong with a request
            ask()
    assert len(statuses) > 15 * 8
    assert set(statuses) & {200, 201} if mode is GenerationMode.POSITIVE else set(statuses) & {422}


def check(case, server, campaign: str, tokens: list[str]) -> int:
    size = len(repr(case.body)) + len(repr(case.query))
    if "campaign_id" in case.path_parameters and size % 4:  # otherwise no request would get past the lookup
        case.path_parameters["campaign_id"] = campaign
    token = [server.operator, tokens[0], ""][size % 3]
    response = case.call(headers={"Authorization": f"Bearer {token}"} if token else {})
    case.validate_response(response, checks=CHECKS)
    if response.status_code >= 400:
        assert response.headers["content-type"][0] == MEDIA_TYPE
        document = response.json()
        assert document["status"] == response.status_code
        assert document["type"].removeprefix(PREFIX) in PROBLEMS
    return response.status_code
