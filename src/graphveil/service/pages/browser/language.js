// Texts in the reader's language. `MESSAGES` is put in front: for each language the same keys with the same {places}.

const LANGUAGE_KEY = "graphveil-language";
let language = chooseLanguage();
let followed = false; // whether the campaign asks whom people follow: some texts then have a form of their own

function chooseLanguage() {
  let chosen = null;
  try { chosen = localStorage.getItem(LANGUAGE_KEY); } catch { /* a page without storage */ }
  const wanted = [chosen, ...(navigator.languages || [])].filter(Boolean).map((name) => name.slice(0, 2).toLowerCase());
  return wanted.find((name) => name in MESSAGES) || "en";
}

function t(key, values = {}) {
  const text = (followed && MESSAGES[language][`followed.${key}`]) || (MESSAGES[language][key] ?? key);
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}
const known = (key) => key in MESSAGES[language];
const plain = (number) => number.toLocaleString(language, { maximumSignificantDigits: 5 });
const moment = (text) => new Date(text).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

// A size in words, from bits.
function size(bits) {
  const bytes = Math.ceil(bits / 8);
  if (bytes < 1000) return t("size.bytes", { n: plain(bytes) });
  return bytes < 1e6 ? t("size.kilobytes", { n: plain(Math.ceil(bytes / 1000)) }) : t("size.megabytes", { n: plain(Math.ceil(bytes / 1e5) / 10) });
}

// How sure somebody can be at most who was undecided, rounded up to a tenth of a per cent.
function surest(epsilon) {
  const share = 1000 / (1 + Math.exp(-epsilon));
  return share > 999 ? t("surest.nearly") : `${plain(Math.ceil(share - 1e-9) / 10)} %`;
}

// Fill the texts of the page that depend on nothing else.
function fillTexts() {
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  document.title = `${t("page.title")} · graphveil`;
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = t(each.dataset.text);
  for (const each of document.querySelectorAll("[data-language]")) each.setAttribute("aria-pressed", String(each.dataset.language === language));
}
