// The page itself: shows what a visit comes to, and runs what is pressed. The list never leaves the page.

const part = (id) => document.getElementById(id);
const SECTIONS = ["list", "suggestions", "question", "check", "answer", "elsewhere", "declined"];
let said = ["say.loading", {}, false]; // to be said again in another language
let visit = null;
let busy = false;

function say(key, values = {}, wrong = false) {
  said = [key, values, wrong];
  part("message").textContent = key ? t(key, values) : "";
  part("message").className = wrong ? "error" : "";
}
function show(...ids) {
  for (const id of SECTIONS) part(id).hidden = !ids.includes(id);
}

// Run a step; buttons wait for it, and what goes wrong is said.
async function attempt(step) {
  busy = true;
  for (const button of document.querySelectorAll("main button")) button.disabled = true;
  try {
    await step();
  } catch (error) {
    say(error.message, {}, true);
  } finally {
    busy = false;
    for (const button of document.querySelectorAll("main button")) button.disabled = false;
  }
}

function speak(chosen) {
  language = chosen;
  localStorage.setItem(LANGUAGE_KEY, chosen);
  fillTexts();
  if (visit?.told) {
    visit.describe();
    if (!part("answer").hidden) visit.offer(visit.diary.read(), visit.offered);
    if (visit.suggested?.length) visit.showSuggested();
    if (!part("check").hidden) visit.check();
    if (!part("declined").hidden) visit.showDeclined(visit.diary.read());
  }
  say(...said);
}

async function begin() {
  forgetLists();
  const invitation = readInvitation(location);
  const secret = (invitation.token || prompt(t("page.token")) || "").trim();
  if (!secret) throw new Error(t("error.token"));
  const pair = /^gv2\.(\d{1,9})\..+$/.exec(secret); // from which the tokens of two servers follow; shown to neither
  if (pair && !(await canSeal())) throw new Error(t("error.old-browser"));
  const api = new Api(invitation.id, pair ? await tokenFor(secret, LEADER, Number(pair[1])) : secret);
  const text = new Uint8Array(await (await api.get(api.campaign)).arrayBuffer());
  const campaign = readCampaign(text, invitation.id);
  if (Boolean(campaign.party) !== Boolean(pair)) throw new Error(t("error.invitation"));
  fillTexts();
  const roster = readRoster(campaign, await api.content(`${api.campaign}/roster`));
  const number = roster.get(invitation.name);
  if (number === undefined) throw new Error(t("error.not-invited"));
  const diary = new Diary(campaign, invitation.name, number);
  const person = { name: invitation.name, number };
  const { answers } = campaign.protocol;
  const list = answers ? new AnswerChoice(answers) : new FriendList(roster, number, diary.key);
  visit = pair ? await visitTwoServers(campaign, secret, diary, list, person) : new Visit(campaign, api, diary, list, person);
  for (const [id, step] of Object.entries({
    draw: () => visit.check(),
    "draw-answer": () => visit.draw(),
    confirm: () => visit.draw(),
    back: () => visit.step(),
    suggest: () => visit.suggest(),
    send: () => visit.send(),
    "take-over": () => visit.takeOver(),
    "decline-list": () => visit.decline(),
    "decline-question": () => visit.decline(),
    "decline-answer": () => visit.decline(),
    reconsider: () => visit.reconsider(),
  })) part(id).addEventListener("click", () => attempt(step));
  window.addEventListener("storage", (event) => { if (event.key === diary.key && !busy) attempt(() => visit.step()); });
  await visit.step();
}

for (const button of document.querySelectorAll("[data-language]")) button.addEventListener("click", () => speak(button.dataset.language));
fillTexts();
say(...said);
attempt(begin);
