// What a page is told, checked: a campaign's text against the hash in the invitation, the roster and publications
// against theirs. Probabilities, scales and the promise are computed from that text here, never taken from elsewhere.

const PROTOCOLS = {
  "degree-distribution|veil|node": { build: veilDegrees, parameters: "max_degree,places,ratio,set_share,singles" },
  "degree-distribution|veil-quantiles|node": { build: veilDegrees, parameters: "max_degree,places,ratio,set_share,singles" },
  "degree-distribution|veil|edge": { build: noisyDegrees, parameters: "ratio,singles" },
  "out-degree-distribution|veil|node": { build: veilDegrees, parameters: "max_degree,places,ratio,set_share,singles", followed: true },
  "out-degree-distribution|veil|edge": { build: noisyDegrees, parameters: "ratio,singles", followed: true },
  "attribute-shares|veil|node": { build: askQuestion, parameters: "values" },
  "class-rows|veil|edge": { build: classRows, parameters: "classes,labels,roles,table" },
  "friend-suggestions|veil|edge": { build: friendSuggestions, parameters: "" },
  "triangles|veil|edge": { build: veilTriangles, parameters: "degree_share" },
  "triangles|veil-two-rounds|edge": { build: twoRoundTriangles, parameters: "" },
  "triangles|veil-low-download|edge": { build: twoRoundTriangles, parameters: "pairs_one_in" },
  "degree-distribution,triangle-sequence,clustering,triangles|veil|edge": { build: jointVeil, parameters: "degree_share,method,salt" },
};

// The protocol of a campaign; one that collects several statistics also collects two or more of them.
function findProtocol({ statistic, protocol, unit }) {
  const names = statistic.split(",");
  const fits = (key) => {
    const [offered, ...rest] = key.split("|");
    return rest.join("|") === `${protocol}|${unit}` && names.length > 1 && names.every((name) => offered.split(",").includes(name));
  };
  return PROTOCOLS[`${statistic}|${protocol}|${unit}`] || PROTOCOLS[Object.keys(PROTOCOLS).find(fits)];
}

function readInvitation(address) {
  const match = /^\/join\/([0-9a-f]{64})$/.exec(address.pathname);
  const [name, token = ""] = address.hash.slice(1).split(":");
  if (!match || !name) throw new Error(t("error.invitation"));
  return { id: match[1], name: decodeURIComponent(name), token };
}

function readCampaign(bytes, id) {
  if (hex(sha256(bytes)) !== id) throw new Error(t("error.campaign"));
  const document = JSON.parse(new TextDecoder().decode(bytes));
  if (document.format === "two-servers-1") return readTwoServers(id, document);
  const known = findProtocol(document);
  if (document.format !== 1 || !known || Object.keys(document.parameters).sort().join() !== known.parameters) throw new Error(t("error.command"));
  checkWords(document);
  const epsilon = readFraction(document.epsilon);
  if (less(epsilon, fraction(1n, 10n ** 12n)) || less(fraction(10_000n), epsilon)) throw new Error(t("error.epsilon"));
  const protocol = known.build(epsilon, BigInt(document.people), document.parameters);
  if (protocol.rounds !== document.rounds) throw new Error(t("error.command"));
  followed = Boolean(known.followed);
  return { id, document, epsilon, protocol };
}

// An operator's words must not look like lines of this page: each is one line, of letters that are shown as they stand.
const LONGEST = { title: 200, term: 2000 };
const isLine = (text) => typeof text === "string" && !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(text);
function checkWords({ title, terms }) {
  const said = [[title, LONGEST.title], ...Object.entries(terms).flat().map((text) => [text, LONGEST.term])];
  if (!said.every(([text, longest]) => isLine(text) && [...text].length <= longest)) throw new Error("the campaign has a text that is not one readable line");
}

function readRoster(campaign, bytes) {
  const names = new TextDecoder().decode(bytes).split("\n").slice(0, -1);
  const fits = hex(sha256(bytes)) === campaign.document.terms.roster && names.length === campaign.document.people;
  if (!fits) throw new Error(t("error.roster"));
  return new Map(names.map((name, number) => [name, number]));
}

// The compact form of a report: mark, version, campaign, round, user, length of the payload, payload.
function encodeReport(id, round, person, payload) {
  const head = new DataView(new ArrayBuffer(48));
  [0x47, 0x56, 1].forEach((byte, i) => head.setUint8(i, byte));
  fromHex(id).forEach((byte, i) => head.setUint8(3 + i, byte));
  head.setUint8(35, round);
  head.setBigUint64(36, BigInt(person));
  head.setUint32(44, payload.length);
  return join(new Uint8Array(head.buffer), payload);
}
