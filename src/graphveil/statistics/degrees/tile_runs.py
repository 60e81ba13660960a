"""Degree tiles in the form that synthesizers still use; `edge_tiles.DiagramTiles` is the measurement itself."""

from __future__ import annotations

from fractions import Fraction

from graphveil.arrays import AnyArray
from graphveil.mechanisms.old_measurement import StepByStep
from graphveil.statistics.degrees.edge_tiles import SENSITIVITY, DiagramTiles, read_diagram


def diagram_of(degrees: AnyArray, rate: Fraction) -> StepByStep:
    """Levels and ranks of a diagram; drawn once it is a `YoungDiagram`."""
    tiles = DiagramTiles(degrees=degrees, epsilon=SENSITIVITY * rate)
    return StepByStep(lambda noise: read_diagram(tiles.draws(noise, 1)[0], len(degrees), rate), tiles.draws)
