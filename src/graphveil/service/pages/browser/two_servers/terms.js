// A campaign with two servers: its text, checked; the page of noisy degrees, which both servers sign; and how a person's
// answer is split in two. Same names and same bytes as in the Python client.

const LEADER = "leader";
const HELPER = "helper";
const SERVERS = [LEADER, HELPER];
const PEER = { [LEADER]: HELPER, [HELPER]: LEADER };
const COUNTED = ["triangles", "transitivity"]; // with the help of a dealer
const CUT = ["k-stars", ...COUNTED]; // lists are cut
const ANSWER_GRID = 4096n;
const MOST_HUBS = 200;
const TEXT_KEYS = "closes,degrees_close,epsilon,format,hubs,k,max_degree,minimum_reports,parties,people,roster,statements,statistic,title,unit,values";
const SUMS = { edges: sumOfDegrees, "degree-distribution": levelsReached, "degree-histogram": levelsReached, "k-stars": starsAround, "attribute-shares": cellOfAnswer };

function readTwoServers(id, document) {
  const { statistic, people, parties, statements, values, unit, title, k, hubs, max_degree: limit } = document;
  if (Object.keys(document).sort().join() !== TEXT_KEYS || !(statistic in SUMS || COUNTED.includes(statistic))) throw new Error(t("error.command"));
  const said = [[title, 200], ...Object.values(statements).map((text) => [text, 1000]), ...values.map((text) => [text, 1000])];
  if (!said.every(([text, longest]) => isLine(text) && [...text].length <= longest)) throw new Error("the campaign has a text that is not one readable line");
  const within = (number, low, high) => number === null || (Number.isInteger(number) && number >= low && number <= high);
  const fits = Number.isInteger(people) && within(people, 2, 1e9) && within(limit, 1, 1e9) && within(hubs, 0, MOST_HUBS) && within(k, 2, 10);
  if (!fits || (statistic === "k-stars" && k === null) || new Set(values).size < values.length) throw new Error("the campaign's parameters are out of range");
  const edges = statistic === "attribute-shares" ? unit === "node" && 1 : Number(/^(?:([1-9]\d{0,5})-)?edge$/.exec(unit)?.[1] ?? (unit === "edge" ? 1 : NaN));
  if (!edges) throw new Error(t("error.command"));
  checkParties(parties, COUNTED.includes(statistic));
  const epsilon = readFraction(document.epsilon);
  if (less(epsilon, fraction(1n, 10n ** 12n)) || less(fraction(10_000n), epsilon)) throw new Error(t("error.epsilon"));
  const entry = times(epsilon, fraction(1n, BigInt(edges)));
  const plan = statistic === "transitivity" ? times(entry, fraction(3n, 5n)) : entry;
  const asksDegrees = CUT.includes(statistic) && limit === null;
  const degreeEpsilon = asksDegrees ? times(plan, fraction(1n, 10n)) : fraction(0n);
  const closes = [...(asksDegrees ? [document.degrees_close] : []), document.closes].join(" ");
  const shown = { ...document, rounds: asksDegrees ? 2 : 1, terms: { ...statements, roster: document.roster, closes } };
  const party = Object.fromEntries(parties.map((each) => [each.role, each]));
  const asksHubs = asksDegrees && COUNTED.includes(statistic) && hubs !== 0;
  return { id, document: shown, epsilon, entryEpsilon: entry, party, asksDegrees, asksHubs, degreeEpsilon, countEpsilon: minus(plan, degreeEpsilon), protocol: { answers: values.length ? values : undefined } };
}

// Two parties of one operator, host or key are one party, and could put the pieces together.
function checkParties(parties, hasDealer) {
  const roles = hasDealer ? [...SERVERS, "dealer"] : SERVERS;
  if (parties.map(({ role }) => role).join() !== roles.join()) throw new Error(t("error.command"));
  for (const { operator, ed25519, x25519 } of parties) {
    if (!isLine(operator) || !operator || [...operator].length > 200) throw new Error("the campaign has a text that is not one readable line");
    if (![ed25519, x25519].every((key) => /^[0-9a-f]{64}$/.test(key))) throw new Error("a key of the campaign is not 64 hexadecimal digits");
  }
  const kinds = {
    operator: ({ operator }) => operator.toUpperCase().toLowerCase().split(/\s+/).filter(Boolean).join(" "),
    host: ({ url }) => hostOf(new URL(url)),
    key: ({ ed25519 }) => ed25519,
    "sealing key": ({ x25519 }) => x25519,
  };
  for (const [what, of] of Object.entries(kinds)) {
    if (new Set(parties.map(of)).size < parties.length) throw new Error(t("error.one-operator", { what: t(`same.${what.replace(" ", "-")}`) }));
  }
}
function hostOf(url) {
  const isHere = url.hostname === "localhost" || /^127\.\d+\.\d+\.\d+$/.test(url.hostname) || url.hostname === "[::1]";
  if (url.protocol !== "https:" && !isHere) throw new Error(t("error.https"));
  return isHere ? url.host : url.hostname.replace(/\.+$/, "");
}

