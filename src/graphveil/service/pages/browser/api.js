// Requests to the collector, by the rules for clients: network errors, 5xx and 429 are tried again with the very same
// bytes, all else is final.

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

class Api {
  constructor(id, token, base = "", operator = "") {
    this.campaign = `/campaigns/${id}`;
    Object.assign(this, { token, base, operator });
  }
  async ask(method, path, body) {
    const headers = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    if (body) headers["Content-Type"] = typeof body === "string" ? "application/json" : "application/octet-stream";
    for (let wait = 1; ; wait = Math.min(30, 2 * wait)) {
      let answer = null;
      try {
        answer = await fetch(`${this.base}/api/v1${path}`, { method, headers, body, credentials: "omit" });
      } catch { /* the collector cannot be reached */ }
      if (answer && answer.status < 500 && answer.status !== 429) return answer;
      const paused = answer && codeOf(await readProblem(answer)) === "paused";
      say(paused ? "say.paused" : this.operator ? "two.unreachable" : "say.unreachable", { wait, operator: this.operator });
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

const readProblem = (answer) => answer.clone().json().catch(() => ({}));
const codeOf = (said) => String(said.type || "").split(":").at(-1);

// What the collector refused, in the reader's language where we have words for it, with the collector's own detail.
async function problem(answer) {
  const said = await readProblem(answer);
  const key = `problem.${codeOf(said)}`;
  const title = known(key) ? t(key) : said.title ? `${said.title}.` : t("problem.unknown", { status: answer.status });
  return said.detail ? `${title} (${said.detail})` : title;
}
