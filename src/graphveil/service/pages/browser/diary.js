// What this browser remembers of a campaign, and how two tabs take turns. An answer is stored before it may leave, and of
// all answers ever drawn for a round exactly one is on record: only that one is sent, however often the page is closed,
// reloaded or opened twice. The friend list is not stored here.
//
// localStorage holds what the page shows. A tab may read there what another tab changed a moment ago as it was before, so
// what must happen once (to join, to draw, to be counted) is decided in IndexedDB, whose transactions see each other.

const PREFIX = "graphveil:";
const TURN = "graphveil-turn:";
const LEASE = 30; // seconds for which a tab holds its turn without renewing it
const now = () => new Date().toISOString();

class Diary {
  constructor(campaign, name, number) {
    this.key = `${PREFIX}${campaign.id}:${name}`;
    this.fresh = { name, number, roster: campaign.document.terms.roster, epsilon: campaign.document.epsilon };
  }
  // `answers` has one payload a round; `tried` and `counted` say when it was first sent and when the collector had it.
  read() {
    const stored = JSON.parse(localStorage.getItem(this.key) || "null");
    if (stored && Object.keys(this.fresh).some((key) => stored[key] !== this.fresh[key])) throw new Error(t("error.role"));
    return { ...this.fresh, enrols: false, charged: null, declined: null, answers: [], published: [], tried: [], counted: [], ...stored };
  }
  write(changes) {
    const { list, sent, ...entry } = { ...this.read(), ...changes }; // of version 0.1: a list in clear, a count that two tabs got wrong
    const text = JSON.stringify(entry);
    localStorage.setItem(this.key, text);
    if (localStorage.getItem(this.key) !== text) throw new Error(t("error.memory"));
    return entry;
  }
  mark(what, round) {
    const moments = [...this.read()[what]];
    moments[round - 1] ??= now();
    return this.write({ [what]: Array.from(moments, (moment) => moment ?? null) });
  }
  // The answer on record for a round. Without a candidate, what is there; undefined if nothing is.
  answer(round, candidate) {
    return keepFirst(`${this.key}/${round}`, candidate);
  }
  // What has happened once and for all; with a value, it happens now unless it has before.
  once(what, value) {
    return keepFirst(`${this.key}/${what}`, value);
  }
  // What was kept once is overwritten, for good: it is not needed any more, and should not lie about.
  replace(what, value) {
    return keepFirst(`${this.key}/${what}`, value, true);
  }
  // The answer of a round, drawn now if there is none.
  async record(round, published, draw) {
    const entry = this.read();
    const before = await Promise.all(Array.from({ length: round - 1 }, (_, i) => this.answer(i + 1, entry.answers[i])));
    if (before.includes(undefined)) throw new Error(t("error.order", { round }));
    if (entry.published.some((hash, i) => i < round - 1 && hash !== published[i])) throw new Error(t("error.publication-changed"));
    const known = entry.answers[round - 1] ?? (await this.answer(round));
    const payload = await this.answer(round, known ?? hex(draw(before.map(fromHex))));
    return this.write({ answers: [...before, payload], published });
  }
  // Run a step while no other tab runs one for this campaign and person.
  alone(step) {
    return navigator.locks ? navigator.locks.request(this.key, step) : takeTurns(TURN + this.key, step);
  }
}

// Turns without the Web Locks API, which browsers offer only under https and on the own machine. Of two tabs that write at once the
// later one stands, and both look again before they go on. A tab that was closed in its turn loses it after the lease.
async function takeTurns(place, step) {
  const mine = hex(crypto.getRandomValues(new Uint8Array(16)));
  const holder = () => JSON.parse(localStorage.getItem(place) || "null");
  const claim = () => localStorage.setItem(place, JSON.stringify({ mine, until: Date.now() + 1000 * LEASE }));
  for (;;) {
    const held = holder();
    const free = !held || held.until < Date.now() || held.until > Date.now() + 2000 * LEASE;
    if (free) claim();
    await pause(0.1 + Math.random() / 20);
    if (free && holder()?.mine === mine) break;
  }
  const renewal = setInterval(claim, 300 * LEASE);
  try {
    return await step();
  } finally {
    clearInterval(renewal);
    if (holder()?.mine === mine) localStorage.removeItem(place);
  }
}

// The value under a key of this browser's database: the first that was ever given, whoever gave it, unless it is replaced.
function keepFirst(key, value, isReplaced = false) {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(t("error.memory")));
    if (!globalThis.indexedDB) return fail();
    const opening = indexedDB.open("graphveil", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("first");
    opening.onerror = fail;
    opening.onsuccess = () => {
      const database = opening.result;
      const work = database.transaction("first", "readwrite", { durability: "strict" });
      const asked = work.objectStore("first").get(key);
      let kept;
      asked.onsuccess = () => {
        kept = isReplaced ? value : (asked.result ?? value);
        if ((asked.result === undefined || isReplaced) && value !== undefined) work.objectStore("first").put(value, key);
      };
      work.oncomplete = () => (database.close(), resolve(kept));
      work.onerror = work.onabort = fail;
    };
  });
}

const entriesHere = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => [key, JSON.parse(localStorage.getItem(key))]);

// Version 0.1 kept friend lists in clear: remove what it left.
function forgetLists() {
  for (const [key, { list, ...entry }] of entriesHere()) if (list !== undefined) localStorage.setItem(key, JSON.stringify(entry));
}

// What this browser has given in all campaigns here, in epsilon.
function spentHere() {
  const given = entriesHere().filter(([, entry]) => entry.answers.length);
  return given.reduce((sum, [, entry]) => sum + asFloat(readFraction(entry.epsilon)), 0);
}
