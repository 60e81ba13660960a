"""Measure from outputs whether a claimed epsilon holds."""

from graphveil.audit.auditor import audit
from graphveil.audit.pairs import Pair
from graphveil.audit.result import AuditResult, AuditVerdict

__all__ = ["AuditResult", "AuditVerdict", "Pair", "audit"]
