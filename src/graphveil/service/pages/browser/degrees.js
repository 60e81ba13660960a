// Degree distribution: the default protocols. `perturb` is the only function that sees a list.
// A protocol's turn is {round, person, friends (rising numbers), people, published, sent, noise}.

// Where each bin of degrees starts, and one past the end: single degrees, then each `ratio` times as far out.
function binEdges(maxDegree, singles, ratio) {
  const edges = [];
  for (let d = 0n; d < bigMin(singles, maxDegree) + 2n; d += 1n) edges.push(d);
  while (edges[edges.length - 1] <= maxDegree) {
    const last = edges[edges.length - 1];
    edges.push(bigMax(last + 1n, nearest(times(fraction(last), ratio))));
  }
  edges[edges.length - 1] = maxDegree + 1n;
  return edges;
}

// Subset selection: a set of bins that holds the true one more often than another.
function chooseSet(noise, epsilon, nBins, held) {
  const { size, threshold } = setShape(epsilon, nBins);
  const inside = flipCoin(noise, threshold);
  const pool = Array.from({ length: nBins - 1 }, (_, i) => i);
  for (let place = 0; place < size; place++) {
    const chosen = place + Number(uniform(noise, BigInt(nBins - 1 - place)));
    [pool[place], pool[chosen]] = [pool[chosen], pool[place]];
  }
  const set = pool.slice(0, size).map((other) => (other >= held ? other + 1 : other));
  if (inside) set[size - 1] = held;
  return set.sort((a, b) => a - b);
}
function setShape(epsilon, nBins) {
  const b = Math.exp(-asFloat(epsilon));
  const size = Math.max(1, nearestOfFloat((nBins * b) / (1 + b)));
  return { size, threshold: keepThreshold(epsilon, BigInt(size), BigInt(nBins - size)) };
}

// Square Wave: a place near the logarithm of the degree more often than one far from it.
function chooseWave(noise, epsilon, places, held) {
  const { window, threshold } = waveShape(epsilon, places);
  const near = flipCoin(noise, threshold);
  const step = uniform(noise, window);
  const far = uniform(noise, places - 1n);
  return near ? held + step : far + (far >= held ? window : 0n);
}
function waveShape(epsilon, places) {
  const x = asFloat(epsilon);
  const share = x < 1e-3 ? 0.5 - x / 3 : x > 100 ? 0 : (x + Math.expm1(-x)) / (2 * (Math.expm1(x) - x));
  const half = BigInt(Math.trunc(share * Number(places)));
  const window = 2n * half + 1n;
  return { reports: places + 2n * half, window, threshold: keepThreshold(epsilon, window, places - 1n) };
}
function logPlace(degree, maxDegree, places) {
  const share = Math.log1p(Number(degree)) / Math.log1p(Number(maxDegree));
  return bigMin(BigInt(Math.trunc(share * Number(places))), places - 1n);
}

// A number of 0..bound-1 in as few whole bytes as all of them fit in.
function packNumber(number, bound) {
  const width = Math.max(1, Math.ceil((bound - 1n).toString(2).length / 8));
  return fromHex(number.toString(16).padStart(2 * width, "0"));
}
function packBits(bits) {
  const bytes = new Uint8Array((bits.length + 7) >> 3);
  bits.forEach((bit, i) => { if (bit) bytes[i >> 3] |= 128 >> (i & 7); });
  return bytes;
}
const readNumber = (bytes) => BigInt("0x" + hex(bytes));
const percent = (k) => `${(Number((k * 1000n) / GRID) / 10).toFixed(1)} %`;

function veilDegrees(epsilon, people, given) {
  const maxDegree = BigInt(given.max_degree);
  const [singles, places, share] = [BigInt(given.singles), BigInt(given.places), readFraction(given.set_share)];
  const fits = maxDegree >= 1n && maxDegree < people && singles >= 0n && places >= 2n && !less(fraction(1n), share);
  if (!fits) throw new Error("the campaign's parameters are out of range");
  const edges = binEdges(maxDegree, singles, readFraction(given.ratio));
  const nBins = edges.length - 1;
  const inSets = (person) => publicWord("veil-degrees", person) < (share.p * GRID) / share.q;
  const range = (bin) => (edges[bin + 1] - edges[bin] === 1n ? `${edges[bin]}` : `${edges[bin]}–${edges[bin + 1] - 1n}`);
  return {
    rounds: 1,
    perturb({ person, friends, noise }) {
      const degree = bigMin(BigInt(friends.length), maxDegree);
      if (!inSets(person)) {
        const place = chooseWave(noise, epsilon, places, logPlace(degree, maxDegree, places));
        return packNumber(place, waveShape(epsilon, places).reports);
      }
      const set = chooseSet(noise, epsilon, nBins, edges.findIndex((edge) => edge > degree) - 1);
      return packBits(Array.from({ length: nBins }, (_, bin) => set.includes(bin)));
    },
    explain({ person, payload }) {
      if (!inSets(person)) {
        const { reports, threshold } = waveShape(epsilon, places);
        return t("explain.wave", { place: plain(readNumber(payload)), places: plain(reports), chance: percent(threshold) });
      }
      const bins = Array.from({ length: nBins }, (_, bin) => bin).filter((bin) => payload[bin >> 3] & (128 >> (bin & 7)));
      return t("explain.set", { ranges: bins.map(range).join(", "), chance: percent(setShape(epsilon, nBins).threshold) });
    },
  };
}

function noisyDegrees(epsilon, people) {
  return {
    rounds: 1,
    perturb({ friends, noise }) {
      const noisy = BigInt(friends.length) + laplace(noise, epsilon);
      return packNumber(bigMax(0n, bigMin(noisy, people - 1n)), people);
    },
    explain: ({ payload }) => t("explain.degree", { number: plain(readNumber(payload)), noise: usualNoise(epsilon) }),
  };
}
const usualNoise = (rate) => plain(Math.round(1 / asFloat(rate)));
