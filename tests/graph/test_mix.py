import numpy as np

from graphveil.graph.mix import STRIDE, finalise, mix


def test_words_are_those_of_the_published_splitmix64() -> None:
    seed = np.uint64(1234567)
    assert int(mix(seed)) == 6457827717110365317
    assert int(mix(seed + STRIDE)) == 3203168211198807973


def test_arrays_need_no_compiler() -> None:
    words = np.arange(5, dtype=np.uint64)
    assert finalise.python(words + STRIDE).tolist() == [int(mix(word)) for word in words]
