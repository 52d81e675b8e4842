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
    ["layer", layer && element("span", {}, onlyPhase(ops.phase[i]) ? layer : `${layer}, ${phases[ops.phase[i]]}`)],
    ["repeats", alikeCount[ops.alike[i]] > 1 && `${alikeCount[ops.alike[i]]} layers have an op that is like it`],
    ["source", text(ops.where[i]) && element("code", {}, text(ops.where[i]))],
    ["runs", runs !== 1 ? (runs ? `${grouped(runs)} times` : "never: another branch counts") : ""],
    ["sends", sends(i) && `${bytesText(sentBytes(i))} along ${data.axisTexts[ops.axes[i]]}`],
    ["because", text(ops.why[i])],
    ["arithmetic", ops.flops[i] && flopsText(ops.flops[i] * runs)],
    ["takes", seconds[i] && `${data.machine.scale ? `${timeText(seconds[i])}, ` : ""}${percent(seconds[i] / stepSeconds)} of the step`],
    ["memory then", data.memory && bytesText(data.memory.live[i] + data.memory.fixed.reduce((a, b) => a + b, 0))],
  ]);
}

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
  const story = storyOf(v), runs = runsAs(v), local = text(data.values.type[v]);
  const global = story < 0 ? local : text(data.stories.type[story]);
  const dims = story < 0 ? [] : item(data.stories.dims, story);
  const drawn = runs && dims.length && runs.dims.length === dims.length;
  return element("div.tensor", {}, drawn ? tiles(dims, runs) : element("span"),
    element("div", {}, element("div.mono", {}, element("b", {}, text(data.values.name[v])), " ", global === local ? local : `${global} → ${local}`), storyText(story, runs)));
}

// storyText tells in which layout a value was asked for, as what it runs, and
// because of what; the chains behind it are made when they are asked for.
function storyText(story, runs) {
  if (story < 0) return null;
  const s = data.stories, asked = data.shardings[s.asked[story]], box = element("dl.story");
  const add = (what, ...value) => box.append(element("dt", {}, what), element("dd", {}, ...value));
  const same = asked && runs && sameCut(asked, runs);
  if (asked && !same) add("asked for", layoutText(asked));
  if (runs) add("runs as", layoutText(runs), same ? element("span.soft", {}, " as asked for") : "");
  if (s.broken[story]) add("", element("span.override", {}, "its annotation does not hold"));
  const copied = runs && copiedAlong(runs);
  if (copied && copied.length) add("copied", "along ", ...axisNames(copied));
  for (const because of item(s.because, story)) add("because", text(because));
  const chains = item(s.chains, story);
  if (chains.length) {
    const more = element("button.about.soft", { type: "button", "aria-expanded": false, onclick: () => { more.replaceWith(...chainLists(chains)); } }, "where this comes from ▸");
    add("", more);
  }
  return box;
}

// chainLists makes a list for each chain: dimension, axis, first link.
function chainLists(chains) {
  const out = [], link = data.stories.link;
  for (let i = 0; i < chains.length; i += 3) {
    const list = element("ul.chain");
    for (let at = chains[i + 2]; at >= 0; at = link.next[at]) list.append(element("li", {}, text(link.text[at])));
    out.push(element("div", {}, `dim ${chains[i]}, ${text(chains[i + 1])}`), list);
  }
  return out;
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
