// Friend suggestions. Of each pair of people one end answers whether they are friends; the answers are published as a
// noisy graph. What is suggested is computed here, from the own list and that graph, and nothing of it is sent.

const SUGGESTED = 10;

function friendSuggestions(epsilon, people) {
  const [n, flip] = [Number(people), flipParts(epsilon)];
  const owned = new OwnedPairs(n, 1, 0);

  // The people with the most friends in common who are not on the list, each with that number and its deviation: noisy
  // edges to the people on the list, corrected for those that are wrong.
  function suggest({ person, friends, board }) {
    const pairs = owned.count();
    if (board.length !== Math.ceil(pairs / 8)) throw new Error("the published graph does not fit the roster");
    if (pairs % 8 && board.at(-1) & (255 >> pairs % 8)) throw new Error("the published graph has bits set beyond its pairs");
    if (!friends.length) return [];
    const known = new Set([...friends, person]);
    const wrong = Number(flip) / Number(PARTS);
    const std = Math.sqrt(friends.length * wrong * (1 - wrong)) / (1 - 2 * wrong);
    const chance = Math.sqrt(2 * Math.log(10 * n)) * std; // noise alone stays below it for all strangers, in 19 of 20 cases
    const strangers = Array.from({ length: n }, (_, j) => j).filter((j) => !known.has(j));
    const found = strangers.map((j) => {
      const edges = friends.reduce((sum, friend) => sum + bitAt(board, owned.place(Math.min(j, friend), Math.max(j, friend))), 0);
      const inCommon = (edges - wrong * friends.length) / (1 - 2 * wrong);
      return { person: j, inCommon, std, standsOut: inCommon > chance };
    });
    return found.sort((a, b) => b.inCommon - a.inCommon).slice(0, SUGGESTED);
  }

  return {
    rounds: 1,
    oneEnd: true,
    suggest,
    perturb: ({ person, friends, noise }) => pairAnswers(owned.partners(person), friends, flip, noise),
    explain: ({ person }) => t("explain.answers-about", { answers: plain(owned.partners(person).length), chance: percent(flip << 48n) }),
  };
}

const bitAt = (bytes, place) => (bytes[Math.floor(place / 8)] >> (7 - (place % 8))) & 1;
