"""`graphveil collect`: statistics of a graph nobody holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphveil.cli.collect import campaign as collect_campaign
from graphveil.cli.collect import create as collect_create
from graphveil.cli.collect import join as collect_join
from graphveil.cli.collect import plan as collect_plan
from graphveil.cli.collect import predict as collect_predict
from graphveil.cli.collect import serve as collect_serve
from graphveil.cli.collect import staff as collect_staff
from graphveil.cli.collect import two_servers as collect_two_servers
from graphveil.cli.collect.options import ProtocolParameter, Statistics, labelled_people, refuse_without_local
from graphveil.cli.command import Command, group_options
from graphveil.cli.options import AsJson, Directed, FileOptions, GraphFile, UnitName, parse_options
from graphveil.cli.output import note, number, print_json, print_line, print_table, status_text, working
from graphveil.cli.person_table import Attribute, People
from graphveil.errors import GraphveilError, ParameterError

if TYPE_CHECKING:
    from graphveil.central.attributes.column import PeopleColumn

MOST_SHOWN = 10  # of a list of facts

app = typer.Typer(help="Collect statistics from people who keep their own friend lists.", rich_markup_mode=None)
for name, command, summary in (
    ("protocols", collect_plan.protocols, "What a campaign may use, and what works in a browser"),
    ("plan", collect_plan.plan, "Whether asking is worth it, before anybody is asked"),
    ("create", collect_create.create, "Open a campaign and write everybody's link"),
    ("accept", collect_two_servers.accept, "Let your server take part in a campaign with two servers"),
    ("serve", collect_serve.serve, "Run a collector, or one of two servers"),
    ("join", collect_join.join, "Answer a campaign from your own friend list"),
    ("status", collect_campaign.status, "Where a campaign stands"),
    ("close", collect_campaign.close, "End the open round early"),
    ("result", collect_campaign.result, "What came out"),
    ("predict", collect_predict.predict, "Predict labels from the result of class rows"),
    ("pause", collect_campaign.pause, "Take no more reports for now"),
    ("resume", collect_campaign.resume, "Let a paused campaign go on"),
    ("cancel", collect_campaign.cancel, "End a campaign without a result"),
    ("delete", collect_campaign.delete, "Remove a campaign that is over"),
    ("renew-token", collect_staff.renew_token, "New links for people who lost theirs"),
    ("backup", collect_serve.backup, "Copy a collector that may be running"),
    ("restore", collect_serve.restore, "Go on from a backup"),
):
    app.command(name, cls=Command, short_help=summary)(command)

app.add_typer(collect_staff.app, name="staff")


@app.callback()
def collect() -> None:
    """Collect statistics from people who keep their own friend lists."""


@app.command("simulate", cls=Command, short_help="Try a protocol on a graph you hold")
@group_options
def simulate(
    *,
    graph: GraphFile,
    statistic: Statistics,
    unit: UnitName,
    epsilon: Annotated[str, typer.Option(metavar="E", help="Loss of one person's list (node) or entry (edge).")],
    protocol: Annotated[str, typer.Option(metavar="P", help="`veil` is our own for each statistic.")] = "veil",
    runs: Annotated[int, typer.Option(metavar="R", help="How often to simulate; means are shown.")] = 1,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Repeatable noise, for experiments.")] = None,
    parameter: ProtocolParameter = None,
    trust: Annotated[
        str, typer.Option(metavar="T", help="local (nobody sees a list), or two-servers (neither of them does).")
    ] = "local",
    people: People = None,
    attribute: Attribute = None,
    file: FileOptions,
    directed: Directed = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a whole campaign on a graph you hold: its error, its cost, its guarantee.

    With --trust two-servers people split their answers between two servers that do not collude (triangles,
    transitivity, k-stars, edges, degree-distribution, degree-histogram, attribute-shares): answers are much closer
    to the truth. With --directed, out-degree-distribution is collected from lists of those whom people follow.

    Example: graphveil collect simulate friends.txt.gz --statistic degree-distribution --unit node --epsilon 1 --runs 5
    """
    from graphveil.graph.files.read import read_with_report
    from graphveil.graph.labels import label_list
    from graphveil.local.attributes.class_rows import parameters_of
    from graphveil.local.experiment import run_experiment
    from graphveil.registry import find_protocol
    from graphveil.two_servers.experiment import check_request, run_two_servers

    how = file.reading(directed=directed)
    parameters = parse_options(parameter, flags=())
    if trust == "local":  # refuse what there is not before a large file is read
        refuse_without_local(statistic)
        _check_directed(statistic, directed, find_protocol(statistic, protocol, unit).cls.directed)
    elif trust == "two-servers":
        check_request(statistic, unit, parameters)
        if protocol != "veil":
            raise ParameterError("two servers have one protocol for each statistic: leave out --protocol")
        _check_directed(statistic, directed, asked=False)
    else:
        raise ParameterError(f"unknown trust {trust!r}; allowed: local, two-servers")
    answers, names, column, labelled = None, None, None, None
    if statistic == "class-rows":
        labelled = labelled_people(people, attribute)
        parameters |= parameters_of(labelled)
        names = labelled.names.tolist()
    elif attribute is not None:
        column, names = _answered(statistic, people, attribute, parameters)
    with working(f"reading {graph}"):
        read, report = read_with_report(graph, people=people if names is None else names, how=how)
    if column is not None:
        answers = column.groups_of(label_list(read.labels, read.n_nodes))
    if labelled is not None:
        read = labelled.ordered(read)
    promise: dict[str, Any] = {"unit": unit, "epsilon": epsilon}
    with working(f"simulating {runs} x {read.n_nodes:,} people"):
        if trust == "two-servers":
            document = run_two_servers(
                read, statistic=statistic, **promise, answers=answers, runs=runs, seed=seed, **parameters
            )
        else:
            asked: dict[str, Any] = {"statistic": statistic, "protocol": protocol, **promise, "answers": answers}
            with _naming_the_package(find_protocol(statistic, protocol, unit).package):
                document = run_experiment(read, **asked, runs=runs, seed=seed, **parameters)
    note(str(report))
    if as_json:
        print_json(document)
        return
    _print(document)


