// Randomness and the exact samplers made of it: word for word those of the Python client.
// A noise is a function that gives so many uniform 64-bit words; `secretNoise` is the only one the page itself uses.

function secretNoise(count) {
  const words = new BigUint64Array(count);
  for (let start = 0; start < count; start += 8192) crypto.getRandomValues(words.subarray(start, start + 8192));
  return words;
}

const flipCoin = (noise, threshold) => noise(1)[0] < threshold;

// Uniform in 0..bound-1; words from the largest multiple of the bound on are drawn again.
function uniform(noise, bound) {
  const top = GRID - (GRID % bound);
  for (;;) {
    const word = noise(1)[0];
    if (word < top) return word % bound;
  }
}

// The endless stream of 32-bit halves that one sample reads, fetched 16 words at a time.
class Halves {
  constructor(noise) {
    this.noise = noise;
    this.left = [];
  }
  next() {
    if (!this.left.length) for (const word of this.noise(16)) this.left.push(word & 0xffffffffn, word >> 32n);
    return this.left.shift();
  }
  below(bound) {
    const low32 = 0xffffffffn;
    if (bound <= low32) {
      for (;;) { // Lemire (2019): multiply, and reject the few products that would favour some results
        const product = this.next() * bound;
        const low = product & low32;
        if (low >= bound || low >= (low32 - bound + 1n) % bound) return product >> 32n;
      }
    }
    const mask = (1n << BigInt((bound - 1n).toString(2).length)) - 1n;
    for (;;) {
      const high = this.next();
      const draw = ((high << 32n) | this.next()) & mask;
      if (draw < bound) return draw;
    }
  }
  // True with probability e^-(a/b), a <= b: the parity of a run of coins (a/b)/k.
  expCoin(a, b) {
    let k = 1n;
    while ((k === 1n || this.below(k) === 0n) && (a === b || this.below(b) < a)) k += 1n;
    return (k & 1n) === 1n;
  }
  // P(X >= x) = e^-(x rate)
  geometric(rate) {
    let fine = this.below(rate.q);
    while (!this.expCoin(fine, rate.q)) fine = this.below(rate.q);
    let whole = 0n;
    while (whole < 4096n && this.expCoin(1n, 1n)) whole += 1n;
    return (fine + rate.q * whole) / rate.p;
  }
  // A size with a sign; of the two signs of 0 one is drawn again.
  signed(size) {
    for (;;) {
      const drawn = size();
      if (drawn === null) continue;
      const negative = this.below(2n) === 1n;
      if (drawn !== 0n || !negative) return negative ? -drawn : drawn;
    }
  }
}

// Discrete Laplace: P(X = x) proportional to e^-(rate |x|).
function laplace(noise, rate) {
  const [halves, fitted] = [new Halves(noise), fitRate(rate)];
  return halves.signed(() => halves.geometric(fitted));
}

// Discrete staircase (Geng and Viswanath 2014) for a number that one entry changes by at most `width`.
function staircase(noise, epsilon, width) {
  const [halves, fitted, step] = [new Halves(noise), fitRate(epsilon), bestStep(epsilon, width)];
  const lowCoin = () => {
    for (let i = fitted.p / fitted.q; i > 0n; i -= 1n) if (!halves.expCoin(1n, 1n)) return false;
    return halves.expCoin(fitted.p % fitted.q, fitted.q);
  };
  return halves.signed(() => {
    const fine = halves.below(width);
    if (fine >= step && !lowCoin()) return null;
    return fine + width * halves.geometric(fitted);
  });
}

// The step of least variance, at least a 64th of the width; any step from 1 to the width keeps the promise.
function bestStep(epsilon, width) {
  const b = Math.exp(-asFloat(epsilon));
  const share = ((b * (1 - b) ** 3 * (1 + b)) / 2) ** (1 / 3) / (1 - b) ** 2 - b / (1 - b);
  return bigMax(1n, bigMin(BigInt(nearestOfFloat(Math.max(share, 1 / 64) * Number(width))), width));
}

// Public words: roles that depend on nothing but numbers on the roster (splitmix64; Steele, Lea and Flood 2014).
const word64 = (x) => BigInt.asUintN(64, x);
function mix(word) {
  let x = word64(word + 0x9e3779b97f4a7c15n);
  x = word64((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n);
  x = word64((x ^ (x >> 27n)) * 0x94d049bb133111ebn);
  return x ^ (x >> 31n);
}
const wordAt = (key, person, slot) => mix(mix(key ^ mix(BigInt(person))) ^ mix(BigInt(slot)));
const publicKey = (label, salt = 0) => new DataView(sha256(utf8(`graphveil-crowd:${salt}:0:public:${label}`)).buffer).getBigUint64(0, true);
const publicWord = (label, person) => wordAt(publicKey(label), person, 0);
