// The page itself: says what is asked, takes the list, shows the answer, sends it. The list never leaves the page.

const part = (id) => document.getElementById(id);
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const plain = (number) => number.toLocaleString("en", { maximumSignificantDigits: 5 });

// By the rules for clients: network errors, 5xx and 429 are tried again with the very same bytes, all else is final.
class Api {
  constructor(id, token) {
    this.campaign = `/campaigns/${id}`;
    this.token = token;
  }
  async ask(method, path, body) {
    const headers = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    if (body) headers["Content-Type"] = "application/octet-stream";
    for (let wait = 1; ; wait = Math.min(30, 2 * wait)) {
      let answer = null;
      try {
        answer = await fetch(`/api/v1${path}`, { method, headers, body, credentials: "omit" });
      } catch { /* the collector cannot be reached */ }
      if (answer && answer.status < 500 && answer.status !== 429) return answer;
      say(`The collector does not answer; trying again in ${wait} s.`);
      await pause(wait);
    }
  }
  async get(path) {
    const answer = await this.ask("GET", path);
    if (!answer.ok) throw new Error(await problem(answer));
    return answer;
  }
  async json(path) {
    return (await this.get(path)).json();
  }
  async content(path) { // a gzip file
    const unpacked = (await this.get(path)).body.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  }
}

async function problem(answer) {
  const said = await answer.json().catch(() => ({}));
  return said.detail ? `${said.title}: ${said.detail}.` : `${said.title || `The collector answered ${answer.status}`}.`;
}

function say(text, wrong = false) {
  part("message").textContent = text;
  part("message").className = wrong ? "error" : "";
}
function show(...ids) {
  for (const id of ["list", "answer"]) part(id).hidden = !ids.includes(id);
  part("spent").textContent = `This browser has given epsilon ${plain(spentHere())} here so far.`;
}

class Visit {
  constructor(campaign, api, diary, roster, number) {
    Object.assign(this, { campaign, api, diary, roster, number });
  }

  // Look where the campaign and this browser stand, and offer what comes next.
  async step() {
    const told = await this.api.json(`${this.api.campaign}/status`);
    const entry = this.diary.read();
    const [rounds, answered] = [this.campaign.document.rounds, entry.answers.length];
    const running = told.state === "open" || told.state === "closing";
    if (answered > entry.sent) return this.offer(entry);
    show();
    if (answered === rounds) return say("Sent and counted: you have answered everything. Thank you. You may close this page.");
    if (running && told.round <= answered) {
      say(`Sent and counted. Round ${answered + 1} of ${rounds} begins when round ${answered} is closed; leave this page open or come back by your invitation.`);
      await pause(Math.min(15, 2 + answered));
      return this.step();
    }
    if (told.state !== "open" || told.round !== answered + 1) return say(`Nothing can be answered any more: the campaign is ${told.state}, round ${told.round}.`, true);
    this.open = told;
    if (!part("friends").value) part("friends").value = entry.list;
    show("list");
    part("round").textContent = rounds > 1 ? `Round ${told.round} of ${rounds}` : "";
    this.countFriends();
    say("");
  }

  friends() {
    return readFriends(part("friends").value, this.roster, this.number);
  }
  countFriends() {
    const { numbers, unknown } = this.friends();
    part("counted").textContent = `${numbers.length} on the roster of the campaign, ${unknown} not (these are left out).`;
  }

  // Enrol, draw, store; then show what would be sent.
  async draw() {
    const { round, publications } = this.open;
    if (round === 1) await this.enrol();
    const names = publications.slice(0, round - 1);
    const inPart = this.campaign.protocol.inParts && round === this.campaign.document.rounds;
    const [whole, root] = [inPart ? names.slice(0, -1) : names, `${this.api.campaign}/publications`];
    const published = await Promise.all(whole.map((name) => this.api.content(`${root}/${name}`)));
    if (published.some((content, i) => hex(sha256(content)) !== names[i])) throw new Error("A publication is not what its name says.");
    // A part has no name to be checked against and needs none: the promise holds for every graph that could be shown.
    if (inPart) published.push(await this.api.content(`${root}/${names.at(-1)}/parts/${this.number}`));
    const turn = { round, published, person: this.number, friends: this.friends().numbers, noise: secretNoise };
    const kept = this.campaign.document.rounds > 1 ? part("friends").value : "";
    this.offer(await this.diary.record(round, names, kept, (sent) => this.campaign.protocol.perturb({ ...turn, sent })));
  }

