// One visit of one person to a campaign with two servers. Both pieces of the answer are stored before either is sent, and
// erased when both servers have signed for theirs: put together they are the answer.

const DEGREE = "degree"; // a noisy number of friends, where lists are cut at a limit that is not public
const SHARES = "shares"; // JSON: a piece for each server in hex; then GONE
const GONE = "gone";
const INSTEAD = { "list.stays": "two.list-stays", "list.draw-means": "two.draw-means", "question.stays": "two.answer-stays", "answer.besides": "two.besides" };

async function visitTwoServers(campaign, secret, diary, list, person) {
  if (Number(secret.split(".")[1]) !== person.number) throw new Error(t("error.two-people"));
  if (new URL(campaign.party.leader.url).origin !== location.origin) throw new Error(t("error.other-leader"));
  const servers = new TwoServers(campaign, secret, person.number);
  await servers.checkAcceptance();
  return new TwoServerVisit(campaign, servers, diary, list, person);
}

class TwoServerVisit extends Visit {
  constructor(campaign, servers, diary, list, person) {
    super(campaign, null, diary, list, person);
    this.servers = servers;
    this.page = null;
    for (const each of document.querySelectorAll("[data-text]")) each.dataset.text = INSTEAD[each.dataset.text] || each.dataset.text;
    fillTexts();
  }

  async step() {
    const look = (this.looks += 1);
    if (this.campaign.asksDegrees) this.page = await this.servers.page();
    if (look !== this.looks) return undefined; // another look began since
    const [degree, shares, entry] = [await this.diary.once(DEGREE), await this.diary.once(SHARES), this.diary.read()];
    this.told = { degree, shares };
    this.describe();
    show();
    if (entry.declined) return this.showDeclined(entry);
    if (entry.ended) return say("two.too-late", {}, true);
    if (this.isDone(entry)) {
      this.list.forget();
      return say("two.done");
    }
    if (shares === GONE) return say("two.gone", {}, true);
    if (shares) return this.offer(entry);
    if (this.isAsked) {
      show(this.campaign.protocol.answers ? "question" : "list");
      return say("");
    }
    if (!entry.counted[0]) return this.offer(entry);
    say("two.wait");
    await pause(5);
    return look === this.looks ? this.step() : undefined;
  }
  // Whether the list, or an answer, is what comes next: for a noisy degree, or for the pieces.
  get isAsked() {
    return !this.campaign.asksDegrees || this.page !== null || this.told.degree === undefined;
  }
  isDone(entry) {
    return entry.counted.length === this.campaign.document.rounds;
  }

  describe() {
    const [{ document: text }, entry] = [this.campaign, this.diary.read()];
    describeTwoServers(this.campaign, this.name);
    part("about").hidden = false;
    part("spent").textContent = t("say.spent", { epsilon: plain(spentHere()) });
    part("round").textContent = "";
    part("keep-row").hidden = text.rounds === 1;
    part("retype").hidden = !this.told.degree || !this.page;
    const [first, last] = text.terms.closes.split(" ").map(moment);
    const rounds = text.rounds === 1 ? [["two.round-pieces", first]] : [["two.round-degree", first], ["two.round-pieces", last]];
    part("rounds").replaceChildren(...rounds.map(([key, by], i) => {
      const sent = entry.counted[i];
      return Object.assign(document.createElement("li"), { textContent: sent ? t("two.round-sent", { at: moment(sent) }) : t(key, { by }) });
    }));
    this.list.changed();
  }

  // Draw and store what comes next, then show it. No other tab does so meanwhile.
  async draw() {
    const { numbers: friends } = this.list.read();
    await this.diary.alone(async () => {
      if ((await this.diary.once(DEGREE)) === undefined && (await this.diary.once(SHARES)) === undefined) await this.servers.refuseSecondDevice();
      if (this.campaign.asksDegrees && !this.page) {
        const people = BigInt(this.campaign.document.people);
        const noisy = BigInt(friends.length) + laplace(secretNoise, this.campaign.degreeEpsilon);
        await this.diary.once(DEGREE, String(bigMax(0n, bigMin(noisy, people - 1n))));
      } else {
        const key = crypto.getRandomValues(new Uint8Array(32));
        const pieces = await splitAnswer(this.campaign, this.page, this.number, friends, secretNoise, key);
        await this.diary.once(SHARES, JSON.stringify(Object.fromEntries(SERVERS.map((role) => [role, hex(pieces[role])]))));
      }
      this.diary.write({ answers: ["drawn"] }); // epsilon is spent, once for both rounds
    });
    await this.step();
  }

  offer(entry) {
    const { degree, shares } = this.told;
    this.describe();
    if (shares) {
      const pieces = JSON.parse(shares);
      const { leader, helper } = this.campaign.party;
      part("means").textContent = t("two.explain-pieces", { leader: leader.operator, helper: helper.operator });
      part("bytes").textContent = SERVERS.map((role) => `${this.campaign.party[role].operator}: ${short(pieces[role])}`).join(" ");
    } else {
      part("means").textContent = t("two.explain-degree", { number: plain(Number(degree)), noise: usualNoise(this.campaign.degreeEpsilon) });
      part("bytes").textContent = degree;
    }
    show("answer");
    const tried = entry.tried[shares ? this.campaign.document.rounds - 1 : 0];
    if (tried) return say("two.unconfirmed", { at: moment(tried) });
    return say("two.drawn");
  }

  // Hand over what is stored; whatever fails, the same bytes are sent again.
  async send() {
    await this.diary.alone(async () => {
      const shares = await this.diary.once(SHARES);
      if (shares === undefined) {
        this.diary.mark("tried", 1);
        await this.servers.tellDegree(Number(await this.diary.once(DEGREE)));
        this.diary.mark("counted", 1);
      } else if (shares !== GONE) await this.sendPieces(JSON.parse(shares));
    });
    await this.step();
  }
  async sendPieces(pieces) {
    const { rounds } = this.campaign.document;
    this.diary.mark("tried", rounds);
    const receipts = {};
    for (const role of SERVERS) {
      receipts[role] = await this.servers.handOver(role, fromHex(pieces[role]));
      if (receipts[role] === null) break;
    }
    const isLate = Object.values(receipts).includes(null);
    if (isLate) this.diary.write({ ended: now() });
    else this.diary.write({ receipts, counted: Array(rounds).fill(now()) });
    await this.diary.replace(SHARES, GONE);
  }

  showDeclined(entry) {
    show("declined");
    part("declined-text").textContent = t(entry.counted.length ? "two.declined-degree" : "two.declined-nothing");
    say("");
  }
}

const short = (text) => (text.length > 256 ? `${text.slice(0, 256)}… (${size(4 * text.length)})` : text);
