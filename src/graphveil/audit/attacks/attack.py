"""`run_attack`: the attacks on graphs, by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from graphveil.audit.attacks.case import case_by_key, case_by_names
from graphveil.audit.attacks.infer import infer_communities, infer_links
from graphveil.audit.attacks.membership import infer_membership
from graphveil.audit.attacks.outcome import AttackOutcome
from graphveil.audit.attacks.propagate import seed_and_propagate
from graphveil.audit.attacks.reidentify import reidentify_by_degree, reidentify_by_neighborhood
from graphveil.errors import ParameterError
from graphveil.graph.core import Graph

ATTACKS: dict[str, Callable[..., AttackOutcome]] = {
    "degree": reidentify_by_degree,
    "neighbourhood": reidentify_by_neighborhood,
    "seed-and-propagate": seed_and_propagate,
    "link": infer_links,
    "community": infer_communities,
    "membership": infer_membership,
}


def run_attack(
    original: Graph, published: Graph, *, attack: str, key: NDArray[np.int64] | None = None, seed: int = 0
) -> AttackOutcome:
    """Attack a published graph; who is who is told by the key (published to original node), or else by equal names.

    >>> from graphveil.graph.generate import power_law_cluster
    >>> graph = power_law_cluster(300, 4, 0.5, seed=1)
    >>> run_attack(graph, graph, attack="seed-and-propagate").beats_baseline
    True
    """
    run = ATTACKS.get(attack.replace("neighborhood", "neighbourhood"))
    if run is None:
        raise ParameterError(f"unknown attack {attack!r}; choose one of {', '.join(ATTACKS)}")
    case = case_by_names(original, published) if key is None else case_by_key(original, published, key)
    return run(case, seed=seed)
