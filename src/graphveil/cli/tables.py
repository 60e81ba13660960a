"""Tables of people's attributes in `graphveil anonymize`, `certify` and `attack`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from graphveil.cli.options import split_names
from graphveil.cli.output import leave_unless, note, pending_file, print_json, print_line
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.anonymity.tables.certify_table import TableCertificate
    from graphveil.anonymity.tables.table import Table
    from graphveil.audit.attacks.homogeneity import Disclosure

TABLE_METHOD = "k-anonymity"
Quasi: TypeAlias = Annotated[
    str | None, typer.Option(metavar="A,B", help="For a table: columns that others may know about a person.")
]
Sensitive: TypeAlias = Annotated[
    str | None, typer.Option(metavar="C", help="For a table: the column nobody should learn.")
]
Diversity: TypeAlias = Annotated[
    float | None, typer.Option("--l-diversity", metavar="L", help="For a table: (entropy) diversity of every class.")
]
Closeness: TypeAlias = Annotated[
    float | None, typer.Option("--t-closeness", metavar="T", help="For a table: largest distance from everybody.")
]
Keep: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="A,B",
        help="For a table: columns published as they are, on purpose. anonymize leaves unlisted ones out, certify "
        "does not hold with them.",
    ),
]


@dataclass(frozen=True, slots=True)
class Demand:
    """The anonymity that a table must have."""

    k: int
    quasi_identifiers: list[str]
    sensitive: str | None
    l_diversity: float | None
    t_closeness: float | None

    @classmethod
    def parse(cls, k: int, quasi: str | None, sensitive: str | None, l: float | None, t: float | None) -> Demand:  # noqa: E741
        """From the options of a command."""
        names = split_names(quasi)
        if not names:
            raise ParameterError("--quasi is missing: name the columns that others may know, such as --quasi age,zip")
        if sensitive is None and (l is not None or t is not None):
            raise ParameterError("--l-diversity and --t-closeness speak of a sensitive column: give --sensitive")
        return cls(k, names, sensitive, l, t)

    def certify(self, table: Table, keep: list[str]) -> TableCertificate:
        """Measure a table against it, with these columns published as they are on purpose."""
        from graphveil.anonymity.tables.certify_table import certify_table

        return certify_table(
            table,
            quasi_identifiers=self.quasi_identifiers,
            k=self.k,
            sensitive=self.sensitive,
            l_diversity=self.l_diversity,
            t_closeness=self.t_closeness,
            keep=keep,
        )


def anonymize_table(path: Path, demand: Demand, out: Path, *, keep: list[str], force: bool, as_json: bool) -> None:
    """Tell quasi-identifiers more coarsely until the demand is met; say which columns were left out."""
    from graphveil.anonymity.tables.generalize_table import generalize_table
    from graphveil.anonymity.tables.table import read_table, write_table

    with pending_file(out, force=force) as target:
        table = read_table(path)
        made = generalize_table(
            table,
            quasi_identifiers=demand.quasi_identifiers,
            k=demand.k,
            sensitive=demand.sensitive,
            l_diversity=demand.l_diversity or 1,
            t_closeness=1 if demand.t_closeness is None else demand.t_closeness,
            keep=keep,
        )
        certificate = demand.certify(made, keep)
        write_table(made, target, separator="\t" if out.suffix == ".tsv" else ",")
    if any(column.dtype.kind == "U" and "NA" in column for column in made.columns.values()):
        note("NA is taken for a value like another: whoever is NA stands beside others who are NA")
    dropped = [name or "(a column without a name)" for name in table.columns if name not in made.columns]
    _print(certificate, demand, as_json=as_json, more={"dropped_columns": dropped})
    if dropped:
        note(f"left out: {', '.join(dropped)} (neither --quasi nor --sensitive; --keep publishes a column as it is)")
    if not as_json:
        note(f"written: {out}, with its rows shuffled")


def certify_table(path: Path, demand: Demand, *, keep: list[str], as_json: bool) -> None:
    """Measure how anonymous a table is, and print the certificate beside what is demanded."""
    from graphveil.anonymity.tables.table import read_table

    certificate = demand.certify(read_table(path), keep)
    _print(certificate, demand, as_json=as_json)
    leave_unless(certificate.holds)


def attack_table(path: Path, quasi: str | None, sensitive: str | None) -> Disclosure:
    """Read sensitive values off the classes of a published table."""
    from graphveil.anonymity.tables.table import read_table
    from graphveil.audit.attacks.homogeneity import homogeneity_attack

    demand = Demand.parse(1, quasi, sensitive, None, None)
    if sensitive is None:
        raise ParameterError("--sensitive is missing: name the column that the attack is after")
    return homogeneity_attack(read_table(path), quasi_identifiers=demand.quasi_identifiers, sensitive=sensitive)


def _print(
    certificate: TableCertificate, demand: Demand, *, as_json: bool, more: Mapping[str, Any] | None = None
) -> None:
    if certificate.other_columns:
        note(
            f"not protected: {', '.join(certificate.other_columns)}, neither --quasi nor --sensitive; somebody who "
            f"knows them, too, finds a class of {certificate.k_if_all_known}; k speaks of --quasi alone"
        )
    if as_json:
        shared = {"method": TABLE_METHOD, "edges_added": None, "edges_removed": None}
        measured = certificate.to_json() | {"k": demand.k, "smallest_class": certificate.k}
        print_json(shared | measured | dict(more or {}))
        return
    print_line(f"{TABLE_METHOD}, k = {demand.k}: {'holds' if certificate.holds else 'does not hold'}")
    unlisted = ",".join(certificate.unlisted_columns)
    if unlisted:
        print_line(
            f"neither --quasi nor --sensitive: {unlisted}; leave them out, name them as --quasi, or accept that they "
            f"are published as they are (--keep {unlisted})"
        )
    for name in certificate.naming_columns:
        print_line(f"column {name} names people: most of its values are different; leave it out")
    smallest = ", ".join(f"{name} {value}" for name, value in (certificate.worst_class or {}).items())
    print_line(f"{certificate.classes:,} classes, the smallest of {certificate.k:,} people: {smallest}")
    if certificate.t is not None:
        print_line(
            f"{demand.sensitive}: fewest different values in a class {certificate.distinct_l}, entropy diversity "
            f"{certificate.entropy_l:.3g} (as hard to guess as so many equally common ones), distance from everybody "
            f"at most {certificate.t:.3g}"
        )
    if certificate.distinct_l == 1:
        print_line(
            f"warning: there are people whose whole class has one value of {demand.sensitive}, which gives theirs away "
            "for sure; --l-diversity 2 forbids that"
        )
