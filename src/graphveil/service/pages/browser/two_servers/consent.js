// What a person should know before they answer two servers, from the campaign's text.

function describeTwoServers({ document: text, epsilon: exact, entryEpsilon, party, asksDegrees, asksHubs, protocol: { answers } }, name) {
  const [terms, epsilon, hasDealer] = [text.terms, asFloat(exact), "dealer" in party];
  const stated = Object.fromEntries(STATED.map((key) => [key, terms[key] || t("fact.not-stated")]));
  const servers = Object.values(party).map(({ role, operator, url, ed25519 }) => t(`two.${role}`, { operator, host: new URL(url).host, key: ed25519 }));
  const promised = answers ? [promiseOfAnswer(epsilon)[0]] : promise("edge", asFloat(entryEpsilon)).slice(0, -1);
  part("title").textContent = text.title;
  showFacts([
    ["fact.asks", [stated.controller]],
    ["fact.contact", [stated.contact]],
    ["fact.purpose", [stated.purpose]],
    ["two.parties", [...servers, t("two.apart")]],
    ["fact.you", [t("fact.you-text", { name, people: plain(text.people) })]],
    ["fact.collected", [t(`statistic.${text.statistic}`, { answers: answers?.join(", ") })]],
    ["fact.promise", [...promised, t("two.against"), t(hasDealer ? "two.cheat" : "two.together")]],
    ["fact.leaves", [...(asksDegrees ? [t("two.leaves-degree")] : []), t("two.leaves"), ...(asksHubs ? [t("two.leaves-hubs")] : [])]],
    ["fact.seen", [t("fact.seen-roster", { people: plain(text.people) }), t("two.seen"), t("two.page")]],
    ["fact.kept", [stated.retention, t("two.kept")]],
    ["fact.withdraw", [t("two.withdraw")]],
    ["fact.decline", [t("fact.decline-text")]],
  ]);
  part("unsaid").hidden = STATED.every((key) => terms[key]);
  part("weak").hidden = epsilon <= 5;
  part("weak").textContent = t("fact.weak", { epsilon: plain(epsilon) });
}
