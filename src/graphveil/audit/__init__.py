"""Measure from outputs whether a claimed epsilon holds."""

from graphveil.audit.engine.auditor import audit
from graphveil.audit.engine.pairs import Pair
from graphveil.audit.engine.result import AuditResult, AuditVerdict

__all__ = ["AuditResult", "AuditVerdict", "Pair", "audit"]
