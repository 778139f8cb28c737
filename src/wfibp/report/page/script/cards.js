// A card per feature: its words, its curve, its life, its documents, and what is related to it.

const WORDS_SHOWN = 10;
let wanted = "";
let folded = true;

// Those found, if something is looked for; else the main ones, or all.
function showCards(cards, inside = null) {
  for (const { feature, element } of cards) element.hidden = inside ? !inside(feature) : folded && !feature.main;
}

// A link may lead to a card that is not shown.
function revealTarget(cards) {
  const target = cards.find(({ element }) => `#${element.id}` === location.hash);
  if (!target || !target.element.hidden) return;
  target.element.hidden = false;
  target.element.scrollIntoView();
}

function buildCards(section) {
  const cards = FEATURES.map(buildCard);
  const rest = FEATURES.length - MAIN.length;
  const more = h("button", { type: "button", hidden: rest === 0, onclick: () => { folded = false; more.hidden = true; showCards(cards); } },
    `Show ${rest} more, in few ${DATA.object}s, in few of the draws or with few words`);
  add(section, h("h2", { id: "topics-title" }, `Every ${NOUN}`), buildSearch(cards), h("div", { class: "cards" }, cards.map(({ element }) => element)), more);
  showCards(cards);
  addEventListener("hashchange", () => revealTarget(cards));
  revealTarget(cards);
}

function buildCard(f) {
  const words = h("ol", { class: "words", "aria-label": DATA.noun === "topic" ? "Most probable words" : "Largest loadings" });
  const pick = TIMES.length === 1 ? h("span") : h("button", { type: "button", class: "pick", onclick: () => togglePick(f.id) }, "Compare");
  const showPick = () => {
    pick.className = isPicked(f.id) ? `pick ${colourOf(f.id)}` : "pick";
    pick.setAttribute("aria-pressed", isPicked(f.id));
    pick.setAttribute("aria-label", `Compare ${f.name}`);
    pick.disabled = isFull() && !isPicked(f.id);
  };
  const showWords = () => words.replaceChildren(...wordItems(f));
  onPicks(showPick);
  showWords();
  const element = h("article", { class: "card", id: `topic-${f.id}`, "aria-labelledby": `name-${f.id}` },
    h("header", {}, h("h3", { id: `name-${f.id}` }, h("span", { class: "number" }, `${capital(NOUN)} ${f.id}`), f.name), pick),
    words, cardCurve(f), h("p", { class: "note" }, DATA.born ? f.life.sentence : null, ` ${inDraws(f)}`),
    relatedTo(f.id), documentsBlock(f.id));
  return { feature: f, element, showWords };
}

const inDraws = (f) => `In ${percent(f.share)} of the draws; ${f.size < 1.5 ? `one ${DATA.object} has` : `${Math.round(f.size)} ${DATA.object}s have`} it then.${f.established ? "" : " Not established."}`;

function wordItems(f) {
  const longest = Math.max(...f.words.map(([, value]) => Math.abs(value)), 1e-12);
  return f.words.filter(([word], rank) => rank < WORDS_SHOWN || matches(word)).map(([word, value]) => h("li", {
    class: value < 0 ? "below" : null, title: DATA.noun === "topic" ? `${percent(value)} of the topic's words` : String(value),
  }, matches(word) ? h("mark", {}, word) : word, wordBar(Math.abs(value) / longest)));
}

const wordBar = (share) => s("svg", { viewBox: "0 0 100 3", preserveAspectRatio: "none", "aria-hidden": "true" },
  s("rect", { class: "bar", width: (100 * share).toFixed(1), height: 3 }));
const matches = (word) => wanted !== "" && word.toLowerCase().startsWith(wanted);

function cardCurve(f) {
  if (TIMES.length === 1) return h("p", { class: "note" }, sayPopularity(f.id));
  const holder = h("div", { class: "spark" });
  const redraw = drawInto(holder, (width) => {
    const [mean, low, high] = curvesOf(f.id, measure);
    const top = 14, bottom = 78, left = 1, right = width - 1;
    const highest = Math.max(...high, 0.001);
    const x = timeScale(left, right), y = linear(0, highest, bottom, top);
    const peak = mean.indexOf(Math.max(...mean));
    const anchor = x(TIMES[peak]) < 70 ? "start" : x(TIMES[peak]) > width - 70 ? "end" : "middle";
    holder.replaceChildren(s("svg", { viewBox: `0 0 ${width} 98`, height: 98, role: "img", class: "k0",
      "aria-label": `Highest at ${DATA.labels[peak]}, with ${percent(mean[peak])}` },
    s("path", { class: "band", d: areaPath(x, high.map(y), low.map(y)) }),
    drawLine(x, y, mean, "k0"), s("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }),
    s("text", { x: clamp(x(TIMES[peak]), 0, width), y: 10, "text-anchor": anchor }, `${percent(mean[peak])}, ${DATA.labels[peak]}`),
    s("text", { x: 0, y: 94 }, DATA.labels[0]),
    s("text", { x: width, y: 94, "text-anchor": "end" }, DATA.labels[TIMES.length - 1])));
  });
  onMeasure.push(redraw);
  return holder;
}

function relatedTo(feature) {
  const { alike, together } = DATA.related[feature];
  const line = (label, others) => others.length === 0 ? null
    : h("p", { class: "related" }, `${label}: `, others.map((other, n) => [n ? "; " : "", linkTo(other)]));
  return [line(DATA.noun === "topic" ? "Similar words" : "Similar loadings", alike), line("Often together with", together)];
}
