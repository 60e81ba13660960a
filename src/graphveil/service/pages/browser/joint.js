// Several statistics at once: a noisy degree and answers about pairs; then a noisy count in the noisy graph of all
// answers, which everybody fetches whole. Numbers on the roster and a public hash say who answers for which pair.

const PAIR_ONE_IN = 5; // of the split design: one pair in so many has an owner

function jointVeil(epsilon, people, { degree_share: given, method, salt }) {
  const [n, share, whole] = [Number(people), readFraction(given), method === "whole"];
  const fits = share.p > 0n && less(share, fraction(1n)) && (whole || method === "split") && Number.isInteger(salt) && salt >= 0;
  if (!fits) throw new Error("the campaign's parameters are out of range");
  const degreeRate = times(epsilon, share);
  const left = minus(epsilon, degreeRate);
  const rate = whole ? times(left, fraction(1n, 2n)) : left; // of an answer, and of a count
  const flip = flipParts(rate);
  const closure = less(epsilon, fraction(3n)) ? 0.7 : 0.85; // share of a person's pairs of friends that a cap has room for
  const owned = new OwnedPairs(n, whole ? 1 : PAIR_ONE_IN, salt);
  const weight = BigInt(owned.oneIn);

  function firstRound({ person, friends, noise }) {
    const degree = BigInt(friends.length) + laplace(noise, degreeRate);
    return join(int64(degree), pairAnswers(owned.partners(person), friends, flip, noise));
  }

  function countRound({ person, friends, published, sent, noise }) {
    const board = published.at(-1);
    if (board.length < HEAD_BYTES || board.subarray(8, HEAD_BYTES).some((byte) => byte)) throw new Error("the published graph has a wrong head");
    const pairs = owned.count();
    if (board.length !== HEAD_BYTES + Math.ceil(pairs / 8)) throw new Error("the published graph does not fit the roster");
    if (pairs % 8 && board.at(-1) & (255 >> pairs % 8)) throw new Error("the published graph has bits set beyond its pairs");
    const noisyDegree = new DataView(sent.at(-1).buffer, sent.at(-1).byteOffset).getBigInt64(0);
    const spare = BigInt(Math.ceil(Math.log(1 / (2 * MISSED)) / asFloat(degreeRate)));
    const bound = bigMax(2n, bigMin(noisyDegree + spare, people - 1n));
    const parts = Number(PARTS);
    const chance = (Number(flip) / parts + (Number(PARTS - 2n * flip) / parts) * closure) / owned.oneIn;
    const cap = cliqueCap(bound, chance);
    const list = whole ? friends : friends.filter((j) => !owned.answers(person, j));
    const edge = PARTS * weight;
    const value = edge * countEdges(list, owned, board.subarray(HEAD_BYTES), cap) - flip * cappedPairs(BigInt(list.length), bound);
    const width = bigMax((edge - flip) * cap, flip * (bound - 1n));
    return int64(value + staircase(noise, rate, width));
  }

  return {
    rounds: 2,
    perturb: (turn) => (turn.round === 1 ? firstRound : countRound)(turn),
    explain({ round, payload }) {
      const number = new DataView(payload.buffer, payload.byteOffset).getBigInt64(0);
      if (round === 2) return t("explain.count", { number: plain(Number(number) / Number(PARTS)) });
      return t("explain.degree-and-pairs", { number: plain(number), noise: usualNoise(degreeRate), answers: plain((payload.length - 8) * 8), chance: percent(flip << 48n) });
    },
  };
}
