"""What a campaign with two servers sends and keeps, for each party; in bits for people, in bytes for servers."""

from __future__ import annotations

from typing import Any

from graphveil.two_servers.pairs import MOST_IN_MEMORY, count_pairs
from graphveil.two_servers.streams import KEY_BYTES
from graphveil.two_servers.triangle_terms import ANSWER_BYTES

SEAL_BYTES = 48  # around each share: a fresh key and a tag
DEGREE_BYTES = 8 + 32  # a noisy degree, and later the hash of the page that followed
PAGE_TEXT = 600  # bytes of the page with both signatures, which everybody fetches
WORD = 8
BLOCK_MEMORY = 34_000  # bytes a person, while some rows are squared; `benchmarks.two_server_cost` checks it
MOST_PEOPLE = 20_000  # for triangles under sharing: about what was measured


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

    Memory is that of one party while it counts: the bits of rows, some rows of numbers, and the matrix that is squared;
    for more than `MOST_IN_MEMORY` people that matrix is on disk, where all messages are.
    """
    pairs, row_bytes = count_pairs(n_people), -(-n_people // 8) + WORD * more_words
    around = SEAL_BYTES + (DEGREE_BYTES + ANSWER_BYTES) * has_degree_round
    exchanged = -(-pairs * 3 // 8) + WORD * pairs + WORD
    corrections = 2 * WORD * pairs + -(-pairs // 8) + WORD
    to_leader, to_helper = (n_people * (size + around) for size in (row_bytes, KEY_BYTES))
    sent, received = exchanged + KEY_BYTES, (to_leader + exchanged + corrections, to_helper + exchanged)
    matrix, bits, block = WORD * n_people**2, n_people**2, BLOCK_MEMORY * n_people
    in_memory, on_disk = (matrix, 0) if n_people <= MOST_IN_MEMORY else (0, matrix)
    server = {"sent_bytes": sent, "memory_bytes": bits + block + in_memory}
    return {
        "upload_bits_per_user": 8 * (row_bytes + KEY_BYTES + 2 * around),
        "download_bits_per_user": 8 * PAGE_TEXT * has_degree_round,
        "leader": {"received_bytes": received[0], **server, "disk_bytes": received[0] + sent + on_disk},
        "helper": {"received_bytes": received[1], **server, "disk_bytes": received[1] + sent + on_disk},
        "dealer": {
            "received_bytes": 2 * KEY_BYTES,
            "sent_bytes": corrections,
            "memory_bytes": block + in_memory,
            "disk_bytes": corrections + on_disk,
        },
    }
