"""Ways for a person to report a degree; each knows its noise, its bytes and what a report says about the bins.

A channel is a randomizer of degrees (`local.randomizers`): it turns degrees into reports (`draw`), reports into bytes
and back, and reports into evidence for a fit. Protocols are made of channels: one, two chosen by a public coin, or one
for each strength that people may pick.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from graphveil.arrays import Floats, Integers
from graphveil.errors import ReportRefused
from graphveil.local.estimation.bins import DegreeBins
from graphveil.local.estimation.evidence import CountedReports, SubsetReports, counted
from graphveil.local.messages import Reason
from graphveil.local.payloads import number_bits, pack_bits, pack_numbers, unpack_bits, unpack_numbers
from graphveil.local.randomizers import AddedLaplace, Answer, AnyTwoValues
from graphveil.mechanisms.noise.source import Noise
from graphveil.mechanisms.square_wave import SquareWave, log_places
from graphveil.mechanisms.subset import SubsetSelection


@dataclass(frozen=True, slots=True)
class SetChannel(AnyTwoValues):
    """A set of bins that holds the true one more often than another: epsilon for a whole list."""

    epsilon: Fraction
    bins: DegreeBins

    @property
    def selection(self) -> SubsetSelection:
        """Subset selection among the bins."""
        return SubsetSelection(epsilon=self.epsilon, n_values=self.bins.n_bins)

    @property
    def bits(self) -> int:
        """The size of a report: one bit for each bin."""
        return self.bins.n_bins

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> Integers:
        """For each degree a random set of bins, a row each."""
        rows: Integers = Answer(self.selection).draw(people, self.bins.place(exact), noise)
        return rows

    def pack(self, rows: Integers) -> list[bytes]:
        """The bits of each set."""
        bits = np.zeros((len(rows), self.bins.n_bins), dtype=np.bool_)
        np.put_along_axis(bits, rows, values=True, axis=1)
        return pack_bits(bits)

    def unpack(self, payloads: Sequence[bytes]) -> Integers:
        """Sets of exactly the public size."""
        bits, size = unpack_bits(payloads, self.bins.n_bins), self.selection.size
        if (bits.sum(axis=1) != size).any():
            raise ReportRefused(Reason.MALFORMED, f"a set of this campaign has {size} members")
        return (np.flatnonzero(bits) % self.bins.n_bins).reshape(len(payloads), size)

    def evidence(self, rows: Integers) -> SubsetReports:
        """Members are likelier by the worst ratio."""
        return SubsetReports(rows, float(self.selection.worst_ratio))


@dataclass(frozen=True, slots=True)
class WaveChannel(AnyTwoValues):
    """A place near the logarithm of the degree more often than one far from it: epsilon for a whole list."""

    epsilon: Fraction
    bins: DegreeBins
    places: int

    @property
    def wave(self) -> SquareWave:
        """Square Wave on the places of the logarithmic line."""
        return SquareWave(epsilon=self.epsilon, n_values=self.places)

    @property
    def bits(self) -> int:
        """Enough for the number of a place."""
        return number_bits(self.wave.n_reports)

    def draw(self, people: Integers, exact: Integers, noise: Noise) -> Integers:
        """For each degree a noisy place on the logarithmic line."""
        held = place_table(self.bins.max_degree, self.places)[np.minimum(exact, self.bins.max_degree)]
        reports: Integers = Answer(self.wave).draw(people, held, noise)
        return reports

    def pack(self, reports: Integers) -> list[bytes]:
        """The number of each place in as few bytes as all fit in."""
        return pack_numbers(reports, self.wave.n_reports)

    def unpack(self, payloads: Sequence[bytes]) -> Integers:
        """The places behind payloads; any place of the line is accepted."""
        return unpack_numbers(payloads, self.wave.n_reports)

    def evidence(self, reports: Integers) -> CountedReports:
        """A bin explains a report as far as the windows of its degrees cover it."""
        return counted(reports, self._likelihood())

    def likelihood(self, reports: Integers) -> Floats:
        """P(report | bin) for each of these reports."""
        return self._likelihood()[reports]

    def typical_degree(self, reports: Integers) -> float:
        """The geometric mean of all degrees, one more each, less two deviations of what reports tell of it; or 0.

        A report of place v has the mean far R (R - 1) / 2 + (near - far) w (v + (w - 1) / 2), with R places to report
        and a window of w, so the mean report tells the mean place, which is a logarithm.
        """
        if len(reports) < 2:
            return 0.0
        wave = self.wave
        far, window = float(wave.far_probability), 2 * wave.half_width + 1
        told = (float(wave.near_probability) - far) * window
        place = (reports.mean() - far * wave.n_reports * (wave.n_reports - 1) / 2) / told - (window - 1) / 2
        sure = place - 2 * float(reports.std()) / (told * math.sqrt(len(reports)))
        return math.expm1(min(max(sure / self.places, 0.0), 1.0) * math.log1p(self.bins.max_degree))

    def _likelihood(self) -> Floats:
        """P(report | bin), degrees of a bin alike: far + (near - far) x share of its degrees whose window covers it."""
        wave, bins = self.wave, self.bins
        near, far = float(wave.near_probability), float(wave.far_probability)
        owner = np.repeat(np.arange(bins.n_bins), bins.widths)
        starts = np.zeros((wave.n_reports, bins.n_bins))
        np.add.at(starts, (place_table(bins.max_degree, self.places), owner), 1 / bins.widths[owner])
        begun = np.cumsum(starts, axis=0)
        covered = begun.copy()
        window = 2 * wave.half_width + 1
        covered[window:] -= begun[:-window]
        return np.asarray(far + (near - far) * covered)


@dataclass(frozen=True, slots=True)
class LaplaceChannel:
    """The degree plus discrete Laplace noise: epsilon for one entry of a list, which moves the degree by one."""

    epsilon: Fraction
    bins: DegreeBins

    @property
    def added(self) -> AddedLaplace:
        """The noise of a degree; what comes out is cut to 0..max_degree."""
        return AddedLaplace(self.epsilon, sensitivity=1, low=0, high=self.bins.max_degree)

    @property
    def bits(self) -> int:
        """Enough for a number of 0..max_degree."""
        return number_bits(self.bins.max_degree + 1)

    def pack(self, reports: Integers) -> list[bytes]:
        """Each noisy degree in as few bytes as all fit in."""
        return pack_numbers(reports, self.bins.max_degree + 1)

    def unpack(self, payloads: Sequence[bytes]) -> Integers:
        """The noisy degrees behind payloads; any of 0..max_degree is accepted."""
        return unpack_numbers(payloads, self.bins.max_degree + 1)

    def evidence(self, reports: Integers) -> CountedReports:
        """What the reports say about the bins, from how often each value came."""
        return self.evidence_of_counts(np.bincount(reports))

    def evidence_of_counts(self, counts: Integers) -> CountedReports:
        """Only rows of reports that came are computed: there may be as many different ones as people."""
        seen = np.flatnonzero(counts)
        return CountedReports(counts[seen].astype(np.float64), self.likelihood(seen))

    def likelihood(self, reports: Integers) -> Floats:
        """P(report | bin), degrees of a bin alike; at 0 and at max_degree a report stands for all beyond."""
        bins, r = self.bins, np.exp(-float(self.epsilon))
        first, past = bins.edges[:-1].astype(np.float64), bins.edges[1:].astype(np.float64)
        y = reports[:, np.newaxis].astype(np.float64)
        above = (r ** np.maximum(y - past + 1, 0) - r ** np.maximum(y - first + 1, 0)) / (1 + r)
        sums = np.where(y >= past, above, _laplace_cdf(y - first, r) - _laplace_cdf(y - past, r))
        beyond = (1 - r) * (1 + r)
        sums[reports == 0] = (r**first - r**past) / beyond
        sums[reports == bins.max_degree] = (r ** (past[-1] - past) - r ** (past[-1] - first)) / beyond
        return np.maximum(sums / bins.widths, 1e-300)


def _laplace_cdf(x: Floats, r: float) -> Floats:
    """P(X <= x) for whole x when P(X = x) is proportional to r^|x|."""
    tail = r ** np.where(x >= 0, x + 1, -x) / (1 + r)
    return np.where(x >= 0, 1 - tail, tail)


@lru_cache(maxsize=64)
def place_table(max_degree: int, places: int) -> Integers:
    """The place of every degree on the logarithmic line."""
    table = log_places(max_degree, places)
    table.setflags(write=False)
    return table
