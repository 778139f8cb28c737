// The documents of a feature in any period: the best of each part of the times, put together.

const SHOWN = 5;

function documentsBlock(feature) {
  const list = h("ol", { class: "documents" });
  const title = `${capital(DATA.object)}s`;
  const period = (id, label, value) => h("select", { "aria-label": `${label} for ${title.toLowerCase()} of ${FEATURES[feature].name}`, onchange: write },
    DATA.parts.map((part, n) => h("option", { value: n, selected: n === value }, part[id])));
  const from = period(0, "From", 0), to = period(1, "To", DATA.parts.length - 1);
  function write(event) {
    if (Number(from.value) > Number(to.value)) (event.target === from ? to : from).value = event.target.value;
    list.replaceChildren(...documentsOf(feature, Number(from.value), Number(to.value)));
  }
  const controls = DATA.parts.length < 2 ? null
    : h("div", { class: "controls" }, h("label", {}, "From ", from), h("label", {}, "to ", to));
  // Written when first opened: by a click or a key at once, by the browser's own search when it says so.
  const open = () => { if (!list.childElementCount) write(); };
  return h("details", { ontoggle: open }, h("summary", { onclick: open }, title), controls, list);
}

function documentsOf(feature, first, last) {
  const best = DATA.examples[feature].slice(first, last + 1).flat().sort((a, b) => b[1] - a[1]).slice(0, SHOWN);
  if (!best.length) return [h("li", {}, `No ${DATA.object} shows it in this period.`)];
  return best.map(([number, share]) => {
    const [name, label, opening] = DATA.documents[number];
    const what = DATA.object === "document" ? `${percent(share)} of it` : `probability ${share.toFixed(2)}`;
    return h("li", {}, h("b", {}, name), ` · ${label} · ${what}`, opening && h("p", { class: "opening" }, opening));
  });
}
