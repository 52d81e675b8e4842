// This file moves along the time axis and picks ops from it.

function setView(from, to) {
  const least = Math.min(1, 2e-5), width = Math.min(1, Math.max(least, to - from));
  const start = Math.min(1 - width, Math.max(0, (from + to - width) / 2));
  change({ view: [start, start + width] });
}

// zoomBy scales the part that is shown, around p: by default the pinned op if
// it is in sight, else the middle.
function zoomBy(factor, p) {
  const [a, b] = state.view;
  if (p === undefined) {
    p = state.op >= 0 ? at(state.op) : -1;
    if (p < a || p > b) p = (a + b) / 2;
  }
  const width = Math.min(1, Math.max(2e-5, (b - a) * factor)), start = p - (p - a) * width / (b - a);
  setView(start, start + width);
}

function panBy(part) {
  const [a, b] = state.view, step = (b - a) * part;
  const by = Math.max(-a, Math.min(1 - b, step));
  setView(a + by, b + by);
}

function zoomToOp() {
  if (state.op < 0) return;
  const own = at(state.op + 1) - at(state.op), width = Math.min(Math.max(12 * own, 24 / count), Math.max(.5, 1.2 * own));
  const middle = (at(state.op) + at(state.op + 1)) / 2;
  setView(middle - width / 2, middle + width / 2);
}

// reveal moves the time axis, as little as is needed, so that op i is in sight.
function reveal(i) {
  const [a, b] = state.view, p = at(i);
  if (p >= a && p <= b) return;
  setView(p - (b - a) / 2, p + (b - a) / 2);
}

// opAt returns the op that is painted at a point, or -1.
function opAt(x, y) {
  const row = timeline.rows.find(r => y >= r.y - 2 && y < r.y + r.height + 2);
  if (!row || x < gutter) return -1;
  const first = firstAt(fromX(x));
  if (!row.ops) return first < count ? first : -1;
  // Of the ops of the row, the one under the pointer, or the nearest within 3 pixels.
  let best = -1, nearest = 3;
  for (const i of row.ops) {
    const x0 = toX(at(i)), x1 = toX(at(i + 1));
    if (x0 > x + 3) break;
    const away = x < x0 ? x0 - x : x > x1 ? x - x1 : 0;
    if (away <= nearest) { best = i; nearest = away; }
  }
  return best;
}

function timelineTip(x, y) {
  const row = timeline.rows.find(r => y >= r.y - 2 && y < r.y + r.height + 2);
  const i = opAt(x, y);
  if (!row || i < 0) return "";
  if (row.spans) {
    const s = row.spans.find(s => at(s.start) <= fromX(x) && fromX(x) < at(s.end));
    return s ? `${s.key.slice(2)}${onlyPhase(s.phase) ? "" : `, ${phases[s.phase]}`}\nops ${s.start} to ${s.end - 1}: ${spanText(begins[s.end] - begins[s.start])}` : "";
  }
  const lines = [`${i}  ${nameOf(i)} ${kindOf(i)}`, [layerOf(i), onlyPhase(ops.phase[i]) ? "" : phases[ops.phase[i]]].filter(Boolean).join(", ")];
  if (row.memory) lines.push(`${bytesText(data.memory.live[i] + data.memory.fixed.reduce((a, b) => a + b, 0))} in memory`);
  else lines.push([seconds[i] ? spanText(seconds[i]) : "", sends(i) ? `sends ${bytesText(sentBytes(i))} along ${data.axisTexts[ops.axes[i]]}` : ops.flops[i] ? flopsText(ops.flops[i] * ops.runs[i]) : ""].filter(Boolean).join(", "));
  return lines.filter(Boolean).join("\n");
}

function listenTimeline(canvas) {
  let drag = null;
  canvas.addEventListener("pointerdown", e => {
    drag = { x: e.offsetX, view: state.view, moved: false };
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", e => {
    if (drag && e.buttons) {
      if (Math.abs(e.offsetX - drag.x) > 3) drag.moved = true;
      if (!drag.moved) return;
      const width = drag.view[1] - drag.view[0];
      const by = (drag.x - e.offsetX) / (timeline.width - gutter) * width;
      const start = Math.max(0, Math.min(1 - width, drag.view[0] + by));
      setView(start, start + width);
      $("tip").hidden = true;
      return;
    }
    const tip = timelineTip(e.offsetX, e.offsetY);
    if (tip) placeTip(tip, e.clientX, e.clientY); else $("tip").hidden = true;
  });
  canvas.addEventListener("pointerup", e => {
    if (drag && !drag.moved) {
      const i = opAt(e.offsetX, e.offsetY);
      if (i >= 0) change({ op: i });
    }
    drag = null;
  });
  canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; });
  canvas.addEventListener("dblclick", e => {
    const row = timeline.rows.find(r => r.spans && e.offsetY >= r.y && e.offsetY < r.y + r.height);
    const s = row && row.spans.find(s => at(s.start) <= fromX(e.offsetX) && fromX(e.offsetX) < at(s.end));
    if (s) setView(at(s.start), at(s.end)); else zoomBy(.5, fromX(e.offsetX));
  });
  canvas.addEventListener("wheel", e => {
    const scrolls = document.documentElement.scrollHeight > innerHeight + 1;
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) { e.preventDefault(); panBy(e.deltaX / timeline.width); return; }
    if (scrolls && !e.ctrlKey) return; // the wheel scrolls the page
    e.preventDefault();
    zoomBy(Math.exp(e.deltaY * .002), fromX(e.offsetX));
  }, { passive: false });
  canvas.addEventListener("keydown", e => {
    const run = { ArrowLeft: () => panBy(-.15), ArrowRight: () => panBy(.15), ArrowUp: () => zoomBy(.7), ArrowDown: () => zoomBy(1 / .7) }[e.key];
    if (!run) return;
    e.preventDefault();
    run();
  });
}
