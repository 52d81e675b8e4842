// This file draws tensors: how each is cut over the mesh.

const storyOf = v => data.values.story[v];
const runsAs = v => data.shardings[data.values.runs[v]];

// layoutText writes a layout: for each dimension the axes that cut it, in their
// colours, and a dot where none does.
function layoutText(sharding) {
  const out = element("span.layout.mono", {}, "[");
  sharding.dims.forEach((cuts, d) => {
    if (d) out.append(", ");
    if (!cuts.length) out.append("·");
    cuts.forEach((c, i) => out.append(i ? "+" : "", element("span", { style: { color: axisColor(c.axis) } }, c.text)));
  });
  out.append("]");
  if (sharding.unreduced) out.append(" partial along ", ...axisNames(sharding.unreduced));
  return out;
}

// sameCut reports whether two layouts give a device the same part.
const sameCut = (a, b) => JSON.stringify([a.dims, a.unreduced]) === JSON.stringify([b.dims, b.unreduced]);

const axisNames = list => list.flatMap((a, i) => [i ? ", " : "", element("span", { style: { color: axisColor(a) } }, data.mesh.axes[a].name)]);

// copiedAlong returns the axes along which devices hold the same.
function copiedAlong(sharding) {
  const used = new Set([...sharding.dims.flat().map(c => c.axis), ...(sharding.unreduced || [])]);
  return data.mesh.axes.map((_, a) => a).filter(a => data.mesh.axes[a].size > 1 && !used.has(a));
}

// shownDims returns the two dimensions that are drawn, rows and columns: those
// that are cut, then the largest.
function shownDims(dims, cuts) {
  const order = dims.map((_, d) => d).sort((a, b) => (cuts[b].length > 0) - (cuts[a].length > 0) || dims[b] - dims[a] || a - b);
  const shown = order.slice(0, 2).sort((a, b) => a - b);
  return shown.length === 1 ? [shown[0], -1] : shown.length ? shown : [-1, -1];
}

// tiles draws a tensor of the sizes dims as a rectangle that is cut into the
// parts of the devices; the first device's is filled. Copies stand behind it.
function tiles(dims, sharding) {
  const width = 92, height = dims.length > 2 ? 74 : 66, left = 15, top = 12, copies = Math.min(2, copiedAlong(sharding).length);
  const [rowDim, columnDim] = shownDims(dims, sharding.dims);
  const cutsOf = d => d < 0 ? [] : sharding.dims[d];
  const w = width - left - 8, h = 46;
  const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${dims.join("x")} cut as ${sharding.text}` });
  const rectangle = (x, y, rw, rh, style) => svg.append(shape("rect", { x, y, width: rw, height: rh, rx: 1.5, style }));
  for (let i = copies; i > 0; i--) rectangle(left + 3 * i, top + 3 * i, w, h, "fill: var(--raised); stroke: var(--faint); stroke-width: .7");
  rectangle(left, top, w, h, "fill: var(--panel); stroke: var(--soft); stroke-width: 1");
  const parts = cuts => cuts.reduce((n, c) => n * c.parts, 1);
  const fill = { width: w / parts(cutsOf(columnDim)), height: h / parts(cutsOf(rowDim)) };
  rectangle(left, top, fill.width, fill.height, "fill: var(--accent); opacity: .35");
  const lines = (cuts, length, draw) => {
    for (let at = cuts.length; at > 0; at--) { // the major axis on top
      const c = cuts[at - 1], n = parts(cuts.slice(0, at));
      const step = Math.max(1, Math.ceil(n / 24)); // the lines would run into each other
      for (let i = step; i < n; i += step) draw(i * length / n, axisColor(c.axis));
    }
  };
  const line = (x1, y1, x2, y2, color) => svg.append(shape("line", { x1, y1, x2, y2, style: `stroke: ${color}; stroke-width: 1.4` }));
  lines(cutsOf(rowDim), h, (y, color) => line(left, top + y, left + w, top + y, color));
  lines(cutsOf(columnDim), w, (x, color) => line(left + x, top, left + x, top + h, color));
  const size = (d, x, y, more) => {
    if (d < 0) return;
    const t = shape("text", { x, y, "text-anchor": "middle", style: `font-size: 8.5px; fill: ${cutsOf(d).length ? axisColor(cutsOf(d)[0].axis) : "var(--soft)"}`, ...more });
    t.textContent = dims[d];
    svg.append(t);
  };
  if (columnDim >= 0) size(columnDim, left + w / 2, 8);
  size(rowDim, 0, 0, { transform: `translate(9 ${top + h / 2}) rotate(-90)` });
  if (dims.length > 2) {
    const t = shape("text", { x: left + w, y: height - 1, "text-anchor": "end", style: "font-size: 8px; fill: var(--faint)" });
    t.textContent = `dims ${rowDim}, ${columnDim} of ${dims.length}`;
    svg.append(t);
  }
  return svg;
}
