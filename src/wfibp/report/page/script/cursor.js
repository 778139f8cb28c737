// Reading the curves at a time: with a mouse, a finger or the arrow keys.

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -1e9, End: 1e9 };
const NEAR = 9; // pixels from a grey line within which it is meant

// Follows the pointer and the keys over `plot`; call show(place) with what drawCurves returns after every drawing.
function followCursor(plot, reading) {
  let place = null, time = null, meant = null;
  const set = (t, feature = null) => { time = t; meant = feature; show(place); };
  function move(event) {
    const step = STEPS[event.key];
    if (step) set(clamp((time === null ? (step < 0 ? TIMES.length : -1) : time) + step, 0, TIMES.length - 1));
    else if (event.key === "Escape") set(null);
    else return;
    event.preventDefault();
  }
  function point(event) {
    const box = plot.getBoundingClientRect();
    const distances = TIMES.map((t) => Math.abs(place.x(t) - (event.clientX - box.left)));
    const t = distances.indexOf(Math.min(...distances));
    set(t, place.nearest(t, event.clientY - box.top));
  }
  function show(now) {
    place = now;
    place.mark(time, meant);
    reading.hidden = time === null;
    if (time === null) return plot.removeAttribute("aria-valuetext");
    reading.replaceChildren(...readingAt(time, meant));
    const x = place.x(TIMES[time]), toLeft = x > plot.clientWidth / 2;
    reading.style.left = toLeft ? "auto" : `${x + 14}px`;
    reading.style.right = toLeft ? `${plot.clientWidth - x + 14}px` : "auto";
    plot.setAttribute("aria-valuenow", time);
    plot.setAttribute("aria-valuetext", reading.innerText.replace(/\s+/g, " "));
  }
  plot.addEventListener("keydown", move);
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", point);
  plot.addEventListener("click", () => { if (meant !== null) togglePick(meant); });
  plot.addEventListener("pointerleave", () => set(null));
  plot.addEventListener("blur", () => set(null));
  return show;
}

// The values of what is compared at a time, the highest first, and of the grey line that is pointed at.
function readingAt(t, meant) {
  const shown = meant === null || isPicked(meant) ? [...picked.keys()] : [...picked.keys(), meant];
  const rows = shown.map((feature) => {
    const [mean, low, high] = curvesOf(feature, measure).map((part) => part[t]);
    return { feature, mean, low, high };
  }).sort((a, b) => b.mean - a.mean);
  return [h("b", {}, DATA.labels[t]), ...rows.map(({ feature, mean, low, high }) => h("div", { class: isPicked(feature) ? colourOf(feature) : "meant" },
    h("span", { class: "swatch" }), ` ${FEATURES[feature].name} `,
    h("span", { class: "value" }, `${percent(mean)} (${percent(low)} to ${percent(high)})`)))];
}