@contextmanager
def _naming_the_package(package: str) -> Iterator[None]:
    """An error inside a protocol of another package is one line that names it."""
    try:
        yield
    except GraphveilError:
        raise
    except Exception as error:
        if not package:
            raise
        raise ParameterError(f"the protocol of package {package} failed: {type(error).__name__}: {error}") from error


def _check_directed(statistic: str, kept: bool, asked: bool) -> None:
    """Refuse a graph without directions where a campaign asks whom people follow, and the other way round."""
    if asked and not kept:
        raise ParameterError(f"{statistic} asks whom people follow: add --directed")
    if kept and not asked:
        raise ParameterError(f"{statistic} asks for friends, who name each other: leave out --directed")


def _answered(
    statistic: str, people: Path | None, attribute: str, parameters: dict[str, Any]
) -> tuple[PeopleColumn, list[str]]:
    """The column of a table whose values people answer with, and all names; the answers become a parameter."""
    from graphveil.cli.person_table import read_column
    from graphveil.local.statistics import QUESTION

    if statistic != QUESTION:
        raise ParameterError(f"--attribute is for --statistic {QUESTION}, not for {statistic}")
    column, names = read_column(people, attribute, parameters.get("values"), None, "edge")
    assert column is not None
    assert names is not None
    parameters["values"] = ",".join(column.groups)
    return column, names


