// What this browser remembers of a campaign. An answer is stored before it may leave, and of all answers ever drawn for a
// round exactly one is on record: only that one is sent, however often the page is closed, reloaded or opened twice.

const PREFIX = "graphveil:";

class Diary {
  constructor(campaign, name, number) {
    this.key = `${PREFIX}${campaign.id}:${name}`;
    this.fresh = { name, number, roster: campaign.document.terms.roster, epsilon: campaign.document.epsilon };
  }
  read() {
    const stored = JSON.parse(localStorage.getItem(this.key) || "null");
    if (stored && Object.keys(this.fresh).some((key) => stored[key] !== this.fresh[key])) throw new Error("This browser joined the campaign in another role; it must stay so.");
    return stored || { ...this.fresh, enrols: false, list: "", answers: [], published: [], sent: 0 };
  }
  write(changes) {
    const entry = { ...this.read(), ...changes };
    localStorage.setItem(this.key, JSON.stringify(entry));
    if (localStorage.getItem(this.key) !== JSON.stringify(entry)) throw new Error("This browser does not remember anything; answer with the command-line client.");
    return entry;
  }
  // The answer of a round, drawn now if there is none. Two tabs take turns where the browser can make them.
  record(round, published, list, draw) {
    const once = () => {
      const entry = this.read();
      if (entry.answers.length >= round) return entry;
      if (entry.answers.length !== round - 1) throw new Error(`Round ${round} cannot be answered before the rounds before it.`);
      if (entry.published.some((hash, i) => hash !== published[i])) throw new Error("A publication has changed since it was answered; this page stops here.");
      const payload = hex(draw(entry.answers.map(fromHex)));
      return this.write({ answers: [...entry.answers, payload], published, list });
    };
    return navigator.locks ? navigator.locks.request(this.key, once) : Promise.resolve(once());
  }
}

// What this browser has given in all campaigns here, in epsilon.
function spentHere() {
  const entries = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => JSON.parse(localStorage.getItem(key)));
  return entries.filter((entry) => entry.answers.length).reduce((sum, entry) => sum + asFloat(readFraction(entry.epsilon)), 0);
}
