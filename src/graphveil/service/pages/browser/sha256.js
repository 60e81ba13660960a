// SHA-256 (FIPS 180-4), because browsers offer theirs only to pages that came over TLS.

const SHA_ROUNDS = [];
const SHA_START = [];
(() => {
  const bitsOfRoot = (n, power) => (n ** (1 / power) % 1) * 2 ** 32;
  for (let n = 2; SHA_ROUNDS.length < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) prime = prime && n % d !== 0;
    if (!prime) continue;
    if (SHA_START.length < 8) SHA_START.push(bitsOfRoot(n, 2) | 0);
    SHA_ROUNDS.push(bitsOfRoot(n, 3) | 0);
  }
})();

function sha256(bytes) {
  const blocks = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(bytes.length) * 8n);
  const state = SHA_START.slice();
  const w = new Int32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let start = 0; start < blocks.length; start += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(start + 4 * t);
    for (let t = 16; t < 64; t++) {
      const [x, y] = [w[t - 15], w[t - 2]];
      w[t] = w[t - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[t - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + SHA_ROUNDS[t] + w[t]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] = (state[i] + value) | 0; });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => out.setInt32(4 * i, value));
  return new Uint8Array(out.buffer);
}

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
