// This file draws the tree of layers: a row for each layer, repeats folded to
// one, with what each phase sends; below a folded row a strip with its repeats.

const open = new Set([0]);
let treeRows = []; // {node, depth, strip}

function listTree() {
  treeRows = [];
  const add = (at, depth) => {
    const n = tree[at];
    treeRows.push({ node: at, depth });
    if (!open.has(at)) return;
    if (n.repeats.length) treeRows.push({ node: at, depth, strip: true });
    for (const c of n.children) add(c, depth + 1);
  };
  add(0, 0);
}

// treePhases are the phases that the tree has a column for.
const treePhases = phases.map((_, i) => i).filter(i => ops.phase.includes(i));

function drawTree() {
  $("layers").style.setProperty("--columns", Math.max(1, treePhases.length));
  document.querySelector("#layers .columns").append(...(treePhases.length > 1 ? treePhases.map(i => element("span", {}, ["forward", "back", "update"][i])) : [element("span", {}, "sends")]));
  for (let n = tree[0]; n.children.length === 1; n = tree[n.children[0]]) open.add(n.children[0]);
  if (tree.length < 40) for (const n of tree) if (n.repeats.length) open.add(n.at);
  const height = 25, box = $("tree");
  const largest = Math.max(1, ...tree[0].children.flatMap(c => tree[c].cells.map(cell => cell.bytes)));
  const list = rowList(box, height, () => treeRows.length, i => treeRows[i].strip ? strip(treeRows[i]) : treeRow(treeRows[i], largest, i));
  const select = at => change(state.node === at && at > 0 ? { node: 0, repeat: -1 } : { node: at, repeat: -1 });
  const toggle = at => { open.has(at) ? open.delete(at) : open.add(at); listTree(); list.draw(); };
  box.addEventListener("click", e => {
    const repeat = e.target.closest("[data-repeat]"), caret = e.target.closest(".caret"), row = e.target.closest("[data-node]");
    if (repeat) {
      const node = Number(row.dataset.node), r = Number(repeat.dataset.repeat);
      change(state.node === node && state.repeat === r ? { node: 0, repeat: -1 } : { node, repeat: r });
    } else if (caret) toggle(Number(row.dataset.node));
    else if (row) select(Number(row.dataset.node));
  });
  const at = () => Math.max(0, treeRows.findIndex(r => r.node === state.node && !r.strip));
  byKeys(box, height, step => {
    const visible = treeRows.map((r, i) => r.strip ? -1 : i).filter(i => i >= 0);
    const to = visible[Math.min(visible.length - 1, Math.max(0, visible.indexOf(at()) + step))];
    change({ node: treeRows[to].node, repeat: -1 });
    list.show(to);
  }, {
    ArrowRight: () => { if (!open.has(state.node)) toggle(state.node); },
    ArrowLeft: () => { if (open.has(state.node) && state.node > 0) toggle(state.node); else if (tree[state.node].parent >= 0) change({ node: tree[state.node].parent, repeat: -1 }); },
    Enter: () => toggle(state.node),
  });
  onChange(() => {
    for (let p = tree[state.node].parent; p >= 0; p = tree[p].parent) open.add(p);
    listTree();
    list.draw();
  });
}

function treeRow({ node, depth }, largest, i) {
  const n = tree[node], has = n.children.length > 0;
  const name = node === 0 ? "all layers" : n.label.replace(/ ×\d+$/, "") || "repeat";
  return element("div.row.tree", {
    role: "treeitem", "data-node": node, id: `layer${node}`, "aria-level": depth + 1,
    "aria-expanded": has ? open.has(node) : null, "aria-selected": state.node === node && (node > 0 || state.node > 0),
    "data-tip": layerTip(n),
  }, element("span.name", { style: { "padding-left": `${Math.max(0, depth - 1) * 14}px` } },
    has && node > 0 ? element("button.caret", { type: "button", tabindex: -1, "aria-label": "fold" }, open.has(node) ? "▼" : "▶") : element("span.caret"),
    element("span.label", {}, name), n.repeats.length ? element("span.times", {}, `×${n.repeats.length}`) : null),
  element("span.cells", {}, ...treePhases.map(p => {
    const cell = n.cells[p];
    const parts = [...cell.sets].map(([set, value]) => ({ value, background: setBackground(data.axisSets[set]) }));
    // The area grows with the bytes: its square root makes small ones visible.
    return bar(parts, cell.bytes / Math.min(1, Math.sqrt(cell.bytes / largest)) || 1, "span.cell");
  })));
}

function layerTip(n) {
  const lines = [`${nodePath(n.at) || "all layers"}: ${grouped(n.count)} ops`];
  n.cells.forEach((c, i) => {
    if (!c.bytes && !c.flops) return;
    const by = [...c.sets].map(([set, bytes]) => `${data.axisTexts[set]} ${bytesText(bytes)}`).join(", ");
    lines.push(`${onlyPhase(i) ? "" : `${phases[i]}: `}${by ? `sends ${by}` : "sends nothing"}; ${flopsText(c.flops)}`);
  });
  return lines.join("\n");
}

// strip draws the repeats of a folded layer, the darker the more they send.
function strip({ node, depth }) {
  const n = tree[node], most = Math.max(1, ...n.sent);
  return element("div.row.tree.strip", { "data-node": node, style: { "padding-left": `${8 + Math.max(0, depth - 1) * 14 + 18}px` } },
    element("span.repeats", {}, ...n.repeats.slice(0, 64).map((name, i) => element("button", {
      type: "button", tabindex: -1, "data-repeat": i, "aria-label": name, "aria-pressed": state.node === node && state.repeat === i,
      "data-tip": `${name} sends ${bytesText(n.sent[i])}`, style: { opacity: .15 + .85 * n.sent[i] / most },
    }))));
}
