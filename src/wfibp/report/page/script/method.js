// At the top how many and how sure; at the end how it was made.

function buildFacts(holder) {
  const { level, headline, sentences } = DATA.sure;
  add(holder,
    h("section", { class: "fact" }, h("h2", {}, `How many ${NOUN}s`), countChart(), h("p", {}, DATA.howMany), prevalenceFigure()),
    h("section", { class: "fact" }, h("h2", {}, "How sure"), h("p", { class: `verdict ${level}` }, headline), h("p", {}, sentences.join(" "))));
}

// The posterior of the number of features, a bar each.
function countChart() {
  const holder = h("div", { class: "chart" });
  const counts = DATA.counts;
  const first = counts[0][0], last = counts[counts.length - 1][0];
  const best = counts.reduce((a, b) => (b[1] > a[1] ? b : a));
  const sentence = counts.length === 1 ? `${first}, fixed or certain` : `Most probably ${best[0]}, from ${first} to ${last}`;
  drawInto(holder, (width) => {
    const step = Math.min(44, (width - 8) / (last - first + 1));
    const start = (width - step * (last - first + 1)) / 2;
    const every = Math.ceil(34 / step);
    const y = linear(0, best[1], 84, 18);
    holder.replaceChildren(s("svg", { viewBox: `0 0 ${width} 104`, height: 104, role: "img", "aria-label": sentence },
      counts.map(([k, chance]) => s("rect", { class: k === best[0] ? "bar" : "bar outer", x: start + (k - first) * step + step * 0.1, width: step * 0.8, y: y(chance), height: 84 - y(chance), rx: 2 },
        s("title", {}, `${k}: probability ${chance.toFixed(3)}`))),
      s("line", { class: "axis", x1: start, x2: width - start, y1: 84, y2: 84 }),
      range(last - first + 1).filter((n) => n % every === (best[0] - first) % every).map((n) => s("text", { x: start + (n + 0.5) * step, y: 100, "text-anchor": "middle" }, String(first + n))),
      s("text", { x: start + (best[0] - first + 0.5) * step, y: y(best[1]) - 5, "text-anchor": "middle" }, percent(best[1]))));
  });
  return holder;
}

function buildMethod(section) {
  const { model, command, notes, settings, seed, versions, traces, summary, citation, bibtex } = DATA.method;
  add(section,
    h("h2", { id: "method-title" }, "Method"),
    h("p", {}, `${model}, fitted by Markov chain Monte Carlo. ${DATA.sure.sentences[0]}`),
    traces.length ? [h("h3", {}, "Traces"), h("p", { class: "note" }, "Every number of the model over the draws, a colour per chain. Chains that have converged look alike and show no trend."), h("div", { class: "traces" }, traces.map(traceFigure))] : null,
    h("h3", {}, "Diagnostics"), table(["Number", "Mean", "90% interval", "Effective draws", "R-hat"], summary, 3),
    notes.length ? [h("h3", {}, "Input data"), h("ul", {}, notes.map((line) => h("li", {}, line)))] : null,
    h("h3", {}, "Settings"), table(["Setting", "Value"], [...settings, ["seed", seed], ["versions", versions.map((pair) => pair.join(" ")).join(", ")]], 9),
    command ? [h("h3", {}, "Command"), h("pre", {}, h("code", {}, command))] : null,
    h("h3", {}, "To cite"), h("p", {}, citation), h("details", {}, h("summary", {}, "BibTeX"), h("pre", {}, h("code", {}, bibtex))));
}

function table(titles, rows, firstNumber) {
  const kind = (column) => (column >= firstNumber || (firstNumber < 9 && column === 1) ? "number" : null);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": titles.join(", ") }, h("table", {},
    h("thead", {}, h("tr", {}, titles.map((title, column) => h("th", { scope: "col", class: kind(column) }, title)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, column) => column === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: kind(column) }, cell)))))));
}

function traceFigure({ name, draws, chains }) {
  const holder = h("div", { class: "chart" });
  const low = Math.min(...chains.flat()), high = Math.max(...chains.flat()), last = Math.max(...draws.flat());
  drawInto(holder, (width) => {
    const x = linear(0, last, 4, width - 4), y = linear(low, high, 84, 8);
    const line = (values, c) => values.map((value, n) => `${n ? "L" : "M"}${x(draws[c][n]).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    holder.replaceChildren(s("svg", { viewBox: `0 0 ${width} 92`, height: 92, role: "img", "aria-label": `Trace of the ${name}, from ${short(low)} to ${short(high)}` },
      s("line", { class: "axis", x1: 0, x2: width, y1: 90, y2: 90 }),
      chains.map((values, c) => s("path", { class: `trace k${c % MOST_PICKED}`, d: line(values, c) }))));
  });
  return h("figure", {}, h("figcaption", {}, `${capital(name)}, ${short(low)} to ${short(high)}`), holder);
}

const short = (value) => (Number.isInteger(value) ? String(value) : Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(3));
