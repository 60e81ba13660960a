"""What a campaign with two servers sends and keeps, for each party; in bits for people, in bytes for servers."""

from __future__ import annotations

from typing import Any

from graphveil.two_servers.pairs import count_pairs
from graphveil.two_servers.streams import KEY_BYTES
from graphveil.two_servers.triangle_terms import ANSWER_BYTES

SEAL_BYTES = 48  # around each share: a fresh key and a tag
DEGREE_BYTES = 8 + 32  # a noisy degree, and later the hash of the page that followed
PAGE_TEXT = 600  # bytes of the page with both signatures, which everybody fetches
WORD = 8
SERVER_MEMORY, DEALER_MEMORY = 40, 50  # bytes for each pair (i, j) in order; `benchmarks.two_server_cost` measures them

MOST_PEOPLE = 10_000  # for triangles under sharing: 4 GB for a server, 5 GB for the dealer


def sum_cost(n_people: int, length: int, *, has_degree_round: bool = False) -> dict[str, Any]:
    """A masked vector to the leader and a key to the helper; each server tells the other one vector.

    Memory is that of one server while it adds up: what it was sent, and three vectors.
    """
    around = SEAL_BYTES + DEGREE_BYTES * has_degree_round
    up = WORD * length + KEY_BYTES + 2 * around
    to_leader, to_helper = (n_people * (size + around) for size in (WORD * length, KEY_BYTES))
    told, held = WORD * length, 3 * WORD * length
    return {
        "upload_bits_per_user": 8 * up,
        "download_bits_per_user": 8 * PAGE_TEXT * has_degree_round,
        "leader": {"received_bytes": to_leader + told, "sent_bytes": told, "memory_bytes": to_leader + held},
        "helper": {"received_bytes": to_helper + told, "sent_bytes": told, "memory_bytes": to_helper + held},
    }


def triangle_cost(n_people: int, *, has_degree_round: bool, more_words: int = 0) -> dict[str, Any]:
    """A masked row to the leader and a key to the helper; three messages a pair between the servers.

    `more_words` are numbers that each person adds to their row, for sums that are collected beside.

    Memory is that of one party while it counts: messages, masks, and the matrix that is squared.
    """
    pairs, row_bytes = count_pairs(n_people), -(-n_people // 8) + WORD * more_words
    around = SEAL_BYTES + (DEGREE_BYTES + ANSWER_BYTES) * has_degree_round
    exchanged = -(-pairs * 3 // 8) + WORD * pairs + WORD
    corrections = 2 * WORD * pairs + -(-pairs // 8) + WORD
    to_leader, to_helper = (n_people * (size + around) for size in (row_bytes, KEY_BYTES))
    sent, memory = exchanged + KEY_BYTES, SERVER_MEMORY * n_people**2
    received = to_leader + exchanged + corrections, to_helper + exchanged
    return {
        "upload_bits_per_user": 8 * (row_bytes + KEY_BYTES + 2 * around),
        "download_bits_per_user": 8 * PAGE_TEXT * has_degree_round,
        "leader": {"received_bytes": received[0], "sent_bytes": sent, "memory_bytes": memory},
        "helper": {"received_bytes": received[1], "sent_bytes": sent, "memory_bytes": memory},
        "dealer": {
            "received_bytes": 2 * KEY_BYTES,
            "sent_bytes": corrections,
            "memory_bytes": DEALER_MEMORY * n_people**2,
        },
    }
