"""Between what the numbers of an honest report lie, but for a chance below 2^-40: what else is refused.

The ranges follow from public values: the number of people, the epsilons, what was published.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphveil.local.pairs.response import PARTS
from graphveil.local.protocol import RoundContext
from graphveil.local.triangles.counts import capped_pairs

if TYPE_CHECKING:
    from graphveil.local.triangles.protocol import TriangleProtocol

FARTHEST = 29  # noise for a change of 1 at epsilon 1 goes farther with a probability below 2^-40


def range_of(protocol: TriangleProtocol, part: str, context: RoundContext) -> tuple[float, float]:
    """Between what a number of a report lies, at whatever strength."""
    strengths = range(protocol.n_strengths)
    if part == "choice":
        return 0, len(strengths) - 1
    lows, highs = zip(*(_range(protocol, part, context, choice) for choice in strengths), strict=True)
    return min(lows), max(highs)


def _range(protocol: TriangleProtocol, part: str, context: RoundContext, choice: int) -> tuple[float, float]:
    channel = protocol.design.strengths[choice].channel
    if part == "size" and channel is not None:
        return 0, channel.wave.n_reports - 1
    others, far = protocol.n_people - 1, 1 + FARTHEST / float(getattr(protocol.budget(context, choice), part))
    if part != "count":
        return -far, others + far
    longest = np.array([max(2, protocol.n_people)])
    far *= float(protocol.widths(context, longest, choice)[0])
    low = protocol.response(context).flip_parts * float(capped_pairs(np.array([others]), longest)[0])
    most = float(protocol.contribution_caps(context, longest, choice)[0]) * others / 2
    return -low - far, PARTS * protocol.design.weight * most + far
