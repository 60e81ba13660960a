"""`graphveil learn`: predict people's classes from a private graph."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.command import group_options
from graphveil.cli.options import (
    AcceptWeak,
    AsJson,
    FileOptions,
    Force,
    GraphFile,
    LedgerOptions,
    UnitName,
    split_names,
)
from graphveil.cli.output import (
    note,
    optional_file,
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
    from graphveil.learn.record_estimator import RecordClassifier

    Learnt = GraphClassifier | RecordClassifier

FORECAST = "a forecast, from labelled people and how sure the model is of the others: too high where few are labelled"


Label = Annotated[str, typer.Option(metavar="COLUMN", help="The column of labels, the classes to predict.")]
Features = Annotated[
    str | None, typer.Option(metavar="A,B,…", help="Columns to predict from; all others if not given.")
]


@group_options
def learn(
    graph: GraphFile,
    *,
    label: Label,
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="Total epsilon, for training and all predictions.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where predictions go: person,prediction,probability.")],
    features: Features = None,
    delta: Annotated[
        str | None, typer.Option(metavar="D", help="Delta, for --unit node; 0 under edge privacy.")
    ] = None,
    classes: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="The classes, for --unit node; else those that enough people have."),
    ] = None,
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
    file: FileOptions,
    record: LedgerOptions,
    accept_weak: AcceptWeak = False,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write a report for people (.html).")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Predict the labels of people from their features and a private graph, for everybody whose label is empty.

    With --unit edge the table with features and labels is public, and edges are private. With --unit node one person's
    edges, features and label are private; who is in the table is public. Then show each prediction only to the person
    it is about. Cells with several words are sets of words.

    `graphveil plan-learning` forecasts before anything is spent how often predictions will be right.

    Example: graphveil learn friends.txt.gz --people people.csv --label year --unit edge --epsilon 1 --out years.csv
    """
    from graphveil.central.record_reading import RecordReading
    from graphveil.cli.person_table import read_table
    from graphveil.errors import ParameterError
    from graphveil.evaluation.exports import check_suffix
    from graphveil.graph.files.read import read_with_report
    from graphveil.learn.estimator import GraphClassifier
    from graphveil.learn.people import LabelledPeople
    from graphveil.learn.record_estimator import RecordClassifier
    from graphveil.learn.records import PeopleRecords
    from graphveil.mechanisms.noise.source import SeededNoise
    from graphveil.privacy.loss import exact_delta, exact_epsilon
    from graphveil.privacy.rounding import round_up
    from graphveil.privacy.unit import Kind, Unit
    from graphveil.release.job import Request, choose_query

    how = file.reading()
    total = exact_epsilon(epsilon)
    kind = Unit.parse("record" if unit in ("node", "record") else unit)
    private_table = kind.kind is Kind.RECORD
    if not private_table and (classes is not None or (delta is not None and exact_delta(delta) > 0)):
        raise ParameterError(
            "--delta and --classes are for --unit node: predictions under edge privacy have a delta of 0"
        )
    record.check()
    check_suffix(report, (".html",))
    refuse_to_replace((graph, people, *record.files), tuple(filter(None, (out, report))))
    table = read_table(people)
    wanted = None if features is None else split_names(features)
    if private_table:
        named = None if classes is None else split_names(classes)
        records = PeopleRecords.from_columns(table, label=label, features=wanted, classes=named)
        chosen = RecordReading(records, total, exact_delta(delta or 0))
        names = records.names.tolist()
    else:
        known = LabelledPeople.from_columns(table, label=label, features=wanted)
        choose_query("class-rows", kind, {"people": known})
        names = known.names.tolist()
    with pending_file(out, force=force) as target, optional_file(report, force=force) as report_target:
        with working(f"reading {graph}"):
            private, how_read = read_with_report(graph, people=names, how=how)
        session = record.session(
            private,
            graph,
            epsilon=total,
            unit=kind,
            delta=delta if private_table else None,
            accept_weak=accept_weak,
            noise=None if seed is None else SeededNoise(seed),
        )
        with working("measuring and learning"):
            if private_table:
                released = session.learn_records(chosen, **record.request)
                learnt: Learnt = RecordClassifier(released.releases[0], chosen.records.names).fit()
                unlabelled = [n for n, own in zip(names, chosen.records.labels, strict=True) if not own]
            else:
                job = session.prepare([Request("class-rows", total, options={"people": known})])
                released = session.execute(job, **record.request)
                learnt = GraphClassifier(released.releases[0], known).fit()
                unlabelled = known.names[known.labels < 0].tolist()
        write_predictions(target, learnt, unlabelled)
        columns_used = chosen.records.columns if private_table else known.columns
        document = {
            "task": "labels",
            "label": label,
            "classes": learnt.classes_.tolist(),
            "features": list(columns_used),
            "predictions": {"file": out.name} | ({} if private_table else {"people": len(unlabelled)}),
            "guarantee": learnt.release.guarantee.to_json(),
            **forecasts(learnt),
            "provenance": _short(learnt.release.provenance.to_json()),
            **spending_of(total, released.left if record.ledger else None, repeated=released.repeated),
        }
        if private_table and not released.repeated:
            document["spent"]["delta"] = round_up(chosen.delta)
        if report_target is not None:
            from graphveil.evaluation.reports.results import learning_report

            page = learning_report(learnt.release, document, dataset=graph.name)
            report_target.write_text(page.html(), encoding="utf-8")
    note(how_read.without_counts())
    record.note(recorded=seed is not None)
    if released.other_graph:
        note(f"warning: {OTHER_GRAPH}")
    if as_json:
        print_json(document)
        return
    print_forecasts(learnt, document)
    print_spending([learnt.release], document)
    note(f"written: {out}" + (f" and {report}" if report else ""))


