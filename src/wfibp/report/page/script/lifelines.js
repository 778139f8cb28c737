// Lifelines: a row per feature, as thick as its curve is high, with its beginning and end and how sure they are.

const MOST_LIVES = 40; // at first: those of the main ones that came and went most
const BY_WORDS = DATA.measures[0].of === "words";
const TOLD = BY_WORDS
  ? { begin: "first use", end: "last use", body: "share of the words, relative to its highest",
      note: "A topic is in use while it has at least a tenth of its highest share of the words. The thin line is where the model has it "
        + "at all, even in a few words only; one that runs to the edge was there before the data begin, or outlives them." }
  : { begin: "birth", end: "death", body: "popularity",
      note: `When each ${NOUN} was born and died, and how popular it was in between. A line that runs to the edge was there before `
        + "the data begin, or outlives them." };
const thickness = (f) => f.curves[DATA.measures[0].of][0];
const ORDERS = {
  birth: [TOLD.begin, (f) => (f.life.birth ? f.life.birth[1] : -Infinity)],
  death: [TOLD.end, (f) => (f.life.death ? f.life.death[1] : Infinity)],
  popularity: [BY_WORDS ? "highest share" : "popularity", (f) => -Math.max(...thickness(f))],
};

function buildLifelines(section) {
  if (!DATA.born) return section.remove();
  const chart = h("div", { class: "chart" });
  let shown = [...MAIN].sort((a, b) => b.moved - a.moved).slice(0, MOST_LIVES);
  const more = h("button", { type: "button", hidden: shown.length === FEATURES.length, onclick: () => { shown = FEATURES; more.hidden = true; redraw(); } },
    `Show all ${FEATURES.length}`);
  const select = h("select", { id: "order", onchange: () => redraw() },
    Object.entries(ORDERS).map(([key, [label]]) => h("option", { value: key }, label)));
  add(section,
    h("h2", { id: "lifelines-title" }, "Lifelines"),
    h("p", { class: "note" }, TOLD.note),
    h("div", { class: "controls" }, h("label", { for: "order" }, "Sorted by"), select), lifelineLegend(), chart, more);
  const redraw = drawInto(chart, (width) => drawLifelines(chart, width, select.value, shown));
}

function lifelineLegend() {
  const mark = (...shapes) => s("svg", { width: 34, height: 14, viewBox: "0 0 34 14", class: "row", "aria-hidden": "true" }, shapes);
  const whisker = () => s("line", { class: "whisker", x1: 2, x2: 32, y1: 7, y2: 7 });
  return h("ul", { class: "legend" },
    h("li", {}, mark(whisker(), s("circle", { class: "born", cx: 15, cy: 7, r: 4 })), `${TOLD.begin}, with 90% interval`),
    h("li", {}, mark(whisker(), cross(17, 7)), TOLD.end),
    h("li", {}, mark(s("ellipse", { class: "body", cx: 17, cy: 7, rx: 15, ry: 6 })), TOLD.body));
}

const cross = (x, y) => s("path", { class: "died", d: `M${x - 4} ${y - 4}l8 8m0-8l-8 8` });

function drawLifelines(chart, width, order, shown) {
  const narrow = width < 560;
  const rowHeight = narrow ? 44 : 30;
  const key = ORDERS[order][1];
  const rows = [...shown].sort((a, b) => key(a) - key(b) || a.id - b.id);
  const left = narrow ? 8 : Math.min(Math.max(200, 0.3 * width), 24 + Math.max(...rows.map((f) => nameWidth(f.name))));
  const right = width - 10, height = rows.length * rowHeight + 4;
  const x = timeScale(left, right);
  const highest = Math.max(...rows.flatMap(thickness), 1);
  const lines = timeTicks(right - left).map(([time]) => s("line", { class: "grid", x1: x(time), x2: x(time), y1: 0, y2: height }));
  chart.replaceChildren(s("svg", { viewBox: `0 0 ${width} ${height + 28}`, height: height + 28, role: "group", "aria-label": "Lifelines" },
    s("g", { "aria-hidden": "true" }, lines),
    rows.map((f, row) => drawLife(f, row * rowHeight, { x, left, right, width, narrow, rowHeight, highest })),
    timeAxis(width, height, x, left, right)));
}

function drawLife(f, top, { x, left, right, width, narrow, rowHeight, highest }) {
  const middle = top + (narrow ? rowHeight - 15 : rowHeight / 2);
  const full = BY_WORDS ? Math.max(...thickness(f), 1) : highest;
  const half = thickness(f).map((value) => (12 * value) / full);
  const alive = f.alive.map((chance) => chance >= 50);
  const first = alive.indexOf(true), last = alive.lastIndexOf(true);
  return s("a", { href: `#topic-${f.id}`, class: "row", "aria-label": `${f.name}. ${f.life.sentence}` },
    s("title", {}, `${f.name}. ${f.life.sentence}`),
    s("rect", { class: "hit", x: 1, y: top + 1, width: width - 2, height: rowHeight - 2, rx: 4 }),
    s("text", narrow ? { x: left, y: top + 14 } : { x: left - 14, y: middle + 4, "text-anchor": "end" }, fitName(f.name, narrow ? width - 20 : left - 30)),
    s("path", { class: "body", d: areaPath(x, half.map((v) => middle - v), half.map((v) => middle + v)) }),
    first >= 0 && s("line", { class: "life", x1: x(TIMES[first]), x2: x(TIMES[last]), y1: middle, y2: middle }) || null,
    f.life.birth && drawEnd(f.life.birth, x, left, right, middle, (place) => s("circle", { class: "born", cx: place, cy: middle, r: 4 })),
    f.life.death && drawEnd(f.life.death, x, left, right, middle, (place) => cross(place, middle)));
}

function drawEnd([low, middleTime, high], x, left, right, y, mark) {
  const inside = (time) => clamp(x(time), left, right);
  return [s("line", { class: "whisker", x1: inside(low), x2: inside(high), y1: y, y2: y }), mark(inside(middleTime))];
}

function fitName(name, width) {
  let text = name;
  while (text.length > 4 && nameWidth(text) - 20 > width) text = `${text.slice(0, -2).trimEnd()}…`;
  return text;
}
