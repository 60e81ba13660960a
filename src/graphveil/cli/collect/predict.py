"""`graphveil collect predict`: from the result of a campaign for class rows to a prediction for everybody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from graphveil.cli.collect.options import labelled_people
from graphveil.cli.learn import forecasts, print_forecasts, write_predictions
from graphveil.cli.options import AsJson, Force, split_names
from graphveil.cli.output import note, pending_file, print_json, print_line, refuse_to_replace
from graphveil.errors import ParameterError


def predict(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="What `collect result --out result.json` wrote.")],
    *,
    people: Annotated[Path, typer.Option(metavar="FILE", help="The table (.csv) that the campaign was made with.")],
    attribute: Annotated[str, typer.Option(metavar="COLUMN", help="The column of labels that it was made with.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where predictions go: person,prediction,probability.")],
    features: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Columns to predict from besides; all others if not given.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Predict the labels of people from what a campaign for class rows collected, and from features if there are any.

    It reads noisy counts only, so it costs nothing more, however often it is run.

    Example: graphveil collect predict result.json --people people.csv --attribute year --out years.csv
    """
    from graphveil.learn.estimator import GraphClassifier
    from graphveil.local.attributes.results import release_of_result

    refuse_to_replace((result, people), (out,))
    wanted = None if features is None else split_names(features)
    known = labelled_people(people, attribute, wanted)
    with pending_file(out, force=force) as target:
        model = GraphClassifier(release_of_result(_read(result), known), known).fit()
        names = known.names[known.labels < 0].tolist()
        write_predictions(target, model, names)
    document = {
        "task": "labels",
        "label": attribute,
        "classes": model.classes_.tolist(),
        "features": list(known.columns),
        "predictions": {"file": out.name, "people": len(names)},
        "guarantee": model.release.guarantee.to_json(),
        **forecasts(model),
    }
    if as_json:
        print_json(document)
        return
    print_forecasts(model, document)
    print_line("spent:     nothing; the campaign has paid for these counts")
    note(f"written: {out}")


def _read(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ParameterError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise ParameterError(f"{path}: is no result; write one with `graphveil collect result --out result.json`")
    return document
