"""The browser's arithmetic against the Python client's: the same random words in, the same bytes out."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction

import numpy as np
import pytest

from graphveil.local.campaign import Campaign
from graphveil.local.client import Client
from graphveil.local.estimation.bins import degree_bins
from graphveil.local.messages import Report
from graphveil.local.protocol import Received, RoundContext, Transcript
from graphveil.mechanisms.noise.bernoulli import keep_threshold
from graphveil.mechanisms.noise.source import SeededNoise
from graphveil.mechanisms.square_wave import SquareWave, log_places
from graphveil.mechanisms.staircase import best_steps
from graphveil.mechanisms.subset import best_size

EPSILONS = ["1/10", "1/2", "1", "7/3", "4", "20", "123456789/1000000007"]
DEGREES = [
    ("veil", "node", {}),
    ("veil", "node", {"set_share": "1", "singles": 3, "ratio": "2"}),
    ("veil", "node", {"max_degree": 5}),
    ("veil-quantiles", "node", {"places": 100}),
    ("veil", "edge", {}),
]
FOLLOWED = [("veil", "node", {}), ("veil", "edge", {})]


class Recorded:
    """A noise that remembers every word it gave."""

    kind = "seeded"

    def __init__(self, seed: int) -> None:
        self._noise, self.given = SeededNoise(seed), []

    def words(self, count: int):
        words = self._noise.words(count)
        self.given += words.tolist()
        return words

    def words_again(self, places):
        return self.words(len(places))


ANSWER = """({text, round, person, friends, published, sent, words}) => {
  let place = 0;
  const noise = (count) => BigUint64Array.from(words.slice(place, place += count), BigInt);
  const campaign = readCampaign(utf8(text), hex(sha256(utf8(text))));
  const turn = {round, person, friends, noise, published: published.map(fromHex), sent: sent.map(fromHex)};
  const payload = campaign.protocol.perturb(turn);
  const words_about = campaign.protocol.explain({round, person, payload});
  if (place !== words.length) throw new Error(`read ${place} words of ${words.length}`);
  return [hex(encodeReport(campaign.id, round, person, payload)), words_about];
}"""


def case(campaign: Campaign, person: int, friends: list[int], seed: int, published=(), earlier=()) -> tuple[dict, str]:
    """What the browser is given, and the report of the Python client."""
    noise, number = Recorded(seed), len(earlier) + 1
    client = Client(campaign, person, friends, source=lambda *_: noise)
    client.memory = type(client.memory)(tuple(earlier), ())
    in_part = campaign.protocol.in_parts
    if in_part and number == campaign.rounds > 1:
        published = [*published[:-1], part_of(campaign.protocol, person, published)]
    report = client.answer(number, published, in_part=in_part)
    given = {"text": campaign.to_json(), "round": number, "person": person, "friends": sorted(friends)}
    given |= {"published": [data.hex() for data in published], "sent": [each.payload.hex() for each in earlier]}
    return given | {"words": [str(word) for word in noise.given]}, report.encode().hex()


def part_of(page, person: int, published) -> bytes:
    """What the collector serves to a person of the last publication."""
    return page.write_part(RoundContext(page.rounds, read_all(page, published)), person)


def read_all(page, published) -> tuple:
    return tuple(page.read_publication(i + 1, data) for i, data in enumerate(published))


def check(calculate, cases: list[tuple[dict, str]]) -> None:
    answers = calculate(ANSWER, [given for given, _ in cases])
    assert [answer for answer, _ in answers] == [report for _, report in cases]
    assert all(len(words) > 20 for _, words in answers)


@pytest.mark.parametrize(
    ("statistic", "protocols"), [("degree-distribution", DEGREES), ("out-degree-distribution", FOLLOWED)]
)
def test_reports_about_degrees_are_the_same(calculate, statistic, protocols) -> None:
    cases = []
    for i, (name, unit, parameters) in enumerate(protocols):
        for j, epsilon in enumerate(EPSILONS):
            for n in (7, 4039, 1_000_003):
                asked = {"unit": unit, "epsilon": epsilon, "n_people": n, "title": "Mai ä", **parameters}
                campaign = Campaign.create(statistic, name, **asked)
                for person in range(4):
                    degree = (0, 1, 5, min(n - 1, 700))[person]
                    friends = [k for k in range(degree + 1) if k != person][:degree]
                    cases.append(case(campaign, person, friends, 1000 * i + 10 * j + person + n))
    check(calculate, cases)


@pytest.mark.parametrize("values", ["no,yes", "a,b,c,d", ",".join(f"answer {i}" for i in range(20))])
def test_answers_to_a_question_are_the_same(calculate, values: str) -> None:
    """As a number where epsilon is large for so many answers, else as bits: both forms occur."""
    cases = []
    for epsilon in EPSILONS:
        asked = {"unit": "node", "epsilon": epsilon, "n_people": 50, "title": "q", "values": values}
        campaign = Campaign.create("attribute-shares", "veil", **asked)
        for person in range(4):
            answer = (person * 7) % len(values.split(","))
            cases.append(case(campaign, 30 + person, list(range(answer)), 17 * person))
    check(calculate, cases)


TRIANGLES = [
    ("triangles", "veil", {}),
    ("triangles", "veil-two-rounds", {}),
    ("triangles", "veil-low-download", {"pairs_one_in": 3}),
    ("degree-distribution,clustering", "veil", {"method": "split", "salt": 7}),
    ("degree-distribution,triangle-sequence,clustering", "veil", {"method": "whole"}),
]


@pytest.mark.parametrize("epsilon", ["1/4", "1", "15"])
@pytest.mark.parametrize(
    ("statistic", "name", "parameters"), TRIANGLES, ids=[f"{what}-{by}" for what, by, _ in TRIANGLES]
)
def test_all_rounds_of_triangles_are_the_same(
    calculate, statistic: str, name: str, parameters: dict, epsilon: str
) -> None:
    n = 40
    asked = {"unit": "edge", "epsilon": epsilon, "n_people": n, "title": "x", **parameters}
    campaign = Campaign.create(statistic, name, **asked)
    page = campaign.protocol
    rng = np.random.default_rng(3)
    friends = [[j for j in range(n) if j != i and (i * j + i + j) % 3] for i in range(n)]
    reports: list[tuple[Report, ...]] = [() for _ in range(n)]
    published: list[bytes] = []
    for number in range(1, page.rounds + 1):
        cases = [case(campaign, i, friends[i], int(rng.integers(2**31)), published, reports[i]) for i in range(n)]
        check(calculate, cases)
        reports = [
            (*old, Report.decode(bytes.fromhex(report))) for old, (_, report) in zip(reports, cases, strict=True)
        ]
        if number < page.rounds:
            published.append(publish(page, number, reports, published))


def publish(page, number: int, reports, published: list[bytes]) -> bytes:
    people, read = np.arange(len(reports)), read_all(page, published)
    received = tuple(
        Received(people, page.unpack(RoundContext(i + 1, read[:i]), people, [mine[i].payload for mine in reports]))
        for i in range(number)
    )
    return page.write_publication(number, page.publish(Transcript(received, read)))


def test_hashes_are_sha256(calculate) -> None:
    texts = ["", "abc", "ä" * 27, "x" * 55, "x" * 56, "x" * 63, "x" * 64, "y" * 1000]
    assert calculate("text => hex(sha256(utf8(text)))", texts) == [
        hashlib.sha256(t.encode()).hexdigest() for t in texts
    ]


def test_thresholds_are_the_same_and_never_above_the_true_one(calculate) -> None:
    asked = [
        (f"{p}/{q}", near, far) for p in (1, 3, 40, 9999) for q in (1, 7, 10**9) for near, far in [(1, 1), (9, 24)]
    ]
    given = [[text, str(near), str(far)] for text, near, far in asked]
    found = calculate("([e, n, f]) => String(keepThreshold(readFraction(e), BigInt(n), BigInt(f)))", given)
    assert [int(k) for k in found] == [keep_threshold(Fraction(e), near=n, far=f) for e, n, f in asked]


def test_public_tables_are_the_same(calculate) -> None:
    bounds = [1, 2, 6, 15, 63, 255, 999, 4038, 65_535]
    edges = calculate("m => binEdges(BigInt(m), 8n, fraction(13n, 10n)).map(Number)", bounds)
    assert edges == [degree_bins(m, 8, Fraction(13, 10)).edges.tolist() for m in bounds]
    places = calculate(
        "m => Array.from({length: m + 1}, (_, d) => Number(logPlace(BigInt(d), BigInt(m), 512n)))", bounds
    )
    assert places == [log_places(m, 512).tolist() for m in bounds]
    epsilons = [Fraction(i, 20) for i in range(1, 500)]
    texts = [str(e) for e in epsilons]
    sizes = calculate("e => setShape(readFraction(e), 33).size", texts)
    assert sizes == [best_size(float(e), 33) for e in epsilons]
    reports = calculate("e => Number(waveShape(readFraction(e), 512n).reports)", texts)
    assert reports == [SquareWave(epsilon=e, n_values=512).n_reports for e in epsilons]
    steps = calculate("e => Number(bestStep(readFraction(e), 1234567n))", texts)
    assert steps == [int(best_steps(e, np.array([1_234_567]))[0]) for e in epsilons]


def test_texts_that_are_not_what_was_hashed_are_refused(calculate) -> None:
    campaign = Campaign.create("degree-distribution", "veil", unit="node", epsilon=1, n_people=9, title="x")
    other = Campaign.create("degree-distribution", "oue", unit="node", epsilon=1, n_people=9, title="x")
    refusal = (
        "([text, id]) => { try { readCampaign(utf8(text), id); return '' } catch (error) { return error.message } }"
    )
    stronger = campaign.to_json().replace('"epsilon":"1"', '"epsilon":"100"')
    shown = calculate(
        refusal, [[campaign.to_json(), campaign.id], [stronger, campaign.id], [other.to_json(), other.id]]
    )
    assert shown[0] == ""
    assert "another campaign" in shown[1]
    assert "command-line client" in shown[2]


def test_words_that_could_pass_for_lines_of_the_page_are_refused(calculate) -> None:
    fine = Campaign.create(
        "degree-distribution",
        "veil",
        unit="node",
        epsilon=1,
        n_people=9,
        title="谁认识谁 🎈",
        terms={"purpose": "a <b>"},
    )
    asked = Campaign.create("attribute-shares", "veil", unit="node", epsilon=1, n_people=9, title="x")

    def forged(campaign: Campaign, place: str, words: object) -> str:
        document = json.loads(campaign.to_json())
        {"title": document, "purpose": document["terms"], "values": document["parameters"]}[place][place] = words
        return json.dumps(document, sort_keys=True, separators=(",", ":"))

    lines = ["a\nb", "a\x1b[2J", "a\u202eb", "a\u2028b", "a\ud800", 7, None]
    hostile = [forged(fine, place, words) for place in ("title", "purpose") for words in lines]
    hostile += [forged(fine, "title", "a" * 201), forged(fine, "purpose", "a" * 2001)]
    questions = [forged(asked, "values", ["no", words]) for words in lines]
    shown = calculate(READ, [fine.to_json(), asked.to_json(), *hostile, *questions])
    assert shown[:2] == ["", ""]
    assert all("not one readable line" in said for said in shown[2 : 2 + len(hostile)])
    assert all("out of range" in said for said in shown[2 + len(hostile) :])


READ = """text => {
  try { readCampaign(utf8(text), hex(sha256(utf8(text)))); return '' } catch (error) { return error.message }
}"""
ASK = """({text, round, person, friends, published, sent}) => {
  try {
    const campaign = readCampaign(utf8(text), hex(sha256(utf8(text))));
    const [shown, earlier] = [published.map(fromHex), sent.map(fromHex)];
    const turn = {round, person, friends, noise: secretNoise, published: shown, sent: earlier};
    return hex(campaign.protocol.perturb(turn)) && "";
  } catch (error) { return error.message }
}"""


def test_publications_that_no_honest_collector_makes_are_refused_here_too(calculate) -> None:
    n, person, friends = 12, 3, [0, 5, 7]
    campaign = Campaign.create("triangles", "veil", unit="edge", epsilon=1, n_people=n, title="x")
    order, board = bytes(range(n)), b"\x05" * 8 + bytes(8 + 4)  # 8 people above, 28 pairs
    asked = {"text": campaign.to_json(), "person": person, "friends": friends, "sent": ["00" * 8, "00" * 8]}
    rounds = {
        2: {order: "", bytes([125] * n): "out of range", order[:-1]: "do not fit", order + b"\0": "do not fit"},
        3: {
            board: "",
            board[:8] + (2**48 + 1).to_bytes(8, "big") + board[16:]: "wrong head",
            b"": "wrong head",
            board[:15]: "wrong head",
            board + b"\0": "does not fit",
            board[:-1] + b"\xff": "beyond its pairs",
        },
    }
    for number, shown in rounds.items():
        earlier = [order.hex()] if number == 3 else []
        turns = [asked | {"round": number, "published": [*earlier, made.hex()]} for made in shown]
        told = calculate(ASK, turns)
        for said, wanted in zip(told, shown.values(), strict=True):
            assert wanted in said if wanted else said == ""
