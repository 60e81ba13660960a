"""Predictions from noisy rows, block by block: a program for ordered readings, which sees answers and never a graph.

The same program runs twice: while the rows are measured, to say which class predicted people count as, and on a stored
release, to predict. It asks for the answers of the steps of `Roles.plan` one after another.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from graphveil.arrays import Bits, Floats, Integers
from graphveil.errors import ParameterError
from graphveil.learn.affinity import class_shares, folds_by_class, laplace_variance
from graphveil.learn.combine import apply_scales, fit_correction, fit_scales, held_out, row_features
from graphveil.learn.likelihood import DISPERSIONS, CellLaw, fit_degrees, row_likelihood
from graphveil.learn.roles import ANCHORS, Roles
from graphveil.mechanisms.readings import answer_shapes

BEYOND = 0.9995  # the share of counts that a tabulated law covers
NO_FOLD = -1
LEAST_GAIN = 1.0  # in the log-likelihood of labels, as for one more coefficient (Akaike); see docs/learn.md
UNSEEN_ERROR = 0.2  # counts of wrong predictions, over all classes, that every class starts with beside one right one


def is_reader(role: int) -> bool:
    """Whether the people of a role have a label and a row."""
    return role % 2 == 1


@dataclass(frozen=True, slots=True)
class Setting:
    """What is public: roles, labels (-1: unknown or left out), what features say, and the rate of the rows' noise."""

    roles: Roles
    labels: Integers
    prior: Floats
    rate: float
    passes: int
    correct: bool = True

    @property
    def n_classes(self) -> int:
        """How many classes there are to choose from."""
        return int(self.prior.shape[1])

    def block(self, role: int, read: Iterable[int], rows: Integers) -> Block:
        """The rows of a role that read the anchors and these roles."""
        known = [ANCHORS, *filter(is_reader, read)]
        shares = [float(np.isin(self.roles.of, each).mean()) for each in (known, [*set(read) - set(known)])]
        return Block(np.flatnonzero(self.roles.of == role), rows, *shares)