  // Agree to take part. A browser that has forgotten its answer must not draw another one.
  async enrol() {
    if (!this.diary.read().enrols) {
      const { campaigns } = await this.api.json("/me");
      const elsewhere = campaigns.some((each) => each.id === this.campaign.id && each.enrolled);
      if (elsewhere) throw new Error("You have joined this campaign elsewhere: go on there. A second answer would reveal more about your list.");
      this.diary.write({ enrols: true });
    }
    const answer = await this.api.ask("PUT", `${this.api.campaign}/enrolment`);
    if (!answer.ok) throw new Error(await problem(answer));
  }

  offer(entry) {
    const round = entry.sent + 1;
    const payload = fromHex(entry.answers[entry.sent]);
    this.report = encodeReport(this.campaign.id, round, this.number, payload);
    part("means").textContent = this.campaign.protocol.explain({ round, person: this.number, payload });
    const shown = hex(payload.subarray(0, 512));
    part("bytes").textContent = payload.length > 512 ? `${shown}… (${plain(payload.length)} bytes)` : shown;
    show("answer");
    say("Your answer is drawn and kept in this browser. Nothing has been sent yet.");
  }

  async send() {
    const answer = await this.api.ask("POST", `${this.api.campaign}/reports`, this.report);
    const counted = answer.ok || (answer.status === 409 && (await answer.clone().json()).type.endsWith(":duplicate"));
    if (!counted) throw new Error(await problem(answer));
    const entry = this.diary.read();
    const last = entry.sent + 1 === this.campaign.document.rounds;
    this.diary.write({ sent: entry.sent + 1, list: last ? "" : entry.list });
    await this.step();
  }
}

function describe(campaign, name) {
  const { document: text, epsilon } = campaign;
  const unit = text.unit === "node" ? "your whole list" : "any one entry of your list";
  part("title").textContent = text.title;
  part("who").textContent = `${name}, one of ${plain(text.people)} people who are asked`;
  part("what").textContent = `${text.statistic}, by the protocol ${text.protocol}, in ${text.rounds} round${text.rounds > 1 ? "s" : ""}`;
  part("promise").textContent = `epsilon ${plain(asFloat(epsilon))} for ${unit}; ${plain(2 * asFloat(epsilon))} for a relationship, which stands in two lists`;
  part("reveals").textContent = `That you take part. Beyond that, whoever sees your answers can shift the odds between any two ${text.unit === "node" ? "lists you might have" : "lists that differ in one entry"} by a factor of at most ${plain(Math.exp(asFloat(epsilon)))}, whatever else they know.`;
}

// Run a step; buttons wait for it, and what goes wrong is said.
async function attempt(step) {
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  try {
    await step();
  } catch (error) {
    say(error.message, true);
  } finally {
    for (const button of document.querySelectorAll("button")) button.disabled = false;
  }
}

async function begin() {
  const invitation = readInvitation(location);
  const token = invitation.token || prompt("Your token, which you got with your first invitation here:") || "";
  const api = new Api(invitation.id, token.trim());
  const text = new Uint8Array(await (await api.get(api.campaign)).arrayBuffer());
  const campaign = readCampaign(text, invitation.id);
  const roster = readRoster(campaign, await api.content(`${api.campaign}/roster`));
  const number = roster.get(invitation.name);
  if (number === undefined) throw new Error("You are not on the roster of this campaign.");
  describe(campaign, invitation.name);
  const visit = new Visit(campaign, api, new Diary(campaign, invitation.name, number), roster, number);
  part("facts").hidden = false;
  part("friends").addEventListener("input", () => visit.countFriends());
  part("draw").addEventListener("click", () => attempt(() => visit.draw()));
  part("send").addEventListener("click", () => attempt(() => visit.send()));
  await visit.step();
}

attempt(begin);
