"""What the form for a new campaign was filled with: who is asked, what is public about them, and the plan of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Form, UploadFile

from graphveil.errors import ParameterError
from graphveil.learn.people import LabelledPeople
from graphveil.learn.people_table import parse_table
from graphveil.local.attributes.class_rows import LocalClassRows, parameters_of
from graphveil.registry import find_protocol
from graphveil.service.campaigns import Plan
from graphveil.service.service import to_text
from graphveil.service.terms import STATEMENTS, unstated

_HOUR = 3_600.0

Parameters = tuple[tuple[str, Any], ...]


class Asked(NamedTuple):
    """Everybody who is asked, the public parameters of the campaign, and the text that both were read from."""

    people: list[str]
    parameters: Parameters
    text: str


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
    attribute: str = ""

    @property
    def row(self) -> tuple[str, str, str]:
        """Statistic, protocol and unit, as they were chosen."""
        statistic, name, unit = [*self.protocol.split("|"), "", ""][:3]
        return statistic, name, unit

    def asked(self, roster: UploadFile | None) -> Asked:
        """Who is asked, from the file or from the field where there is none, and what is public about them.

        A question has public answers; class rows have a table whose labels are public.
        """
        content = roster.file.read() if roster is not None else b""
        try:
            text = content.decode("utf-8-sig") or self.names
        except UnicodeDecodeError:
            raise ParameterError("the roster must be text in UTF-8, one name a line") from None
        if self.row[0] == LocalClassRows.statistic:
            return self._asked_with_labels(text)
        people = [line.strip() for line in text.splitlines() if line.strip()]
        if len(people) < 2:
            raise ParameterError("the roster names at least two people, one a line")
        answers = ",".join(answer.strip() for answer in self.answers.split(","))
        return Asked(people, (("values", answers),) if find_protocol(*self.row).cls.of_answer else (), text)

    def _asked_with_labels(self, text: str) -> Asked:
        column = self.attribute.strip()
        if not text.strip() or not column:
            raise ParameterError("class-rows needs a table as roster: a header, names first; and its column of labels")
        known = LabelledPeople.from_columns(parse_table(text, "the roster"), label=column)
        return Asked(known.names.tolist(), tuple(parameters_of(known).items()), text)

    @property
    def statements(self) -> dict[str, str]:
        """What people are told before they decide."""
        return {name: getattr(self, name) for name in STATEMENTS}

    def plan(self, asked: Asked, now: float) -> Plan:
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
            people=asked.people,
            closes=[to_text(now + (i + 1) * self.hours * _HOUR + 1) for i in range(n_rounds)],
            minimum_reports=int(self.minimum) if self.minimum.strip() else None,
            statements=self.statements,
            parameters=dict(asked.parameters),
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
    attribute: _Words = "",
) -> Given:
    stated: dict[str, Any] = {"controller": controller, "contact": contact, "purpose": purpose, "retention": retention}
    sizes: dict[str, Any] = {"epsilon": epsilon, "hours": hours, "minimum": minimum, "mean_degree": mean_degree}
    stated |= {"answers": answers} if answers.strip() else {}
    return Given(protocol, title, names=names, attribute=attribute, accept_weak=bool(accept_weak), **stated, **sizes)


Filled = Annotated[Given, Depends(_filled)]
