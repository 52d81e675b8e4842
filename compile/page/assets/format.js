// This file writes numbers for people, and makes elements.

function scaled(n, units, step) {
  let i = 0;
  while (n >= step && i < units.length - 1) { n /= step; i++; }
  const digits = i === 0 || n >= 100 ? 0 : n >= 10 ? 1 : 2;
  return `${n.toFixed(digits)} ${units[i]}`;
}
const bytesText = n => scaled(n, ["B", "kB", "MB", "GB", "TB", "PB"], 1000);
const flopsText = n => scaled(n, ["flop", "kflop", "Mflop", "Gflop", "Tflop", "Pflop", "Eflop"], 1000);
const grouped = n => n.toLocaleString("en-US");

function timeText(s) {
  if (s === 0) return "0 s";
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]]) {
    if (s >= size) { const n = s / size; return `${n.toFixed(n >= 100 ? 0 : n >= 10 ? 1 : 2)} ${unit}`; }
  }
  return `${(s / 1e-9).toFixed(s < 1e-8 ? 1 : 0)} ns`;
}

const percent = x => x > 0 && x < .001 ? "<0.1 %" : `${(100 * x).toFixed(x < .1 ? 1 : 0)} %`;

// spanText writes a time, or the part of the step where the machine has no scale.
const spanText = s => data.machine.scale ? timeText(s) : stepSeconds ? percent(s / stepSeconds) : "";

// element makes an element: element("div.row", {title: "x"}, "text", child).
function element(tag, properties, ...children) {
  const [name, ...classes] = tag.split(".");
  const e = document.createElement(name || "div");
  e.classList.add(...classes);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === "style") for (const [k, v] of Object.entries(value)) e.style.setProperty(k, v);
    else if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) e.setAttribute(key, value);
  }
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}

// shape makes an SVG element.
function shape(tag, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

const $ = id => document.getElementById(id);
const axisColor = a => `var(--axis${a % 8})`;

// setBackground returns the CSS background of a set of axes: stripes of their
// colours.
function setBackground(set) {
  if (set.length === 1) return axisColor(set[0]);
  const width = 4;
  const stops = set.map((a, i) => `${axisColor(a)} ${i * width}px ${(i + 1) * width}px`);
  return `repeating-linear-gradient(135deg, ${stops.join(", ")})`;
}

// bar makes a bar of parts {value, background, title} against a total.
function bar(parts, total, tag = "div.bar") {
  return element(tag, {}, ...parts.filter(p => p.value > 0).map(p =>
    element("span", { style: { width: `${100 * p.value / total}%`, background: p.background }, "data-tip": p.title })));
}

// copy puts text on the clipboard and says so on the button.
async function copy(button, line) {
  try {
    await navigator.clipboard.writeText(line);
  } catch { // not allowed for pages that are opened as files, in some browsers
    const area = element("textarea", { style: { position: "fixed", opacity: 0 } });
    area.value = line;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const before = button.textContent;
  button.textContent = "copied";
  setTimeout(() => { button.textContent = before; }, 1200);
}

const copyButton = (label, line) =>
  element("button.button", { type: "button", title: line, onclick: e => copy(e.currentTarget, line) }, label);
