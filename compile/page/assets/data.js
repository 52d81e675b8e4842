// This file reads the data of the page, and derives what the panels share: the
// time of each op, who uses a value, what each layer sends.

// unpacked reads JSON that is compressed by gzip, in base64.
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// side is the program that is shown of a page about two: "a", "b", or "" for both beside
// each other.
const packed = id => document.getElementById(id).textContent.trim();
const pair = packed("pair") ? await unpacked(packed("pair")) : null;
const side = (s => pair && (s === "a" || s === "b") ? s : "")(new URLSearchParams(location.hash.slice(1)).get("side"));
const data = await unpacked(packed(side === "b" ? "other" : "data"));
const text = i => data.strings[i];
const ops = data.ops;
const count = ops.kind.length;

// item returns list i of a column of lists.
function item(lists, i) {
  return lists.items.slice(i ? lists.ends[i - 1] : 0, lists.ends[i]);
}

// seconds holds what each op is predicted to take, all runs together.
const seconds = ops.kind.map((_, i) => ops.time[i] * 1e-12 * ops.runs[i]);

// begins holds when each op begins, if all run one after the other; the last
// element is the end of the step.
const begins = (() => {
  const out = [0];
  for (const s of seconds) out.push(out[out.length - 1] + s);
  return out;
})();
const stepSeconds = begins[count];

const sends = i => ops.axes[i] >= 0;
const sentBytes = i => ops.bytes[i] * ops.runs[i];
const kindOf = i => text(ops.kind[i]).replace(/^(stablehlo|spmd|chlo|func|sdy)\./, "");
const isProduct = i => /dot|convolution/.test(text(ops.kind[i]));
// alikeCount holds for the first of ops that are alike in repeated layers how many there are.
const alikeCount = new Uint32Array(count);
for (const like of ops.alike) alikeCount[like]++;

// takesTime reports whether op i takes time that is worth a row, with those that are like it:
// constants do not, and what is computed in the kernels of others. What has a body, such as
// a loop, does.
const takesTime = i => seconds[i] * alikeCount[ops.alike[i]] > 1e-5 * stepSeconds || sends(i) || isProduct(i) || i + 1 < count && ops.depth[i + 1] > ops.depth[i];
// isFree reports whether the list leaves out op i; of a program in which none takes time, none.
const isFree = (() => {
  const some = ops.kind.some((_, i) => takesTime(i));
  return i => some && !takesTime(i);
})();
const layerOf = i => text(data.layers.name[ops.layer[i]]);
const phases = ["forward", "backward", "update"];

// nameOf returns the name that people call op i by: its first result.
function nameOf(i) {
  const results = item(ops.results, i);
  return results.length ? text(data.values.name[results[0]]) : "";
}

// usersOf returns the ops that use value v.
const usersOf = (() => {
  let users;
  return v => {
    if (!users) {
      users = data.values.name.map(() => []);
      for (let i = 0; i < count; i++) for (const x of new Set(item(ops.operands, i))) users[x].push(i);
    }
    return users[v];
  };
})();

// tree is the layers: for each node its children, and for each phase the bytes
// by set of axes, the bytes and the flops of itself and all below it.
const tree = (() => {
  const { parent, name, repeats } = data.layers.tree;
  const nodes = name.map((label, i) => ({
    at: i, label, parent: parent[i], repeats: repeats[i], children: [], count: 0,
    cells: phases.map(() => ({ bytes: 0, flops: 0, sets: new Map() })),
    sent: repeats[i].map(() => 0), // by each repeat
  }));
  for (const n of nodes) if (n.parent >= 0) nodes[n.parent].children.push(n.at);
  const repeatsOf = data.layers.name.map((_, l) => item(data.layers.repeat, l));
  for (let i = 0; i < count; i++) {
    const layer = ops.layer[i], bytes = sends(i) ? sentBytes(i) : 0, repeat = [...repeatsOf[layer]];
    for (let at = data.layers.node[layer]; at >= 0; at = nodes[at].parent) {
      const n = nodes[at], cell = n.cells[ops.phase[i]];
      n.count++;
      cell.bytes += bytes;
      cell.flops += ops.flops[i] * ops.runs[i];
      if (bytes) cell.sets.set(ops.axes[i], (cell.sets.get(ops.axes[i]) || 0) + bytes);
      if (n.repeats.length) n.sent[repeat.pop()] += bytes;
    }
  }
  return nodes;
})();

// folded returns the folded node that n is or is inside of, or null.
function folded(at) {
  for (; at >= 0; at = tree[at].parent) if (tree[at].repeats.length) return tree[at];
  return null;
}

// layersUnder returns for each layer whether it is under the node, in one of
// its repeats if repeat >= 0.
function layersUnder(node, repeat) {
  const under = at => {
    for (; at >= 0; at = tree[at].parent) if (at === node) return true;
    return false;
  };
  let level = -1; // of the folded node among those around it
  for (let at = node; at >= 0; at = tree[at].parent) if (tree[at].repeats.length) level++;
  return data.layers.name.map((_, l) =>
    under(data.layers.node[l]) && (repeat < 0 || item(data.layers.repeat, l)[level] === repeat));
}
