"""Every error a user can meet.

GraphveilError
├── ParameterError       a public parameter is out of range or unknown
│   └── RefusedByLedger  refused for privacy: what was asked would not be counted as what these people lose
├── GraphFormatError     a file is not a graph we can read (names file and line)
├── UnitMismatch         two guarantees, or a query and a session, speak of different units
├── BudgetExceeded       refused for privacy: the ledger has too little left
├── WeakGuarantee        refused for privacy: an epsilon so large that it promises next to nothing
├── LedgerError          the ledger file cannot be read or written, or is none
├── ClaimRefuted         refused for privacy: the algorithm's published claim does not hold
├── GuaranteeMismatch    an algorithm draws at another loss than it claims; nothing was released
├── ReportRefused        a collector refuses a report
└── UnsupportedByEngine  the chosen engine cannot run this operation

Messages say what was given, what is allowed and what to do. They quote public parameters only, never
a value computed from a private graph.
"""

from __future__ import annotations

from collections.abc import Iterable


class GraphveilError(Exception):
    """Base of all errors raised on purpose."""


class ParameterError(GraphveilError, ValueError):
    """A public parameter is out of range or unknown."""


class RefusedByLedger(ParameterError):
    """The ledger protects one set of people under one unit, and the request would get around that."""


class GraphFormatError(GraphveilError, ValueError):
    """A file or object cannot be read as a graph."""


class UnitMismatch(GraphveilError, ValueError):
    """Guarantees for different units or trust models were mixed."""


class BudgetExceeded(GraphveilError):
    """The request would spend more than is left; nothing was spent.

    `asked` is the loss that was asked for, `left` the largest (epsilon, delta) that would have fitted.
    """

    def __init__(self, message: str, *, asked: object = None, left: object = None) -> None:
        super().__init__(message)
        self.asked = asked
        self.left = left


class WeakGuarantee(GraphveilError):
    """The epsilon that was asked for promises next to nothing, and nobody said that this is accepted."""


class LedgerError(GraphveilError):
    """A ledger file cannot be used: missing rights, locked, damaged, or not a ledger."""


class ClaimRefuted(GraphveilError):
    """The algorithm's published privacy claim is false, so it may not make a release."""


class GuaranteeMismatch(GraphveilError):
    """The measurements of an algorithm compose to another loss than it claims, or than was paid.

    Nothing is released. If it shows only after the spend, the spend stays on record.
    """


class ReportRefused(GraphveilError):
    """The collector refuses this report; `reason` is the short code it is counted under."""

    def __init__(self, reason: str, explanation: str) -> None:
        super().__init__(f"{reason}: {explanation}")
        self.reason = reason


class UnsupportedByEngine(GraphveilError):
    """The engine has no implementation of this operation."""


MOST_NAMES = 60  # that a refusal lists


def unknown_name(what: str, name: str, known: Iterable[str], *, where: str = "", listed: str = "") -> ParameterError:
    """The refusal of a name that stands in no table of ours: the nearest that do, then all of them or who lists them.

    >>> print(unknown_name("query", "edgse", ["edges", "triangles"]))
    unknown query 'edgse'; did you mean edges? there are: edges, triangles
    """
    from difflib import get_close_matches

    names = list(dict.fromkeys(known))
    near = [each for each in names if name and name in each][:5] or get_close_matches(name, names)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    more = f", … ({len(names) - MOST_NAMES:,} more)" if len(names) > MOST_NAMES else ""
    there_are = listed or f"there are: {', '.join(names[:MOST_NAMES]) or 'none'}{more}"
    return ParameterError(f"unknown {what} {name!r}{where and f' {where}'}; {hint}{there_are}")
