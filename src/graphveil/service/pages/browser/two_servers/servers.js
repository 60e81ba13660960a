// Both servers of a campaign, over a connection to each. What they say is checked by the keys in the campaign's text.

class TwoServers {
  constructor(campaign, secret, number) {
    Object.assign(this, { campaign, number, place: `/campaigns/${campaign.id}` });
    const apiOf = async (role) => new Api(campaign.id, await tokenFor(secret, role, number), new URL(campaign.party[role].url).origin, campaign.party[role].operator);
    this.apis = Promise.all(SERVERS.map(apiOf)).then(([leader, helper]) => ({ leader, helper }));
  }
  async each(step) {
    const apis = await this.apis;
    for (const role of SERVERS) await step(apis[role], role);
  }

  // Both have to sign that they take part, each with its own key.
  checkAcceptance() {
    return this.each(async (api, role) => {
      const { operator, ed25519 } = this.campaign.party[role];
      const answer = await api.ask("GET", `${this.place}/accepted`);
      if (!answer.ok) throw new Error(t("error.not-accepted", { operator }));
      const { signature } = await answer.json();
      if (!(await isSigned(ed25519, ["accepted", this.campaign.id, role], String(signature)))) throw new Error(t("error.other-key", { operator }));
    });
  }
  // Two devices, or a browser that has forgotten, must not draw twice: both draws together would tell more.
  refuseSecondDevice() {
    return this.each(async (api) => {
      if ((await api.json(`${this.place}/answered`)).answered !== false) throw new Error(t("problem.answered-elsewhere"));
    });
  }
  // The page that both signed; null as long as there is none.
  async page() {
    const answer = await (await this.apis).leader.ask("GET", `${this.place}/page`);
    if (answer.ok) return readPage(this.campaign, await answer.json());
    if (codeOf(await readProblem(answer)) === "not-now") return null;
    throw new Error(await problem(answer));
  }
  // Who comes too late with a noisy degree can still answer.
  tellDegree(degree) {
    return this.each(async (api) => {
      const answer = await api.ask("PUT", `${this.place}/degree`, JSON.stringify({ degree }));
      if (!answer.ok && codeOf(await readProblem(answer)) !== "late") throw new Error(await problem(answer));
    });
  }
  // Hand a share over to its server, sealed to it; the server's receipt, or null if it is too late.
  async handOver(role, share) {
    const [{ x25519, ed25519, operator }, id] = [this.campaign.party[role], this.campaign.id];
    const sealed = await seal(x25519, ["share", id, role, this.number], share);
    const answer = await (await this.apis)[role].ask("PUT", `${this.place}/share`, sealed);
    if (!answer.ok) {
      if (codeOf(await readProblem(answer)) === "late") return null;
      throw new Error(await problem(answer));
    }
    const { receipt } = await answer.json();
    const label = ["receipt", id, role, this.number, hex(sha256(share))];
    if (!(await isSigned(ed25519, label, String(receipt)))) throw new Error(t("error.receipt", { operator }));
    return receipt;
  }
}
