"""The form for a new campaign: what is offered, what people are told, and a forecast before anybody is asked."""

from __future__ import annotations

import base64
import csv
import io
import threading
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, UploadFile
from starlette.responses import Response

from graphveil.errors import BudgetExceeded, ClaimRefuted, ParameterError, WeakGuarantee
from graphveil.local.forecast import Forecast, forecast_errors, forecast_sections
from graphveil.local.protocol import Cost
from graphveil.local.statistics import DISTRIBUTIONS
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.loss import exact_epsilon
from graphveil.privacy.odds import odds_sentence
from graphveil.privacy.rounding import text_up
from graphveil.privacy.weak import weak_warning
from graphveil.registry import build_protocol, find_protocol
from graphveil.service import campaigns
from graphveil.service.campaigns import Plan
from graphveil.service.client.invitation import Invitation
from graphveil.service.pages.join import browser_protocols
from graphveil.service.pages.render import PageRoute, page, public_address
from graphveil.service.pages.session import OWN_ORIGIN, LoggedIn
from graphveil.service.routes.parts import TheService
from graphveil.service.routes.protocols import offered_protocols
from graphveil.service.service import Service, to_text
from graphveil.service.terms import STATEMENTS, unstated

router = APIRouter(prefix="/operator", route_class=PageRoute, include_in_schema=False)
_HOUR = 3_600.0
_SHOWN = 20  # invitations, before the whole file is fetched
_MOST_COUNTED, _MOST_PAIRED = 20_000, 2_000  # people in a forecast, which has to come while somebody waits
_ERRORS = {  # metrics in words
    "wasserstein": "degrees off on average",
    "ks": "largest error of a cumulated share",
    "mae": "mean absolute error",
    "mse": "mean squared error",
    "relative_error": "relative error",
}
_COMPARED = 500  # people in a comparison of epsilons
_one_at_a_time = threading.Lock()  # a forecast simulates a whole campaign

_Words = Annotated[str, Form(max_length=2_000)]


