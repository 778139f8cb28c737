// Popularity over time: all features faintly, those compared in colour with their bands.

let measure = DATA.measures[0].of;
let cursor = null;

function buildPopularity(section) {
  const chart = h("div", { class: "chart" });
  const plot = h("div", {
    tabindex: 0, role: "slider", "aria-label": "Time; arrow keys read the curves", "aria-valuemin": 0,
    "aria-valuemax": TIMES.length - 1, "aria-valuenow": 0, onkeydown: moveCursor, onpointermove: pointCursor,
    onpointerdown: pointCursor, onpointerleave: () => setCursor(null), onblur: () => setCursor(null),
  });
  const reading = h("div", { class: "reading", hidden: true });
  const chips = h("div", { class: "controls", role: "group", "aria-label": "Compared" });
  chart.append(plot, reading);
  add(section,
    h("h2", { id: "popularity-title" }, "Popularity over time"),
    h("p", { class: "note" }, `The line is the posterior mean, and the band holds 90% of the draws. Every ${NOUN} is a `
      + "grey line; pick some to compare them."),
    measureControl(), chips, chart, numbersTable());

  let place = null;
  const draw = (width) => {
    place = drawCurves(plot, width);
    showCursor();
  };
  const redraw = drawInto(plot, draw);

  function setCursor(t) { cursor = t; showCursor(); }
  function moveCursor(event) {
    const last = TIMES.length - 1;
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    const now = cursor === null ? (step < 0 ? last + 1 : -1) : cursor;
    if (step) setCursor(clamp(now + step, 0, last));
    else if (event.key === "Home") setCursor(0);
    else if (event.key === "End") setCursor(last);
    else if (event.key === "Escape") setCursor(null);
    else return;
    event.preventDefault();
  }
  function pointCursor(event) {
    if (!place) return;
    const x = event.clientX - plot.getBoundingClientRect().left;
    const distances = TIMES.map((time) => Math.abs(place.x(time) - x));
    setCursor(distances.indexOf(Math.min(...distances)));
  }
  function showCursor() {
    if (place) place.mark(cursor);
    reading.hidden = cursor === null;
    if (cursor === null) return plot.removeAttribute("aria-valuetext");
    reading.replaceChildren(...readingAt(cursor));
    const x = place.x(TIMES[cursor]);
    const toLeft = x > plot.clientWidth / 2;
    reading.style.left = toLeft ? "auto" : `${x + 14}px`;
    reading.style.right = toLeft ? `${plot.clientWidth - x + 14}px` : "auto";
    plot.setAttribute("aria-valuenow", cursor);
    plot.setAttribute("aria-valuetext", reading.innerText.replace(/\s+/g, " "));
  }
  onPicks(() => { chips.replaceChildren(...pickControls()); redraw(); });
  onMeasure.push(redraw);
}

const onMeasure = [];

function measureControl() {
  if (DATA.measures.length < 2) return null;
  const select = h("select", {
    id: "measure",
    onchange: (event) => { measure = event.target.value; onMeasure.forEach((listener) => listener()); },
  }, DATA.measures.map(({ of, label }) => h("option", { value: of }, label)));
  return h("div", { class: "controls" }, h("label", { for: "measure" }, "Shown"), select);
}

// A chip to remove each that is compared, and a list to add others.
function pickControls() {
  const chips = [...picked.keys()].map((feature) => h("button", {
    type: "button", class: `chip ${colourOf(feature)}`, onclick: () => togglePick(feature),
    "aria-label": `Remove ${FEATURES[feature].name}`,
  }, h("span", { class: "swatch" }), FEATURES[feature].name));
  const others = FEATURES.filter(({ id }) => !isPicked(id));
  const select = h("select", {
    "aria-label": `Add a ${NOUN} to compare`, id: "add", disabled: isFull() || !others.length,
    onchange: (event) => { togglePick(Number(event.target.value)); byId("add").focus(); },
  }, h("option", { value: "" }, isFull() ? `${MOST_PICKED} at most` : `Add a ${NOUN} …`),
  others.map(({ id, name }) => h("option", { value: id }, name)));
  return [...chips, select];
}

function readingAt(t) {
  const rows = [...picked.keys()].map((feature) => {
    const [mean, low, high] = curvesOf(feature, measure).map((part) => part[t]);
    return { feature, mean, low, high };
  }).sort((a, b) => b.mean - a.mean);
  return [h("b", {}, DATA.labels[t]), ...rows.map(({ feature, mean, low, high }) => h("div", { class: colourOf(feature) },
    h("span", { class: "swatch" }), ` ${FEATURES[feature].name} `,
    h("span", { class: "value" }, `${percent(mean)} (${percent(low)} to ${percent(high)})`)))];
}

