"""What one server sees has the same law for all graphs: computed exactly, and tested on the bytes of real runs."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.two_servers.dealer import LeaderDeal, correct, expand_key
from graphveil.two_servers.pairs import all_pairs, pair_place, upper
from graphveil.two_servers.sums import SumTerms, split_vector
from graphveil.two_servers.triangle_server import CountingServer, open_count, split_row
from graphveil.two_servers.triangle_terms import TriangleTerms
from graphveil.two_servers.views import imagine_view, run_count

ALPHA = 1e-6  # the probability that one test of a law finds a difference where there is none
N = 16
WHOLE = all_pairs(N)
FRIENDS = [set(range(N)) - {i} for i in range(N)]
STRANGERS = [row - {1 - i} if i < 2 else row for i, row in enumerate(FRIENDS)]  # 0 and 1 are not friends
EMPTY = [set() for _ in range(N)]


def matrix_of(rows):
    return np.array([[j in row for j in range(len(rows))] for row in rows], dtype=np.uint8)


def bits_of(matrix):
    return np.stack((upper(matrix), upper(matrix.T)))


def run(terms, bits, masks):
    """What the helper (place 0) and the leader (place 1) receive from the other, and each one's share of the count."""
    leader, helper = masks
    told = correct(leader, helper, terms.n_people)
    a = CountingServer(terms, True, bits[0], LeaderDeal(leader, told))
    b = CountingServer(terms, False, bits[1], helper)
    first = a.open_bits(WHOLE), b.open_bits(WHOLE)
    second = a.open_both(WHOLE, first[1]), b.open_both(WHOLE, first[0])
    third = a.open_numbers(WHOLE, *second), b.open_numbers(WHOLE, *second[::-1])
    counts = [each.count(sum(third).__getitem__, {}) for each in (a, b)]
    sent = [[first[role], second[role], third[role]] for role in (0, 1)]
    return [sent[0], [*sent[1], told.z, told.rho_number, told.w, np.array([told.cube % 2**64], np.uint64)]], counts


def masks_that_show_the_same(terms, bits, other_bits, masks, hidden):
    """The only masks of the hidden server under which its other rows give the peer the messages of its first rows.

    One mask after the other is moved by what the message under it would differ; each is used in one message only.
    """
    moved = list(masks)

    def difference(place):
        before, after = (run(terms, *each)[0][hidden][place] for each in ((bits, masks), (other_bits, moved)))
        return (after.astype(np.uint64) - before.astype(np.uint64)).astype(np.uint64), after ^ before

    def move(name, shift):
        value = getattr(moved[hidden], name)
        moved[hidden] = replace(moved[hidden], **{name: shift(value)})

    u, v = difference(0)[1]
    move("u", lambda mask: mask ^ u)
    move("v", lambda mask: mask ^ v)
    if hidden == 1:  # the dealer's corrections go to the leader, under masks of the helper
        z = difference(3)[1]
        move("z", lambda mask: mask ^ z)
    rho = difference(1)[1]
    move("rho", lambda mask: mask ^ rho)
    if hidden == 1:
        number = difference(4)[0]
        move("rho_number", lambda mask: mask + number)
    x = difference(2)[0]
    move("x", lambda mask: mask + x)
    if hidden == 1:
        w = difference(5)[0]
        move("w", lambda mask: mask + w)
        cube = int(difference(6)[0][0])
        move("cube", lambda mask: (mask + cube) % 2**64)
    return moved


