// Masks, seals and signatures of campaigns with two servers, as in the Python client. Every primitive is the browser's.
// A mask is AES-256 in counter mode under HMAC-SHA-256 of a key and a label; a seal is HPKE (RFC 9180) in base mode.

const HPKE = utf8("HPKE-v1");
const KEM = join(utf8("KEM"), Uint8Array.of(0, 0x20)); // X25519, HKDF-SHA256
const SUITE = join(utf8("HPKE"), Uint8Array.of(0, 0x20, 0, 1, 0, 2)); // the same, HKDF-SHA256, AES-256-GCM
const NOTHING = new Uint8Array(0);
const NO_SALT = new Uint8Array(32);

const importKey = (bytes, algorithm, use) => crypto.subtle.importKey("raw", bytes, algorithm, false, use);
const hmac = async (key, bytes) => new Uint8Array(await crypto.subtle.sign("HMAC", await importKey(key, { name: "HMAC", hash: "SHA-256" }, ["sign"]), bytes));

// Each part after its length, so that no two labels are written alike.
function labelBytes(parts) {
  const written = parts.map((part) => utf8(String(part)));
  return join(...written.flatMap((part) => [bigEndian(part.length, 4), part]));
}
function bigEndian(number, size) {
  return Uint8Array.from({ length: size }, (_, i) => Math.floor(number / 256 ** (size - 1 - i)) % 256);
}

async function maskBytes(key, label, size) {
  const own = await importKey(await hmac(key, labelBytes(label)), "AES-CTR", ["encrypt"]);
  const counter = { name: "AES-CTR", counter: new Uint8Array(16), length: 128 };
  return new Uint8Array(await crypto.subtle.encrypt(counter, own, new Uint8Array(size)));
}

const extract = (suite, salt, label, bytes) => hmac(salt, join(HPKE, suite, utf8(label), bytes));
// Of 32 bytes at most: one block of HKDF.
async function expand(suite, key, label, info, size) {
  return (await hmac(key, join(bigEndian(size, 2), HPKE, suite, utf8(label), info, Uint8Array.of(1)))).slice(0, size);
}

// Content that only the holder of an X25519 key can open, and under this label only.
async function seal(x25519, label, content) {
  const fresh = await crypto.subtle.generateKey("X25519", false, ["deriveBits"]);
  const [mine, theirs] = [new Uint8Array(await crypto.subtle.exportKey("raw", fresh.publicKey)), fromHex(x25519)];
  const agreed = { name: "X25519", public: await importKey(theirs, "X25519", []) };
  const common = new Uint8Array(await crypto.subtle.deriveBits(agreed, fresh.privateKey, 256));
  const shared = await expand(KEM, await extract(KEM, NO_SALT, "eae_prk", common), "shared_secret", join(mine, theirs), 32);
  const [id, info] = [await extract(SUITE, NO_SALT, "psk_id_hash", NOTHING), await extract(SUITE, NO_SALT, "info_hash", labelBytes(label))];
  const [secret, context] = [await extract(SUITE, shared, "secret", NOTHING), join(Uint8Array.of(0), id, info)];
  const key = await importKey(await expand(SUITE, secret, "key", context, 32), "AES-GCM", ["encrypt"]);
  const once = { name: "AES-GCM", iv: await expand(SUITE, secret, "base_nonce", context, 12) };
  return join(mine, new Uint8Array(await crypto.subtle.encrypt(once, key, content)));
}

// Whether the holder of an Ed25519 key signed a label; the signature is in hex.
async function isSigned(ed25519, label, signature) {
  if (!/^[0-9a-f]{128}$/.test(signature)) return false;
  const key = await importKey(fromHex(ed25519), "Ed25519", ["verify"]);
  return crypto.subtle.verify("Ed25519", key, fromHex(signature), labelBytes(label));
}

// The token of a person for the server of a role; the other server's cannot be computed from it.
async function tokenFor(pair, role, number) {
  const digest = await hmac(utf8(`${pair}/${role}`), utf8(`graphveil token p ${number}`));
  return `gvp.${number}.${btoa(String.fromCharCode(...digest)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// Whether this browser has all of that: it is missing in old ones, and in pages that came over plain http.
async function canSeal() {
  try {
    await crypto.subtle.generateKey("X25519", false, ["deriveBits"]);
    await crypto.subtle.generateKey("Ed25519", false, ["verify", "sign"]);
    return true;
  } catch {
    return false;
  }
}
