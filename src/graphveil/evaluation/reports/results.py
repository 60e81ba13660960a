"""Reports of a campaign's result, of synthetic graphs, of predictions, of attacks and of audits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from graphveil.audit.attacks.outcome import AttackOutcome, verdict
from graphveil.audit.engine.result import AuditResult, AuditVerdict
from graphveil.display.svg import Line, lines, ranges
from graphveil.evaluation.reports.page import Report
from graphveil.evaluation.reports.releases import MOST_ROWS, add_budget, add_promise
from graphveil.local.result import entry_rows, section_documents
from graphveil.local.statistics import QUESTION, is_directed, support_of
from graphveil.mechanisms.accuracy import Accuracy, Band
from graphveil.mechanisms.release import Release, describe, short
from graphveil.privacy.odds import odds_sentence
from graphveil.privacy.rounding import text_up
from graphveil.privacy.unit import Trust
from graphveil.release.policy import says_nothing
from graphveil.release.synthesis import SyntheticRelease
from graphveil.synthetic.synthesizer import target_cells

NOISE = (
    "Noise of scale 10 lies between -30 and 30 in 95 of 100 cases, and so on in proportion. How wide ladder noise is "
    "depends on the graph, and would have to be paid for: it is not published."
)
USE = (
    "Anybody may have it and compute with it. It is near the original in what the tables below list, as far as they "
    "say; nothing is promised of anything else."
)
MOSTLY_REAL = "Give it only to those who may see the private graph."


def collection_report(answer: Mapping[str, Any]) -> Report:
    """A page for the result document of a campaign: estimate, intervals, who took part, what was promised."""
    statistic, guarantee = answer["statistic"], answer["guarantee"]
    report = Report(f"Collected statistic: {statistic}", f"the lists of {answer['participation']['people']:,} people")
    sections, reports = section_documents(answer), answer["participation"]["reports"]
    report.summary += [_in_words(name, section["value"], section["interval95"]) for name, section in sections.items()]
    by_round = ", round by round" if len(reports) > 1 else ""
    report.summary.append(f"{' and '.join(f'{sent:,}' for sent in reports)} people reported{by_round}.")
    asked = statistic == QUESTION
    report.summary.append(f"{_how_sent(guarantee['trust'], asked=asked)}: {odds_sentence(guarantee['epsilon'])}.")
    report.heading("Figures")
    for name, section in sections.items():
        _add_entries(report, name, section)
        if section.get("why_no_interval"):
            report.text(f"No intervals: {section['why_no_interval']}")
        if warning := section_warning(name, section):
            report.summary.append(f"Warning: {warning}.")
    report.heading("What is promised, and to whom")
    of_list = "everything in a person's own list" if guarantee["unit"] == "node" else "one entry of a person's list"
    friendship = guarantee["relationship_epsilon"]
    report.facts(
        [
            ("protected", "a person's answer" if asked else of_list),
            ("epsilon", f"{guarantee['epsilon']:g} ({guarantee['status']})"),
            *([] if asked else [_relationship(statistic, friendship)]),
            ("protocol", answer["protocol"]),
            *([("against", guarantee["against"])] if guarantee.get("against") else []),
            *(("assumes", text) for text in guarantee["assumes"]),
        ]
    )
    return report


def section_warning(name: str, section: Mapping[str, Any]) -> str:
    """What to warn of where the intervals of a result say next to nothing, by the rule of a release; else no text."""
    value, ends = section["value"], section["interval95"]
    if ends is None:
        return ""
    values, lows, highs = (each if isinstance(each, list) else [each] for each in (value, *ends))
    known = [each for each in zip(values, lows, highs, strict=True) if None not in each]
    if len(known) < len(values) or not known:
        return ""
    below, above = tuple(v - low for v, low, _ in known), tuple(high - v for v, _, high in known)
    support = support_of(name)
    return says_nothing(Accuracy(tuple(values), None, (Band(0.95, below, above),), support=support))


def _relationship(statistic: str, epsilon: float) -> tuple[str, str]:
    """What a relationship costs, and from whose answers."""
    if is_directed(statistic):
        return "that one person follows another", f"epsilon {epsilon:g}, from the answer of the one who follows"
    return "a friendship", f"epsilon {epsilon:g}, from the answers of both people"


def _how_sent(trust: str, *, asked: bool) -> str:
    """What left people's devices: noisy answers, or with two servers exact ones in two parts."""
    if trust == Trust.TWO_SERVERS:
        return f"Everybody's {'answer' if asked else 'friend list'} was split, and neither server alone can read it"
    return f"Nobody sent {'their answer as it is, only a noisy one' if asked else 'a friend list, only noisy answers'}"


def _in_words(statistic: str, value: Any, interval: Any) -> str:
    """The estimate of one statistic in a sentence."""
    if isinstance(value, list):
        return f"{statistic}: {len(value):,} numbers, below."
    known = (
        "" if not interval else f", with 95 % confidence between {describe(interval[0])} and {describe(interval[1])}"
    )
    return f"{statistic}: {describe(value)}{known}."


def _add_entries(report: Report, statistic: str, section: Mapping[str, Any]) -> None:
    entries = entry_rows(section)
    if len(entries) > 1:
        _, values, _, lows, highs = zip(*entries, strict=True)
        band = ((), ()) if None in (*lows, *highs) else (lows, highs)
        title = f"{statistic} with 95 % intervals"
        drawn = [Line(statistic, [float(place) for place in range(len(values))], values, *band)]
        report.figure(lines(drawn, title=title, x="entry", y=statistic), f"{title}.")
    rows = [
        (str(name), short(entry), "-" if low is None or high is None else f"{short(low)} to {short(high)}")
        for name, entry, _, low, high in entries
    ]
    more = f", the first {MOST_ROWS} of {len(rows):,}" if len(rows) > MOST_ROWS else ""
    report.table(("entry", "value", "95 % interval"), rows[:MOST_ROWS], f"{statistic}{more}")


