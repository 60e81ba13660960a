// Exact numbers. Whole numbers of any size are BigInt; a fraction is {p, q} in lowest terms, q above 0.
// Everything that decides a probability is computed here, so it is exact, and rounded towards less information.

const GRID = 1n << 64n;

function fraction(p, q = 1n) {
  let [a, b] = [p, q];
  while (b) [a, b] = [b, a % b];
  return a < 0n ? { p: -p / a, q: -q / a } : { p: p / a, q: q / a };
}

function readFraction(text) {
  if (typeof text !== "string" || !/^\d{1,60}(\/[1-9]\d{0,59})?$/.test(text)) throw new Error("the campaign has a number that is none");
  const [p, q = "1"] = text.split("/");
  return fraction(BigInt(p), BigInt(q));
}

const times = (x, y) => fraction(x.p * y.p, x.q * y.q);
const minus = (x, y) => fraction(x.p * y.q - y.p * x.q, x.q * y.q);
const less = (x, y) => x.p * y.q < y.p * x.q;
const least = (x, y) => (less(y, x) ? y : x);
const asFloat = (x) => Number(x.p) / Number(x.q);
const bigMax = (a, b) => (a > b ? a : b);
const bigMin = (a, b) => (a < b ? a : b);

// The nearest whole number to a fraction, or to a float; of two the even one.
function nearest(x) {
  const [whole, rest] = [x.p / x.q, 2n * (x.p % x.q)];
  return rest > x.q || (rest === x.q && whole % 2n === 1n) ? whole + 1n : whole;
}
function nearestOfFloat(x) {
  const whole = Math.floor(x);
  return x - whole > 0.5 || (x - whole === 0.5 && whole % 2 === 1) ? whole + 1 : whole;
}

function squareRoot(n) {
  if (n < 2n) return n;
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

// An upper bound of e^-x in parts of 2^-256: the series of e^-(x / 2^16), squared sixteen times, all rounded up.
const FINE = 256n;
function expUpper(x) {
  const small = (x.p << FINE) / (x.q << 16n);
  let [term, sum] = [1n << FINE, 1n << FINE];
  for (let n = 1n; term > 0n; n += 1n) {
    term = (term * small) / (n << FINE);
    sum += n % 2n ? -term : term;
  }
  sum += 256n; // more than all roundings of the series together
  for (let i = 0; i < 16; i++) sum = ((sum * sum) >> FINE) + 1n;
  return sum;
}

// k with k / 2^64 <= near e^epsilon / (near e^epsilon + far): the coin of every randomised response.
function keepThreshold(epsilon, near = 1n, far = 1n) {
  return (GRID * (near << FINE)) / ((near << FINE) + far * expUpper(epsilon));
}

// A noise rate as the samplers take it: parts of at most 2^50, rounded down, which is more noise.
const LIMIT = 1n << 50n;
function fitRate(rate) {
  if (rate.p * LIMIT < rate.q) throw new Error("epsilon is too small for this campaign");
  const fitted = rate.q <= LIMIT ? rate : fraction((rate.p * LIMIT) / rate.q, LIMIT);
  return least(fitted, fraction(4096n));
}
