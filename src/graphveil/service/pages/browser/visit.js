// One visit of one person: looks where the campaign and this browser stand, and offers what comes next.

class Visit {
  constructor(campaign, api, diary, list, { name, number }) {
    Object.assign(this, { campaign, api, diary, list, name, number, looks: 0, offered: 0, suggested: [] });
  }

  async step() {
    const look = (this.looks += 1);
    const told = await this.api.json(`${this.api.campaign}/status`);
    if (look !== this.looks) return; // another look began since
    this.told = told;
    const entry = this.diary.read();
    const [rounds, answered] = [this.campaign.document.rounds, entry.answers.length];
    this.describe();
    if (entry.declined) return this.showDeclined(entry);
    const unsent = entry.answers.findIndex((_, i) => !entry.counted[i]) + 1;
    const open = told.state === "open" && told.round === (unsent || answered + 1);
    if (unsent && (open || entry.tried[unsent - 1])) return this.offer(entry, unsent);
    show();
    if (unsent) return say("say.too-late", { round: unsent }, true);
    if (answered === rounds && this.campaign.protocol.suggest) {
      if (told.state === "done") return this.offerSuggestions();
      if (["open", "closing"].includes(told.state)) {
        say("say.suggest-later");
        await pause(Math.min(15, 1 + look));
        return look === this.looks ? this.step() : undefined;
      }
    } else if (answered === rounds) {
      this.list.forget();
      return say("say.done");
    }
    if (["open", "closing"].includes(told.state) && told.round <= answered) {
      say("say.next-round", { next: answered + 1, rounds, last: answered });
      await pause(Math.min(15, 2 + answered));
      return look === this.looks ? this.step() : undefined;
    }
    if (told.paused && open) {
      say("say.paused");
      await pause(15);
      return look === this.looks ? this.step() : undefined;
    }
    if (!open) return say("say.over", { state: known(`state.${told.state}`) ? t(`state.${told.state}`) : told.state, round: told.round }, true);
    show(this.campaign.protocol.answers ? "question" : "list");
    say("");
  }

  // Everything on the page that is words, from what is known now.
  describe() {
    const [{ document: text }, entry] = [this.campaign, this.diary.read()];
    describe(this.campaign, this.name, this.told.cost);
    part("about").hidden = false;
    part("spent").textContent = t("say.spent", { epsilon: plain(spentHere()) });
    part("round").textContent = text.rounds > 1 ? t("list.round", { round: this.told.round, rounds: text.rounds }) : "";
    part("keep-row").hidden = text.rounds === 1 && !this.campaign.protocol.suggest;
    part("retype").hidden = !entry.answers.length || Boolean(this.campaign.protocol.suggest);
    part("rounds").replaceChildren(...Array.from({ length: text.rounds }, (_, i) => {
      const item = document.createElement("li");
      item.textContent = this.tellRound(entry, i + 1);
      return item;
    }));
    this.list.changed();
  }
  tellRound(entry, round) {
    const by = moment((this.campaign.document.terms.closes || "").split(" ")[round - 1]);
    if (entry.counted[round - 1]) return t("round.counted", { round, at: moment(entry.counted[round - 1]) });
    if (entry.tried[round - 1]) return t("round.tried", { round, at: moment(entry.tried[round - 1]) });
    const running = this.told.state === "open" || this.told.state === "closing";
    if (!running || this.told.round > round) return t("round.closed", { round });
    if (entry.answers.length >= round) return t("round.drawn", { round, by });
    return t(this.told.round === round ? "round.open" : "round.later", { round, by, before: round - 1 });
  }

  // An empty list, and names that are not on the roster, are asked about once before an answer is drawn.
  check() {
    const { names, matched, unknown } = this.list.read();
    if (matched.length && !unknown.length) return this.draw();
    const people = plain(this.roster().size - 1);
    part("check-text").textContent = names.length ? t(matched.length ? "check.some" : "check.none", { people, matched: plain(matched.length), unknown: plain(unknown.length) }) : t("check.empty", { people });
    for (const [id, shown] of [["check-matched", matched], ["check-unknown", unknown]]) {
      part(`${id}-part`).hidden = !shown.length;
      showNames(part(id), shown);
    }
    part("confirm").textContent = t(matched.length ? "check.yes" : "check.yes-nobody", { matched: plain(matched.length) });
    show("check");
    say("");
    part("check-title").focus();
  }
  roster() {
    return this.list.roster;
  }

  // Enrol, draw, store; then show what would be sent. No other tab does so meanwhile.
  async draw() {
    const { round, publications } = this.told;
    const friends = this.list.read().numbers;
    const entry = await this.diary.alone(async () => {
      const before = this.diary.read();
      if (before.answers.length >= round) return before;
      if (round === 1) await this.enrol();
      const names = publications.slice(0, round - 1);
      const inPart = this.campaign.protocol.inParts && round === this.campaign.document.rounds;
      const [whole, root] = [inPart ? names.slice(0, -1) : names, `${this.api.campaign}/publications`];
      const published = await Promise.all(whole.map((name) => this.api.content(`${root}/${name}`)));
      if (published.some((content, i) => hex(sha256(content)) !== names[i])) throw new Error(t("error.publication"));
      // A part has no name to be checked against and needs none: the promise holds for every graph that could be shown.
      if (inPart) published.push(await this.api.content(`${root}/${names.at(-1)}/parts/${this.number}`));
      const turn = { round, published, person: this.number, friends, noise: secretNoise };
      return this.diary.record(round, names, (sent) => this.campaign.protocol.perturb({ ...turn, sent }));
    });
    return entry.counted[round - 1] ? this.step() : this.offer(entry, round);
  }

