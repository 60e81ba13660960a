from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil.errors import ReportRefused
from graphveil.local.degrees.channels import SetChannel
from graphveil.local.estimation.bins import DegreeBins
from graphveil.local.messages import Reason
from graphveil.local.payloads import number_bits, pack_bits, pack_numbers, unpack_bits, unpack_numbers

BINS = DegreeBins(max_degree=99, singles=3, ratio=Fraction(2))


@given(st.integers(1, 70), st.data())
def test_bits_are_read_back(width: int, data) -> None:
    rows = np.array(
        data.draw(st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=5))
    )
    assert np.array_equal(unpack_bits(pack_bits(rows), width), rows)


@given(st.integers(1, 2**40), st.data())
def test_numbers_are_read_back_in_as_few_bytes_as_fit(bound: int, data) -> None:
    numbers = np.array(data.draw(st.lists(st.integers(0, bound - 1), min_size=1, max_size=5)))
    payloads = pack_numbers(numbers, bound)
    assert np.array_equal(unpack_numbers(payloads, bound), numbers)
    assert all(8 * (len(payload) - 1) < max(1, number_bits(bound)) for payload in payloads)


@pytest.mark.parametrize(
    "read",
    [
        lambda: unpack_bits([b"\xff\x01"], 12),  # a bit beyond the twelfth
        lambda: unpack_bits([b"\xff"], 12),
        lambda: unpack_numbers([b"\x0a"], 10),
        lambda: unpack_numbers([b"\x00\x01"], 10),
        lambda: SetChannel(Fraction(1), BINS).unpack([b"\xff\x80"]),  # a set of nine instead of two
        lambda: SetChannel(Fraction(1), BINS).unpack([b"\x00\x00"]),
    ],
)
def test_what_no_honest_client_sends_is_malformed(read) -> None:
    with pytest.raises(ReportRefused) as refusal:
        read()
    assert refusal.value.reason == Reason.MALFORMED
