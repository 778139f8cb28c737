// From numbers to places on paper.

function linear(from, to, start, end) {
  const step = to === from ? 0 : (end - start) / (to - from);
  return (value) => (step === 0 ? (start + end) / 2 : start + (value - from) * step);
}

// Round numbers within a range, at most about `most` of them.
function roundTicks(low, high, most, least = 0) {
  const span = high - low || 1;
  if (span / most < least) return range(Math.floor(high) - Math.ceil(low) + 1).map((n) => Math.ceil(low) + n);
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= most);
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * span; n += 1) ticks.push(n * step);
  return ticks.map((tick) => Number(tick.toPrecision(12)));
}

// Places and labels along the axis of time; labels that are no numbers stand at times of the data.
function timeTicks(width) {
  const most = Math.max(2, Math.floor(width / 90));
  const last = TIMES.length - 1;
  if (last === 0) return [[TIMES[0], DATA.labels[0]]];
  if (DATA.numbers) return roundTicks(TIMES[0], TIMES[last], most, DATA.years ? 1 : 0).map((tick) => [tick, String(tick)]);
  const room = (TIMES[last] - TIMES[0]) / most;
  const chosen = [0];
  TIMES.forEach((time, t) => { if (time - TIMES[chosen[chosen.length - 1]] >= room) chosen.push(t); });
  return chosen.map((t) => [TIMES[t], DATA.labels[t]]);
}

const timeScale = (start, end) => linear(TIMES[0], TIMES[TIMES.length - 1], start, end);

// A line through the values; it touches 0 but does not run along it.
function linePath(x, y, values) {
  const alive = values.map((value, t) => value > 0 || values[t - 1] > 0 || values[t + 1] > 0);
  let path = "";
  values.forEach((value, t) => {
    if (alive[t]) path += `${alive[t - 1] ? "L" : "M"}${x(TIMES[t]).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return path;
}

function areaPath(x, top, bottom) {
  const points = TIMES.map((time, t) => `${x(time).toFixed(1)} ${top[t].toFixed(1)}`);
  const back = TIMES.map((time, t) => `${x(time).toFixed(1)} ${bottom[t].toFixed(1)}`).reverse();
  return `M${[...points, ...back].join("L")}Z`;
}

// The mean, low and high curves of a feature, as shares.
function curvesOf(feature, measure) {
  return FEATURES[feature].curves[measure].map((part) => part.map((value) => value / DATA.fineness));
}

function timeAxis(width, height, x, left, right) {
  const ticks = timeTicks(right - left).map(([time, label]) => {
    const place = x(time);
    const anchor = place > right - 20 && label.length > 4 ? "end" : place < left + 20 && label.length > 4 ? "start" : "middle";
    return s("g", {},
      s("line", { class: "axis", x1: place, x2: place, y1: height, y2: height + 5 }),
      s("text", { x: place, y: height + 19, "text-anchor": anchor }, label));
  });
  return s("g", { "aria-hidden": "true" }, s("line", { class: "axis", x1: left, x2: right, y1: height, y2: height }), ticks);
}
