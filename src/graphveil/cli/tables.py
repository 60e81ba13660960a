"""Tables of people's attributes in `graphveil anonymize`, `certify` and `attack`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from graphveil.cli.output import note, pending_file, print_json, print_line
from graphveil.errors import ParameterError

if TYPE_CHECKING:
    from graphveil.anonymity.tables.certify_table import TableCertificate
    from graphveil.anonymity.tables.table import Table
    from graphveil.audit.attacks.outcome import AttackOutcome

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
        names = [name.strip() for name in (quasi or "").split(",") if name.strip()]
        if not names:
            raise ParameterError("--quasi is missing: name the columns that others may know, such as --quasi age,zip")
        if sensitive is None and (l is not None or t is not None):
            raise ParameterError("--l-diversity and --t-closeness speak of a sensitive column: give --sensitive")
        return cls(k, names, sensitive, l, t)

    def certify(self, table: Table) -> TableCertificate:
        """Measure a table against it."""
        from graphveil.anonymity.tables.certify_table import certify_table

        return certify_table(
            table,
            quasi_identifiers=self.quasi_identifiers,
            k=self.k,
            sensitive=self.sensitive,
            l_diversity=self.l_diversity,
            t_closeness=self.t_closeness,
        )


def anonymize_table(path: Path, demand: Demand, out: Path, *, as_json: bool) -> None:
    """Tell quasi-identifiers more coarsely until the demand is met."""
    from graphveil.anonymity.tables.generalize_table import generalize_table
    from graphveil.anonymity.tables.table import read_table, write_table

    with pending_file(out) as target:
        assert target is not None
        made = generalize_table(
            read_table(path),
            quasi_identifiers=demand.quasi_identifiers,
            k=demand.k,
            sensitive=demand.sensitive,
            l_diversity=demand.l_diversity or 1,
            t_closeness=1 if demand.t_closeness is None else demand.t_closeness,
        )
        certificate = demand.certify(made)
        write_table(made, target, separator="\t" if out.suffix == ".tsv" else ",")
    _print(certificate, demand, as_json=as_json)
    if not as_json:
        note(f"written: {out}")


def certify_table(path: Path, demand: Demand, *, as_json: bool) -> None:
    """Measure how anonymous a table is, and print the certificate beside what is demanded."""
    from graphveil.anonymity.tables.table import read_table

    _print(demand.certify(read_table(path)), demand, as_json=as_json)


def attack_table(path: Path, quasi: str | None, sensitive: str | None) -> AttackOutcome:
    """Read sensitive values off the classes of a published table."""
    from graphveil.anonymity.tables.table import read_table
    from graphveil.audit.attacks.homogeneity import homogeneity_attack

    demand = Demand.parse(1, quasi, sensitive, None, None)
    if sensitive is None:
        raise ParameterError("--sensitive is missing: name the column that the attack is after")
    return homogeneity_attack(read_table(path), quasi_identifiers=demand.quasi_identifiers, sensitive=sensitive)


def _print(certificate: TableCertificate, demand: Demand, *, as_json: bool) -> None:
    if as_json:
        shared = {"method": TABLE_METHOD, "edges_added": None, "edges_removed": None}
        print_json(shared | certificate.to_json() | {"k": demand.k, "smallest_class": certificate.k})
        return
    print_line(f"{TABLE_METHOD}, k = {demand.k}: {'holds' if certificate.holds else 'does not hold'}")
    print_line(f"{certificate.classes:,} classes, the smallest of {certificate.k:,} people: {certificate.worst_class}")
    if certificate.t is not None:
        print_line(
            f"{demand.sensitive}: at least {certificate.distinct_l} values in every class, entropy diversity "
            f"{certificate.entropy_l:.3g}, distance from everybody at most {certificate.t:.3g}"
        )
