"""What an algorithm of another package has to show before its first run: that its guarantee is the one it draws.

Its measurements must compose to exactly its epsilon on a few small graphs. Between these graphs nothing may differ but
exact values: not the number, kind, text, size or loss of a measurement, nor what follows an adaptive one.

Its `conclude` must give the same result for the same outcomes whatever graph was measured last: a result that differs
was computed from the graph, which `conclude` may have reached through the algorithm's fields, a global variable or a
cache. The same holds for the graphs that a synthesizer draws from a fit. A guarantee may not be stated by hand. Public
parameters must be values that cannot change: a list or dictionary among them could carry a graph to `conclude`.

This catches mistakes. A package that means to cheat can do anything, as all code in a process can.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import fields, is_dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from graphveil.errors import GraphveilError, GuaranteeMismatch, ParameterError
from graphveil.graph.core import Graph
from graphveil.mechanisms.algorithm import Algorithm, PublicFacts, measured
from graphveil.mechanisms.measurement import Adaptive, Measurements, Outcomes, draw, plain_outcome
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.plugins import foreign_package
from graphveil.privacy.unit import Kind
from graphveil.release.draw import fresh_copy
from graphveil.synthetic.synthesizer import Synthesizer

SIZES = 12, 60, 300  # of small graphs; the first for which the algorithm does not refuse to answer is used

_checked: set[str] = set()


def check_plugin(algorithm: Any) -> None:
    """Refuse an algorithm of another package whose guarantee is not what it draws; once for each set of options."""
    if not isinstance(algorithm, Algorithm):
        return
    options = {entry.name: getattr(algorithm, entry.name) for entry in fields(algorithm) if entry.name != "epsilon"}  # type: ignore[arg-type]
    checked = f"{type(algorithm).__module__}.{type(algorithm).__qualname__} {options!r}"
    if checked not in _checked:
        check_algorithm(algorithm)
        _checked.add(checked)


def check_algorithm(algorithm: Algorithm, sizes: tuple[int, ...] = SIZES) -> None:
    """Raise `GuaranteeMismatch`, with the reason in one line, unless the algorithm does what its module head asks."""
    name = type(algorithm).__name__
    for owner in type(algorithm).__mro__:
        if "guarantee" in vars(owner) and foreign_package(owner.__module__):
            raise GuaranteeMismatch(
                f"{name} states a guarantee of its own; it is computed from the measurements: remove `guarantee`"
            )
    try:
        hash(algorithm)
    except TypeError as error:
        raise GuaranteeMismatch(
            f"{name} has a public parameter that can change ({error}); `measure` could leave the graph in it: make "
            "every parameter a number, a text or a tuple, and the class a frozen dataclass"
        ) from error
    graphs, lists = _answered(algorithm, sizes)
    _check_structure(name, lists)
    facts = PublicFacts.of(graphs[0], algorithm.unit)
    drawn = [draw(lists[place], SeededNoise(place)) for place in (0, -1)]
    concluded = [_conclude_after(algorithm, graph, drawn, facts) for graph in graphs]
    for results in zip(*concluded, strict=True):
        if not all(_same(one, other) for one, other in pairwise(results)):
            raise GuaranteeMismatch(
                f"{name}.conclude gives different results for the same outcomes after different graphs were measured; "
                "it may use its outcomes, public facts and parameters only"
            )
        if isinstance(algorithm, Synthesizer):
            samples = [_sample_after(algorithm, graph, results[0]) for graph in graphs]
            if not all(_same(one, other) for one, other in pairwise(samples)):
                raise GuaranteeMismatch(
                    f"{name} draws different graphs from the same fit after different graphs were measured; `generate` "
                    "and `report` may use the fit alone"
                )


def _check_structure(name: str, lists: list[Measurements]) -> None:
    """Refuse lists of measurements that differ in anything but their exact values: the rest is public."""
    if len({tuple(_structure(measurement) for measurement in measurements) for measurements in lists}) > 1:
        raise GuaranteeMismatch(
            f"the measurements of {name} differ between graphs in number, kind, text, size or loss, which are "
            "published: they may depend on public facts only"
        )
    for same in zip(*lists, strict=True):
        adaptive = [measurement for measurement in same if isinstance(measurement, Adaptive)]
        for first in (measurement.first for measurement in adaptive):
            outcome = plain_outcome(first.draws(SeededNoise(1), 1)[0])
            keys = [measurement.key(outcome) for measurement in adaptive]
            if any(key != keys[0] for key in keys):
                raise GuaranteeMismatch(f"the key of an adaptive measurement of {name} depends on the graph")
            _check_structure(name, [measurement.following(keys[0]) for measurement in adaptive])


def _structure(measurement: Any) -> tuple[Any, ...]:
    """What is public about a measurement: all but its exact value."""
    size = np.shape(getattr(measurement, "exact", getattr(measurement, "scores", ())))
    return (
        type(measurement).__name__,
        measurement.text,
        measurement.loss,
        size,
        getattr(measurement, "sensitivity", None),
    )


def _sample_after(algorithm: Synthesizer, graph: Graph, fit: Any) -> Any:
    """The edges that a fresh copy draws from a fit, and its report, when this graph was measured last."""
    measured(algorithm, graph)
    fresh = fresh_copy(algorithm)
    try:
        drawn = fresh.sample(fit, seed=1)
        return drawn.edges(), fresh.report(fit, drawn)
    except AttributeError as error:
        raise GuaranteeMismatch(
            f"{type(algorithm).__name__} cannot draw a graph from its fit alone ({error}); `generate` and `report` may "
            "use the fit and the public parameters only"
        ) from error


def _answered(algorithm: Algorithm, sizes: tuple[int, ...]) -> tuple[list[Graph], list[Measurements]]:
    """Small graphs of the first size that the algorithm answers for, and what it measures of each."""
    refusal: ParameterError | None = None
    for size in sizes:
        graphs = list(_small_graphs(size, algorithm.unit))
        try:
            return graphs, [measured(algorithm, graph) for graph in graphs]
        except ParameterError as error:
            refusal = error
    raise GuaranteeMismatch(
        f"{type(algorithm).__name__} answers for no small graph, so it cannot be checked: {refusal}"
    )


def _small_graphs(size: int, unit: str) -> Iterator[Graph]:
    """Graphs with the same public facts, from no edges to many; under node privacy of different sizes, too."""
    star = [(0, other) for other in range(1, size)]
    yield Graph.from_edges([], n_nodes=size)
    yield Graph.from_edges([*pairwise(range(size))], n_nodes=size)
    yield Graph.from_edges([*star, (1, 2), (2, 3)], n_nodes=size)
    yield Graph.from_edges([*combinations(range(min(size, 12)), 2)], n_nodes=size)
    if unit == Kind.NODE:
        yield Graph.from_edges([*star, (1, 2), (2, 3)], n_nodes=size + 3)


def _conclude_after(algorithm: Algorithm, graph: Graph, drawn: list[Outcomes], facts: PublicFacts) -> list[Any]:
    """What fresh copies conclude from each of these outcomes when this graph was measured last."""
    measured(algorithm, graph)
    try:
        return [fresh_copy(algorithm).conclude(deepcopy(outcomes), facts) for outcomes in drawn]
    except GraphveilError:
        raise
    except Exception as error:
        name = type(algorithm).__name__
        raise GuaranteeMismatch(
            f"{name}.conclude fails on a copy of the algorithm that has measured nothing ({type(error).__name__}: "
            f"{error}); it may use its outcomes, public facts and parameters only"
        ) from error


def _same(one: Any, other: Any) -> bool:
    """Whether two results are equal all the way down; arrays are compared entry by entry."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    if is_dataclass(one) and not isinstance(one, type):
        return all(_same(getattr(one, entry.name), getattr(other, entry.name)) for entry in fields(one))
    return bool(one == other) or (one != one and other != other)
