// Which features are compared, each in a colour of its own for as long as it is.

const MOST_PICKED = 7;
const picked = new Map();
const listeners = [];

const onPicks = (listener) => listeners.push(listener);
const tellPicks = () => listeners.forEach((listener) => listener());
const isPicked = (feature) => picked.has(feature);
const isFull = () => picked.size >= MOST_PICKED;
const colourOf = (feature) => `k${picked.get(feature)}`;

function togglePick(feature) {
  if (picked.has(feature)) picked.delete(feature);
  else if (!isFull()) {
    const used = new Set(picked.values());
    picked.set(feature, range(MOST_PICKED).find((colour) => !used.has(colour)));
  }
  tellPicks();
}

// To begin with: those that came and went most.
function pickFirst(count) {
  [...MAIN].sort((a, b) => b.moved - a.moved).slice(0, count).forEach((feature) => picked.set(feature.id, picked.size));
}
