"""From the result of a campaign for class rows, as a file has it, back to a release that a classifier predicts from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphveil.errors import ParameterError
from graphveil.learn.people import LabelledPeople
from graphveil.local.attributes.class_rows import LocalClassRows, parameters_of
from graphveil.local.protocol import Estimate
from graphveil.local.result import CollectionResult
from graphveil.mechanisms.release import Release
from graphveil.privacy.guarantee import Status


def release_of_result(document: Mapping[str, Any], people: LabelledPeople) -> Release:
    """The release of a result (`graphveil collect result --json`) among the people of this table.

    The table must have the names and labels that the campaign was made with; its features may be others.

    >>> from graphveil.learn.estimator import GraphClassifier
    >>> from graphveil.learn.toy import toy_people
    >>> from graphveil.local.result import result_document
    >>> from graphveil.local.simulate import simulate
    >>> from graphveil.graph.generate.random import power_law_cluster
    >>> people = toy_people(40)
    >>> protocol = LocalClassRows(epsilon=1, n_people=40, **parameters_of(people))
    >>> document = result_document(simulate(protocol, power_law_cluster(40, 4, 0.5, seed=1), seed=2))
    >>> GraphClassifier(release_of_result(document, people), people).fit().predict(["1"]).shape
    (1,)
    """
    if document.get("statistic") != "class-rows":
        raise ParameterError("this is not the result of a campaign for class-rows: give the JSON of `collect result`")
    parameters = parameters_of(people)
    try:
        facts, value = dict(document["facts"]), np.array(document["value"], dtype=np.float64)
        table, rate = facts["table"], facts["rate"]
        reports = tuple(document["participation"]["reports"])
    except (KeyError, TypeError, ValueError):
        raise ParameterError("the result was cut or changed: write it with `collect result --json`") from None
    if table != parameters["table"]:
        raise ParameterError(
            "the campaign was made with other people or labels: give the table it was made with (features may differ)"
        )
    protocol = LocalClassRows(epsilon=rate, n_people=len(people.names), **parameters)
    seeded = document["guarantee"]["status"] == Status.SEEDED
    return CollectionResult.of(protocol, Estimate(value, None, facts), reports, seeded=seeded).release