// The limit for lists and the hubs, if both servers signed them.
async function readPage(campaign, told) {
  const document = JSON.parse(told.page);
  const { degrees, hubs, max_degree: limit, without_hubs: without } = document;
  const text = JSON.stringify({ campaign: campaign.id, degrees, hubs, max_degree: limit, without_hubs: without });
  const [n, most] = [campaign.document.people, campaign.document.hubs ?? MOST_HUBS];
  const rising = Array.isArray(hubs) && hubs.length <= most && hubs.every((hub, i) => Number.isInteger(hub) && hub >= 0 && hub < n && (!i || hubs[i - 1] < hub));
  const limits = Number.isInteger(limit) && Number.isInteger(without) && limit >= 1 && limit <= without && without < n;
  if (!rising || !limits || told.page !== text) throw new Error(t("error.limit"));
  const hash = sha256(utf8(text));
  for (const role of SERVERS) {
    const label = ["message", campaign.id, role, PEER[role], "page", 0, hex(sha256(hash))];
    if (!(await isSigned(campaign.party[role].ed25519, label, String(told.signatures?.[role])))) throw new Error(t("error.limit"));
  }
  return { hash, limit, without, hubs };
}

// What a person sends to each server. `held` is their number of friends, or the number of their answer.
async function splitAnswer(campaign, page, person, friends, noise, key) {
  const { statistic, people, k, max_degree: limit } = campaign.document;
  const label = page ? `${campaign.id}/${hex(page.hash)}` : campaign.id;
  let share = null;
  if (COUNTED.includes(statistic)) {
    const row = new Uint8Array(people);
    for (const friend of keptFriends(label, page?.limit ?? limit, page?.hubs ?? [], person, friends)) row[friend] = 1;
    share = exclusiveOr(packBits(row), await maskBytes(key, ["row", label, people, person], (people + 7) >> 3), people);
    if (statistic === "transitivity") {
      const stars = starsAround(friends.length, { k: 2, limit: page?.without ?? limit });
      share = join(share, await maskedWords(key, ["sum", label, "2-stars", 1, person], stars));
    }
  } else {
    const vector = SUMS[statistic](friends.length, { k, limit: page?.limit ?? limit, people, answers: campaign.protocol.answers });
    share = await maskedWords(key, ["sum", label, statistic, vector.length, person], vector);
  }
  const before = page ? page.hash : NOTHING;
  const after = campaign.asksHubs ? hubAnswers(campaign, page.hubs, person, friends, noise) : NOTHING;
  return { [LEADER]: join(before, share, after), [HELPER]: join(before, key, after) };
}

// Everybody but hubs for a hub, else the first friends in a public order.
function keptFriends(label, limit, hubs, person, friends) {
  if (hubs.includes(person)) return friends.filter((friend) => !hubs.includes(friend));
  if (friends.length <= limit) return friends;
  const placed = friends.map((friend) => [hex(sha256(utf8(`${label}/${person}/${friend}`))), friend]);
  return placed.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit).map(([, friend]) => friend);
}

// Randomised answers of a hub about each other hub, one bit each; as many bits for everybody.
function hubAnswers(campaign, hubs, person, friends, noise) {
  const bits = new Uint8Array(MOST_HUBS);
  const small = expUpper(campaign.countEpsilon); // e^-epsilon in parts of 2^256, rounded up
  const whole = (1n << FINE) + small;
  const flip = (ANSWER_GRID * small + whole - 1n) / whole;
  if (2n * flip >= ANSWER_GRID && hubs.length) throw new Error("epsilon is too small to ask about pairs of hubs");
  if (hubs.includes(person)) {
    hubs.forEach((hub, place) => {
      if (hub !== person) bits[place] = Number(friends.includes(hub) !== (uniform(noise, ANSWER_GRID) < flip));
    });
  }
  return packBits(bits);
}

function sumOfDegrees(degree) {
  return [BigInt(degree)];
}
// How many levels of each tile of degrees are reached: single levels first, then tiles that grow by 7 %.
function levelsReached(degree, { people }) {
  const [top, reached] = [BigInt(people - 1), []];
  for (let start = 0n; start < top; ) {
    const grown = start >= 28n ? (start * 107n) / 100n : 0n;
    const end = bigMin(top, bigMax(start + 1n, grown));
    reached.push(bigMax(0n, bigMin(BigInt(degree) - start, end - start)));
    start = end;
  }
  return reached;
}
// Stars with k leaves around a person.
function starsAround(degree, { k, limit }) {
  let stars = 1n;
  for (let i = 0n; i < BigInt(k); i += 1n) stars = (stars * bigMax(0n, BigInt(Math.min(degree, limit)) - i)) / (i + 1n);
  return [stars];
}
function cellOfAnswer(answer, { answers }) {
  return answers.map((_, place) => (place === answer ? 1n : 0n));
}

async function maskedWords(key, label, vector) {
  const mask = new DataView((await maskBytes(key, label, 8 * vector.length)).buffer);
  const masked = new DataView(new ArrayBuffer(8 * vector.length));
  vector.forEach((number, i) => masked.setBigUint64(8 * i, BigInt.asUintN(64, number - mask.getBigUint64(8 * i, true)), true));
  return new Uint8Array(masked.buffer);
}
// Of so many bits; those that fill the last byte are 0.
function exclusiveOr(bytes, mask, bits) {
  const mixed = bytes.map((byte, i) => byte ^ mask[i]);
  if (bits % 8) mixed[mixed.length - 1] &= 256 - (1 << (8 - (bits % 8)));
  return mixed;
}
