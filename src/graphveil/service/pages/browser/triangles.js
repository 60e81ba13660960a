// Number of triangles, the default protocol in three rounds: a noisy degree; a noisy size and answers about pairs;
// a noisy count. Every pair has one reporter and one counter, by a public order: class of the noisy degree, then number.

const PARTS = 1n << 16n;
const MISSED = 0.03; // probability that the size of a list passes its bound

function veilTriangles(epsilon, people, given) {
  const share = readFraction(given.degree_share);
  if (share.p === 0n || less(fraction(3n, 10n), share)) throw new Error("the campaign's parameters are out of range");
  const n = Number(people);
  const degreeRate = times(epsilon, share);
  const sizeRate = sizeEpsilon(epsilon);
  const pairsRate = minus(epsilon, degreeRate);
  const countRate = minus(pairsRate, sizeRate);
  const flip = (GRID - keepThreshold(pairsRate) + (1n << 48n) - 1n) >> 48n; // parts of 2^16, rounded up
  if (2n * flip >= PARTS) throw new Error("epsilon is too small for this campaign");

  const isAbove = (classes, other, person) => classes[other] > classes[person] || (classes[other] === classes[person] && other > person);
  const checkClasses = (classes) => { if (classes.length !== n) throw new Error("the published classes do not fit the roster"); };
  const rounds = [null, degreeRound, pairsRound, countRound];

  function degreeRound({ friends, noise }) {
    return int64(BigInt(friends.length) + laplace(noise, degreeRate));
  }

  function pairsRound({ person, friends, published: [classes], noise }) {
    checkClasses(classes);
    const size = BigInt(friends.filter((friend) => isAbove(classes, friend, person)).length) + laplace(noise, sizeRate);
    const known = new Set(friends);
    const partners = [];
    for (let j = 0; j < n; j++) if (j !== person && !isAbove(classes, j, person)) partners.push(j);
    const words = noise(partners.length);
    const [friend, stranger] = [(PARTS - flip) << 48n, flip << 48n];
    const answers = packBits(partners.map((j, i) => words[i] < (known.has(j) ? friend : stranger)));
    return join(int64(size), answers);
  }

  function countRound({ person, friends, published: [classes, board], sent, noise }) {
    checkClasses(classes);
    const pairs = (n * (n - 1)) / 2;
    if (board.length !== 16 + Math.ceil(pairs / 8)) throw new Error("the published graph does not fit the roster");
    let above = 0n;
    for (let j = 0; j < n; j++) if (j !== person && isAbove(classes, j, person)) above += 1n;
    const noisySize = new DataView(sent[1].buffer, sent[1].byteOffset).getBigInt64(0);
    const spare = BigInt(Math.ceil(Math.log(1 / (2 * MISSED)) / asFloat(sizeRate)));
    const bound = bigMax(2n, bigMin(noisySize + spare, above));
    const cap = cliqueCap(bound, Number(PARTS - flip) / Number(PARTS));
    const list = friends.filter((each) => isAbove(classes, each, person));
    const value = PARTS * countEdges(list, board.subarray(16), n, cap) - flip * cappedPairs(BigInt(list.length), bound);
    const width = bigMax((PARTS - flip) * cap, flip * (bound - 1n));
    return int64(value + staircase(noise, countRate, width));
  }

  return {
    rounds: 3,
    perturb: (turn) => rounds[turn.round](turn),
    explain({ round, payload }) {
      const number = new DataView(payload.buffer, payload.byteOffset).getBigInt64(0);
      if (round === 1) return `The number ${number}: your number of friends plus noise, ${usualNoise(degreeRate)}.`;
      if (round === 2) return `The number ${number}: how many of your friends are higher in the public order, plus noise, ${usualNoise(sizeRate)}. And ${((payload.length - 8) * 8).toLocaleString("en")} answers about whether you know somebody, each of them wrong with probability ${percent(flip << 48n)}.`;
      return `The number ${(Number(number) / Number(PARTS)).toFixed(1)}: noisy friendships among your friends, corrected, plus noise.`;
    },
  };
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
function countEdges(list, bits, n, cap) {
  const accepted = list.map(() => 0n);
  let count = 0n;
  list.forEach((j, a) => {
    for (let b = a + 1; b < list.length && accepted[a] < cap; b++) {
      const place = j * n - (j * (j + 1)) / 2 + (list[b] - j - 1);
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
