// Popularity over time: all features faintly, those compared in colour with their bands.

function buildPopularity(section) {
  const plot = h("div", {
    class: "plot", tabindex: 0, role: "slider", "aria-label": "Time; arrow keys read the curves",
    "aria-valuemin": 0, "aria-valuemax": TIMES.length - 1, "aria-valuenow": 0,
  });
  const reading = h("div", { class: "reading", hidden: true });
  const chips = h("div", { class: "controls", role: "group", "aria-label": "Compared" });
  add(section,
    h("h2", { id: "popularity-title" }, `${capital(NOUN)}s over time`),
    h("p", { class: "note" }, `The line is the posterior mean, and the band holds 90% of the draws. Every other ${NOUN} is a `
      + "grey line; click one, or add it from the list, to compare it."),
    measureControl(), chips, h("div", { class: "chart" }, plot, reading), numbersTable());
  const show = followCursor(plot, reading);
  const redraw = drawInto(plot, (width) => show(drawCurves(plot, width)));
  onPicks(() => { chips.replaceChildren(...pickControls()); redraw(); });
  onMeasure.push(redraw);
}

// Of data from one time there is no curve: how popular each feature is, the most popular first.
function buildPopularities(section) {
  const mean = (id) => curvesOf(id, "popularity")[0][0];
  const rows = FEATURES.map(({ id }) => id).sort((a, b) => mean(b) - mean(a));
  add(section,
    h("h2", { id: "popularity-title" }, "Popularity"),
    h("p", { class: "note" }, `The share of ${DATA.object}s with each ${NOUN}: the posterior mean, and the interval that holds 90% of the draws.`),
    table([capital(NOUN), "Share", "90% interval"], rows.map((id) => {
      const [middle, low, high] = curvesOf(id, "popularity").map(([value]) => percent(value));
      return [linkTo(id), middle, `${low} to ${high}`];
    }), 3));
}

function sayPopularity(feature) {
  const [middle, low, high] = curvesOf(feature, "popularity").map(([value]) => percent(value));
  return `In ${middle} of the ${DATA.object}s (${low} to ${high}).`;
}

function drawCurves(plot, width) {
  const narrow = width < 560;
  const height = narrow ? 250 : 380;
  const left = 44, right = width - 8, top = narrow ? 12 : 34, bottom = height - 26;
  const chosen = [...picked.keys()].map((feature) => ({ feature, parts: curvesOf(feature, measure) }));
  const others = MAIN.filter(({ id }) => !isPicked(id)).map(({ id }) => ({ feature: id, mean: curvesOf(id, measure)[0] }));
  const highest = Math.max(0.01, ...chosen.map(({ parts }) => Math.max(...parts[2])), ...others.map(({ mean }) => Math.max(...mean)));
  const x = timeScale(left, right);
  const y = linear(0, Math.min(1, highest * 1.04), bottom, top);
  const grid = roundTicks(0, Math.min(1, highest * 1.04), 5).map((tick) => s("g", { "aria-hidden": "true" },
    s("line", { class: "grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }),
    s("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, percent(tick))));
  const cursorLayer = s("g", { class: "untouched", "aria-hidden": "true" });
  plot.replaceChildren(s("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": chartSentence(chosen) },
    grid, timeAxis(width, bottom, x, left, right),
    others.map(({ mean }) => s("path", { class: "context", d: linePath(x, y, mean) })),
    chosen.map(({ feature, parts }) => s("path", { class: `band ${colourOf(feature)}`, d: areaPath(x, parts[2].map(y), parts[1].map(y)) })),
    chosen.map(({ feature, parts }) => drawLine(x, y, parts[0], colourOf(feature))),
    narrow ? null : drawNames(chosen, x, y, left, right), cursorLayer));
  return {
    x,
    mark: (t, meant) => cursorLayer.replaceChildren(...(t === null ? [] : markTime(chosen, x, y, top, bottom, t, meant))),
    nearest: (t, height) => nearestOther(others, y, t, height),
  };
}

// The grey line that a place means, if it is close to one.
function nearestOther(others, y, t, height) {
  const close = others.filter(({ mean }) => mean[t] > 0).map(({ feature, mean }) => ({ feature, far: Math.abs(y(mean[t]) - height) }))
    .reduce((best, other) => (other.far < best.far ? other : best), { feature: null, far: NEAR });
  return close.feature;
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

function markTime(chosen, x, y, top, bottom, t, meant) {
  const place = x(TIMES[t]);
  const line = meant === null || isPicked(meant) ? [] : [s("path", { class: "curve meant", d: linePath(x, y, curvesOf(meant, measure)[0]) })];
  return [...line, s("line", { class: "cursor", x1: place, x2: place, y1: top, y2: bottom }),
    ...chosen.map(({ feature, parts: [mean] }) => s("circle", { class: `dot ${colourOf(feature)}`, cx: place, cy: y(mean[t]), r: 4.5 }))];
}

function chartSentence(chosen) {
  const said = chosen.map(({ feature, parts: [mean] }) => {
    const t = mean.indexOf(Math.max(...mean));
    return `${FEATURES[feature].name} is highest at ${DATA.labels[t]}, with ${percent(mean[t])}`;
  });
  return `Curves from ${DATA.labels[0]} to ${DATA.labels[TIMES.length - 1]}. ${said.join("; ")}.`;
}
