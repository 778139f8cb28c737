// Where the name of a curve stands so that it is read at once and hides no other.

const NAME_HEIGHT = 16;
const NAME_ROOM = 6;

const CROSSING = 45; // a name on a curve costs as much as one that is raised by so many pixels

// Boxes for names above points, each over its point or to a side of it, raised over the names before it, and over the
// curves too unless that would carry it far away.
// points: [{feature, x, y, width}], curves: [[{x, y}]], all in pixels with y growing downwards.
function placeNames(points, curves, left, right) {
  const taken = [];
  return [...points].sort((a, b) => a.y - b.y).map((point) => {
    const boxes = [0.5, 0, 1].flatMap((part) => {
      const start = clamp(point.x - part * point.width, left, Math.max(left, right - point.width));
      const box = { start, end: start + point.width, base: point.y - NAME_ROOM, cost: 0 };
      return [raiseName(box, curves, taken), raiseName({ ...box, cost: CROSSING }, [], taken)];
    });
    const box = boxes.reduce((best, other) => (other.base - other.cost > best.base - best.cost ? other : best));
    taken.push(box);
    return { ...point, ...box };
  });
}

function raiseName(box, curves, taken) {
  let base = box.base;
  for (const curve of curves) {
    for (const { x, y } of curve) if (x > box.start && x < box.end) base = Math.min(base, y - NAME_ROOM);
  }
  for (;;) {
    const blocking = taken.filter((other) => box.start < other.end && other.start < box.end
      && base - NAME_HEIGHT < other.base && other.base - NAME_HEIGHT < base);
    if (!blocking.length) return { ...box, base };
    base = Math.min(...blocking.map((other) => other.base - NAME_HEIGHT));
  }
}

// The width of a name in pixels, in the page's own font.
function nameWidth(text) {
  const context = (nameWidth.canvas ||= document.createElement("canvas")).getContext("2d");
  context.font = `600 12.5px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width + 20;
}
