"""From one 64-bit word to another that shows nothing of it: splitmix64 (Steele, Lea and Flood 2014)."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphveil.kernels import kernel

STRIDE = np.uint64(0x9E3779B97F4A7C15)


@kernel
def finalise(word: Any) -> Any:
    """Its finaliser, a bijection; `finalise.python` does whole arrays without a compiler."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def mix(word: Any) -> Any:
    """One step of it, a bijection too, and one that does not leave 0 where it is."""
    return finalise(word + STRIDE)