def synthesis_report(
    release: SyntheticRelease,
    statement: Mapping[str, Any],
    *,
    left: Fraction | None = None,
    budget: Fraction | None = None,
) -> Report:
    """A page for graphs that were drawn: what was measured, what each reached, what is promised."""
    made = release.provenance
    report = Report(f"Synthetic graphs by {release.method}", made.dataset, made=made.created)
    count = len(statement["graphs"])
    report.summary += [
        f"{count} graph{'s' if count > 1 else ''} drawn from a few noisy statistics; " + _who_the_nodes_are(release),
        f"{release.guarantee}, however many graphs are drawn: {odds_sentence(release.guarantee.epsilon)}.",
        MOSTLY_REAL if release.fit.warning else USE,
        *(f"Warning: {warning}." for warning in release.release.warnings),
        *(f"Warning: {graph['file']} misses {told}." for graph in statement["graphs"] for told in graph["missed"]),
    ]
    report.heading("Figures")
    for graph in statement["graphs"]:
        rows = [target_cells(name, row) for name, row in graph["fit"].items()]
        report.table(("statistic", "measured with noise", "drawn graph"), rows, graph["file"])
    report.heading("What was measured, and with how much noise")
    steps = [
        (f"{stage.text[:1].upper()}{stage.text[1:]}.", text_up(stage.epsilon) if stage.epsilon else "none")
        for stage in release.release.stages
    ]
    report.table(("step", "epsilon"), steps, "All that was taken from the graph")
    report.text(NOISE)
    add_promise(report, release.guarantee)
    add_budget(report, [(release.method, float(release.guarantee.epsilon))], left, budget)
    return report


def _who_the_nodes_are(release: SyntheticRelease) -> str:
    if not release.fit.follows_people:
        return "its nodes stand for no real person."
    return "its people keep their names." if release.has_names else "each node is a person, without the name."


def learning_report(release: Release, document: Mapping[str, Any], *, dataset: str) -> Report:
    """A page for predictions: how often they are right, beside features alone, what is promised and what it cost."""
    report = Report(f"Predicted: {document['label']}", dataset)
    named = (("graph and features", document["accuracy"]), ("features alone", document["floor"]))
    known = [(name, part["forecast"], *part["interval95"]) for name, part in named if part["forecast"] is not None]
    for name, share, low, high in known:
        report.summary.append(f"From {name} {share:.0%} are expected to be right (95 %: {low:.0%} to {high:.0%}).")
    report.summary.append(f"The classes are {', '.join(document['classes'])}.")
    report.heading("How often predictions are right")
    rows = [(name, *(100 * each for each in shares)) for name, *shares in known]
    if rows:
        report.figure(ranges(rows, title="share of right predictions", x="right, %"), "Forecasts, 95 % intervals.")
    report.text(
        f"With the graph: {document['accuracy']['scope']}. Features: {', '.join(document['features']) or 'none'}."
    )
    add_promise(report, release.guarantee)
    report.heading("How it was made")
    report.code(release.explain())
    return report


def attack_report(outcomes: Sequence[AttackOutcome], *, original: str, published: str) -> Report:
    """A page for attacks on one published graph, each beside a guess without it."""
    report = Report(f"Attacks on {published}", f"{published}, made from {original}")
    report.summary.append(f"{verdict(outcomes, published)}.")
    if any(outcome.beats_baseline for outcome in outcomes):
        worst = max(outcomes, key=lambda outcome: outcome.rate - outcome.baseline_rate)
        report.summary.append(f"An attacker who knows {worst.knows} is right in {worst.rate:.0%} of all tries.")
    report.summary.append("These figures come from the original graph: do not publish them.")
    report.heading("Figures")
    report.table(
        ("attack", "right", "95 % interval", "a guess is right", "tries", "the attacker knows"),
        [
            (o.attack, f"{o.rate:.2%}", f"{o.interval[0]:.2%} to {o.interval[1]:.2%}", f"{o.baseline_rate:.2%}",
             f"{o.tries:,}", str(o.knows))
            for o in outcomes
        ],
        "How often each attack is right",
    )  # fmt: skip
    rows = [(o.attack, 100 * o.rate, 100 * o.interval[0], 100 * o.interval[1]) for o in outcomes]
    report.figure(
        ranges(rows, title="share of right answers", x="right answers, %"), "Right answers with 95 % intervals."
    )
    return report


def audit_report(results: Sequence[AuditResult]) -> Report:
    """A page with the verdict of every audit and a chart of the outputs that decided it."""
    refuted = [result.name for result in results if result.verdict is AuditVerdict.REFUTED]
    report = Report(f"Audits of {len(results)} claims")
    verdict = f"Refuted: {', '.join(refuted)}." if refuted else "No claim was refuted."
    report.summary += [
        f"{len(results)} audited, {len(refuted)} refuted. {verdict}",
        "Consistent is not proved: an audit does not see a leak that shows in a few outputs of the sample only.",
    ]
    report.heading("Figures")
    report.table(
        ("name", "verdict", "claimed", "at least", "confidence", "samples"),
        [
            (
                result.name,
                result.verdict.value,
                f"{result.claimed_epsilon:g}",
                f"{result.epsilon_lower_bound:.3f}",
                f"{100 * result.confidence:.4g} %",
                f"{result.samples:,}",
            )
            for result in results
        ],
        "Verdicts",
    )
    for result in results:
        report.heading(result.name)
        report.text(f"{result}. {result.event}")
        report.figure(
            result.picture(), f"How the outputs of the two inputs differ. The worst pair: {result.worst_pair}."
        )
    return report
