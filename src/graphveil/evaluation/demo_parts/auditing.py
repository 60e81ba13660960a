"""Audit: what outputs alone prove about a claimed epsilon."""

from __future__ import annotations

from collections.abc import Callable

from graphveil.audit.result import AuditVerdict
from graphveil.audit.runner import run_audits
from graphveil.evaluation.audit_report import two_distributions
from graphveil.evaluation.report import Report

DOUBTED = ("discrete-laplace", "control-half-scale-laplace", "gs-ldp-degrees")
SAMPLES = 20_000


def add_audits(report: Report, progress: Callable[[str], None]) -> list[str]:
    """A sound mechanism, a broken one, and a published claim; returns lines for the terminal."""
    progress("auditing three claims of epsilon 1")
    results = run_audits(DOUBTED, epsilon=1, samples=SAMPLES)
    report.heading("Audit: does a claimed epsilon hold?")
    report.text(
        "Each was asked for two neighbouring inputs many times, and a player guessed from the outputs which was which. "
        "Guessing better than the claimed epsilon allows refutes the claim."
    )
    report.table(
        ("audited", "claimed epsilon", "shown to be at least", "verdict"),
        [(r.name, f"{r.claimed_epsilon:g}", f"{r.epsilon_lower_bound:.3f}", r.verdict.value) for r in results],
    )
    worst = next(r for r in results if r.verdict is AuditVerdict.REFUTED)
    report.figure(two_distributions(worst), f"{worst.name}: the score under either input. {worst.worst_pair}.")
    return [str(result) for result in results]