  // Agree to take part. The collector lets one device of a person answer: a browser that has forgotten its answer, and a
  // second device, must not draw another one. Asked again before an answer leaves: another device may have taken over.
  async enrol(replace = false) {
    const joined = this.diary.read().enrols || Boolean(await this.diary.once("enrols"));
    const device = await this.diary.once("device", hex(crypto.getRandomValues(new Uint8Array(16))));
    const answer = await this.api.ask("PUT", `${this.api.campaign}/enrolment`, JSON.stringify({ device, joined, replace }));
    if (!answer.ok) {
      const code = codeOf(await readProblem(answer));
      show(...(code === "other-device" ? ["elsewhere"] : []));
      throw new Error(["other-device", "answered-elsewhere"].includes(code) ? t(`problem.${code}`) : await problem(answer));
    }
    await this.diary.once("enrols", now());
    const { epsilon, left } = await answer.json();
    this.diary.write({ enrols: true, charged: this.diary.read().charged ?? { at: now(), epsilon, left } });
  }
  // Take the place of a device that is lost and has sent no answer.
  async takeOver() {
    await this.diary.alone(() => this.enrol(true));
    await this.step();
  }

  offer(entry, round) {
    const payload = fromHex(entry.answers[round - 1]);
    this.offered = round;
    this.describe();
    part("means").textContent = this.campaign.protocol.explain({ round, person: this.number, payload });
    const shown = hex(payload.subarray(0, 512));
    part("bytes").textContent = payload.length > 512 ? `${shown}… (${size(8 * payload.length)})` : shown;
    show("answer");
    const tried = entry.tried[round - 1];
    if (tried) return say("say.unconfirmed", { at: moment(tried) });
    const { epsilon, left } = entry.charged || {};
    say(epsilon === undefined ? "say.drawn-enrolled" : "say.drawn", { round, epsilon: plain(epsilon ?? 0), left: plain(left ?? 0) });
  }

  // Hand in the stored answer of the round that is shown; if another tab did so already, there is nothing to do.
  async send() {
    const round = this.offered;
    await this.diary.alone(async () => {
      const payload = await this.diary.answer(round, this.diary.read().answers[round - 1]);
      if (!(await this.diary.once(`${round}/counted`))) await this.enrol();
      this.diary.mark("tried", round);
      if (!(await this.diary.once(`${round}/counted`))) {
        const report = encodeReport(this.campaign.id, round, this.number, fromHex(payload));
        const answer = await this.api.ask("POST", `${this.api.campaign}/reports`, report);
        if (!answer.ok && codeOf(await readProblem(answer)) !== "duplicate") throw new Error(await problem(answer));
        await this.diary.once(`${round}/counted`, now());
      }
      this.diary.mark("counted", round);
    });
    await this.step();
  }

  // When a campaign for suggestions is over, the list serves once more.
  offerSuggestions() {
    part("list-answer").hidden = true;
    part("list-suggest").hidden = false;
    show("list");
    say("");
  }
  // Everybody fetches the same bytes, and nothing is sent: nobody learns what is suggested.
  async suggest() {
    const friends = this.list.read().numbers;
    if (!friends.length) throw new Error(t("suggest.nobody"));
    const name = this.told.publications.at(-1);
    const board = await this.api.content(`${this.api.campaign}/publications/${name}`);
    if (hex(sha256(board)) !== name) throw new Error(t("error.publication"));
    this.suggested = this.campaign.protocol.suggest({ person: this.number, friends, board });
    show("list", "suggestions");
    this.showSuggested();
    say("say.suggested");
    part("suggestions-title").focus();
  }
  showSuggested() {
    const names = [...this.roster().keys()];
    part("suggested").replaceChildren(...this.suggested.map(({ person, inCommon, std, standsOut }) => {
      const shared = Math.round(Math.max(inCommon, 0));
      const said = t("suggest.one", { name: names[person], shared: plain(shared), std: std.toFixed(1) });
      return Object.assign(document.createElement("li"), { textContent: standsOut ? said : `${said}; ${t("suggest.chance")}` });
    }));
  }

  // To decline is remembered here and told to nobody.
  decline() {
    this.list.forget();
    return this.showDeclined(this.diary.write({ declined: now() }));
  }
  showDeclined(entry) {
    show("declined");
    const counted = entry.counted.filter(Boolean).length;
    const key = counted ? "declined.counted" : entry.enrols ? "declined.charged" : "declined.nothing";
    part("declined-text").textContent = t(key, { counted, epsilon: plain(asFloat(this.campaign.epsilon)) });
    say("");
  }
  async reconsider() {
    this.diary.write({ declined: null });
    await this.step();
  }
}
