"""Learning from private records: what a session pays, draws and stores under the record unit."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from graphveil.central.record_reading import ASSUMED, RecordPredictions, RecordReading
from graphveil.errors import GuaranteeMismatch
from graphveil.graph.core import Graph
from graphveil.mechanisms.accuracy import discrete_gaussian_accuracy
from graphveil.mechanisms.measurement import Stage, draw
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.release import Release
from graphveil.privacy.guarantee import Guarantee
from graphveil.privacy.ledger.rows import Entry
from graphveil.privacy.loss import Approximate
from graphveil.privacy.odds import weak_warning
from graphveil.privacy.unit import RECORD, Trust
from graphveil.release.records import SessionFacts

QUERY = "record-classes"


@dataclass(frozen=True, slots=True)
class RecordJob:
    """A reading of private records, ready to be paid."""

    reading: RecordReading

    @property
    def loss(self) -> Approximate:
        """What the ledger is charged."""
        return Approximate(self.reading.epsilon, self.reading.delta)

    @property
    def what(self) -> str:
        """The canonical text of the request; it says nothing of labels and features."""
        reading = self.reading
        described = {"epsilon": str(reading.epsilon), "delta": str(reading.delta), "records": str(reading.records)}
        return json.dumps([{"query": QUERY, **described}], sort_keys=True)

    def measure(self, graph: Graph, noise: Noise, facts: SessionFacts, entry: Entry) -> Release:
        """Draw everything once; refuse to draw what costs more than was paid."""
        reading = self.reading
        measurements = reading.measure(graph)
        cost = measurements[0].loss
        if entry.losses != (self.loss,) or cost.epsilon > self.loss.epsilon or cost.delta > self.loss.delta:
            raise GuaranteeMismatch(f"the measurements cost {cost}, and {entry.losses} was paid; nothing was drawn")
        found = reading.conclude(draw(measurements, noise))
        stated = Guarantee(
            RECORD, Trust.CENTRAL, self.loss.epsilon, self.loss.delta, assumes=ASSUMED, proof="central.record_reading"
        )
        guarantee = facts.guarantee(stated)
        parameters = {
            "epsilon": str(reading.epsilon),
            "delta": str(reading.delta),
            "records": reading.records.to_json(),
        }
        value = tuple(found.counts.values())
        read = "edges were read" if found.bound is not None else "no edge was read: noise would hide what they say"
        return Release(
            query=QUERY,
            value=value,
            guarantee=guarantee,
            accuracy=discrete_gaussian_accuracy(value, 1 / (2 * reading.count_rho), entries=max(1, len(value))),
            provenance=facts.provenance("weighted-reading", parameters, entry, _derived(found)),
            stages=(Stage(measurements[0].text, reading.epsilon), Stage(f"fitted models; {read}")),
            warnings=tuple(filter(None, (weak_warning(guarantee.epsilon),))),
        )


def _derived(found: RecordPredictions) -> dict[str, object]:
    shown = np.round(np.exp(found.log_probabilities), 4)
    return {
        "classes": found.classes,
        "bound": found.bound if found.bound is not None else -1,
        "right": found.right,
        "right_deviation": found.deviation,
        "probabilities": tuple(shown.ravel().tolist()),
    }
