// This file draws the roofline: what bounds each kernel, arithmetic or memory.

// rooflineKernels returns the kernels with arithmetic, those that are alike as one.
function rooflineKernels() {
  const k = data.kernels, out = new Map();
  k.op.forEach((op, i) => {
    const runs = ops.runs[op];
    if (!k.flops[i] || !k.bytes[i] || !k.time[i] || !runs) return;
    const key = `${k.flops[i]} ${k.bytes[i]} ${k.time[i]}`;
    if (!out.has(key)) out.set(key, { op, flops: k.flops[i], bytes: k.bytes[i], seconds: k.time[i] * 1e-12, count: 0, total: 0 });
    const x = out.get(key);
    x.count += runs;
    x.total += k.time[i] * 1e-12 * runs;
  });
  return [...out.values()].sort((a, b) => b.total - a.total).slice(0, 300);
}

function drawRoofline() {
  if (!data.kernels.op.length) return;
  const box = $("roofline"), kernels = rooflineKernels();
  let width = 0, height = 0;
  const paint = () => {
    if (state.panel !== "roofline") return;
    width = Math.max(320, box.clientWidth);
    height = Math.max(230, box.clientHeight);
    box.replaceChildren(rooflinePlot(kernels, width - 20, height - 58), element("p.soft", {},
      "Predicted, not measured: a kernel lies on the lowest roof above it. Left of the corner memory bounds it, right of it arithmetic; the area of a circle is its part of the time."));
  };
  new ResizeObserver(() => { if (box.clientWidth !== width || Math.max(230, box.clientHeight) !== height) paint(); }).observe(box);
  let shown = "";
  onChange(() => { if (shown !== state.panel + state.op) { shown = state.panel + state.op; paint(); } });
}

// joinedRoofs returns the roofs, types of one peak as one.
function joinedRoofs() {
  const out = [];
  for (const r of data.machine.roofs) {
    const last = out[out.length - 1];
    if (last && last.flops === r.flops) last.name += `, ${r.name}`; else out.push({ ...r });
  }
  return out;
}

const flopsPerSecond = n => `${flopsText(n)}/s`;

function rooflinePlot(kernels, width, height) {
  const { bandwidth } = data.machine, roofs = joinedRoofs(), top = roofs[0].flops, low = roofs[roofs.length - 1].flops;
  const left = 78, right = 14, above = 14, below = 34;
  const xs = [...kernels.map(k => k.flops / k.bytes), top / bandwidth, low / bandwidth], ys = [...kernels.map(k => k.flops / k.seconds), top];
  const range = (list, n) => [Math.floor(Math.log10(Math.min(...list) / n)), Math.ceil(Math.log10(Math.max(...list) * n))];
  const [x0, x1] = range(xs, 1.5), [y0, y1] = range(ys, 1.2);
  const x = n => left + (Math.log10(n) - x0) / (x1 - x0) * (width - left - right);
  const y = n => height - below - (Math.log10(n) - y0) / (y1 - y0) * (height - above - below);
  const svg = shape("svg", { width, height, role: "img", "aria-label": `roofline of ${kernels.length} kernels: the corner of the highest roof is at ${Math.round(top / bandwidth)} operations per byte` });
  const label = (string, lx, ly, anchor, style = "") => {
    const t = shape("text", { x: lx, y: ly, "text-anchor": anchor, style });
    t.textContent = string;
    svg.append(t);
  };
  const line = (ax, ay, bx, by, style) => svg.append(shape("line", { x1: ax, y1: ay, x2: bx, y2: by, style }));
  for (let e = x0; e <= x1; e++) {
    line(x(10 ** e), above, x(10 ** e), height - below, "stroke: var(--line)");
    label(e < 0 ? (10 ** e).toFixed(-e) : grouped(10 ** e), x(10 ** e), height - below + 14, e === x1 ? "end" : "middle");
  }
  for (let e = y0; e <= y1; e++) {
    line(left, y(10 ** e), width - right, y(10 ** e), "stroke: var(--line)");
    label(flopsPerSecond(10 ** e), left - 6, y(10 ** e) + 3, "end");
  }
  label("operations per byte of memory", (left + width - right) / 2, height - 4, "middle");
  const start = 10 ** x0;
  line(x(start), y(Math.max(10 ** y0, start * bandwidth)), x(top / bandwidth), y(top), "stroke: var(--warn); stroke-width: 2");
  if (start * bandwidth < 10 ** y0) svg.lastChild.setAttribute("x1", x(10 ** y0 / bandwidth));
  const middle = Math.sqrt(Math.max(start, 10 ** y0 / bandwidth) * top / bandwidth);
  label(`memory ${bytesText(bandwidth)}/s`, x(middle) - 8, y(middle * bandwidth) - 6, "end", "fill: var(--warn)");
  roofs.forEach((r, i) => {
    line(x(r.flops / bandwidth), y(r.flops), width - right, y(r.flops), "stroke: var(--warn); stroke-width: 2");
    label(`${r.name} ${flopsPerSecond(r.flops)}`, width - right - 4, y(r.flops) + (i ? 13 : -5), "end", "fill: var(--warn)");
  });
  const total = kernels.reduce((n, k) => n + k.total, 0);
  for (const k of kernels) {
    const radius = Math.max(2.5, 34 * Math.sqrt(k.total / total));
    const tip = `${k.count > 1 ? `${grouped(k.count)} × ` : ""}${nameOf(k.op)} ${kindOf(k.op)}${layerOf(k.op) ? `, ${layerOf(k.op)}` : ""}\n${flopsText(k.flops)}, ${bytesText(k.bytes)}: ${(k.flops / k.bytes).toFixed(1)} per byte\n${timeText(k.total)}, ${percent(k.total / stepSeconds)} of the step`;
    const circle = shape("circle", {
      cx: x(k.flops / k.bytes), cy: y(k.flops / k.seconds), r: radius, tabindex: 0, role: "button", "aria-label": tip, "data-tip": tip, class: state.op === k.op ? "kernel picked" : "kernel",
    });
    circle.addEventListener("click", () => pin(k.op));
    circle.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); pin(k.op); } });
    circle.addEventListener("focus", () => { const at = circle.getBoundingClientRect(); placeTip(tip, at.right, at.bottom); });
    circle.addEventListener("blur", () => { $("tip").hidden = true; });
    svg.append(circle);
  }
  return svg;
}
