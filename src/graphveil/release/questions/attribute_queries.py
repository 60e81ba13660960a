"""The queries of a session about attributes of people, and learning them; common options: see `questions.queries`.

`people` is a table of columns, such as a data frame: the first column has the names, column `attribute` the values; or
a mapping from names to values. A session with a graph of networkx or igraph has the attributes of its nodes.
`values` are the ones that make groups; whoever has another, or none, is counted as `(none)`. Under edge privacy the
column is public and all its values make groups if none are named. Under node privacy it is private, so they are named.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from graphveil.central.attributes.column import PeopleColumn
from graphveil.central.record_reading import RecordReading
from graphveil.errors import ParameterError
from graphveil.learn.estimator import GraphClassifier
from graphveil.learn.people import LabelledPeople
from graphveil.learn.record_estimator import RecordClassifier
from graphveil.learn.records import PeopleRecords
from graphveil.mechanisms.release import Release
from graphveil.privacy.loss import Number, exact_delta, exact_epsilon
from graphveil.privacy.unit import Kind
from graphveil.release.questions.answers import Answers, Asking, BoundedAsking, show_keywords
from graphveil.release.records import Released


@show_keywords
class AttributeQueries(Answers):
    """One method for each query about an attribute of people, and one that predicts it."""

    _nodes: Any  # the networkx or igraph graph of the session, whose nodes may have attributes; else None

    def mixing(
        self,
        *,
        epsilon: Number,
        attribute: str,
        people: Any = None,
        values: Sequence[Any] | None = None,
        **asking: Unpack[BoundedAsking],
    ) -> Release:
        """How many edges join each two groups, such as `session.mixing(attribute="gender", epsilon=1)`.

        `people` has everybody's group: a data frame with names first, {name: group}, or a graph of networkx or igraph
        whose nodes have the attribute. A session with such a graph reads its nodes if `people` is left out.
        """
        column = self._column(people, attribute, values)
        return self.release("mixing", epsilon=epsilon, options={"column": column}, **asking)

    def homophily(
        self,
        *,
        epsilon: Number,
        attribute: str,
        people: Any = None,
        values: Sequence[Any] | None = None,
        **asking: Unpack[BoundedAsking],
    ) -> Release:
        """Whether edges lie within groups: 1 if all do, 0 if they fall as at random, below 0 if they avoid it.

        Everybody's group is in `people`, as for `mixing`.
        """
        column = self._column(people, attribute, values)
        return self.release("homophily", epsilon=epsilon, options={"column": column}, **asking)

    def group_triangles(
        self,
        *,
        epsilon: Number,
        attribute: str,
        people: Any = None,
        values: Sequence[Any] | None = None,
        **asking: Unpack[Asking],
    ) -> Release:
        """How many triangles join each three groups; for few groups, as these share epsilon.

        Everybody's group is in `people`, as for `mixing`.
        """
        column = self._column(people, attribute, values)
        return self.release("group-triangles", epsilon=epsilon, options={"column": column}, **asking)

    def attribute_histogram(
        self,
        *,
        epsilon: Number,
        people: Any = None,
        attribute: str,
        values: Sequence[Any],
        most_values: int | None = None,
        delta: Number | None = None,
        **asking: Unpack[Asking],
    ) -> Release:
        """How many people have each of the `values` (node privacy only).

        With `most_values` a cell may hold so many values, with semicolons between them. With `delta` noise is Gaussian
        where that is smaller; the session's own delta pays for it.
        """
        column = self._column(people, attribute, values)
        options = {"column": column, "most_values": most_values, "delta": delta}
        return self.release("attribute-histogram", epsilon=epsilon, options=options, **asking)

    def attribute_mean(
        self,
        *,
        epsilon: Number,
        people: Any = None,
        attribute: str,
        lower: Number,
        upper: Number,
        declared_people: int | None = None,
        **asking: Unpack[Asking],
    ) -> Release:
        """The mean of a column of numbers, each cut to the public range from `lower` to `upper` (node privacy only)."""
        column = self._column(people, attribute, None)
        options = {"column": column, "lower": lower, "upper": upper, "declared_people": declared_people}
        return self.release("attribute-mean", epsilon=epsilon, options=options, **asking)

    def learn(
        self,
        people: Any = None,
        *,
        label: str,
        epsilon: Number,
        delta: Number | None = None,
        features: Sequence[str] | None = None,
        classes: Sequence[Any] | None = None,
        request_id: str | None = None,
        fresh: bool = False,
    ) -> GraphClassifier | RecordClassifier:
        """Measure class rows, once, and predict from them; see `learn.estimator`.

        In a session with unit "record" labels and features are private too: it needs a `delta`, and `classes` may
        declare the classes, which otherwise are those that enough people have.

        `people` is a table of columns, such as a data frame: the first has the names, an empty cell of column `label`
        means "predict". A session with a graph of networkx or igraph reads its nodes if `people` is left out. Table and
        labels are public. Whatever is done with the classifier costs nothing further.
        The same request again gives the stored rows and spends nothing, unless it is `fresh`.
        """
        if self.unit.kind is Kind.NODE:
            raise ParameterError(
                'predictions cannot hide who is in the data: open the session with unit="record", which hides one '
                "person's edges, label and features while the list of people is public"
            )
        people = self._nodes if people is None else people
        if self.unit.kind is Kind.RECORD:
            records = PeopleRecords.from_columns(people, label=label, features=features, classes=classes)
            reading = RecordReading(records, exact_epsilon(epsilon), exact_delta(delta or 0))
            found = self.learn_records(reading, request_id=request_id, fresh=fresh)
            return RecordClassifier(found.releases[0], records.names).fit()
        if classes is not None or exact_delta(delta or 0):
            raise ParameterError('classes= and delta= are for sessions with unit="record"; leave them out here')
        table = LabelledPeople.from_columns(people, label=label, features=features)
        release = self.release(
            "class-rows", epsilon=epsilon, options={"people": table}, request_id=request_id, fresh=fresh
        )
        return GraphClassifier(release, table).fit()

    @abstractmethod
    def learn_records(self, reading: RecordReading, *, request_id: str | None = None, fresh: bool = False) -> Released:
        """Spend and draw what a reading of private records measures, as `Session.learn_records` does."""

    def _column(self, people: Any, attribute: str, values: Sequence[Any] | None) -> PeopleColumn:
        public = self.unit.kind is Kind.EDGE
        people = self._nodes if people is None else people
        if people is None:
            raise ParameterError(
                f"the groups of people are missing: give people= with a data frame (names first, then a column "
                f"{attribute}), {{name: {attribute}}}, or a graph of networkx or igraph whose nodes have this attribute"
            )
        if isinstance(people, Mapping) and not any(_is_column(cells) for cells in people.values()):
            people = {"name": list(people), attribute: list(people.values())}
        return PeopleColumn.from_columns(people, attribute=attribute, public=public, values=values)


def _is_column(cells: Any) -> bool:
    return hasattr(cells, "__len__") and not isinstance(cells, str | bytes)
