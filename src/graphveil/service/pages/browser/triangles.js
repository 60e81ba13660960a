// Number of triangles. A public order ranks everybody: by class of a noisy degree, which costs a round, or by a public
// hash; then by number. Of every pair one end reports and the other counts. Rounds: (a noisy degree;) a noisy size and
// answers about pairs; a noisy count, for which only the answers about people whom one could count are fetched.

const MISSED = 0.03; // probability that the size of a list passes its bound
const HEAD_BYTES = 16; // a key, of which any will do, and a number that is 0 in these protocols
const DEGREE_CLASSES = 124; // the largest class of a noisy degree

function veilTriangles(epsilon, people, given) {
  const share = readFraction(given.degree_share);
  if (share.p === 0n || less(fraction(3n, 10n), share)) throw new Error("the campaign's parameters are out of range");
  return splitRoles(epsilon, Number(people), times(epsilon, share), 1);
}

function twoRoundTriangles(epsilon, people, { pairs_one_in: oneIn = 1 }) {
  if (!Number.isInteger(oneIn) || oneIn < 1 || oneIn > 1e6) throw new Error("the campaign's parameters are out of range");
  return splitRoles(epsilon, Number(people), null, oneIn);
}

function splitRoles(epsilon, n, degreeRate, oneIn) {
  const sizeRate = sizeEpsilon(epsilon);
  const pairsRate = degreeRate ? minus(epsilon, degreeRate) : epsilon;
  const countRate = minus(pairsRate, sizeRate);
  const flip = flipParts(pairsRate);
  const rounds = [...(degreeRate ? [degreeRound] : []), pairsRound, countRound];

  // Everybody else, rising: those above a person in the order, whom the person counts, and those whom it answers about.
  function roles(person, published) {
    const keys = degreeRate ? published[0] : hashedOrder(n);
    if (keys.length !== n) throw new Error("the published classes do not fit the roster");
    if (degreeRate && keys.some((each) => each > DEGREE_CLASSES)) throw new Error("the published classes are out of range");
    const [above, below] = [[], []];
    for (let j = 0; j < n; j++) {
      if (j !== person) (keys[j] > keys[person] || (keys[j] === keys[person] && j > person) ? above : below).push(j);
    }
    return { above, below };
  }

  function degreeRound({ friends, noise }) {
    return int64(BigInt(friends.length) + laplace(noise, degreeRate));
  }

  function pairsRound({ person, friends, published, noise }) {
    const { above, below } = roles(person, published);
    const known = new Set(friends);
    const size = BigInt(above.filter((j) => known.has(j)).length) + laplace(noise, sizeRate);
    return join(int64(size), pairAnswers(below, friends, flip, noise));
  }

  function countRound({ person, friends, published, sent, noise }) {
    const { above } = roles(person, published);
    const board = published.at(-1);
    if (board.length < HEAD_BYTES || board.subarray(8, HEAD_BYTES).some((byte) => byte)) throw new Error("the published graph has a wrong head");
    const looked = new LookedAt(above, person, oneIn, new DataView(board.buffer, board.byteOffset).getBigUint64(0));
    if (board.length !== HEAD_BYTES + Math.ceil(looked.pairs / 8)) throw new Error("the published graph does not fit the roster");
    if (looked.pairs % 8 && board.at(-1) & (255 >> looked.pairs % 8)) throw new Error("the published graph has bits set beyond its pairs");
    const noisySize = new DataView(sent.at(-1).buffer, sent.at(-1).byteOffset).getBigInt64(0);
    const spare = BigInt(Math.ceil(Math.log(1 / (2 * MISSED)) / asFloat(sizeRate)));
    const bound = bigMax(2n, bigMin(noisySize + spare, BigInt(above.length)));
    const cap = cliqueCap(bound, Number(PARTS - flip) / Number(PARTS) / oneIn);
    const known = new Set(friends);
    const list = [...above.keys()].filter((i) => known.has(above[i]));
    const edge = PARTS * BigInt(oneIn);
    const value = edge * countEdges(list, looked, board.subarray(HEAD_BYTES), cap) - flip * cappedPairs(BigInt(list.length), bound);
    const width = bigMax((edge - flip) * cap, flip * (bound - 1n));
    return int64(value + staircase(noise, countRate, width));
  }

  return {
    rounds: rounds.length,
    inParts: true,
    perturb: (turn) => rounds[turn.round - 1](turn),
    explain({ round, payload }) {
      const number = new DataView(payload.buffer, payload.byteOffset).getBigInt64(0);
      const said = rounds[round - 1];
      if (said === degreeRound) return t("explain.degree", { number: plain(number), noise: usualNoise(degreeRate) });
      if (said === pairsRound) return t("explain.pairs", { number: plain(number), noise: usualNoise(sizeRate), answers: plain((payload.length - 8) * 8), chance: percent(flip << 48n) });
      return t("explain.count", { number: plain(Number(number) / Number(PARTS)) });
    },
  };
}

