// How elements are made. Texts always become text nodes, so nothing in the data can become markup.

const DATA = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const add = (element, ...children) => fill(element, {}, children);
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const NOUN = DATA.noun;
const FEATURES = DATA.features;
const MAIN = FEATURES.filter((feature) => feature.main);
const TIMES = DATA.times;
const byId = (id) => document.getElementById(id);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const range = (length) => Array.from({ length }, (_, index) => index);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// A share as people read it: 44%, 3.1%, < 0.1%.
function percent(share) {
  if (share > 0 && share < 0.001) return "< 0.1%";
  return `${(100 * share).toFixed(share >= 0.1 || share === 0 ? 0 : 1)}%`;
}

function linkTo(feature, text) {
  return h("a", { href: `#topic-${feature}` }, text || FEATURES[feature].name);
}

// Draw now, and again when the width of the element changes.
function drawInto(element, draw) {
  let width = 0;
  const redraw = () => {
    const now = Math.floor(element.clientWidth);
    if (now > 0 && now !== width) draw((width = now));
  };
  new ResizeObserver(redraw).observe(element);
  redraw();
  return () => { width = 0; redraw(); };
}
