// Search by word: which features use it, and their cards.

const MOST_FOUND = 6;

function buildSearch(cards) {
  const what = NOUN === "topic" ? "word" : "column";
  const status = h("p", { class: "note", role: "status" });
  const found = h("ul", { class: "found" });
  const input = h("input", { type: "search", id: "search", autocomplete: "off", spellcheck: "false", "aria-describedby": "search-status", oninput: look });
  status.id = "search-status";
  function look() {
    wanted = input.value.trim().toLowerCase();
    const entries = wanted === "" ? [] : findNames(wanted);
    const inside = new Set(entries.flatMap(({ places }) => places.map(([feature]) => feature)));
    const holds = ({ id, words }) => inside.has(id) || words.some(([word]) => matches(word));
    showCards(cards, wanted === "" ? null : holds);
    cards.forEach((card) => card.showWords());
    found.replaceChildren(...entries.slice(0, MOST_FOUND).map(({ name, places }) => foundItem(name, places)));
    status.textContent = wanted === "" ? "" : sayFound(cards, what, input.value.trim());
  }
  return [h("div", { class: "controls", role: "search" }, h("label", { for: "search" }, `Find by ${what}`), input), status, found];
}

function findNames(start) {
  return DATA.index.filter(([name]) => name.toLowerCase().startsWith(start))
    .map(([name, ...flat]) => ({ name, places: range(flat.length / 2).map((n) => [flat[2 * n], flat[2 * n + 1]]) }))
    .sort((a, b) => a.name.length - b.name.length).slice(0, 50);
}

function foundItem(name, places) {
  if (!places.length) return h("li", {}, h("mark", {}, name), ` is spread over many ${NOUN}s`);
  return h("li", {}, h("mark", {}, name), ": ", places.map(([feature, share], n) => [n ? "; " : "", `${share}% in `, linkTo(feature)]));
}

function sayFound(cards, what, text) {
  const shown = cards.filter(({ element }) => !element.hidden).length;
  if (!shown) return `No ${NOUN} has a ${what} that begins with "${text}".`;
  return `${shown} of ${cards.length} ${NOUN}s have a ${what} that begins with "${text}".`;
}
