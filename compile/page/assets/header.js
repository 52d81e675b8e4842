// This file draws the header: the program, its mesh, and the tiles.

// themeButton changes between light, dark and the system's colours.
function themeButton() {
  const next = { "": "dark", dark: "light", light: "" };
  const theme = element("button.button", { type: "button", title: "light, dark, or as the system (t)", onclick: () => change({ theme: next[state.theme] }) });
  onChange(() => {
    document.documentElement.dataset.theme = state.theme;
    theme.textContent = { "": "◐ auto", dark: "● dark", light: "○ light" }[state.theme];
  });
  return theme;
}

function drawProgram() {
  const { devices } = data.totals;
  $("program").append(
    element("div", {},
      element("h1", {}, side ? `${side.toUpperCase()}: ` : "", data.program || "program"),
      element("p", {}, `${grouped(count)} ops on ${devices === 1 ? "1 device" : `each of ${grouped(devices)} devices`}${data.machine.scale ? `, ${data.machine.name}` : ""}`),
      pair ? drawSides() : null,
      element("div.buttons", {}, themeButton(), element("button.button", { type: "button", title: "keys (?)", onclick: showHelp }, "? keys"))),
    drawMesh());
}

// drawMesh draws the devices as a grid: the last axis to the right, the one
// before it downwards, others as further grids.
function drawMesh() {
  const axes = data.mesh.axes, limit = 8;
  if (!axes.length) return element("span");
  const columns = axes[axes.length - 1], rows = axes.length > 1 ? axes[axes.length - 2] : null;
  const blocks = axes.slice(0, -2).reduce((n, a) => n * a.size, 1);
  const nx = Math.min(columns.size, limit), ny = rows ? Math.min(rows.size, limit / 2) : 1;
  const cell = Math.max(15, Math.min(22, Math.floor(112 / nx), Math.floor(62 / ny)));
  const left = rows ? 15 : 2, top = 15, width = left + nx * cell + 2, height = top + ny * cell + (blocks > 1 ? 15 : 2);
  const svg = shape("svg", { id: "mesh", width: Math.max(width, 60), height, role: "img", "aria-label": `mesh ${axes.map(a => `${a.name}=${a.size}`).join(", ")}` });
  const name = (a, x, y, more) => {
    const t = shape("text", { x, y, class: "axisname", style: `fill: ${axisColor(a)}`, ...more });
    t.textContent = `${axes[a].name} ${axes[a].size}`;
    svg.append(t);
  };
  const line = (a, x1, y1, x2, y2) => svg.append(shape("line", { x1, y1, x2, y2, style: `stroke: ${axisColor(a)}; stroke-width: 2.5` }));
  name(axes.length - 1, left, 9);
  line(axes.length - 1, left, 12.5, left + nx * cell - 2, 12.5);
  if (rows) {
    const middle = top + ny * cell / 2;
    const label = shape("g", { transform: `translate(8 ${middle}) rotate(-90)` });
    const t = shape("text", { "text-anchor": "middle", class: "axisname", style: `fill: ${axisColor(axes.length - 2)}` });
    t.textContent = ny * cell < 40 ? String(rows.size) : `${rows.name} ${rows.size}`;
    label.append(t);
    svg.append(label);
    line(axes.length - 2, left - 2.5, top, left - 2.5, top + ny * cell - 2);
  }
  for (let y = 0; y < ny; y++) {
    for (let x = 0; x < nx; x++) {
      const cut = x === nx - 1 && columns.size > nx || rows && y === ny - 1 && rows.size > ny;
      const position = y * columns.size + x;
      svg.append(shape("rect", { x: left + x * cell, y: top + y * cell, width: cell - 2, height: cell - 2, rx: 2.5, style: "fill: var(--panel); stroke: var(--line)" }));
      const t = shape("text", { x: left + x * cell + (cell - 2) / 2, y: top + y * cell + (cell - 2) / 2 + 3, "text-anchor": "middle" });
      t.textContent = cut ? "…" : data.mesh.devices ? data.mesh.devices[position] : position;
      svg.append(t);
    }
  }
  if (blocks > 1) {
    const t = shape("text", { x: left, y: height - 3 });
    axes.slice(0, -2).forEach((a, i) => {
      const s = shape("tspan", { class: "axisname", style: `fill: ${axisColor(i)}` });
      s.textContent = `× ${a.name} ${a.size} `;
      t.append(s);
    });
    svg.append(t);
  }
  return svg;
}

// legend lists parts, the largest first, those of no value left out.
const legend = parts => element("div.legend", {}, ...parts.filter(p => p.value > 0).sort((a, b) => b.value - a.value).map(p =>
  element("span", { "data-tip": p.title }, element("span.dot", { style: { background: p.background } }), p.name, " ", element("b", {}, p.text))));

