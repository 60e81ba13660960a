"""The two noise sources: what repeats, what must never repeat."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from graphveil.errors import ParameterError
from graphveil.mechanisms.noise import source
from graphveil.mechanisms.noise.source import SeededNoise, SystemNoise


def test_a_seed_repeats_and_another_seed_does_not():
    first, again, other = SeededNoise(1), SeededNoise(1), SeededNoise(2)
    draws = [(noise.bits(70), noise.below(10**30), *noise.words(1000)) for noise in (first, again, other)]
    assert draws[0] == draws[1]
    assert draws[0] != draws[2]


def test_system_noise_never_repeats():
    assert SystemNoise().bits(256) != SystemNoise().bits(256)
    assert (SystemNoise().kind, SeededNoise(0).kind) == ("system", "seeded")


@pytest.mark.parametrize("bound", [1, 2, 3, 255, 256, 257, 2**64, 2**64 + 1])
def test_integers_stay_below_their_bound(bound):
    noise = SeededNoise(bound)
    draws = [noise.below(bound) for _ in range(2000)]
    assert min(draws) >= 0
    assert max(draws) < bound
    if bound < 300:
        assert set(draws) == set(range(bound)) or len(set(draws)) > 0.99 * bound


def test_no_integer_lies_below_zero():
    with pytest.raises(ParameterError):
        SeededNoise(1).below(0)


@pytest.mark.parametrize("same_id", [False, True], ids=["usual", "process id used again"])
def test_a_forked_child_draws_other_noise(monkeypatch, same_id):
    if same_id:
        monkeypatch.setattr(os, "getpid", lambda: 1)
    noise = SystemNoise()
    noise.bits(8)  # the stream exists before the fork
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, noise.bits(256).to_bytes(32, "little"))
        os._exit(0)
    mine = noise.bits(256).to_bytes(32, "little")
    os.waitpid(child, 0)
    assert os.read(read, 32) != mine
    os.close(read)
    os.close(write)


def test_threads_never_share_bytes():
    noise = SystemNoise()
    with ThreadPoolExecutor(8) as pool:
        draws = list(pool.map(lambda _: noise.bits(128), range(4000)))
    assert len(set(draws)) == len(draws)


def test_the_stream_goes_on_when_a_nonce_is_used_up(monkeypatch):
    monkeypatch.setattr(source._Keystream, "_BYTES_PER_NONCE", 2**16)
    words = SeededNoise(3).words(2**12), SeededNoise(3).words(2**12)
    np.testing.assert_array_equal(*words)
    noise = SeededNoise(3)
    blocks = [noise.words(2**12).tobytes() for _ in range(6)]  # six times 2^15 bytes: three nonces
    assert len(set(blocks)) == 6


def test_words_use_all_their_bits():
    words = SeededNoise(5).words(4096)
    ones = ((words[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)).mean(axis=0)
    assert (np.abs(ones - 0.5) < 0.05).all()
