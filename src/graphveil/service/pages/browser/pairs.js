// Answers about pairs by randomised response: who answers for which pair, and what is said. The probability of a wrong
// answer is a public fraction in parts of 2^16, so that all corrected counts lie on one public grid.

const PARTS = 1n << 16n;

// The parts of 2^16 with which an answer is wrong, rounded up.
function flipParts(epsilon) {
  const flip = (GRID - keepThreshold(epsilon) + (1n << 48n) - 1n) >> 48n;
  if (2n * flip >= PARTS) throw new Error("epsilon is too small for this campaign");
  return flip;
}

// A bit about each of these people: whether it is a friend, wrong with probability flip / 2^16.
function pairAnswers(people, friends, flip, noise) {
  const known = new Set(friends);
  const words = noise(people.length);
  const [friend, stranger] = [(PARTS - flip) << 48n, flip << 48n];
  return packBits(people.map((j, i) => words[i] < (known.has(j) ? friend : stranger)));
}

// Which pairs have an owner, who that is, and where a pair stands in the published graph: row by row of j < k.
class OwnedPairs {
  constructor(n, oneIn, salt) {
    Object.assign(this, { n, oneIn, key: publicKey("asked-pairs", salt), below: GRID / BigInt(oneIn), starts: null, rows: new Map() });
  }
  // Where pairs j < k have an owner, as a test of k.
  inRow(j) {
    if (this.oneIn === 1) return () => true;
    const own = mix(this.key ^ mix(BigInt(j)));
    this.mixed ||= Array.from({ length: this.n }, (_, k) => mix(BigInt(k)));
    return (k) => mix(own ^ this.mixed[k]) < this.below;
  }
  has(j, k) {
    return this.inRow(Math.min(j, k))(Math.max(j, k));
  }
  answers(person, other) {
    const [low, high] = [Math.min(person, other), Math.max(person, other)];
    return ((low + high) % 2 === 0 ? low : high) === person && this.has(low, high);
  }
  partners(person) {
    return Array.from({ length: this.n }, (_, j) => j).filter((j) => j !== person && this.answers(person, j));
  }
  // How many pairs have an owner; where each row starts is kept.
  count() {
    let total = 0;
    this.starts = Array.from({ length: this.n }, (_, j) => {
      const [start, has] = [total, this.inRow(j)];
      if (this.oneIn === 1) total += this.n - 1 - j;
      else for (let k = j + 1; k < this.n; k++) total += has(k) ? 1 : 0;
      return start;
    });
    return total;
  }
  place(j, k) {
    if (this.oneIn === 1) return this.starts[j] + k - j - 1;
    if (!this.rows.has(j)) {
      const has = this.inRow(j);
      let before = this.starts[j];
      this.rows.set(j, Array.from({ length: this.n }, (_, other) => (other > j && has(other) ? before++ : before)));
    }
    return this.rows.get(j)[k];
  }
}