def plan_learning(
    *,
    label: Label,
    epsilon: Annotated[str, typer.Option(metavar="E[,E…]", help="Epsilons to compare.")] = "0.1,0.5,1,4",
    mean_degree: Annotated[float, typer.Option(metavar="D", help="How many friends people have on average: a guess.")],
    same: Annotated[float, typer.Option(metavar="S", help="The share of friends who are of one's own class: a guess.")],
    features: Features = None,
    people: Annotated[Path, typer.Option(metavar="FILE", help="A table (.csv) of everybody, as for `learn`.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the chart of accuracy against epsilon there (.svg).")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Forecast how often predictions under edge privacy will be right. Reads no graph and spends nothing.

    It learns on made-up graphs among the people of the table, whose labels and features are public.

    Example: graphveil plan-learning --people people.csv --label year --mean-degree 40 --same 0.5
    """
    from graphveil.cli.person_table import read_table
    from graphveil.evaluation.exports import check_suffix
    from graphveil.evaluation.learning import forecast_learning
    from graphveil.learn.people import LabelledPeople
    from graphveil.privacy.loss import exact_epsilon

    check_suffix(out, (".svg",))
    wanted = None if features is None else split_names(features)
    epsilons = [exact_epsilon(each.strip()) for each in epsilon.split(",")]
    known = LabelledPeople.from_columns(read_table(people), label=label, features=wanted)
    with optional_file(out, force=force) as target:
        with working("learning on made-up graphs"):
            found = forecast_learning(known, epsilons=epsilons, mean_degree=mean_degree, same=same)
        if target is not None:
            target.write_text(found.chart(), encoding="utf-8")
    if as_json:
        print_json(found.to_json())
        return
    middle = zip(found.epsilons, found.reached, found.spread, strict=True)
    rows = [(f"epsilon {each:g}", f"{mean:.1%}", f"{std:.1%}") for each, mean, std in middle]
    rows = [("features alone", f"{found.floor:.1%}", "-"), *rows, ("without noise", f"{found.ceiling:.1%}", "-")]
    print_table(f"{label}, forecast", ("from", "right", "spread over made-up graphs"), rows)
    print_line(f"if people have {mean_degree:g} friends on average, {same:.0%} of them of their own class")


def write_predictions(path: Path, model: Learnt, names: list[str]) -> None:
    """Write a line for everybody without a label."""
    chances = model.predict_proba(names)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("person", "prediction", "probability"))
        best = chances.argmax(axis=1)
        for name, place, row in zip(names, best.tolist(), chances, strict=True):
            table.writerow((name, model.classes_[place], f"{row[place]:.4f}"))


def _short(provenance: dict[str, Any]) -> dict[str, Any]:
    """Leave out what has an entry for each person, which serves to predict and is not printed either."""
    kept = {name: each for name, each in provenance["derived"].items() if name not in ("roles", "probabilities")}
    return provenance | {"derived": kept}


def forecasts(model: Learnt) -> dict[str, Any]:
    """The forecast of accuracy and the floor; under the record unit how many people they are of is private."""
    from graphveil.learn.estimator import GraphClassifier

    if not isinstance(model, GraphClassifier):
        noisy = "from noisy counts of labelled people, which were paid for"
        return {
            name: {"forecast": share, "interval95": [low, high], "scope": scope}
            for name, (share, low, high), scope in (
                ("accuracy", model.accuracy(), noisy),
                ("floor", model.floor(), f"features alone, {noisy}"),
            )
        }
    return {
        "accuracy": _share(model.accuracy(), model.posterior_.tried, FORECAST),
        "floor": _share(model.floor(), model.floor_[1], "features alone, without any edge"),
    }


def _share(found: tuple[float, float, float], tried: int, scope: str) -> dict[str, Any]:
    share, low, high = found
    return {"forecast": share if tried else None, "interval95": [low, high], "people": tried, "scope": scope}


def print_forecasts(model: Learnt, document: dict[str, Any]) -> None:
    """Print how often predictions will be right, and what is promised."""
    rows = [
        (name, "-" if part["forecast"] is None else f"{part['forecast']:.1%}", f"{low:.1%} to {high:.1%}")
        for name, part in (("graph and features", document["accuracy"]), ("features alone", document["floor"]))
        for low, high in (part["interval95"],)
    ]
    predicted = document["predictions"].get("people")
    whose = "people" if predicted is None else f"{predicted:,} people"
    print_table(f"{document['label']} of {whose}", ("from", "right, forecast", "95 % interval"), rows)
    print_line(f"accuracy:  {document['accuracy']['scope']}")
    print_line(f"guarantee: {model.release.guarantee}")
    for assumption in model.release.guarantee.assumes:
        print_line(f"assumes:   {assumption}")
