"""The queries of a session about an attribute of people; for their common options see `release.questions.queries`.

`people` is a table of columns, such as a data frame: the first column has the names, column `attribute` the values.
`values` are the ones that make groups; whoever has another, or none, is counted as `(none)`. Under edge privacy the
column is public and all its values make groups if none are named. Under node privacy it is private, so they are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphveil.central.attributes.column import PeopleColumn
from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number
from graphveil.privacy.unit import Kind
from graphveil.release.questions.answers import Answers


class AttributeQueries(Answers):
    """One method for each query about groups of people."""

    def mixing(
        self,
        *,
        epsilon: Number,
        people: Any,
        attribute: str,
        values: Sequence[Any] | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """How many edges join each two groups; `provenance.derived["labels"]` names the groups of each entry."""
        column = self._column(people, attribute, values)
        return self._release("mixing", epsilon, method, request_id, accept_noise, fresh, column=column)

    def homophily(
        self,
        *,
        epsilon: Number,
        people: Any,
        attribute: str,
        values: Sequence[Any] | None = None,
        method: str | None = None,
        request_id: str | None = None,
        accept_noise: bool = False,
        fresh: bool = False,
    ) -> Release:
        """Whether edges lie within groups: 1 if all do, 0 if they fall as at random, below 0 if they avoid it."""
        column = self._column(people, attribute, values)
        return self._release("homophily", epsilon, method, request_id, accept_noise, fresh, column=column)

    def _column(self, people: Any, attribute: str, values: Sequence[Any] | None) -> PeopleColumn:
        public = self.unit.kind is Kind.EDGE
        return PeopleColumn.from_columns(people, attribute=attribute, public=public, values=values)
