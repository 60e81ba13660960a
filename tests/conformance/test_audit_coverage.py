"""Nothing that is offered or built upon is left out of the audits."""

import inspect
import pkgutil
from fractions import Fraction
from importlib import import_module

import pytest
from typing_extensions import is_protocol

import graphveil.mechanisms
from graphveil.audit.registry import subjects
from graphveil.audit.subject import SubjectKind
from graphveil.mechanisms.gaussian import Interactive
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.registry import PROTOCOLS, QUERIES, SYNTHESIZERS
from graphveil.two_servers.experiment import OPTIONS

MODULES = [
    import_module(f"graphveil.mechanisms.{module.name}")
    for module in pkgutil.iter_modules(graphveil.mechanisms.__path__)
]
CLASSES = [
    found
    for module in MODULES
    for found in vars(module).values()
    if inspect.isclass(found) and found.__module__ == module.__name__ and not inspect.isabstract(found)
]

KINDS = {found for found in CLASSES if hasattr(found, "draws") and not is_protocol(found)}


def test_every_algorithm_of_every_registry_is_a_subject():
    """An algorithm that nobody can audit may not be offered: central, local, by two servers or synthetic."""
    names = {subject.name for subject in subjects()}
    assert {algorithm.name for algorithm in QUERIES} <= names
    assert {f"synthesize-{method.name}" for method in SYNTHESIZERS} | {"synthesize-attributes"} <= names
    assert {f"two-servers-{statistic}" for statistic in OPTIONS} <= names
    for entry in PROTOCOLS:
        assert any(name.startswith(f"{entry.query}-{entry.name}-{entry.unit}") for name in names)


def test_every_mechanism_that_states_a_loss_is_a_subject(monkeypatch: pytest.MonkeyPatch):
    """Which classes the registered mechanisms are made of, found by building them all; measurements come below."""
    stated = {found for found in CLASSES if isinstance(getattr(found, "loss", None), property)}
    stated -= KINDS | {found for found in CLASSES if is_protocol(found)}
    assert len(stated) >= 10
    built = set()

    def listen(made):
        honest = made.__init__

        def note(self, *args, **options):
            built.add(type(self))
            honest(self, *args, **options)

        monkeypatch.setattr(made, "__init__", note)

    for made in stated:
        listen(made)
    for subject in subjects():
        if subject.kind is SubjectKind.MECHANISM:
            subject.build(Fraction(1))
    assert stated <= built


def test_every_kind_of_measurement_is_drawn_by_some_subject(monkeypatch: pytest.MonkeyPatch):
    drawn = set()

    def listen(kind, name):
        honest = getattr(kind, name)

        def note(self, noise, runs):
            drawn.add(kind)
            return honest(self, noise, runs)

        monkeypatch.setattr(kind, name, note)

    for kind in KINDS:
        for name in {"draws", "rows"} & set(dir(kind)):
            listen(kind, name)
    for subject in subjects():
        if subject.kind in (SubjectKind.ALGORITHM, SubjectKind.MECHANISM):
            mechanism = subject.build(Fraction(1))
            mechanism(subject.pairs()[0].first, count=2, noise=SeededNoise(1))
    assert drawn == KINDS - {Interactive}  # draws by the others alone; tests/central/test_record_reading.py tests it