@dataclass(frozen=True, slots=True)
class Block:
    """The rows of the people of one role, and the shares of all people whom they read with labels and predictions."""

    people: Integers
    rows: Integers
    known: float
    predicted: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rows of blocks say, given the class table and how often predictions of each class were right."""

    setting: Setting
    table: Integers
    confusion: Integers

    def compared(self, people: Integers, posterior: Floats) -> Evidence:
        """The same with the labelled among these people added to the comparison of labels with predictions."""
        known = people[self.setting.labels[people] >= 0]
        confusion = self.confusion.copy()
        np.add.at(confusion, (self.setting.labels[known], posterior[known].argmax(axis=1)), 1)
        return replace(self, confusion=confusion)

    def likelihoods(self, chosen: Sequence[Block], first: Block) -> list[Floats]:
        """The log-likelihood of the rows of each chosen block, by the law that suits labelled people best."""
        setting = self.setting
        totals = np.concatenate([block.rows.sum(axis=1) for block in chosen]).astype(np.float64)
        exposure = np.concatenate([np.full(len(block.rows), block.known + block.predicted) for block in chosen])
        noise = np.full(len(totals), setting.n_classes * laplace_variance(setting.rate))
        degrees, weights = fit_degrees(totals, exposure, noise)
        largest = 5 + max((int(np.quantile(np.abs(b.rows), BEYOND)) for b in chosen if len(b.rows)), default=0)
        parts = [self._with_shares(block, first) for block in chosen]

        def by_law(place: int, law: CellLaw) -> Floats:
            found = np.empty((len(chosen[place].people), setting.n_classes))
            for own, shares in parts[place]:
                found[own] = row_likelihood(chosen[place].rows[own], shares, degrees, weights, law)
            return found

        held = [place for place, block in enumerate(chosen) if (setting.labels[block.people] >= 0).any()]
        best: tuple[float, CellLaw, dict[int, Floats]] | None = None
        for dispersion in DISPERSIONS if held else DISPERSIONS[:1]:
            law = CellLaw(setting.rate, dispersion, largest, float(degrees[-1]))
            found = {place: by_law(place, law) for place in held}
            loss = self._loss(chosen, found)
            if best is None or loss < best[0]:
                best = (loss, law, found)
        assert best is not None
        _, law, found = best
        return [found[place] if place in found else by_law(place, law) for place in range(len(chosen))]

    def _with_shares(self, block: Block, first: Block) -> list[tuple[Bits, Floats]]:
        """Who of a block is compared with which shares: of a person of each class, how much stands in each cell.

        What rows of a class look like is estimated from the first readers. So each of these is compared with what the
        others say: a row that shaped its own class would seem to tell that class, above all where classes are many.
        """
        setting = self.setting
        errors = self.confusion + np.eye(setting.n_classes) + UNSEEN_ERROR / setting.n_classes
        errors = errors / errors.sum(axis=1, keepdims=True)
        reads = block.known * np.eye(setting.n_classes) + block.predicted * errors
        labels = setting.labels[first.people]
        fold = folds_by_class(labels)
        own = np.full(len(block.people), NO_FOLD)
        _, here, there = np.intersect1d(block.people, first.people, return_indices=True)
        own[here] = fold[there]
        parts = []
        for each in np.unique(own).tolist():
            kept = (fold != each) & (labels >= 0)
            shares = class_shares(self.table, labels[kept], first.rows[kept], setting.rate)
            parts.append((own == each, shares @ reads))
        return parts

    def _loss(self, chosen: Sequence[Block], found: dict[int, Floats]) -> float:
        if not found:
            return 0.0
        people = np.concatenate([chosen[place].people for place in found])
        labels = self.setting.labels[people]
        known = labels >= 0
        parts = [self.setting.prior[people][known], np.concatenate(list(found.values()))[known]]
        return fit_scales(parts, labels[known])[1]


@dataclass(frozen=True, slots=True)
class Posterior:
    """Everybody's log-probabilities of the classes, and how many labelled people with rows are predicted right.

    `surer` is how much higher the probability of the best class is for the people to predict, on average, than for
    those readers.
    """

    log_probabilities: Floats
    right: int
    tried: int
    surer: float = 0.0


def predict_in_order(setting: Setting) -> Generator[Integers, Integers, Posterior]:
    """Yield everybody's class for each step of the plan, get its noisy answer, and return the predictions."""
    roles, n_classes = setting.roles, setting.n_classes
    steps = range(1, roles.n_roles)
    classes = np.where(roles.of == ANCHORS, setting.labels, -1)
    table = yield classes
    evidence = Evidence(setting, table, np.zeros((n_classes, n_classes), dtype=np.int64))
    posterior = setting.prior.copy()
    forward: dict[int, Block] = {}
    found: dict[int, Floats] = {}
    for role in steps:
        forward[role] = setting.block(role, range(1, role), (yield classes))
        own = forward[role].people
        classes = classes.copy()
        if is_reader(role):  # their labels may be read from now on
            classes[own] = setting.labels[own]
            continue
        chosen = [*filter(is_reader, range(1, role)), role]
        blocks = [forward[each] for each in chosen]
        found |= dict(zip(chosen, evidence.likelihoods(blocks, forward[1]), strict=True))
        last = [blocks], [[found[each] for each in chosen]]
        posterior = combined(setting, posterior, *last)
        classes[own] = posterior[own].argmax(axis=1)
        evidence = evidence.compared(forward[role - 1].people, posterior)
    if setting.passes > 1:
        backward: list[Block] = []
        for role in steps:
            rows = yield classes
            backward.append(setting.block(role, range(role + 1, roles.n_roles), rows))
        second = evidence.likelihoods(backward, forward[1])
        last = [[forward[role] for role in steps], backward], [[found[role] for role in steps], second]
        posterior = combined(setting, posterior, *last)
    return validated(setting, posterior, *last)