@dataclass(frozen=True, slots=True)
class Given:
    """The fields of the form, as they were filled."""

    protocol: str = "degree-distribution|veil|node"
    title: str = ""
    controller: str = ""
    contact: str = ""
    purpose: str = ""
    retention: str = ""
    epsilon: str = "1"
    accept_weak: bool = False
    hours: float = 168.0
    minimum: str = ""
    names: str = ""
    mean_degree: float = 20.0
    answers: str = "no, yes"

    @property
    def row(self) -> tuple[str, str, str]:
        """Statistic, protocol and unit, as they were chosen."""
        statistic, name, unit = [*self.protocol.split("|"), "", ""][:3]
        return statistic, name, unit

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The public parameters that the form asks for: the answers, of a campaign that asks a question."""
        answers = ",".join(answer.strip() for answer in self.answers.split(","))
        return (("values", answers),) if find_protocol(*self.row).cls.of_answer else ()

    @property
    def statements(self) -> dict[str, str]:
        """What people are told before they decide."""
        return {name: getattr(self, name) for name in STATEMENTS}

    def plan(self, people: list[str], now: float) -> Plan:
        """The campaign that the form asks for; the form asks for every statement."""
        statistic, name, unit = self.row
        n_rounds = find_protocol(statistic, name, unit).cls.rounds
        if self.minimum.strip() and not self.minimum.strip().isdecimal():
            raise ParameterError("the fewest reports must be a whole number")
        if missing := unstated(self.statements):
            raise ParameterError(f"tell people {' and '.join(STATEMENTS[each] for each in missing)}")
        return Plan(
            statistic=statistic,
            protocol=name,
            unit=unit,
            epsilon=self.epsilon,
            accept_weak=self.accept_weak,
            title=self.title.strip() or f"{statistic} {time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(now))}",
            people=people,
            closes=[to_text(now + (i + 1) * self.hours * _HOUR + 1) for i in range(n_rounds)],
            minimum_reports=int(self.minimum) if self.minimum.strip() else None,
            statements=self.statements,
            parameters=dict(self.parameters),
        )


def _filled(
    protocol: Annotated[str, Form(max_length=200)] = "",
    title: _Words = "",
    controller: _Words = "",
    contact: _Words = "",
    purpose: _Words = "",
    retention: _Words = "",
    epsilon: Annotated[str, Form(max_length=200)] = "",
    accept_weak: Annotated[str, Form(max_length=10)] = "",
    hours: Annotated[float, Form(gt=0, lt=1e6)] = 168.0,
    minimum: Annotated[str, Form(max_length=20)] = "",
    names: Annotated[str, Form()] = "",
    mean_degree: Annotated[float, Form(gt=0, lt=1e7)] = 20.0,
    answers: _Words = "",
) -> Given:
    stated: dict[str, Any] = {"controller": controller, "contact": contact, "purpose": purpose, "retention": retention}
    sizes: dict[str, Any] = {"epsilon": epsilon, "hours": hours, "minimum": minimum, "mean_degree": mean_degree}
    stated |= {"answers": answers} if answers.strip() else {}
    return Given(protocol, title, names=names, accept_weak=bool(accept_weak), **stated, **sizes)


Filled = Annotated[Given, Depends(_filled)]


@router.get("/new")
def form(operator: LoggedIn, service: TheService) -> Response:
    """The form that describes a new campaign."""
    return _form(service, operator, Given())


@router.post("/campaigns", dependencies=[OWN_ORIGIN])
def create(
    service: TheService, operator: LoggedIn, request: Request, given: Filled, roster: UploadFile | None = None
) -> Response:
    """Publish a campaign and show its invitations; or show the form again with what is wrong."""
    try:
        people = _people(given.names, roster)
        created = campaigns.create(service, given.plan(people, service.clock()), actor=operator)
    except (ParameterError, BudgetExceeded, WeakGuarantee) as error:
        return _form(service, operator, given, 422, error=str(error))
    url = public_address(service.settings, request)
    links = [Invitation(url, created.campaign.id, name, created.tokens.get(name, "")) for name in people]
    return page(
        "created.html",
        operator=operator,
        campaign=created.campaign,
        warning=created.warning,
        links=links[:_SHOWN],
        n_links=len(links),
        n_known=sum(not each.token for each in links),
        file=_invitations_file(links),
    )


@router.post("/forecast", dependencies=[OWN_ORIGIN])
def forecast(
    service: TheService, operator: LoggedIn, request: Request, given: Filled, roster: UploadFile | None = None
) -> Response:
    """What a campaign would yield and cost: for a page with scripts the part that changes, else the form with it."""
    try:
        people = _people(given.names, roster)
        expected, problem = _rehearse(service, given, len(people)), ""
    except (ParameterError, ClaimRefuted) as error:
        people, expected, problem = [], None, str(error)
    if "hx-request" in request.headers:
        return page("forecast.html", expected=expected, problem=problem, error_names=_ERRORS)
    kept = replace(given, names="\n".join(people) or given.names)
    return _form(service, operator, kept, expected=expected, problem=problem)


@dataclass(frozen=True, slots=True)
class Choice:
    """What another epsilon would give: the errors of a small campaign, and what an attacker learns, in words."""

    epsilon: str
    forecasts: dict[str, Forecast]  # of each statistic
    meaning: str


@dataclass(frozen=True, slots=True)
class Expected:
    """A forecast with what it is about."""

    forecasts: dict[str, Forecast]  # of each statistic
    cost: Cost
    guarantee: Guarantee
    n_people: int
    n_rehearsed: int  # fewer where a forecast for all would take long
    mean_degree: float
    in_browser: bool
    warning: str  # of a weak epsilon
    limit: float | None  # of a person's budget, where the campaign costs more than that
    choices: tuple[Choice, ...] = ()
    n_compared: int = 0


def _rehearse(service: Service, given: Given, n_people: int) -> Expected:
    epsilon, limit = exact_epsilon(given.epsilon), exact_epsilon(service.settings.person_limit, "person_limit")
    n_rehearsed = min(n_people, _MOST_COUNTED if given.row[0] in DISTRIBUTIONS else _MOST_PAIRED)
    mean_degree = min(given.mean_degree, (n_rehearsed - 1) / 3)
    n_compared = min(n_rehearsed, _COMPARED)
    with _one_at_a_time:
        errors = _forecast(given.row, given.parameters, epsilon, n_rehearsed, mean_degree)
        choices = tuple(
            Choice(
                text_up(other),
                _forecast(given.row, given.parameters, other, n_compared, min(mean_degree, (n_compared - 1) / 3)),
                odds_sentence(other),
            )
            for other in (epsilon / 2, epsilon, 2 * epsilon)
        )
    statistic, name, unit = given.row
    asked = build_protocol(
        statistic, name, unit=unit, epsilon=epsilon, n_people=n_people, parameters=dict(given.parameters)
    )
    return Expected(
        forecasts=errors,
        cost=asked.cost(),
        guarantee=asked.guarantee,
        n_people=n_people,
        n_rehearsed=n_rehearsed,
        mean_degree=mean_degree,
        in_browser="|".join(given.row) in browser_protocols(),
        warning=weak_warning(epsilon),
        limit=float(limit) if epsilon > limit else None,
        choices=choices,
        n_compared=n_compared,
    )


@lru_cache(maxsize=64)
def _forecast(
    row: tuple[str, str, str], parameters: tuple[tuple[str, str], ...], epsilon: Fraction, n_people: int, degree: float
) -> dict[str, Forecast]:
    statistic, name, unit = row
    built = build_protocol(statistic, name, unit=unit, epsilon=epsilon, n_people=n_people, parameters=dict(parameters))
    if "," in statistic:
        return forecast_sections(built, mean_degree=degree, clustering=0.5)
    return {statistic: forecast_errors(built, mean_degree=degree, clustering=0.5)}


def _form(service: Service, operator: str, given: Given, status: int = 200, **shown: Any) -> Response:
    values = {"error": "", "expected": None, "problem": "", "error_names": _ERRORS, **shown}
    limit = service.settings.person_limit
    offered = [each | {"value": "{statistic}|{protocol}|{unit}".format(**each)} for each in offered_protocols()]
    return page("new.html", status, operator=operator, offered=offered, given=given, limit=limit, **values)


def _people(names: str, roster: UploadFile | None) -> list[str]:
    """From the file, or from the field where there is none."""
    content = roster.file.read() if roster is not None else b""
    try:
        text = content.decode("utf-8-sig") or names
    except UnicodeDecodeError:
        raise ParameterError("the roster must be text in UTF-8, one name a line") from None
    people = [line.strip() for line in text.splitlines() if line.strip()]
    if len(people) < 2:
        raise ParameterError("the roster names at least two people, one a line")
    return people


def _invitations_file(links: list[Invitation]) -> str:
    """A CSV file inside an address: the links are shown once and stored nowhere."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(("name", "link"))
    table.writerows((each.name, each.link) for each in links)
    return "data:text/csv;base64," + base64.b64encode(text.getvalue().encode()).decode()