@pytest.mark.parametrize("hidden", [0, 1], ids=["helper sees", "leader sees"])
@pytest.mark.parametrize("other", [STRANGERS, EMPTY], ids=["one friendship less", "no friends"])
@pytest.mark.parametrize("hubs", [(), (0, 3)], ids=["", "hubs"])
def test_for_any_lists_there_is_one_choice_of_masks_with_the_same_view(hidden, other, hubs):
    """Exact, without a false alarm. The masks are moved by constants, so their law stays uniform.

    The counts then differ by three times the triangles that differ, which the hidden server's noise covers.
    """
    rng = np.random.default_rng(7)
    terms = TriangleTerms("c", N, Fraction(1), N, hubs)
    seen = bits_of(rng.integers(0, 2, (N, N), dtype=np.uint8))  # the peer's own shares of rows stay as they are
    masks = [expand_key(rng.bytes(32), N, WHOLE) for _ in (0, 1)]
    bits, other_bits = ([seen, seen] for _ in (0, 1))
    bits[hidden], other_bits[hidden] = (seen ^ bits_of(matrix_of(rows)) for rows in (FRIENDS, other))
    moved = masks_that_show_the_same(terms, bits, other_bits, masks, hidden)
    (before, counts), (after, other_counts) = run(terms, bits, masks), run(terms, other_bits, moved)
    for first, second in zip(before[hidden], after[hidden], strict=True):
        assert first.tolist() == second.tolist()
    assert counts[1 - hidden] == other_counts[1 - hidden]
    assert (sum(counts) - sum(other_counts)) % 2**64 < 3 * terms.weight * 560 + 1
    assert sum(counts) != sum(other_counts)


def known_less(terms, view):
    """What a server receives, each message without what the server itself knows of it: as bytes, by message."""
    server = view.server(terms)
    mine, dealt = server.open_both(WHOLE, view.bits), server.deal.part(WHOLE)
    number = server.open_numbers(WHOLE, mine, view.both) + dealt.x
    told = view.corrections
    return {
        "shares": np.frombuffer(b"".join(view.shares.values()), np.uint8),
        "bits": np.packbits(view.bits),
        "both": np.packbits(view.both ^ mine ^ dealt.rho),
        "numbers": (view.numbers + number).view(np.uint8),
        **({"z": np.packbits(told.z), "R": told.rho_number.view(np.uint8), "w": told.w.view(np.uint8)} if told else {}),
    }


def views(rows, *, runs=25):
    """Everything that the leader and the helper receive over several counts."""
    terms = TriangleTerms("c", N, Fraction(1), N)
    seen = ({}, {})
    for seed in range(runs):
        shares = {}, {}
        for person, friends in enumerate(rows):
            shares[0][person], shares[1][person] = split_row(terms, person, np.array(sorted(friends), dtype=np.int64))
        done = run_count(terms, shares, {}, (SeededNoise(2 * seed), SeededNoise(2 * seed + 1)))
        for each, view in zip(seen, done[1:], strict=True):
            for name, content in known_less(terms, view).items():
                each.setdefault(name, []).append(content)
    return [{name: np.concatenate(parts) for name, parts in each.items()} for each in seen]


def is_uniform(sample):
    counts = np.bincount(sample, minlength=256)
    statistic = float(((counts - counts.mean()) ** 2 / counts.mean()).sum())
    return statistic < chi2.ppf(1 - ALPHA, 255)


def same_law(first, second):
    """Whether two samples of whole numbers can come from one law."""
    values = np.unique(np.concatenate((first, second)))
    table = np.array([np.bincount(np.searchsorted(values, each), minlength=len(values)) for each in (first, second)])
    return chi2_contingency(table).pvalue >= ALPHA


def test_views_of_neighbouring_graphs_have_one_law():
    """Fresh keys in every run. False alarms: 1e-6 for each of 11 messages and 3 tests, 4e-5 in all."""
    for friends, strangers in zip(views(FRIENDS), views(STRANGERS), strict=True):
        for name, content in friends.items():
            assert is_uniform(content), name
            assert is_uniform(strangers[name]), name
            assert same_law(content, strangers[name]), name


def test_a_mask_that_lacks_one_bit_is_noticed(monkeypatch):
    """Power: masks X of 63 bits; the same tests find them."""

    def short(key, n, here):
        whole = expand_key(key, n, here)
        return replace(whole, x=whole.x >> 1)

    monkeypatch.setattr("graphveil.two_servers.dealer.expand_key", short)
    for seen in views(FRIENDS):
        assert not is_uniform(seen["numbers"])


