// The friend list: which names are on the roster, which are not and what they may mean, and a picker for the roster.
// The list is the text in the field; ticking a name in the picker writes or removes its line. Nothing of it is sent.

const MOST_SHOWN = 100; // names in the picker at a time; the search finds the others
const LIST_KEY = "graphveil-list:";
const rough = (name) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

// `numbers` rise. `matched` and `unknown` are names as they were written; nobody is their own friend.
function readFriends(text, roster, person) {
  const names = [...new Set(text.split("\n").map((line) => line.trim()).filter(Boolean))];
  const matched = names.filter((name) => roster.has(name) && roster.get(name) !== person);
  const numbers = matched.map((name) => roster.get(name)).sort((a, b) => a - b);
  return { names, matched, numbers, unknown: names.filter((name) => !roster.has(name)) };
}

class FriendList {
  constructor(roster, person, key) {
    Object.assign(this, { roster, person, key: LIST_KEY + key });
    this.byRough = new Map();
    for (const [name, number] of roster) if (number !== person) this.byRough.set(rough(name), this.byRough.has(rough(name)) ? null : name);
    part("friends").value = sessionStorage.getItem(this.key) || "";
    part("keep-list").checked = Boolean(part("friends").value);
    part("friends").addEventListener("input", () => this.changed());
    part("keep-list").addEventListener("change", () => this.changed());
    part("search").addEventListener("input", () => this.showPicker());
    part("picker").addEventListener("toggle", () => this.showPicker());
  }
  read() {
    return readFriends(part("friends").value, this.roster, this.person);
  }
  // Show what was understood; keep the list for this tab only, and only where that was asked for.
  changed() {
    if (part("keep-list").checked) sessionStorage.setItem(this.key, part("friends").value);
    else sessionStorage.removeItem(this.key);
    const { matched, unknown } = this.read();
    part("counted").textContent = t("list.counted", { matched: plain(matched.length), unknown: plain(unknown.length) });
    showNames(part("unknown"), unknown, (name) => this.suggestion(name));
    this.showPicker();
  }
  forget() {
    sessionStorage.removeItem(this.key);
    part("keep-list").checked = false;
    part("friends").value = "";
  }
  setName(name, listed) {
    const others = part("friends").value.split("\n").filter((line) => line.trim() && line.trim() !== name);
    part("friends").value = [...others, ...(listed ? [name] : [])].join("\n");
    this.changed();
  }
  // The one name on the roster that differs in nothing but capitals, spaces or width, as a button that puts it right.
  suggestion(name) {
    const meant = this.byRough.get(rough(name));
    if (!meant) return null;
    const button = document.createElement("button");
    button.className = "quiet";
    button.type = "button";
    button.textContent = t("list.meant", { name: meant });
    button.addEventListener("click", () => {
      part("friends").value = part("friends").value.split("\n").filter((line) => line.trim() !== name).join("\n");
      this.setName(meant, true);
    });
    return button;
  }
  showPicker() {
    if (!part("picker").open) return;
    const listed = new Set(this.read().matched);
    const wanted = rough(part("search").value);
    const found = [...this.roster.keys()].filter((name) => this.roster.get(name) !== this.person && rough(name).includes(wanted));
    const focused = document.activeElement?.dataset?.name;
    part("names").replaceChildren(...found.slice(0, MOST_SHOWN).map((name) => this.choice(name, listed.has(name))));
    if (focused !== undefined) [...part("names").querySelectorAll("input")].find((box) => box.dataset.name === focused)?.focus();
    part("found").textContent = t("picker.found", { shown: plain(Math.min(found.length, MOST_SHOWN)), found: plain(found.length) });
  }
  choice(name, listed) {
    const [item, label, box] = ["li", "label", "input"].map((tag) => document.createElement(tag));
    Object.assign(box, { type: "checkbox", checked: listed });
    box.dataset.name = name;
    box.addEventListener("change", () => this.setName(name, box.checked));
    label.append(box, ` ${name}`);
    item.append(label);
    return item;
  }
}

// Names as a list, each with what `extra` makes for it; a long list is cut, and says so.
function showNames(place, names, extra = () => null) {
  const items = names.slice(0, MOST_SHOWN).map((name) => {
    const item = document.createElement("li");
    item.append(...[name, extra(name)].filter((each) => each !== null).flatMap((each, i) => (i ? [" ", each] : [each])));
    return item;
  });
  if (names.length > MOST_SHOWN) {
    const more = document.createElement("li");
    more.textContent = t("list.more", { n: plain(names.length - MOST_SHOWN) });
    items.push(more);
  }
  place.replaceChildren(...items);
}
