// How many features at least so many objects have, with a band.

function prevalenceFigure() {
  const holder = h("div", { class: "chart" });
  const rows = DATA.prevalence;
  const most = rows[rows.length - 1][0], highest = Math.max(...rows.map((row) => row[3]), 1);
  const there = rows.find(([level]) => level >= DATA.established) || rows[rows.length - 1];
  const sentence = `${Math.round(rows[0][1])} in at least one ${DATA.object}, ${Math.round(there[1])} in at least ${DATA.established}`;
  drawInto(holder, (width) => {
    const left = 30, right = width - 6, bottom = 98, top = 20;
    const scale = linear(0, Math.log(Math.max(most, 2)), left, right), y = linear(0, highest, bottom, top);
    const x = (level) => scale(Math.log(level));
    const points = (column) => rows.flatMap((row, n) => [[row[0], row[column]], [(rows[n + 1] || row)[0], row[column]]])
      .map(([level, value]) => `${x(level).toFixed(1)} ${y(value).toFixed(1)}`);
    const at = x(Math.min(DATA.established, most)), late = at > (left + right) / 2;
    holder.replaceChildren(s("svg", { viewBox: `0 0 ${width} 118`, height: 118, role: "img", class: "k0", "aria-label": sentence },
      roundTicks(0, highest, 3, 1).map((tick) => s("g", {}, s("line", { class: "grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }),
        s("text", { x: left - 5, y: y(tick) + 4, "text-anchor": "end" }, String(tick)))),
      s("path", { class: "band", d: `M${[...points(3), ...points(2).reverse()].join("L")}Z` }),
      s("path", { class: "curve", d: `M${points(1).join("L")}` }),
      s("line", { class: "axis", x1: at, x2: at, y1: top, y2: bottom, "stroke-dasharray": "4 3" }),
      s("text", { x: at + (late ? -4 : 4), y: 11, "text-anchor": late ? "end" : "start" }, `${DATA.established} or more`),
      s("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }),
      [1, 10, 100, 1000, 10000, 100000, 1000000].filter((level) => level <= most).map((level) => s("text", { x: x(level), y: 112, "text-anchor": level === 1 ? "start" : x(level) > right - 16 ? "end" : "middle" }, String(level)))));
  });
  return h("figure", {}, holder, h("figcaption", {}, `${capital(NOUN)}s in at least so many ${DATA.object}s, with a 90% band`));
}