function hashedOrder(n) {
  const key = publicKey("triangle-order");
  return Array.from({ length: n }, (_, j) => wordAt(key, j, 0));
}

// Which pairs of the people whom a person could count are looked at (all, or one in so many by a public choice), and
// where each of them stands in the person's part of the noisy graph.
class LookedAt {
  constructor(people, person, oneIn, key) {
    const words = oneIn === 1 ? people.map(() => 0n) : people.map((j) => wordAt(key, person, j));
    this.first = words.map((word) => Number(word >> 32n) % oneIn);
    this.second = words.map((word) => Number(word & 0xffffffffn) % oneIn);
    const sizes = new Map();
    this.ranks = this.second.map((number) => (sizes.set(number, (sizes.get(number) || 0) + 1), sizes.get(number) - 1));
    const passed = new Map();
    this.pairs = 0;
    this.starts = this.first.map((number, a) => {
      passed.set(this.second[a], (passed.get(this.second[a]) || 0) + 1);
      const skipped = passed.get(number) || 0;
      const start = this.pairs - skipped;
      this.pairs += (sizes.get(number) || 0) - skipped;
      return start;
    });
  }
  has(a, b) {
    return this.first[a] === this.second[b];
  }
  place(a, b) {
    return this.starts[a] + this.ranks[b];
  }
}

// What the size of a counted list is worth: 7/25 of the root of epsilon, at most 3/5 of epsilon.
function sizeEpsilon(epsilon) {
  const root = squareRoot((epsilon.p * 10n ** 12n) / epsilon.q);
  return least(fraction(7n * root, 25n * 10n ** 6n), times(epsilon, fraction(3n, 5n)));
}

// A cap that a list of friends who all know each other hardly ever reaches.
function cliqueCap(bound, chance) {
  const b = Number(bound);
  const usual = Math.ceil(b * chance + 2 * Math.sqrt(b * chance * (1 - chance)));
  return bigMax(1n, bigMin(bound - 1n, BigInt(usual)));
}

// Noisy edges within a list, in the order of numbers, at most `cap` accepted at each person.
function countEdges(list, looked, bits, cap) {
  const accepted = list.map(() => 0n);
  let count = 0n;
  list.forEach((j, a) => {
    for (let b = a + 1; b < list.length && accepted[a] < cap; b++) {
      if (!looked.has(j, list[b])) continue;
      const place = looked.place(j, list[b]);
      if (bits[Math.floor(place / 8)] & (128 >> place % 8) && accepted[b] < cap) {
        accepted[a] += 1n;
        accepted[b] += 1n;
        count += 1n;
      }
    }
  });
  return count;
}

// Pairs of a list of that size, growing by bound - 1 a person beyond the bound.
function cappedPairs(size, bound) {
  const within = bigMin(size, bound);
  return (within * (within - 1n)) / 2n + (size - within) * (bound - 1n);
}

function int64(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, value);
  return new Uint8Array(view.buffer);
}
function join(...parts) {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  parts.reduce((start, part) => (whole.set(part, start), start + part.length), 0);
  return whole;
}
