// What a person should know before they decide. What can be computed from the campaign's text is computed from it; who
// asks, why and for how long is what the operator wrote into that text, whose hash is in the invitation.

const STATED = ["controller", "contact", "purpose", "retention"];

function describe({ document: text, epsilon: exact, protocol: { answers, classes, oneEnd, suggest } }, name, cost) {
  const [terms, epsilon] = [text.terms, asFloat(exact)];
  const stated = Object.fromEntries(STATED.map((key) => [key, terms[key] || t("fact.not-stated")]));
  const sizes = cost ? { up: size(cost.upload_bits_per_user), down: size(cost.download_bits_per_user) } : null;
  const rounds = text.rounds === 1 ? t("fact.one-round") : t("fact.rounds", { n: text.rounds });
  part("title").textContent = text.title;
  showFacts([
    ["fact.asks", [stated.controller]],
    ["fact.contact", [stated.contact]],
    ["fact.purpose", [stated.purpose]],
    ["fact.you", [t("fact.you-text", { name, people: plain(text.people) })]],
    ["fact.collected", [`${text.statistic.split(",").map((each) => (known(`statistic.${each}`) ? t(`statistic.${each}`, { answers: answers?.join(", "), classes: classes?.join(", ") }) : each)).join(" ")} ${rounds}`, t("fact.protocol", { protocol: text.protocol })]],
    ["fact.promise", answers ? promiseOfAnswer(epsilon) : promise(text.unit, epsilon, oneEnd)],
    ["fact.leaves", [t("fact.leaves-text"), ...(sizes ? [t("fact.sizes", sizes)] : []), t(answers ? "question.stays" : "fact.stays")]],
    ["fact.seen", [t("fact.seen-roster", { people: plain(text.people) }), t("fact.seen-collector"), ...(text.rounds > 1 ? [t("fact.seen-published")] : []), ...(suggest ? [t("fact.seen-graph")] : [])]],
    ["fact.kept", [stated.retention, t("fact.kept-text")]],
    ["fact.withdraw", [t("fact.withdraw-text"), t("fact.charged-text", { epsilon: plain(epsilon) })]],
    ["fact.decline", [t("fact.decline-text")]],
  ]);
  part("unsaid").hidden = STATED.every((key) => terms[key]);
  part("weak").hidden = epsilon <= 5;
  part("weak").textContent = t("fact.weak", { epsilon: plain(epsilon) });
}

// The meaning of epsilon in words, which follow from the unit: a whole list, or one entry of it. With `oneEnd` only one of
// two friends says anything about the other.
function promise(unit, epsilon, oneEnd = false) {
  const values = { epsilon: plain(epsilon), twice: plain(2 * epsilon), sure: surest(epsilon), both: surest(2 * epsilon), three: surest(3 * epsilon) };
  const first = unit === "node" ? ["promise.node"] : ["promise.edge", "promise.entries"];
  return [...first, oneEnd ? "promise.one-end" : "promise.friendship", "promise.for-ever"].map((key) => t(key, values));
}

const promiseOfAnswer = (epsilon) => ["promise.answer", "promise.for-ever"].map((key) => t(key, { epsilon: plain(epsilon), sure: surest(epsilon) }));

function showFacts(rows) {
  const made = rows.flatMap(([key, paragraphs]) => {
    const [name, value] = ["dt", "dd"].map((tag) => document.createElement(tag));
    name.textContent = t(key);
    value.append(...paragraphs.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
    return [name, value];
  });
  part("facts").replaceChildren(...made);
}
