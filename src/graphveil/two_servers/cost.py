"""What a campaign with two servers sends and keeps, for each party; in bits for people, in bytes for servers."""

from __future__ import annotations

from typing import Any

from graphveil.two_servers.pairs import count_pairs
from graphveil.two_servers.streams import KEY_BYTES

HEADER_BYTES = 48  # campaign, person and signature of a report
WORD = 8


def sum_cost(n_people: int, length: int, *, has_degree_round: bool = False) -> dict[str, Any]:
    """A masked vector to the leader and a key to the helper; each server tells the other one vector.

    Memory is that of one server while it adds up: what it was sent, and two vectors.
    """
    degree = WORD + HEADER_BYTES if has_degree_round else 0
    up = WORD * length + KEY_BYTES + 2 * (HEADER_BYTES + degree)
    to_leader, to_helper = (n_people * (size + HEADER_BYTES + degree) for size in (WORD * length, KEY_BYTES))
    told, held = WORD * length, 2 * WORD * length
    return {
        "upload_bits_per_user": 8 * up,
        "download_bits_per_user": 0,
        "leader": {"received_bytes": to_leader, "sent_bytes": told, "memory_bytes": to_leader + held},
        "helper": {"received_bytes": to_helper, "sent_bytes": told, "memory_bytes": to_helper + held},
    }


def triangle_cost(n_people: int, *, has_degree_round: bool, more_words: int = 0) -> dict[str, Any]:
    """A masked row to the leader and a key to the helper; three messages a pair between the servers.

    `more_words` are numbers that each person adds to their row, for sums that are collected beside.

    Memory is that of one server while it counts: the opened matrix, and its dealt numbers.
    """
    pairs, row_bytes = count_pairs(n_people), -(-n_people // 8) + WORD * more_words
    degree = 2 * (WORD + HEADER_BYTES) if has_degree_round else 0
    exchanged = -(-pairs * 3 // 8) + WORD * pairs + WORD
    return {
        "upload_bits_per_user": 8 * (row_bytes + KEY_BYTES + 2 * HEADER_BYTES + degree),
        "download_bits_per_user": 0,
        "leader": {
            "received_bytes": n_people * (row_bytes + HEADER_BYTES + degree // 2),
            "sent_bytes": exchanged + KEY_BYTES,
            "memory_bytes": 2 * WORD * n_people**2 + 3 * n_people**2,
        },
        "helper": {
            "received_bytes": n_people * (KEY_BYTES + HEADER_BYTES + degree // 2),
            "sent_bytes": exchanged + KEY_BYTES,
            "memory_bytes": 2 * WORD * n_people**2 + 3 * n_people**2,
        },
        "dealer": {"received_bytes": 2 * KEY_BYTES, "sent_bytes": 2 * WORD * pairs + -(-pairs // 8) + WORD},
    }