def replay(setting: Setting, cells: Integers) -> Posterior:
    """The predictions from all counts of a plan, which a release holds as one list."""
    shapes = answer_shapes(setting.roles.plan(Fraction(1), setting.passes), setting.roles.of, setting.n_classes)
    sizes = [int(np.prod(shape)) for shape in shapes]
    if len(cells) != sum(sizes):
        raise ParameterError(f"the release holds {len(cells):,} counts and its plan {sum(sizes):,}: it was cut")
    program = predict_in_order(setting)
    next(program)
    try:
        for part, shape in zip(np.split(cells, np.cumsum(sizes)[:-1]), shapes, strict=True):
            program.send(part.reshape(shape))
    except StopIteration as finished:
        posterior: Posterior = finished.value
        return posterior
    raise AssertionError("the program asks for more answers than its plan has")


def validated(
    setting: Setting, posterior: Floats, passes: Sequence[Sequence[Block]], likelihoods: Sequence[Sequence[Floats]]
) -> Posterior:
    """The posterior, or what features say where rows do not help, judged on readers by a fit without them.

    The judge is how likely their labels are, which needs fewer people than how many predictions are right.

    In one block, readers count friends among anchors and the others among all labelled people. So predictions for the
    others are surer, and right more often by as much; corrections, which have seen the readers, are left out of that.
    """
    people = np.concatenate([block.people for block in passes[0]])
    parts = [setting.prior[people], *(np.concatenate(each) for each in likelihoods)]
    has_label = setting.labels[people] >= 0
    known = np.flatnonzero(has_label)
    labels, alone = setting.labels[people[known]], setting.prior[people[known]]
    own = [part[known] for part in parts]
    fitted = held_out(own, labels)
    gain = (fitted - held_out([alone], labels))[np.arange(len(known)), labels].sum()
    if len(known) and gain <= LEAST_GAIN:
        posterior, fitted, scores = setting.prior, alone, setting.prior[people]
    else:
        scores = apply_scales(parts, fit_scales(own, labels)[0])
    surer = _sureness(scores[~has_label]) - _sureness(scores[has_label]) if setting.roles.n_blocks == 1 else 0.0
    return Posterior(posterior, int((fitted.argmax(axis=1) == labels).sum()), len(known), surer)


def _sureness(log_probabilities: Floats) -> float:
    """The mean probability of the most probable class."""
    return float(np.exp(log_probabilities.max(axis=1)).mean()) if len(log_probabilities) else 0.0


def combined(
    setting: Setting, posterior: Floats, passes: Sequence[Sequence[Block]], likelihoods: Sequence[Sequence[Floats]]
) -> Floats:
    """A posterior in which the people of these blocks are replaced: fitted on the labelled, applied to all.

    `passes` holds the same blocks with the rows of each pass. Labelled people do not get the correction, which has
    seen their labels.
    """
    people = np.concatenate([block.people for block in passes[0]])
    labels, prior = setting.labels[people], setting.prior[people]
    known = labels >= 0
    parts = [prior, *(np.concatenate(each) for each in likelihoods)]
    scales = np.r_[np.ones(len(parts)), np.zeros(setting.n_classes)]
    if known.any():
        scales, _ = fit_scales([part[known] for part in parts], labels[known])
    scores = apply_scales(parts, scales)
    changed = posterior.copy()
    changed[people] = scores
    if setting.correct and known.any():
        rows = [np.concatenate([block.rows for block in blocks]) for blocks in passes]
        features = row_features(prior, rows, parts[1:], setting.rate)
        correction = fit_correction(features[known], scores[known], labels[known])
        if correction is not None:
            changed[people[~known]] = correction.apply(features[~known], scores[~known])
    return changed
