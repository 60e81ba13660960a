"""How much memory a collector needs to close a round, and the refusal of campaigns for which it would not suffice.

A round is closed from all of its reports at once. They stay packed as they were sent; nothing is built that has a byte,
let alone a number, for every pair of people. What is needed is then a few times the reports and, where pairs are
answered for, a bit for each pair. `LocalProtocol.memory_bytes` states it, from public parameters; tests compare it with
what is measured. It is looked at before a campaign begins, since one that cannot be closed has spent everybody's
epsilon for nothing.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.local.protocol import LocalProtocol

FIXED = 2**20  # tables that do not grow with the number of people
PERSON, REPORT = 120, 110  # of a person, and of each report beside its payload: numbers and Python's own
COPIES = 2.2  # of all payloads: as they were stored, and in one piece


def report_bytes(n_people: int, rounds: int, upload_bits: float) -> int:
    """What the reports of a campaign take when its last round is closed."""
    return FIXED + int(n_people * (PERSON + REPORT * rounds + COPIES * upload_bits / 8))


def check_memory(protocol: LocalProtocol, most: int) -> None:
    """Refuse a campaign whose rounds could not be closed within so many bytes, or within this machine's memory.

    >>> from graphveil.registry import build_protocol
    >>> check_memory(build_protocol("triangles", "veil", unit="edge", epsilon=1, n_people=20_000), 4 * 2**30)
    """
    allowed = min(most, machine_bytes())
    if protocol.memory_bytes <= allowed:
        return
    raise ParameterError(
        f"to close {protocol.statistic} by {protocol.name} with {protocol.n_people:,} people takes about "
        f"{in_megabytes(protocol.memory_bytes)}, of {in_megabytes(allowed)} that may be used, enough for about "
        f"{largest_campaign(protocol, allowed):,} people: ask fewer, or allow more memory (memory_mb)"
    )


def largest_campaign(protocol: LocalProtocol, most: int) -> int:
    """For about how many people so many bytes suffice."""
    fits, too_many = 2, protocol.n_people
    while too_many - fits > max(1, fits // 1000):
        middle = (fits + too_many) // 2
        try:
            enough = replace(protocol, n_people=middle).memory_bytes <= most
        except ParameterError:  # its other parameters are for more people
            enough = protocol.memory_bytes * middle <= most * protocol.n_people
        fits, too_many = (middle, too_many) if enough else (fits, middle)
    return fits


def machine_bytes() -> int:
    """The memory of this machine; without end where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63


def in_megabytes(size: int) -> str:
    """A size as people say it.

    >>> in_megabytes(175_400_000)
    '175 MB'
    """
    return f"{max(1, round(size / 1e6)):,} MB"
