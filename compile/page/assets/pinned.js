// This file draws the pinned op: what it is, how its tensors are cut, why, and
// its neighbours.

function drawPinned() {
  let shown = -1;
  onChange(() => {
    if (shown === state.op) return;
    shown = state.op;
    const box = $("pinned");
    box.hidden = shown < 0;
    if (shown < 0) return;
    box.replaceChildren(pinnedTop(shown), element("div.body", {}, pinnedFacts(shown), pinnedTensors(shown), pinnedNeighbours(shown)));
    box.scrollTop = 0;
  });
}

function pinnedTop(i) {
  return element("div.top", {},
    element("span.dot", { style: { background: opColor(i) } }),
    element("h2", {}, [nameOf(i), text(ops.kind[i])].filter(Boolean).join(" ")),
    copyButton("link", location.href),
    element("button.button", { type: "button", "aria-label": "unpin", "data-tip": "unpin (Esc)", onclick: () => change({ op: -1 }) }, "✕"));
}

function facts(pairs) {
  return element("dl.facts", {}, ...pairs.filter(p => p[1]).flatMap(([what, value]) =>
    [element("dt", {}, what), element("dd", {}, value)]));
}

function pinnedFacts(i) {
  const layer = layerOf(i), runs = ops.runs[i];
  return facts([
    ["layer", layer && element("span", {}, `${layer}, ${phases[ops.phase[i]]}`)],
    ["source", text(ops.where[i]) && element("code", {}, text(ops.where[i]))],
    ["runs", runs !== 1 ? (runs ? `${grouped(runs)} times` : "never: another branch counts") : ""],
    ["sends", sends(i) && `${bytesText(sentBytes(i))} along ${data.axisTexts[ops.axes[i]]}`],
    ["because", text(ops.why[i])],
    ["arithmetic", ops.flops[i] && flopsText(ops.flops[i] * runs)],
    ["takes", seconds[i] && `${timeText(seconds[i])}, ${percent(seconds[i] / stepSeconds)} of the step`],
    ["memory then", data.memory && bytesText(data.memory.live[i] + data.memory.fixed.reduce((a, b) => a + b, 0))],
  ]);
}

const percent = x => x < .001 ? "under 0.1 %" : `${(100 * x).toFixed(x < .1 ? 1 : 0)} %`;

function pinnedTensors(i) {
  const box = element("div", { style: { display: "grid", gap: "10px" } });
  const add = (heading, vs) => {
    if (!vs.length) return;
    box.append(element("h3", {}, heading), ...vs.slice(0, 8).map(tensor));
    if (vs.length > 8) box.append(element("span.soft", {}, `and ${vs.length - 8} more`));
  };
  add("reads", item(ops.operands, i));
  add("makes", item(ops.results, i));
  return box;
}

// tensor shows a value: how it is cut over the mesh, and its story.
function tensor(v) {
  return element("div.tensor", {}, element("span.mono", {}, text(data.values.name[v])), element("span.mono", {}, text(data.values.type[v])));
}

function pinnedNeighbours(i) {
  const before = new Set(), after = new Set();
  for (const v of item(ops.operands, i)) if (data.values.def[v] >= 0) before.add(data.values.def[v]);
  for (const v of item(ops.results, i)) for (const u of usersOf(v)) after.add(u);
  const list = (heading, set) => set.size ? element("div.neighbours", {}, element("h3", {}, heading), ...neighbours([...set])) : null;
  return element("div", { style: { display: "grid", gap: "10px" } }, list("made by", before), list("used by", after));
}

function neighbours(list) {
  const most = 10, out = list.slice(0, most).map(i => element("button", { type: "button", onclick: () => pin(i) },
    element("span.dot", { style: { background: opColor(i) } }), element("span.mono", {}, `${nameOf(i)} ${kindOf(i)}`),
    element("span.soft", {}, layerOf(i))));
  if (list.length > most) out.push(element("span.soft", {}, `and ${grouped(list.length - most)} more`));
  return out;
}
