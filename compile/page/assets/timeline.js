// This file draws the time axis: a band of layers, a row of arithmetic, a row
// for each axis of the mesh, and what is in memory, all in program order.

const gutter = 84;
const timeline = { rows: [], height: 0, width: 0, colors: {}, drawing: 0 };

// at returns where op i begins on the time axis, from 0 to 1; at(count) is 1.
function at(i) {
  return state.order || !stepSeconds ? i / count : begins[i] / stepSeconds;
}
const toX = p => gutter + (p - state.view[0]) / (state.view[1] - state.view[0]) * (timeline.width - gutter);
const fromX = x => state.view[0] + (x - gutter) / (timeline.width - gutter) * (state.view[1] - state.view[0]);

// firstAt returns the first op that ends behind p.
function firstAt(p) {
  let low = 0, high = count;
  while (low < high) {
    const middle = low + high >> 1;
    if (at(middle + 1) <= p) low = middle + 1; else high = middle;
  }
  return low;
}

// spans are the stretches of ops of one layer and phase, by level: the
// outermost layers, then those inside. A few ops of another layer between do
// not end a stretch.
const spans = [0, 1].map(level => {
  const out = [], gap = 4;
  for (let i = 0; i < count; i++) {
    const parts = layerOf(i).split("/"), label = parts[level];
    if (!label) continue;
    const key = `${ops.phase[i]} ${parts.slice(0, level + 1).join("/")}`, last = out[out.length - 1];
    if (last && last.key === key && i - last.end <= gap) last.end = i + 1;
    else {
      if (last && last.end - last.start < 2 && i - last.end <= 1) out.pop();
      out.push({ key, label, phase: ops.phase[i], start: i, end: i + 1 });
    }
  }
  return out;
});

function layoutRows() {
  const rows = [];
  let y = 24;
  const add = (name, height, more) => { rows.push({ name, y, height, ...more }); y += height + 4; };
  for (const level of [0, 1]) if (spans[level].length) { add(level ? "" : "layers", 16, { spans: spans[level] }); y -= 2; }
  y += 2;
  add("compute", 28, { ops: ops.kind.map((_, i) => i).filter(i => !sends(i)) });
  const used = data.mesh.axes.map((a, i) => i).filter(i => data.axisSets.some(s => s.includes(i)));
  const height = used.length > 4 ? 14 : 22;
  for (const a of used) add(data.mesh.axes[a].name, height, { axis: a, ops: ops.kind.map((_, i) => i).filter(i => sends(i) && data.axisSets[ops.axes[i]].includes(a)) });
  if (data.memory) add("memory", 92, { memory: true });
  timeline.rows = rows;
  timeline.height = y + 2;
}

// styleColor returns what a colour of the styles is at present.
function styleColor(name) {
  return timeline.colors[name] ||= (() => {
    const probe = element("span", { style: { color: `var(--${name})`, display: "none" } });
    document.body.append(probe);
    const color = getComputedStyle(probe).color;
    probe.remove();
    return color;
  })();
}

function drawTimeline() {
  layoutRows();
  const canvas = $("canvas");
  canvas.style.height = `${timeline.height}px`;
  canvas.setAttribute("aria-label", "The step in program order: layers, arithmetic, what is sent along each axis of the mesh, memory. The list below has the same ops.");
  const button = (label, tip, run) => element("button.button", { type: "button", "data-tip": tip, onclick: run }, label);
  const order = button("", "time: as predicted; order: every op is as wide (o)", () => change({ order: !state.order, view: [0, 1] }));
  $("zoom").append(order, button("−", "zoom out (s)", () => zoomBy(1 / .7)), button("+", "zoom in (w)", () => zoomBy(.7)), button("all", "the whole step (0)", () => change({ view: [0, 1] })));
  new ResizeObserver(() => paintSoon()).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { timeline.colors = {}; paintSoon(); });
  let theme = state.theme;
  onChange(() => {
    order.textContent = state.order ? "order" : "time";
    if (theme !== state.theme) { theme = state.theme; timeline.colors = {}; }
    paintSoon();
  });
  listenTimeline(canvas);
}

