"""What every algorithm is tested for, ours and other packages': one suite for each table, by name of check.

A package that adds algorithms tests them all with three lines:

    @pytest.mark.parametrize("check", conformance_checks("my_package"), ids=str)
    def test_my_algorithms_conform(check):
        check()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from graphveil.audit.registry import subjects
from graphveil.audit.runner import audit_subject
from graphveil.audit.subject import Cost, Subject
from graphveil.errors import ParameterError
from graphveil.registry import Job, rows
from graphveil.testing import central, local, synthetic

__all__ = ["Check", "conformance_checks"]

CHEAP = {Cost.BULK: (1000, 4), Cost.CALL: (500, 2)}  # samples, pairs


@dataclass(frozen=True, slots=True)
class Check:
    """One check of one algorithm; call it, and it fails with an AssertionError or passes."""

    name: str
    subject: Any
    run: Callable[[Any], None]

    def __call__(self) -> None:
        """Run the check; it raises an AssertionError if it fails."""
        self.run(self.subject)

    def __str__(self) -> str:
        return f"{self.name}: {self.run.__name__.replace('_', ' ')}"


def conformance_checks(package: str) -> list[Check]:
    """The checks of whatever `package`, by its import name, adds to graphveil; an audit of each among them."""
    found = [
        *_checks(((row.name, row) for row in rows(Job.RELEASE) if row.package == package), central.CHECKS),
        *_checks(((row.name, row) for row in rows(Job.COLLECT) if row.package == package), local.CHECKS),
        *_checks(((row.name, row) for row in rows(Job.SYNTHESIZE) if row.package == package), synthetic.CHECKS),
        *_checks(((row.name, row) for row in subjects() if row.package == package), (a_cheap_audit_agrees,)),
    ]
    if not found:
        raise ParameterError(f"package {package!r} adds nothing to graphveil: is it installed, with its entry points?")
    return found


def a_cheap_audit_agrees(subject: Subject) -> None:
    """The verdict is what theory says, as far as a small audit sees."""
    samples, most = CHEAP[subject.cost]
    result = audit_subject(subject, epsilon=1, samples=samples, confidence=0.9999, seed=4, max_pairs=most)
    assert result.name == subject.name
    assert result.verdict is subject.expected, str(result)


def _checks(rows: Iterable[tuple[str, Any]], checks: Iterable[Callable[[Any], None]]) -> list[Check]:
    suite = tuple(checks)
    return [Check(name, row, check) for name, row in rows for check in suite]