def _print(document: dict[str, Any]) -> None:
    sections = document.get("results", {document["statistic"]: document})
    told: dict[str, Any] = {}
    for name, section in sections.items():
        title = f"{name} by {{protocol}}, {{unit}} privacy, epsilon {{epsilon:g}}".format_map(document)
        once = document["runs"] == 1
        spread = {error: "-" if once else number(value) for error, value in section["spread"].items()}
        rows = [(error, number(value), spread[error]) for error, value in section["metrics"].items()]
        print_table(title, ("error", f"mean of {document['runs']}", "spread"), rows)
        print_line(f"intervals: {_intervals(section)}{'; one run says little (--runs)' if once else ''}")
        _print_facts({fact: value for fact, value in section["facts"].items() if told.get(fact) != value})
        told |= section["facts"]
    if "suggestions" in document:
        _print_suggestions(document)
    if len(sections) > 1:
        print_line(f"together:  {len(sections)} statistics from the same reports, under one guarantee")
    cost, guarantee = document["cost"], document["guarantee"]
    print_line(
        f"cost:      {number(cost['upload_bits_per_user'])} bits up, {number(cost['download_bits_per_user'])} down"
    )
    print_line(f"guarantee: {status_text(guarantee)}; {collect_campaign.protected(document)}")
    if guarantee["against"]:
        print_line(f"against:   {guarantee['against']}")
        print_line(f"assumes:   {'; '.join(guarantee['assumes'])}")
    for strength in document["strengths"] if len(document["strengths"]) > 1 else []:
        words = "epsilon {epsilon:.15g} for one {unit}, {relationship_epsilon:.15g} for a relationship"
        print_line(f"strength:  {words.format_map(strength)}")
    if document["claim"] is not None:
        print_line(f"claim:     {document['claim']['verdict']}: {document['claim']['reason']}")


MEANING = {
    "weight_of_answers": "weight in the estimate of answers about pairs alone, 0 to 1",
    "hidden_by_caps": "triangles that caps on counts hide, estimated",
    "noise_std": "standard deviation of the noise in the counts",
    "answers_std": "standard deviation from the answers about pairs",
    "smoothing": "strength of the smoothing of the curve",
}


def _print_facts(facts: dict[str, Any]) -> None:
    """What the first run found besides its main answer; entries of one shape as a table."""
    for name, value in facts.items():
        words = MEANING.get(name, name.replace("_", " "))
        if isinstance(value, list) and value and isinstance(value[0], dict):
            print_table(words, tuple(value[0]), [tuple(_fact(cell) for cell in entry.values()) for entry in value])
        else:
            print_line(f"{words + ':':10} {_fact(value)}")


def _print_suggestions(document: dict[str, Any]) -> None:
    """How often suggestions find friendships that were hidden, beside a server that knows all lists, and chance."""
    found, spread = document["suggestions"], document["suggestions_spread"]
    rows = [
        ("AUC", found["auc"], spread["auc"], found["exact_auc"], 0.5),
        ("hit@10", found["hit_at_10"], spread["hit_at_10"], found["exact_hit_at_10"], found["chance_hit_at_10"]),
    ]
    columns = ("one friendship in ten hidden", f"mean of {document['runs']}", "spread", "from exact lists", "by chance")
    print_table("friend suggestions", columns, [(name, *(f"{value:.3f}" for value in row)) for name, *row in rows])


def _intervals(document: dict[str, Any]) -> str:
    """How often they held; or why there are none."""
    held = document.get("coverage95", document.get("interval95_held"))
    if held is None:
        return f"none: {document['why_no_interval']}"
    people = document.get("coverage95_of_people", document.get("interval95_held_for_people"))
    text = f"hold in {held:.1%} of cases{'' if people is None else f', for {people:.1%} of people'}"
    text += "; they promise 95 %"
    if "estimate" not in document:
        return text
    low, high = document["estimate"]["interval95"]
    return f"{text}; the first run says {number(low)} to {number(high)}"


def _fact(value: Any) -> str:
    if isinstance(value, list):
        more = f", … ({len(value):,} in all; --json has them)" if len(value) > MOST_SHOWN else ""
        return ", ".join(map(_fact, value[:MOST_SHOWN])) + more
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_fact(entry)}" for key, entry in value.items() if entry is not None)
    return "" if value is None else number(value) if isinstance(value, float) else str(value)
