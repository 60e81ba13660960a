"""Which noise whom: secret for people who really answer, one repeatable stream a person for experiments."""

from __future__ import annotations

from typing import Protocol

from graphveil.local.lists import Integers
from graphveil.mechanisms.crowd import CrowdNoise
from graphveil.mechanisms.source import Noise, SystemNoise


class Source(Protocol):
    """Noise for these people in this round."""

    def __call__(self, round_number: int, people: Integers) -> Noise:
        """The noise to perturb their lists with."""
        ...


def secret(round_number: int, people: Integers) -> Noise:  # noqa: ARG001 - secret noise is the same for everybody
    """The operating system's entropy."""
    return SystemNoise()


def seeded(seed: int) -> Source:
    """Repeatable streams; a person's is the same in a simulation and in a client. Worth no guarantee."""

    def source(round_number: int, people: Integers) -> Noise:
        return CrowdNoise(seed, people, turn=round_number)

    return source
