"""`graphveil attack`: what somebody who knows a little finds out from a published graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.command import group_options
from graphveil.cli.options import AsJson, FileOptions, Force
from graphveil.cli.output import (
    claim_of_synthetic,
    note,
    print_json,
    print_line,
    print_table,
    refuse_to_replace,
    result_file,
    working,
)
from graphveil.cli.tables import Quasi, Sensitive, attack_table
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.audit.attacks.outcome import AttackOutcome
    from graphveil.graph.core import Graph
    from graphveil.release.statement import Statement


FINDS = {"node": "person", "link": "friendship"}


@group_options
def attack(
    *,
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The graph as it is.")],
    published: Annotated[Path, typer.Argument(metavar="PUBLISHED", help="The graph as it was handed out.")],
    name: Annotated[
        str,
        typer.Option(
            "--attack",
            metavar="A",
            help="What to try: degree, neighbourhood, seed-and-propagate, link, friend-lists, community, "
            "membership, attribute, several of these such as degree,link, or all. For a table: homogeneity.",
        ),
    ],
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Who is who, from `anonymize --key`. If not given, equal names are the same person."
        ),
    ] = None,
    same_names: Annotated[
        bool, typer.Option("--same-names", help="Equal names are the same people, though they share few friends.")
    ] = False,
    values: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For attribute: CSV whose lines are NAME,VALUE.")
    ] = None,
    seeds: Annotated[
        int, typer.Option(metavar="N", help="For seed-and-propagate: how many people are known to begin with.")
    ] = 10,
    known_edges: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="For seed-and-propagate: the share of edges that is known; 1 if not given."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Repeats the same draw of targets.")] = 0,
    file: FileOptions,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the outcomes there: .json, .csv, .parquet, or .html for a report."),
    ] = None,
    force: Force = False,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    as_json: AsJson = False,
) -> None:
    """Attack a published graph with what an attacker may know, and compare with plain guessing.

    Where people got new names an attack can be judged with --key only; without it, this ends with status 2. Status 0
    says that the attacks ran, not that they failed: the last line says which succeed.
    Example: graphveil anonymize friends.txt.gz --method k-degree --k 10 --out public.txt --key secret.csv, then
    graphveil attack friends.txt.gz public.txt --attack seed-and-propagate --key secret.csv
    """
    if name == "homogeneity":
        outcome = attack_table(published, quasi, sensitive)
        if as_json:
            print_json(outcome.to_json())
        else:
            print_line(str(outcome))
        return
    if quasi is not None or sensitive is not None:
        raise ParameterError("--quasi and --sensitive speak of a table of people, which --attack homogeneity reads")
    from graphveil.anonymity.key import read_key
    from graphveil.audit.attacks.attack import Knowledge, attack_all, attack_named, case_of
    from graphveil.evaluation.exports import check_suffix, columns_of_rows
    from graphveil.evaluation.reports.results import attack_report
    from graphveil.graph.files.read import read_with_report

    check_suffix(out)
    refuse_to_replace((original, published, key, values), (out,))
    how = file.reading()
    claim = None if same_names else claim_of_synthetic(published)
    names = [each.strip() for each in name.split(",")]
    if name != "all":
        for each in names:
            attack_named(each)  # refused before large files are read
    if known_edges is not None and not {"all", "seed-and-propagate"} & set(names):
        raise ParameterError(f"--known-edges is for seed-and-propagate; {name} does not use it")
    with working("reading"):
        (before, before_report), (after, after_report) = (
            read_with_report(original, how=how),
            read_with_report(published),
        )
        who = None if key is None else read_key(key, published=after, original=before)
        of_everybody = None if values is None else _read_values(values, before)
        knowledge = Knowledge(seeds, of_everybody, 1.0 if known_edges is None else known_edges)
    if claim is not None:
        _check_claim(claim, published, before, after)
    case = case_of(before, after, who, same_names=same_names)
    if len(case.members) < before.n_nodes:
        note(f"{len(case.members):,} of {before.n_nodes:,} people of the original are in the published graph")
    with working(f"attacking: {name}"):
        if name == "all":
            outcomes = attack_all(case, seed=seed, knowledge=knowledge)
        else:
            outcomes = [attack_named(each)(case, seed, knowledge) for each in names]
    shared: dict[str, Any] = {
        "who_is_who": "names" if who is None else "key",
        "edges_kept": case.kept_edges,
        "people_matched": len(case.members),
    }
    found = [outcome.to_json() for outcome in outcomes]
    shared["read"] = [before_report.to_json(), after_report.to_json()]
    document = {**shared, "attacks": found} if name == "all" or len(names) > 1 else {**found[0], **shared}
    with result_file(out, force=force) as write:
        write(
            document=document,
            columns=lambda: columns_of_rows(found),
            report=lambda: attack_report(outcomes, original=original.name, published=published.name),
        )
    if as_json:
        print_json(document)
        return
    note(str(before_report))
    note(str(after_report))
    _print(outcomes, published.name)


def _check_claim(claim: Statement, path: Path, original: Graph, published: Graph) -> None:
    """Refuse a graph that is synthetic by its statement, unless it is plainly the original."""
    from graphveil.audit.attacks.case import likeness

    alike = likeness(original, published)
    if not alike:
        unless = "; --same-names tries the attacks on equal names all the same"
        raise claim.refusal(path, f"there is nobody to find again{unless}")
    note(f"warning: {claim.path} says that {path} is synthetic, which is not true: {alike}")


def _print(outcomes: list[AttackOutcome], published: str) -> None:
    from graphveil.audit.attacks.outcome import verdict

    rows = []
    for outcome in outcomes:
        low, high = outcome.interval
        result = "succeeds" if outcome.beats_baseline else "no better than guessing"
        rate = f"{outcome.rate:.2%} ({low:.2%} to {high:.2%})"
        rows.append(
            (outcome.attack, FINDS.get(outcome.need, outcome.need), rate, f"{outcome.baseline_rate:.2%}", result)
        )
    print_table("Attacks", ("attack", "finds", "right", "a guess", "verdict"), rows)
    for outcome in outcomes:
        print_line(f"{outcome.attack}: knows {outcome.knows}; {outcome.tries:,} tries; the guess is {outcome.baseline}")
    print_line(f"verdict: {verdict(outcomes, published)}")


def _read_values(path: Path, graph: Graph) -> list[str]:
    """A value for every person of the graph, in its order."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"cannot read the values {path}: {error}") from None
    value_of = {}
    for number, line in enumerate(lines, start=1):
        name, separator, value = line.partition(",")
        if not separator:
            raise ParameterError(f"{path}, line {number}: NAME,VALUE is needed")
        value_of[name.strip()] = value.strip()
    names = [str(graph.label_of(node)) for node in range(graph.n_nodes)]
    missing = sum(name not in value_of for name in names)
    if missing:
        raise ParameterError(f"{path} has no value for {missing} people of the original graph")
    return [value_of[name] for name in names]