function drawCurves(plot, width) {
  const narrow = width < 560;
  const height = narrow ? 250 : 380;
  const left = 44, right = width - 8, top = narrow ? 12 : 34, bottom = height - 26;
  const chosen = [...picked.keys()].map((feature) => ({ feature, parts: curvesOf(feature, measure) }));
  const all = FEATURES.filter(({ id }) => !isPicked(id)).map(({ id }) => curvesOf(id, measure)[0]);
  const highest = Math.max(0.01, ...chosen.map(({ parts }) => Math.max(...parts[2])), ...all.map((m) => Math.max(...m)));
  const x = timeScale(left, right);
  const y = linear(0, Math.min(1, highest * 1.04), bottom, top);
  const grid = roundTicks(0, Math.min(1, highest * 1.04), 5).map((tick) => s("g", { "aria-hidden": "true" },
    s("line", { class: "grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }),
    s("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, percent(tick))));
  const cursorLayer = s("g", { "aria-hidden": "true" });
  plot.replaceChildren(s("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": chartSentence(chosen) },
    grid, timeAxis(width, bottom, x, left, right),
    all.map((mean) => s("path", { class: "context", d: linePath(x, y, mean) })),
    chosen.map(({ feature, parts }) => s("path", { class: `band ${colourOf(feature)}`, d: areaPath(x, parts[2].map(y), parts[1].map(y)) })),
    chosen.map(({ feature, parts }) => drawLine(x, y, parts[0], colourOf(feature))),
    narrow ? null : drawNames(chosen, x, y, left, right), cursorLayer));
  return { x, mark: (t) => cursorLayer.replaceChildren(...(t === null ? [] : markTime(chosen, x, y, top, bottom, t))) };
}

// With few times each has a dot: between them nothing was measured.
function drawLine(x, y, mean, colour) {
  const dots = TIMES.length > 15 ? [] : TIMES.map((time, t) => s("circle", { class: `dot ${colour}`, cx: x(time), cy: y(mean[t]), r: 4 }));
  return s("g", {}, s("path", { class: `curve ${colour}`, d: linePath(x, y, mean) }), dots);
}

function drawNames(chosen, x, y, left, right) {
  const points = chosen.map(({ feature, parts: [mean] }) => {
    const t = mean.indexOf(Math.max(...mean));
    return { feature, x: x(TIMES[t]), y: y(mean[t]), width: nameWidth(FEATURES[feature].name) };
  });
  const curves = chosen.map(({ parts: [mean] }) => mean.map((value, t) => ({ x: x(TIMES[t]), y: y(value) })));
  return placeNames(points, curves, left, right).map((place) => s("g", { class: colourOf(place.feature), "aria-hidden": "true" },
    place.y - place.base > 2 * NAME_HEIGHT && s("line", { class: "leader", x1: place.x, x2: place.x, y1: place.y, y2: place.base + 3 }) || null,
    s("text", { class: "name", x: place.start, y: place.base }, s("tspan", { class: "mark" }, "● "), FEATURES[place.feature].name)));
}

function markTime(chosen, x, y, top, bottom, t) {
  const place = x(TIMES[t]);
  return [s("line", { class: "cursor", x1: place, x2: place, y1: top, y2: bottom }),
    ...chosen.map(({ feature, parts: [mean] }) => s("circle", { class: `dot ${colourOf(feature)}`, cx: place, cy: y(mean[t]), r: 4.5 }))];
}

function chartSentence(chosen) {
  const said = chosen.map(({ feature, parts: [mean] }) => {
    const t = mean.indexOf(Math.max(...mean));
    return `${FEATURES[feature].name} is highest at ${DATA.labels[t]}, with ${percent(mean[t])}`;
  });
  return `Curves from ${DATA.labels[0]} to ${DATA.labels[TIMES.length - 1]}. ${said.join("; ")}.`;
}

// The same numbers as a table, for those who would rather read them.
function numbersTable() {
  const body = h("tbody"), head = h("tr");
  const few = TIMES.length <= 14 ? range(TIMES.length) : range(12).map((n) => Math.round((n * (TIMES.length - 1)) / 11));
  const write = () => {
    head.replaceChildren(h("th", { scope: "col" }, "Time"), ...[...picked.keys()].map((id) => h("th", { scope: "col", class: "number" }, FEATURES[id].name)));
    body.replaceChildren(...few.map((t) => h("tr", {}, h("th", { scope: "row" }, DATA.labels[t]),
      [...picked.keys()].map((id) => h("td", { class: "number" }, percent(curvesOf(id, measure)[0][t]))))));
  };
  onPicks(write);
  onMeasure.push(write);
  return h("details", {}, h("summary", {}, "The numbers of these curves"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), body)));
}
