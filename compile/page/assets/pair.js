// This file draws two programs beside each other: what each costs, its memory over the
// step, and what differs.

function drawPair() {
  const box = $("both");
  document.body.classList.add("pair");
  document.querySelector("main").hidden = $("header").hidden = true;
  box.hidden = false;
  const { diff, sides } = pair;
  box.append(
    element("div.top", {}, element("h1", {}, `${diff.a.program || "program"}: A and B`), drawSides(), element("div.buttons", {}, themeButton())),
    element("div.sides", {}, ...sides.map((s, i) => sidePanel(s, i ? diff.b : diff.a, "AB"[i]))),
    changesTable("What changes", diff.totals.map(shownTotal).filter(Boolean)),
    changesTable("Bytes sent, by collective", diff.collectives.map(bytesChange)),
    changesTable("Bytes sent, by layer", diff.layers.map(bytesChange)),
    changesTable("Memory at the peak", diff.memory.map(bytesChange)),
    layoutsTable(diff.layouts));
}

// sidePanel draws the figures of a side; bars and curves have one scale for both.
function sidePanel(s, about, name) {
  const bars = (title, value, key, most) => element("div.figure", {}, element("h3", {}, title), element("div.value", {}, value),
    bar([{ value: key(s), background: "var(--accent)", title: `${title}: ${value}` }], most || 1));
  const most = key => Math.max(...pair.sides.map(key));
  const scaled = s.scale, time = x => x.seconds;
  return element("article.panel", { "aria-label": name },
    element("div.head", {}, element("h2", {}, name), element("span.soft", {}, `mesh ${about.mesh}, ${grouped(about.devices)} devices${scaled ? `, ${s.machine}` : ""}`)),
    element("div.figures", {},
      scaled ? bars("Predicted step time", timeText(s.seconds), time, most(time)) : bars("Step time", `${(100 * s.seconds / most(time)).toFixed(0)} % of the longer`, time, most(time)),
      bars("Bytes sent", `${bytesText(s.bytes)}, ${grouped(s.collectives)} collectives`, x => x.bytes, most(x => x.bytes)),
      bars("Peak memory", bytesText(s.peak), x => x.peak, most(x => x.peak)),
      bars("Arithmetic", flopsText(s.flops), x => x.flops, most(x => x.flops))),
    element("h3", {}, "memory over the step"), curveShape(s, most(x => x.peak)));
}

// curveShape draws what is in memory over the step: below what is there all the time.
function curveShape(s, most) {
  const n = s.curve.length || 1, y = bytes => 60 - 56 * bytes / (most || 1);
  const points = s.curve.map((bytes, i) => `${i},${y(bytes)} ${i + 1},${y(bytes)}`).join(" ");
  return shape("svg", { class: "curve", viewBox: `0 0 ${n} 60`, preserveAspectRatio: "none", role: "img", "aria-label": `memory over the step, ${bytesText(s.peak)} at the peak` },
    shape("polygon", { points: `0,60 ${points} ${n},60`, style: "fill: var(--compute)" }),
    shape("rect", { x: 0, y: y(s.fixed), width: n, height: 60 - y(s.fixed), style: "fill: var(--axis5)" }));
}

// changeRow is a row: the name, both figures, and by how much B differs.
const changeRow = (name, a, b, write, counts) => ({ name, a: write(a), b: write(b), by: a === b ? "the same" : !a ? "new" : !b ? "gone" : `${b > a ? "+" : "−"}${percent(Math.abs(b - a) / a)}`, better: b < a, worse: b > a, counts });

function shownTotal(c) {
  const scaled = pair.sides.every(s => s.scale);
  switch (c.name) {
    case "time": return changeRow("predicted time", c.a, c.b, scaled ? n => timeText(n * 1e-9) : () => "");
    case "flops": return changeRow("arithmetic", c.a, c.b, flopsText);
    case "collectives": return changeRow(c.name, c.a, c.b, grouped);
  }
  return changeRow(c.name, c.a, c.b, bytesText);
}

const bytesChange = c => changeRow(c.name, c.a, c.b, bytesText, c.count_a || c.count_b ? `${grouped(c.count_a || 0)} → ${grouped(c.count_b || 0)}` : "");

function pairTable(title, heads, rows) {
  return element("div.panel.table", {}, element("div.head", {}, element("h2", {}, title)),
    element("table", {}, element("thead", {}, element("tr", {}, ...heads.map(h => element("th", { scope: "col" }, h)))), element("tbody", {}, ...rows)));
}

function changesTable(title, list) {
  if (!list.length) return "";
  const counts = list.some(c => c.counts);
  return pairTable(title, ["", "A", "B", "", ...counts ? ["collectives"] : []], list.map(c => element("tr", {}, element("th", { scope: "row" }, c.name),
    element("td", {}, c.a), element("td", {}, c.b), element("td", { class: c.better ? "better" : c.worse ? "worse" : "soft" }, c.by), counts ? element("td", {}, c.counts || "") : null)));
}

function layoutsTable(list) {
  if (!list.length) return "";
  const most = 40;
  const rows = list.slice(0, most).map(l => element("tr", {}, element("th", { scope: "row" }, l.name), element("td.mono", {}, l.a || "–"), element("td.mono", {}, l.b || "–"),
    element("td", {}, `${bytesText(l.bytes_a)} → ${bytesText(l.bytes_b)}`)));
  return pairTable(`Layouts that differ: ${grouped(list.length)}${list.length > most ? `, the first ${most}` : ""}`, ["", "A", "B", "bytes on a device"], rows);
}