function paintSoon() {
  if (timeline.drawing) return;
  timeline.drawing = requestAnimationFrame(() => { timeline.drawing = 0; paint(); });
}

function paint() {
  const canvas = $("canvas"), scale = devicePixelRatio || 1;
  timeline.width = canvas.clientWidth;
  canvas.width = Math.round(timeline.width * scale);
  canvas.height = Math.round(timeline.height * scale);
  const c = canvas.getContext("2d");
  c.scale(scale, scale);
  c.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  c.textBaseline = "middle";
  paintRuler(c);
  for (const row of timeline.rows) {
    c.fillStyle = styleColor("soft");
    c.textAlign = "left";
    if (row.axis !== undefined) {
      c.fillStyle = styleColor(`axis${row.axis % 8}`);
      c.fillRect(10, row.y + row.height / 2 - 4, 8, 8);
      c.fillStyle = styleColor("soft");
    }
    c.fillText(shortened(c, row.name, gutter - (row.axis !== undefined ? 30 : 16)), row.axis !== undefined ? 23 : 10, row.y + row.height / 2);
    c.save();
    c.beginPath();
    c.rect(gutter, 0, timeline.width - gutter, timeline.height);
    c.clip();
    if (row.spans) paintSpans(c, row); else if (row.memory) paintMemory(c, row); else paintOps(c, row);
    c.restore();
  }
  paintPin(c);
}

// ticks returns round numbers of units between a and b, n of them about.
function ticks(a, b, n) {
  const rough = (b - a) / n, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(m => m * power).find(s => s >= rough);
  const out = [];
  for (let i = Math.ceil(a / step); i * step <= b; i++) out.push(i * step);
  return out;
}

function paintRuler(c) {
  const total = state.order || !stepSeconds ? count : stepSeconds;
  const write = state.order || !stepSeconds ? n => grouped(Math.round(n)) : spanText;
  c.textAlign = "center";
  for (const t of ticks(state.view[0] * total, state.view[1] * total, Math.max(2, (timeline.width - gutter) / 90))) {
    const x = toX(t / total);
    c.fillStyle = styleColor("line");
    c.fillRect(Math.round(x), 20, 1, timeline.height - 24);
    if (x > gutter + 14 && x < timeline.width - 170) {
      c.fillStyle = styleColor("soft");
      c.fillText(write(t), x, 12);
    }
  }
}

function shortened(c, label, width) {
  if (c.measureText(label).width <= width) return label;
  let n = Math.floor(width / 6);
  while (n > 1 && c.measureText(label.slice(0, n) + "…").width > width) n--;
  return n > 1 ? label.slice(0, n) + "…" : "";
}

function paintSpans(c, row) {
  c.textAlign = "left";
  for (const s of row.spans) {
    const x = toX(at(s.start)), w = toX(at(s.end)) - x;
    if (x > timeline.width || x + w < gutter || w < .2) continue;
    c.fillStyle = styleColor(phases[s.phase]);
    c.fillRect(x, row.y, Math.max(.5, w - (w > 3 ? 1 : 0)), row.height);
    const from = Math.max(x, gutter), label = w > 22 ? shortened(c, s.label, x + w - from - 8) : "";
    c.fillStyle = styleColor("ink");
    if (label) c.fillText(label, from + 4, row.y + row.height / 2 + .5);
  }
}

// paintOps paints a row of ops. Ops that are narrower than a pixel run into
// each other.
function paintOps(c, row) {
  const mask = matching(), all = matchingOps().length === count;
  c.textAlign = "left";
  for (const i of row.ops) {
    const x = toX(at(i));
    if (x > timeline.width) break;
    const wide = toX(at(i + 1)) - x, w = row.axis !== undefined ? Math.max(wide, 1.5) : wide;
    if (x + w < gutter || w < .02) continue;
    c.globalAlpha = all || mask[i] ? 1 : .13;
    const name = row.axis !== undefined ? `axis${row.axis % 8}` : isProduct(i) ? "product" : "compute";
    c.fillStyle = styleColor(name);
    c.fillRect(x, row.y, w - (w > 4 ? 1 : 0), row.height);
    if (w > 44) {
      const label = shortened(c, row.axis !== undefined ? `${kindOf(i)} ${bytesText(sentBytes(i))}` : kindOf(i), w - 10);
      c.fillStyle = styleColor("panel");
      c.fillText(label, Math.max(x, gutter) + 5, row.y + row.height / 2 + .5);
    }
  }
  c.globalAlpha = 1;
}

