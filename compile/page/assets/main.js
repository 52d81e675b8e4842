// This file starts the page, and holds the keys that work everywhere.

const keys = [
  ["/", "search", () => $("search").focus()],
  ["Esc", "unpin the op", () => change({ op: -1 })],
  ["↑ ↓", "next op in the list, next layer in the tree"],
  ["[ ]", "the collective before, the one after"],
  ["w s", "zoom the time axis in and out"],
  ["a d", "move along the time axis"],
  ["f", "zoom to the pinned op", () => zoomToOp()],
  ["0", "the whole step", () => change({ view: [0, 1] })],
  ["r", "all repeats of layers, or one of those that are alike", () => change({ unfold: !state.unfold })],
  ["c", "constants and other ops without time", () => change({ free: !state.free })],
  ["m", "ops, memory, roofline", () => nextPanel()],
  ["o", "time axis by time or by number of ops", () => change({ order: !state.order, view: [0, 1] })],
  ["t", "light or dark", () => change({ theme: { "": "dark", dark: "light", light: "" }[state.theme] })],
  ["?", "this list", () => showHelp()],
];

function showHelp() {
  const help = $("help");
  if (!help.firstChild) {
    help.append(element("h2", {}, "Keys"), element("dl", {}, ...keys.flatMap(([key, what]) => [
      element("dt", {}, ...key.split(" ").flatMap(k => [element("kbd", {}, k), " "])), element("dd", {}, what)])),
      element("form", { method: "dialog", style: { "margin-top": "14px", "text-align": "right" } }, element("button.button", {}, "close")));
  }
  help.showModal();
}

// nextCollective pins the collective after the pinned op, or before it.
function nextCollective(step) {
  let i = state.op < 0 ? (step > 0 ? -1 : count) : state.op;
  do i += step; while (i >= 0 && i < count && !(sends(i) && listedOps().includes(i)));
  if (i >= 0 && i < count) pin(i);
}

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, dialog[open]")) return;
  const more = {
    "[": () => nextCollective(-1), "]": () => nextCollective(1), Escape: () => change({ op: -1 }),
    w: () => zoomBy(.7), s: () => zoomBy(1 / .7), a: () => panBy(-.15), d: () => panBy(.15),
  };
  const run = more[e.key] || (keys.find(k => k[0] === e.key) || [])[2];
  if (!run) return;
  e.preventDefault();
  run();
}

// showTip shows the text of data-tip of what is under the pointer or has the
// focus.
function showTip(target, x, y) {
  const tip = $("tip"), about = target && target.closest && target.closest("[data-tip]");
  tip.hidden = !about;
  if (about) placeTip(about.dataset.tip, x, y);
}

function placeTip(tipText, x, y) {
  const tip = $("tip");
  tip.textContent = tipText;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(6, Math.min(x + 12, innerWidth - width - 6))}px`;
  tip.style.top = `${y + 16 + height > innerHeight ? Math.max(6, y - height - 8) : y + 16}px`;
}

// drawSides draws the buttons that choose the program, of a page about two.
function drawSides() {
  const show = name => () => { location.hash = name ? `side=${name}` : ""; };
  return element("div.buttons", { role: "group", "aria-label": "programs" }, ...[["", "A and B"], ["a", "A"], ["b", "B"]].map(([name, label]) =>
    element("button.button", { type: "button", "aria-pressed": name === side, onclick: show(name) }, label)));
}

function main() {
  document.title = `${data.program || "program"} – gospmd`;
  addEventListener("hashchange", () => { if (pair && (new URLSearchParams(location.hash.slice(1)).get("side") || "") !== side) location.reload(); });
  document.addEventListener("pointermove", e => { if (e.target !== $("canvas")) showTip(e.target, e.clientX, e.clientY); });
  document.addEventListener("scroll", () => { $("tip").hidden = true; }, true);
  readHash();
  if (pair && !side) { drawPair(); redraw(); return; }
  drawProgram();
  drawTiles();
  drawToolbar();
  drawTree();
  drawTimeline();
  drawList();
  drawBuffers();
  drawFitting();
  drawRoofline();
  drawPanels();
  drawPinned();
  drawFindings();
  redraw();
  addEventListener("hashchange", () => { readHash(); redraw(); });
  addEventListener("keydown", onKey);
}
