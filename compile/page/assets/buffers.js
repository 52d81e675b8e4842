// This file draws what is in memory at the peak, by layer, and when each buffer is there.

// bufferGroups returns the buffers by layer and by what they hold, the largest at the peak
// first; layers that are folded in the tree are one.
function bufferGroups() {
  const b = data.memory.buffers, groups = new Map();
  b.bytes.forEach((bytes, i) => {
    const node = b.layer[i] < 0 ? 0 : data.layers.node[b.layer[i]], what = text(b.what[i]);
    const key = `${node} ${what}`;
    if (!groups.has(key)) groups.set(key, { key, node, what, bytes: 0, all: [], open: false });
    const g = groups.get(key);
    g.all.push(i);
    if (b.peak[i]) g.bytes += bytes;
  });
  const out = [...groups.values()];
  for (const g of out) g.all.sort((x, y) => b.peak[y] * b.bytes[y] - b.peak[x] * b.bytes[x] || b.bytes[y] - b.bytes[x] || x - y);
  return out.sort((x, y) => y.bytes - x.bytes);
}

function drawBuffers() {
  const height = 24, box = $("buffers"), b = data.memory.buffers, groups = bufferGroups();
  let rows = [], at = 0;
  const listRows = () => {
    rows = groups.filter(g => g.bytes).flatMap(g => [{ group: g }, ...(g.open ? g.all.map(i => ({ buffer: i })) : [])]);
  };
  listRows();
  const list = rowList(box, height, () => rows.length, i => rows[i].group ? groupRow(rows[i].group, i === at) : bufferRow(rows[i].buffer, i === at));
  const act = i => {
    at = i;
    const { group, buffer } = rows[i];
    if (group) { group.open = !group.open; listRows(); list.draw(); return; }
    list.draw();
    if (b.op[buffer] >= 0) pin(b.op[buffer]);
  };
  box.addEventListener("click", e => {
    const row = e.target.closest(".row");
    if (row) act(Math.round(row.offsetTop / height));
  });
  byKeys(box, height, step => {
    at = Math.min(rows.length - 1, Math.max(0, at + step));
    list.show(at);
    list.draw();
  }, {
    Enter: () => act(at), " ": () => act(at),
    ArrowRight: () => { if (rows[at].group && !rows[at].group.open) act(at); },
    ArrowLeft: () => { if (rows[at].group && rows[at].group.open) act(at); },
  });
  onChange(() => {
    if (state.panel !== "memory") return;
    $("count").textContent = `${bytesText(data.totals.peak)} at the peak, op ${grouped(data.memory.peakOp)}`;
    list.draw();
  });
}

// whatColor is the colour of what memory holds, as in the header.
const whatColor = what => memoryColors[Math.max(0, data.totals.memory.findIndex(p => p.name === (what === "parameter" ? "parameters" : what)))];

function groupRow(g, focus) {
  const b = data.memory.buffers, share = data.totals.peak ? g.bytes / data.totals.peak : 0;
  return element("div.row.buffer", { role: "treeitem", "aria-level": 1, "aria-expanded": g.open, "aria-selected": focus, "data-tip": `${nodePath(g.node) || "no layer"}: ${g.what}, ${grouped(g.bytes)} bytes at the peak` },
    element("span.name", {}, element("span.caret", { "aria-hidden": true }, g.open ? "▼" : "▶"), element("span", {}, nodePath(g.node) || "no layer")),
    element("span.soft", {}, element("span.dot", { style: { background: whatColor(g.what) } }), " ", g.what),
    element("span.soft", {}, `${grouped(g.all.length)} ${g.all.length === 1 ? "buffer" : "buffers"}`),
    element("span.number", {}, `${bytesText(g.bytes)} `, element("span.soft", {}, percent(share))),
    groupShape(g.all.map(i => [b.first[i], b.last[i], b.bytes[i]]), whatColor(g.what)));
}

function bufferRow(i, focus) {
  const b = data.memory.buffers, name = text(b.name[i]), from = at(b.first[i]), to = at(b.last[i] + 1);
  const life = b.op[i] < 0 ? "there all the time" : `in memory from op ${grouped(b.first[i])} to op ${grouped(b.last[i])}`;
  return element(b.peak[i] ? "div.row.buffer" : "div.row.buffer.away", { role: "treeitem", "aria-level": 2, "aria-selected": focus, "data-tip": `${name} ${text(b.type[i])}: ${grouped(b.bytes[i])} bytes, ${life}${b.peak[i] ? "" : ", not at the peak"}` },
    element("span.name.inner", {}, b.op[i] < 0 ? name || text(b.what[i]) : name.replace(/^\w+\./, "")),
    element("span.soft", {}, b.peak[i] ? "" : "not at the peak"),
    element("span.mono", {}, text(b.type[i])),
    element("span.number", {}, bytesText(b.bytes[i])),
    lifeBar(from, to, whatColor(text(b.what[i]))));
}

// lifeBar draws a time from the start of the step, 0, to its end, 1; and the peak.
function lifeBar(from, to, color) {
  return element("span.life", { "aria-hidden": true },
    element("span.span", { style: { left: `${100 * from}%`, width: `${Math.max(.3, 100 * (to - from))}%`, background: color } }),
    element("span.peak", { style: { left: `${100 * at(data.memory.peakOp)}%` } }));
}

// groupShape draws how many bytes of a group are in memory over the step.
function groupShape(buffers, color) {
  const bins = 80, most = new Float64Array(bins + 1);
  const change = new Float64Array(count + 2);
  for (const [first, last, bytes] of buffers) { change[first] += bytes; change[last + 1] -= bytes; }
  let now = 0, high = 1;
  for (let i = 0; i < count; i++) {
    now += change[i];
    const to = Math.min(bins, Math.ceil(bins * at(i + 1)));
    for (let bin = Math.min(bins - 1, Math.floor(bins * at(i))); bin < Math.max(to, Math.floor(bins * at(i)) + 1); bin++) most[bin] = Math.max(most[bin], now);
    high = Math.max(high, now);
  }
  const points = Array.from({ length: bins }, (_, i) => `${i},${20 - 18 * most[i] / high} ${i + 1},${20 - 18 * most[i] / high}`).join(" ");
  return element("span.life", { "aria-hidden": true },
    shape("svg", { viewBox: `0 0 ${bins} 20`, preserveAspectRatio: "none" }, shape("polygon", { points: `0,20 ${points} ${bins},20`, style: `fill: ${color}` })),
    element("span.peak", { style: { left: `${100 * at(data.memory.peakOp)}%` } }));
}
