"""`graphveil learn`: predict people's classes from a private graph."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.options import (
    AcceptWeak,
    AsJson,
    BudgetOption,
    Columns,
    Dataset,
    FileFormat,
    Force,
    Fresh,
    GraphFile,
    Header,
    LedgerOption,
    RequestId,
    SeparatePeople,
    Separator,
    UnitName,
    check_recording,
    dataset_name,
    ledger_files,
    reading,
)
from graphveil.cli.output import (
    note,
    note_recording,
    pending_file,
    print_json,
    print_line,
    print_table,
    refuse_to_replace,
    working,
)
from graphveil.cli.release import OTHER_GRAPH, print_spending, spending_of

if TYPE_CHECKING:
    from graphveil.learn.estimator import GraphClassifier

FORECAST = "a forecast, from labelled people on whom a few coefficients were fitted: too high where few are labelled"


def learn(
    graph: GraphFile,
    *,
    label: Annotated[str, typer.Option(metavar="COLUMN", help="The column of labels, the classes to predict.")],
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="Total epsilon, for training and all predictions.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where predictions go: person,prediction,probability.")],
    features: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Columns to predict from; all others if not given.")
    ] = None,
    delta: Annotated[str | None, typer.Option(metavar="D", help="Delta; 0 under edge privacy.")] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Repeatable noise, for experiments: gives no guarantee.")
    ] = None,
    people: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="A table (.csv) of everybody with a header: the name first; an empty label means predict.",
        ),
    ],
    header: Header = None,
    columns: Columns = None,
    sep: Separator = None,
    file_format: FileFormat = None,
    ledger: LedgerOption = None,
    budget: BudgetOption = None,
    dataset: Dataset = None,
    separate_people: SeparatePeople = False,
    request_id: RequestId = None,
    fresh: Fresh = False,
    accept_weak: AcceptWeak = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Predict the labels of people from their features and a private graph, for everybody whose label is empty.

    Who is in the table, features and labels are public; edges are private. Cells with several words are sets of words.

    Example: graphveil learn friends.txt.gz --people people.csv --label year --unit edge --epsilon 1 --out years.csv
    """
    from graphveil.cli.person_table import read_table
    from graphveil.errors import ParameterError
    from graphveil.graph.files.read import read_with_report
    from graphveil.learn.estimator import GraphClassifier
    from graphveil.learn.people import LabelledPeople
    from graphveil.mechanisms.noise.source import SeededNoise
    from graphveil.privacy.loss import exact_delta, exact_epsilon
    from graphveil.privacy.unit import Unit
    from graphveil.release.job import Request, choose_query
    from graphveil.release.session import Session

    how = reading(header, columns, sep, file_format)
    total = exact_epsilon(epsilon)
    if delta is not None and exact_delta(delta) > 0:
        raise ParameterError("--delta serves no purpose here: predictions under edge privacy have a delta of 0")
    check_recording(ledger, request_id=request_id, budget=budget, fresh=fresh, separate_people=separate_people)
    refuse_to_replace((graph, people, *ledger_files(ledger)), (out,))
    table = read_table(people)
    wanted = None if features is None else [name.strip() for name in features.split(",") if name.strip()]
    known = LabelledPeople.from_columns(table, label=label, features=wanted)
    choose_query("class-rows", Unit.parse(unit), {"people": known})
    with pending_file(out, force=force) as target:
        assert target is not None
        with working(f"reading {graph}"):
            private, report = read_with_report(graph, people=known.names.tolist(), how=how)
        session = Session(
            private,
            unit=unit,
            budget=total if ledger is None else budget,
            ledger=ledger,
            dataset=dataset_name(graph, dataset),
            separate_people=separate_people,
            accept_weak=accept_weak,
            noise=None if seed is None else SeededNoise(seed),
        )
        with working("measuring and learning"):
            job = session.prepare([Request("class-rows", total, options={"people": known})])
            released = session.execute(job, request_id=request_id, fresh=fresh)
            model = GraphClassifier(released.releases[0], known).fit()
        written = write_predictions(target, model)
    document = {
        "task": "labels",
        "label": label,
        "classes": list(known.classes),
        "features": list(known.columns),
        "predictions": {"file": out.name, "people": written},
        "guarantee": model.release.guarantee.to_json(),
        "accuracy": _share(model.accuracy(), model.posterior_.tried, FORECAST),
        "floor": _share(model.floor(), model.floor_[1], "features alone, without any edge"),
        "provenance": _without_roles(model.release.provenance.to_json()),
        **spending_of(total, released.left if ledger else None, repeated=released.repeated),
    }
    note(report.without_counts())
    note_recording(recorded=ledger is not None or seed is not None, separate=separate_people)
    if released.other_graph:
        note(f"warning: {OTHER_GRAPH}")
    if as_json:
        print_json(document)
        return
    _print(model, document)
    note(f"written: {out}")


def write_predictions(path: Path, model: GraphClassifier) -> int:
    """Write a line for everybody without a label; return how many they are."""
    people = model.people
    names = people.names[people.labels < 0]
    chances = model.predict_proba(names)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("person", "prediction", "probability"))
        best = chances.argmax(axis=1)
        for name, place, row in zip(names.tolist(), best.tolist(), chances, strict=True):
            table.writerow((name, people.classes[place], f"{row[place]:.4f}"))
    return len(names)


def _without_roles(provenance: dict[str, Any]) -> dict[str, Any]:
    """Leave out what has a character for each person and serves to read the counts, which are not printed either."""
    return provenance | {"derived": {name: each for name, each in provenance["derived"].items() if name != "roles"}}


def _share(found: tuple[float, float, float], tried: int, scope: str) -> dict[str, Any]:
    share, low, high = found
    return {"forecast": share if tried else None, "interval95": [low, high], "people": tried, "scope": scope}


def _print(model: GraphClassifier, document: dict[str, Any]) -> None:
    rows = [
        (name, "-" if part["forecast"] is None else f"{part['forecast']:.1%}", f"{low:.1%} to {high:.1%}")
        for name, part in (("graph and features", document["accuracy"]), ("features alone", document["floor"]))
        for low, high in (part["interval95"],)
    ]
    predicted = document["predictions"]["people"]
    print_table(f"{document['label']} of {predicted:,} people", ("from", "right, forecast", "95 % interval"), rows)
    print_line(f"accuracy:  {FORECAST}")
    print_line(f"guarantee: {model.release.guarantee}")
    for assumption in model.release.guarantee.assumes:
        print_line(f"assumes:   {assumption}")
    print_spending([model.release], document)
