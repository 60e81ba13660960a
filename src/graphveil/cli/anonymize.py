"""`graphveil anonymize` and `graphveil certify`: the k-anonymity family."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphveil.cli.command import group_options
from graphveil.cli.options import AsJson, FileOptions, Force, GraphFile, split_names
from graphveil.cli.output import (
    claim_of_synthetic,
    leave_unless,
    note,
    number,
    optional_file,
    pending_file,
    print_json,
    print_line,
    print_table,
    refuse_to_replace,
    working,
)
from graphveil.cli.person_table import People
from graphveil.cli.tables import (
    TABLE_METHOD,
    Closeness,
    Demand,
    Diversity,
    Keep,
    Quasi,
    Sensitive,
    anonymize_table,
    certify_table,
)

Notion = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="M",
        help="k-degree, k-neighbourhood (or k-self-equivalence), k-automorphism, k-seed (or k-equivalent-seed); "
        "k-anonymity for a CSV table.",
    ),
]
K = Annotated[int, typer.Option("--k", metavar="K", help="How many people must look alike.")]


@group_options
def anonymize(
    *,
    graph: GraphFile,
    method: Notion,
    k: K,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the anonymised graph goes.")],
    people: People = None,
    file: FileOptions,
    allow_weaker: Annotated[
        bool, typer.Option("--allow-weaker", help="Make k-degree where the method is too slow for the graph.")
    ] = False,
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write who is who there, for `graphveil attack`. Keep it secret."),
    ] = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    diversity: Diversity = None,
    closeness: Closeness = None,
    keep: Keep = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Change a graph so that everybody looks like k - 1 others, certify it, and write it under new names.

    This is anonymity against one kind of attacker, not differential privacy.
    Example: graphveil anonymize friends.txt.gz --method k-degree --k 10 --out public.txt.gz

    A table of people's attributes (CSV) is made k-anonymous with --method k-anonymity --quasi age,zip. Its rows are
    shuffled, and columns that are neither --quasi nor --sensitive are left out unless --keep names them.
    """
    refuse_to_replace((graph, people), (out, key))
    if method == TABLE_METHOD:
        demand = Demand.parse(k, quasi, sensitive, diversity, closeness)
        anonymize_table(graph, demand, out, keep=split_names(keep), force=force, as_json=as_json)
        return
    from graphveil.anonymity.anonymize import anonymize as make
    from graphveil.anonymity.key import write_key
    from graphveil.anonymity.methods import method_named
    from graphveil.graph.files.read import read_with_report
    from graphveil.graph.files.write import write_graph

    how = file.reading()
    method_named(method)  # refused before a large file is read
    with pending_file(out, force=force) as target, optional_file(key, force=force, mode=0o600) as secret:
        with working(f"reading {graph}"):
            original, report = read_with_report(graph, people=people, how=how)
        with working(f"making {method} with k = {k}") as tell:
            made = make(original, method=method, k=k, allow_weaker=allow_weaker, progress=tell)
        write_graph(made.graph, target)
        if secret is not None:
            write_key(secret, made.key, published=made.graph, original=original)
    note(report.without_counts())
    if as_json:
        print_json(made.to_json())
        return
    document = made.report.to_json()
    rows = [
        (name.replace("_", " "), number(row["original"]), number(row["published"]), _percent(row["error"]))
        for name, row in document["metrics"].items()
    ]
    print_table(str(made.certificate), ("metric", "original", "published", "change"), rows)
    print_line(f"{made.report.edges_added:,} edges added, {made.report.edges_removed:,} removed")
    print_line(str(made.claim))
    note(f"written: {out}" + ("" if key is None else f", and who is who in {key}, which must stay secret"))


@group_options
def certify(
    *,
    graph: GraphFile,
    method: Notion,
    k: K,
    people: People = None,
    file: FileOptions,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    diversity: Diversity = None,
    closeness: Closeness = None,
    keep: Keep = None,
    as_json: AsJson = False,
) -> None:
    """Check from the graph alone whether everybody looks like k - 1 others; name the smallest class.

    Ends with status 1 where they do not.
    Example: graphveil certify public.txt.gz --method k-degree --k 10

    A table (CSV) with a column that is neither --quasi nor --sensitive does not hold unless --keep accepts it.
    """
    if method == TABLE_METHOD:
        demand = Demand.parse(k, quasi, sensitive, diversity, closeness)
        certify_table(graph, demand, keep=split_names(keep), as_json=as_json)
        return
    from graphveil.anonymity.certify import certify as check
    from graphveil.anonymity.claim import claim_of, notion_named
    from graphveil.graph.files.read import read_with_report

    how = file.reading()
    notion_named(method)
    if (claim := claim_of_synthetic(graph)) is not None:
        raise claim.refusal(graph, "k-anonymity says nothing of it")
    with working(f"reading {graph}"):
        read, report = read_with_report(graph, people=people, how=how)
    with working("checking"):
        certificate = check(read, method=method, k=k)
    if as_json:
        print_json(certificate.to_json() | {"edges_added": None, "edges_removed": None, "read": report.to_json()})
    else:
        note(str(report))
        print_line(str(certificate))
        if certificate.worst_class is not None:
            shown = ", ".join(str(member) for member in certificate.worst_class.members)
            print_line(f"smallest class ({certificate.worst_class.shared}): {shown}")
        print_line(f"how: {certificate.basis}")
        if certificate.holds:
            print_line(f"promise: {claim_of(certificate.method, k, asked=certificate.method, names='new')}")
    leave_unless(certificate.holds)


def _percent(error: float | None) -> str:
    from graphveil.statistics.publication.invented_edges import percent

    return "-" if error is None else percent(error)