def test_the_published_masks_of_cargo_are_noticed():
    """Power: CARGO's code takes a random whole number of 1..n from a bit without wrapping, so ends tell the bit."""
    rng, n = np.random.default_rng(1), 300
    stranger, friend = (bit - rng.integers(1, n + 1, 100_000) for bit in (0, 1))
    assert not same_law(stranger, friend)
    again = 0 - rng.integers(1, n + 1, 100_000)
    assert same_law(stranger, again)


def test_shares_of_sums_have_one_law():
    """False alarms: 3e-6. Power: masks of 63 bits."""
    terms = SumTerms("c", "edges", 1, Fraction(1))
    sent = [
        np.frombuffer(b"".join(split_vector(terms, 0, np.array([degree]))[0] for _ in range(4000)), np.uint8)
        for degree in (3, 4)
    ]
    assert is_uniform(sent[0])
    assert is_uniform(sent[1])
    assert same_law(*sent)
    masks = np.random.default_rng(1).integers(0, 2**63, 4000, dtype=np.uint64)
    assert not is_uniform((np.uint64(3) - masks).view(np.uint8))


@pytest.mark.parametrize("is_leader", [True, False])
def test_an_imagined_view_opens_to_the_published_count(is_leader):
    """The simulator knows no list. Whoever computes with its view gets the result, as with a real one."""
    terms = TriangleTerms("c", N, Fraction(1), N, (1, 2))
    answers = {(1, 2): 1}
    shares = {}, {}
    for person, friends in enumerate(FRIENDS):
        shares[0][person], shares[1][person] = split_row(terms, person, np.array(sorted(friends), dtype=np.int64))
    opened, *real = run_count(terms, shares, answers, (SeededNoise(1), SeededNoise(2)))
    view = real[0 if is_leader else 1]
    made_up = imagine_view(terms, list(range(N)), opened, answers, view.noise, is_leader=is_leader)
    for each in (view, made_up):
        assert (each.count(terms, answers) + 3 * each.noise + each.total - 3 * opened) % 2**64 == 0
    assert {name: part.shape for name, part in known_less(terms, view).items()} == {
        name: part.shape for name, part in known_less(terms, made_up).items()
    }
    assert all(is_uniform(part) for part in known_less(terms, made_up).values() if len(part) > 1500)


@pytest.mark.parametrize("rows", [FRIENDS, STRANGERS], ids=["friends", "strangers"])
def test_a_leader_that_departs_from_the_protocol_reads_a_friendship(rows):
    """The documented limit: 0 and 1 are chosen, 2 has no friends; the total moves by d squared if they are friends."""
    rng, big = np.random.default_rng(3), np.uint64(2**20)
    terms = TriangleTerms("c", N, Fraction(1), N)
    matrix = matrix_of(rows)
    matrix[2, :] = 0
    share = rng.integers(0, 2, (N, N), dtype=np.uint8)
    masks = [expand_key(rng.bytes(32), N, WHOLE) for _ in (0, 1)]
    told = correct(*masks, N)
    a = CountingServer(terms, True, bits_of(share), LeaderDeal(masks[0], told))
    b = CountingServer(terms, False, bits_of(share ^ matrix), masks[1])
    both = a.open_both(WHOLE, b.open_bits(WHOLE)), b.open_both(WHOLE, a.open_bits(WHOLE))
    opened = a.open_numbers(WHOLE, *both) + b.open_numbers(WHOLE, *both[::-1])
    honest = open_count(*(each.count(opened.__getitem__, {}) for each in (a, b)))
    for i in (0, 1):
        opened[pair_place(i, 2, N)] += big
    spoilt = open_count(*(each.count(opened.__getitem__, {}) for each in (a, b)))
    assert spoilt - honest == int(big) ** 2 * int(matrix[0, 1])
