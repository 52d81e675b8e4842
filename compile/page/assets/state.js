// This file holds what the reader has chosen: it stands in the address behind
// the #, so that a link shows the same.

const state = {
  op: -1,          // the pinned op
  q: "",           // the search
  axis: -1,        // only what sends along this axis
  phase: -1,       // only this phase
  sends: false,    // only what sends
  node: 0,         // only what is under this node of the tree
  repeat: -1,      // and in this one of its repeats
  unfold: false,   // list all repeats of a layer
  free: false,     // list ops that take no time
  panel: "",       // memory or roofline; empty: the ops
  order: false,    // the time axis counts ops
  view: [0, 1],    // the part of the time axis that is shown
  theme: "",       // light or dark; empty: as the system
};

const listeners = [];
// onChange registers a function that draws a panel anew.
const onChange = f => listeners.push(f);

// change sets some of the state and draws what depends on it.
function change(parts) {
  Object.assign(state, parts);
  history.replaceState(null, "", hashOf(state) || location.pathname + location.search);
  redraw();
}

function redraw() {
  for (const f of listeners) f();
}

// nodePath names a node of the tree by the labels from the root.
function nodePath(at) {
  const labels = [];
  for (; at > 0; at = tree[at].parent) labels.unshift(tree[at].label);
  return labels.join("/");
}

function hashOf(s) {
  const parts = new URLSearchParams();
  if (s.op >= 0) parts.set("op", s.op);
  if (s.q) parts.set("q", s.q);
  if (s.axis >= 0) parts.set("axis", data.mesh.axes[s.axis].name);
  if (s.phase >= 0) parts.set("phase", phases[s.phase]);
  if (s.sends) parts.set("sends", 1);
  if (s.node > 0) parts.set("layer", nodePath(s.node));
  if (s.repeat >= 0) parts.set("repeat", s.repeat);
  if (s.unfold) parts.set("unfold", 1);
  if (s.free) parts.set("free", 1);
  if (s.panel) parts.set("panel", s.panel);
  if (side) parts.set("side", side);
  if (s.order) parts.set("order", 1);
  if (s.view[0] > 0 || s.view[1] < 1) parts.set("view", s.view.map(x => x.toFixed(6)).join("-"));
  if (s.theme) parts.set("theme", s.theme);
  const hash = parts.toString();
  return hash && "#" + hash;
}

// readHash sets the state from the address; what it does not know is left out.
function readHash() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const number = (key, limit) => {
    const n = Number.parseInt(parts.get(key), 10);
    return n >= 0 && n < limit ? n : -1;
  };
  state.op = number("op", count);
  state.q = parts.get("q") || "";
  state.axis = data.mesh.axes.findIndex(a => a.name === parts.get("axis"));
  state.phase = phases.indexOf(parts.get("phase"));
  state.sends = parts.has("sends");
  state.node = Math.max(0, parts.has("layer") ? tree.findIndex(n => n.at > 0 && nodePath(n.at) === parts.get("layer")) : 0);
  const fold = folded(state.node);
  state.repeat = fold ? number("repeat", fold.repeats.length) : -1;
  state.unfold = parts.has("unfold");
  state.free = parts.has("free");
  state.panel = panels().some(p => p.name === parts.get("panel")) ? parts.get("panel") : "";
  state.order = parts.has("order");
  const view = (parts.get("view") || "").split("-").map(Number);
  state.view = view.length === 2 && view[0] >= 0 && view[1] <= 1 && view[0] < view[1] ? view : [0, 1];
  state.theme = ["light", "dark"].includes(parts.get("theme")) ? parts.get("theme") : "";
}

// matching returns which ops the filters leave, as an array of 0 and 1, and
// matchingOps their numbers. Both are made again when a filter has changed.
let filterKey, filterMask, filterOps;
function filtered() {
  const { q, axis, phase, sends: only, node, repeat } = state;
  const key = JSON.stringify([q, axis, phase, only, node, repeat]);
  if (key === filterKey) return;
  filterKey = key;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const layers = node > 0 ? layersUnder(node, repeat) : null;
  filterMask = new Uint8Array(count);
  filterOps = [];
  for (let i = 0; i < count; i++) {
    if (only && !sends(i)) continue;
    if (axis >= 0 && !(sends(i) && data.axisSets[ops.axes[i]].includes(axis))) continue;
    if (phase >= 0 && ops.phase[i] !== phase) continue;
    if (layers && !layers[ops.layer[i]]) continue;
    if (words.length && !words.every(w => searchText(i).includes(w))) continue;
    filterMask[i] = 1;
    filterOps.push(i);
  }
}
const matching = () => (filtered(), filterMask);
const matchingOps = () => (filtered(), filterOps);

// unfolded reports whether the list has all repeats: they are asked for, or one is picked.
const unfolded = () => state.unfold || state.repeat >= 0;

// listedOps returns those of matchingOps that the list shows: ops that take time, and of
// those that are alike in repeated layers the first. standsFor says for how many one stands.
let listedKey, listed = [], stands = new Map();
function listedOps() {
  const shown = matchingOps(), key = `${filterKey} ${state.unfold} ${state.free}`;
  if (key !== listedKey) {
    listedKey = key;
    const first = new Map();
    stands = new Map();
    listed = shown.filter(i => {
      if (!state.free && isFree(i)) return false;
      const like = unfolded() ? i : ops.alike[i];
      if (!first.has(like)) first.set(like, i);
      stands.set(first.get(like), (stands.get(first.get(like)) || 0) + 1);
      return first.get(like) === i;
    });
  }
  return listed;
}
const standsFor = i => (listedOps(), stands.get(i) || 1);

// searchText returns all that is searched of op i.
const searchTexts = [];
function searchText(i) {
  return searchTexts[i] ||= [
    text(ops.kind[i]), layerOf(i), text(ops.where[i]), phases[ops.phase[i]], text(ops.why[i]),
    sends(i) ? data.axisTexts[ops.axes[i]] : "",
    ...[...item(ops.results, i), ...item(ops.operands, i)].map(v => `${text(data.values.name[v])} ${text(data.values.type[v])}`),
  ].join(" ").toLowerCase();
}