function tile(title, value, more, parts, total, note) {
  return element("div.tile.panel", { "data-tip": note }, element("h3", {}, title),
    element("div.value", {}, value, more ? element("small", {}, more) : null), bar(parts, total), legend(parts));
}

const memoryColors = ["var(--axis6)", "var(--axis5)", "var(--axis3)", "var(--axis7)", "var(--axis4)", "var(--faint)", "var(--compute)"];

function drawTiles() {
  const t = data.totals, m = data.machine;
  const bySet = data.axisSets.map(() => ({ bytes: 0, seconds: 0, count: 0 }));
  let compute = 0;
  for (let i = 0; i < count; i++) {
    if (!sends(i)) { compute += seconds[i]; continue; }
    const s = bySet[ops.axes[i]];
    s.bytes += sentBytes(i); s.seconds += seconds[i]; s.count++;
  }
  const sets = bySet.map((s, i) => ({ ...s, name: data.axisTexts[i], background: setBackground(data.axisSets[i]) }));
  sets.sort((a, b) => b.bytes - a.bytes);
  const overlap = stepSeconds > 1.005 * t.seconds ? ` Its parts one after the other would take ${timeText(stepSeconds)}: collectives run beside kernels.` : "";
  const machine = m.scale ? `Nothing is measured. Machine ${m.name}: ${flopsText(m.flops)}/s; ` + data.mesh.axes.map((a, i) =>
    `along ${a.name} ${bytesText(m.links[i].bandwidth)}/s after ${timeText(m.links[i].latency)}`).join("; ") + "." + overlap
    : "Parts of a step in which ops run one after the other. Name a machine to see times: gospmd explain -machine v5e:2x4";
  const timeParts = [{ name: "compute", value: compute, background: "var(--compute)" },
    ...sets.map(s => ({ name: s.name, value: s.seconds, background: s.background }))]
    .map(p => ({ ...p, text: spanText(p.value), title: `${p.name}: ${percent(p.value / stepSeconds)} of the step` }));
  const byteParts = sets.map(s => ({ name: s.name, value: s.bytes, background: s.background, text: bytesText(s.bytes), title: `${s.count} collectives along ${s.name} send ${grouped(s.bytes)} bytes` }));
  const memoryParts = t.memory.map((p, i) => ({ name: p.name, value: p.bytes, background: memoryColors[i], text: bytesText(p.bytes), title: `${p.name}: ${grouped(p.bytes)} bytes` }));
  const most = timeParts.reduce((a, b) => b.value > a.value ? b : a, timeParts[0]), loops = t.loopsUnknown ? "one turn of each loop of unknown length" : "";
  $("tiles").append(
    m.scale ? tile("Predicted step time", timeText(t.seconds), loops, timeParts, stepSeconds || 1, machine)
      : tile("Where the time goes", stepSeconds ? percent(most.value / stepSeconds) : "–", stepSeconds ? most.name : loops, timeParts, stepSeconds || 1, machine),
    tile("Bytes sent", bytesText(t.bytes), `in ${grouped(t.collectives)} collectives`, byteParts, t.bytes || 1, "by a device in a step"),
    tile("Peak memory", bytesText(t.peak), m.memory ? `of ${bytesText(m.memory)}` : "", memoryParts, Math.max(t.peak, m.memory || 0),
      m.memory ? "of a device" : "of a device; the bar is all of it, because the memory of the machine is not given"),
    t.speedUp ? efficiencyTile(t.speedUp.total, t.speedUp.arithmetic, t.devices) : tile("Arithmetic", flopsText(t.flops), "on a device", [], 1));
}

function efficiencyTile(faster, arithmetic, devices) {
  const part = (name, value, background, title) => ({ name, value, background, text: `${(100 * value / devices).toFixed(0)} %`, title });
  const lost = Math.max(0, arithmetic - faster), repeated = Math.max(0, devices - arithmetic);
  return tile("Efficiency", `${(100 * faster / devices).toFixed(0)} %`, `${faster < .1 ? faster.toPrecision(2) : faster.toFixed(2)}× one device`, [
    part("used", faster, "var(--good)", `a step takes ${(1 / faster).toFixed(3)} of the time on one device`),
    part("sending", lost, "var(--axis1)", "lost to communication"),
    part("repeated", repeated < .005 * devices ? 0 : repeated, "var(--faint)", "arithmetic that several devices do alike, or that is padding"),
  ], Math.max(devices, faster), `of what ${devices} devices could do`);
}
