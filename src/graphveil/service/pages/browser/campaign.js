// What a page is told, checked: a campaign's text against the hash in the invitation, the roster and publications
// against theirs. Probabilities, scales and the promise are computed from that text here, never taken from elsewhere.

const PROTOCOLS = {
  "degree-distribution|veil|node": { build: veilDegrees, parameters: "max_degree,places,ratio,set_share,singles" },
  "degree-distribution|veil-quantiles|node": { build: veilDegrees, parameters: "max_degree,places,ratio,set_share,singles" },
  "degree-distribution|veil|edge": { build: noisyDegrees, parameters: "ratio,singles" },
  "triangles|veil|edge": { build: veilTriangles, parameters: "degree_share" },
  "triangles|veil-two-rounds|edge": { build: twoRoundTriangles, parameters: "" },
  "triangles|veil-low-download|edge": { build: twoRoundTriangles, parameters: "pairs_one_in" },
};
const NEEDS_COMMAND = "This campaign's protocol needs the command-line client: graphveil collect join, with your invitation as it is.";

function readInvitation(address) {
  const match = /^\/join\/([0-9a-f]{64})$/.exec(address.pathname);
  const [name, token = ""] = address.hash.slice(1).split(":");
  if (!match || !name) throw new Error("This address is not an invitation: it should end in #NAME:TOKEN.");
  return { id: match[1], name: decodeURIComponent(name), token };
}

function readCampaign(bytes, id) {
  if (hex(sha256(bytes)) !== id) throw new Error("The collector sent another campaign than the one you were invited to.");
  const document = JSON.parse(new TextDecoder().decode(bytes));
  const known = PROTOCOLS[`${document.statistic}|${document.protocol}|${document.unit}`];
  if (document.format !== 1 || !known || Object.keys(document.parameters).sort().join() !== known.parameters) throw new Error(NEEDS_COMMAND);
  const epsilon = readFraction(document.epsilon);
  if (less(epsilon, fraction(1n, 10n ** 12n)) || less(fraction(10_000n), epsilon)) throw new Error("The campaign's epsilon is out of range.");
  const protocol = known.build(epsilon, BigInt(document.people), document.parameters);
  if (protocol.rounds !== document.rounds) throw new Error(NEEDS_COMMAND);
  return { id, document, epsilon, protocol };
}

function readRoster(campaign, bytes) {
  const names = new TextDecoder().decode(bytes).split("\n").slice(0, -1);
  const fits = hex(sha256(bytes)) === campaign.document.terms.roster && names.length === campaign.document.people;
  if (!fits) throw new Error("The collector sent another roster than the one the campaign was published with.");
  return new Map(names.map((name, number) => [name, number]));
}

// Numbers of the friends on the roster, rising; other names are left out, and nobody is their own friend.
function readFriends(text, roster, person) {
  const names = new Set(text.split("\n").map((line) => line.trim()).filter(Boolean));
  const numbers = [...names].map((name) => roster.get(name)).filter((number) => number !== undefined && number !== person);
  return { numbers: numbers.sort((a, b) => a - b), unknown: [...names].filter((name) => !roster.has(name)).length };
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
