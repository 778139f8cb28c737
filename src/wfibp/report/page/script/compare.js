// What is compared, and by which measure.

let measure = DATA.measures[0].of;
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
  return h("details", {}, h("summary", {}, "Values of these curves"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), body)));
}
