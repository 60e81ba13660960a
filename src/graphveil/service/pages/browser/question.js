// A question with a public list of answers. One answer of the person is sent, by randomised response: as its number, or
// as a bit for each answer, whichever has the smaller variance. In a turn the answer is the length of `friends`.

const MOST_ANSWERS = 100;

function askQuestion(epsilon, people, { values }) {
  const fits = Array.isArray(values) && values.length >= 2 && values.length <= MOST_ANSWERS && BigInt(values.length) <= people;
  const words = fits && values.every((value) => isLine(value) && value.trim());
  if (!words || new Set(values).size < values.length) throw new Error("the campaign's parameters are out of range");
  const [others, kept, unset] = [BigInt(values.length - 1), keepThreshold(epsilon, 1n, BigInt(values.length - 1)), keepThreshold(epsilon)];
  const asNumber = !less(spread(GRID, GRID / 2n, GRID - unset), spread(GRID * others, kept * others, GRID - kept));
  return {
    rounds: 1,
    answers: values,
    perturb({ friends: { length: held }, noise }) {
      if (asNumber) {
        const keeps = flipCoin(noise, kept);
        const other = uniform(noise, others);
        const said = keeps ? BigInt(held) : other + (other >= BigInt(held) ? 1n : 0n);
        return packNumber(said, others + 1n);
      }
      const bits = values.map(() => flipCoin(noise, GRID - unset));
      bits[held] = flipCoin(noise, GRID / 2n);
      return packBits(bits);
    },
    explain({ payload }) {
      if (asNumber) return t("explain.answer", { answer: values[Number(readNumber(payload))], chance: percent(kept) });
      const said = values.filter((_, i) => payload[i >> 3] & (128 >> (i & 7)));
      return t("explain.answers", { answers: said.join(", ") || t("explain.no-answer"), chance: percent(GRID - unset) });
    },
  };
}

// The variance of a share of which nobody is a part, but for a common factor: q (1 - q) / (p - q)^2, with p and q parts of `whole`.
const spread = (whole, p, q) => fraction(q * (whole - q), (p - q) * (p - q));