// paintMemory paints what is in memory: below what is there all the time, above
// it what lives for a part of the step; and the peak.
function paintMemory(c, row) {
  const { live, fixed, peakOp } = data.memory, device = data.machine.memory;
  const peak = data.totals.peak, top = device && device < 1.6 * peak ? device * 1.04 : peak * 1.12;
  const y = n => row.y + row.height * (1 - n / top);
  let below = 0;
  fixed.forEach((bytes, i) => {
    c.fillStyle = styleColor(memoryColors[i].slice(6, -1));
    c.globalAlpha = .55;
    c.fillRect(gutter, y(below + bytes), timeline.width - gutter, y(below) - y(below + bytes));
    below += bytes;
  });
  c.globalAlpha = 1;
  const columns = memoryColumns(live);
  c.beginPath();
  c.moveTo(gutter, y(below));
  columns.forEach((n, i) => { c.lineTo(gutter + i, y(below + n)); c.lineTo(gutter + i + 1, y(below + n)); });
  c.lineTo(timeline.width, y(below));
  c.closePath();
  c.fillStyle = styleColor("compute");
  c.globalAlpha = .45;
  c.fill();
  c.globalAlpha = 1;
  c.strokeStyle = styleColor("compute");
  c.lineWidth = 1;
  c.stroke();
  paintLevel(c, y(peak), `peak ${bytesText(peak)}`, toX(at(peakOp)), row);
  if (device && device <= top) paintLevel(c, y(device), `device ${bytesText(device)}`, -1, row);
}

// memoryColumns returns for each column of pixels the most that is in memory.
function memoryColumns(live) {
  const out = new Float64Array(Math.max(1, timeline.width - gutter));
  for (let i = firstAt(state.view[0]); i < count; i++) {
    const from = Math.floor(toX(at(i)) - gutter), to = Math.ceil(toX(at(i + 1)) - gutter);
    if (from >= out.length) break;
    for (let x = Math.max(0, from); x < Math.min(out.length, Math.max(to, from + 1)); x++) out[x] = Math.max(out[x], live[i]);
  }
  return out;
}

function paintLevel(c, y, label, x, row) {
  c.save();
  c.strokeStyle = c.fillStyle = styleColor("warn");
  c.setLineDash([4, 3]);
  c.beginPath();
  c.moveTo(gutter, Math.round(y) + .5);
  c.lineTo(timeline.width, Math.round(y) + .5);
  if (x >= gutter) { c.moveTo(x, y); c.lineTo(x, row.y + row.height); }
  c.stroke();
  c.setLineDash([]);
  if (x >= gutter && x <= timeline.width) { c.beginPath(); c.arc(x, y, 3, 0, 7); c.fill(); }
  c.textAlign = "right";
  const width = c.measureText(label).width;
  const right = x > timeline.width - width - 20 ? x - 10 : timeline.width - 8;
  c.fillText(label, right, y - 7 < row.y - 2 ? y + 8 : y - 7);
  c.restore();
}

function paintPin(c) {
  if (state.op < 0) return;
  const x = toX(at(state.op)), w = Math.max(1.5, toX(at(state.op + 1)) - x);
  if (x + w < gutter || x > timeline.width) return;
  c.fillStyle = styleColor("accent");
  c.globalAlpha = .16;
  c.fillRect(Math.max(gutter, x), 20, w, timeline.height - 24);
  c.globalAlpha = 1;
  c.fillRect(Math.max(gutter, x) - .75, 20, 1.5, timeline.height - 24);
  c.beginPath();
  c.moveTo(x - 5, 17); c.lineTo(x + 5, 17); c.lineTo(x, 23);
  c.fill();
}
