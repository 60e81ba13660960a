"""`run_attack`: the attacks on graphs, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from numpy.typing import ArrayLike

from graphveil.arrays import Integers
from graphveil.audit.attacks.case import Case, case_by_key, case_by_names, refuse_strangers, refuse_wrong_key
from graphveil.audit.attacks.infer import infer_attribute, infer_communities, infer_links
from graphveil.audit.attacks.membership import infer_membership
from graphveil.audit.attacks.outcome import AttackOutcome
from graphveil.audit.attacks.propagate import seed_and_propagate
from graphveil.audit.attacks.reidentify import reidentify_by_degree, reidentify_by_neighborhood
from graphveil.errors import ParameterError, unknown_name
from graphveil.graph.core import Graph

KNOWN_PEOPLE = 10


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What an attack may use besides the two graphs: how many people are known, and everybody's attribute.

    `known_edges` is the share of the original's edges that seed-and-propagate has.
    """

    seeds: int = KNOWN_PEOPLE
    values: ArrayLike | None = None
    known_edges: float = 1.0


Attack = Callable[[Case, int, Knowledge], AttackOutcome]


def _of_attribute(case: Case, seed: int, knowledge: Knowledge) -> AttackOutcome:
    if knowledge.values is None:
        raise ParameterError("the attribute attack needs a value for everybody of the original")
    return infer_attribute(case, knowledge.values, seed=seed)


def _of_friend_lists(case: Case, seed: int, knowledge: Knowledge) -> AttackOutcome:
    """The attack on GS-LDP's reports lies with the paper, and is imported when it is run."""
    attack: Attack = import_module("graphveil.papers.gs_ldp.friend_list_attack").attack_friend_lists
    return attack(case, seed, knowledge)


def _of_membership(case: Case, seed: int, _: Knowledge) -> AttackOutcome:
    return infer_membership(case, seed=seed)


ATTACKS: dict[str, Attack] = {
    "degree": lambda case, seed, _: reidentify_by_degree(case, seed=seed),
    "neighbourhood": lambda case, seed, _: reidentify_by_neighborhood(case, seed=seed),
    "seed-and-propagate": lambda case, seed, known: seed_and_propagate(
        case, seeds=known.seeds, seed=seed, known_edges=known.known_edges
    ),
    "link": lambda case, seed, _: infer_links(case, seed=seed),
    "community": lambda case, seed, _: infer_communities(case, seed=seed),
    "membership": _of_membership,
    "attribute": _of_attribute,
    "friend-lists": _of_friend_lists,
}


def run_attack(
    original: Graph,
    published: Graph,
    *,
    attack: str,
    key: Integers | None = None,
    seed: int = 0,
    knowledge: Knowledge | None = None,
    same_names: bool = False,
) -> AttackOutcome:
    """Attack a published graph; the key (published to original node) or else equal names say who is who.

    Without a key, a graph whose names are obviously other people's is refused unless `same_names` says they are not.

    >>> from graphveil.graph.generate.random import power_law_cluster
    >>> graph = power_law_cluster(300, 4, 0.5, seed=1)
    >>> run_attack(graph, graph, attack="seed-and-propagate").beats_baseline
    True
    """
    run = attack_named(attack)
    return run(case_of(original, published, key, same_names=same_names), seed, knowledge or Knowledge())


def attack_named(name: str) -> Attack:
    """The attack of that name, in either spelling."""
    attack = ATTACKS.get(name.replace("neighborhood", "neighbourhood"))
    if attack is None:
        raise unknown_name("attack", name, ATTACKS)
    return attack


def attack_all(case: Case, *, seed: int = 0, knowledge: Knowledge | None = None) -> list[AttackOutcome]:
    """Every attack on the published graph that the two graphs and the knowledge allow."""
    known = knowledge or Knowledge()
    impossible = {"friend-lists"}  # it reads the reports of a protocol, and would say the same of any publication
    if known.values is None:
        impossible.add("attribute")
    if len(case.members) == case.original.n_nodes:
        impossible.add("membership")
    return [run(case, seed, known) for name, run in ATTACKS.items() if name not in impossible]


def case_of(original: Graph, published: Graph, key: Integers | None, *, same_names: bool = False) -> Case:
    """Who is who by the key, or else by equal names, unless these are obviously not the same people.

    `same_names` says that they are, by names or key, though they hardly share friends: as in a synthetic graph.
    """
    if key is None:
        case, refuse = case_by_names(original, published), refuse_strangers
    else:
        case, refuse = case_by_key(original, published, key), refuse_wrong_key
    if not same_names:
        refuse(case)
    return case
