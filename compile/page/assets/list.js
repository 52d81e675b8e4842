// This file draws the list of ops.

function drawList() {
  const height = 24, box = $("list");
  const toggle = (label, tip, isOn, set) => {
    const b = element("button.button", { type: "button", "data-tip": tip, onclick: () => change(set()) }, label);
    onChange(() => b.setAttribute("aria-pressed", isOn()));
    return b;
  };
  $("shown").append(
    alikeCount.some(n => n > 1) ? toggle("all repeats", "the ops of each layer, instead of one for those that are alike in repeated layers (r)", () => state.unfold, () => ({ unfold: !state.unfold })) : "",
    toggle("ops without time", "constants, and ops that take no time of their own (c)", () => state.free, () => ({ free: !state.free })));
  const list = rowList(box, height, () => listedOps().length, at => opRow(listedOps()[at]));
  box.addEventListener("click", e => {
    const row = e.target.closest("[data-op]");
    if (e.target.closest(".times")) change({ unfold: true, op: Number(row.dataset.op) });
    else if (row) pin(Number(row.dataset.op));
  });
  byKeys(box, height, step => {
    const shown = listedOps();
    if (!shown.length) return;
    const at = shown.indexOf(state.op);
    pin(shown[Math.min(shown.length - 1, Math.max(0, at < 0 ? 0 : at + step))]);
  });
  let before = -1, beforeFilter;
  onChange(() => {
    const shown = listedOps();
    if (beforeFilter !== shown && state.op < 0) box.scrollTop = 0;
    const at = state.op < 0 ? -1 : shown.indexOf(state.op);
    list.draw();
    if (at >= 0 && (state.op !== before || beforeFilter !== shown)) list.show(at);
    list.draw();
    before = state.op;
    beforeFilter = shown;
    if (at >= 0) box.setAttribute("aria-activedescendant", `op${state.op}`); else box.removeAttribute("aria-activedescendant");
  });
}

// opColor returns the colour of op i wherever it is drawn.
function opColor(i) {
  if (sends(i)) return setBackground(data.axisSets[ops.axes[i]]);
  return isProduct(i) ? "var(--product)" : ops.flops[i] ? "var(--compute)" : "var(--line)";
}

function opRow(i) {
  const result = item(ops.results, i), more = result.length > 1 ? ` +${result.length - 1}` : "";
  const cost = sends(i) ? bytesText(sentBytes(i)) : ops.flops[i] ? flopsText(ops.flops[i] * ops.runs[i]) : "";
  const runs = ops.runs[i] !== 1 ? ` ×${grouped(ops.runs[i])}` : "";
  return element("div.row.op", { role: "option", id: `op${i}`, "data-op": i, "aria-selected": state.op === i },
    element("span.nr.mono", {}, i),
    element("span.kind", { style: { "padding-left": `${ops.depth[i] * 10}px` } }, element("span.dot", { style: { background: opColor(i) } }), element("span", {}, kindOf(i) + runs)),
    element("span.layer.soft", { title: layerOf(i) }, element("span", {}, layerOf(i)), standsFor(i) > 1 ? element("span.times", { "data-tip": `${standsFor(i)} layers have an op that is like it: show all` }, `×${standsFor(i)}`) : null),
    element("span.mono", {}, result.length ? text(data.values.type[result[0]]) + more : ""),
    element("span.number", {}, cost),
    element("span.number.soft", {}, seconds[i] ? spanText(seconds[i]) : ""));
}

// pin shows op i in the panel of details, and brings it into sight.
function pin(i) {
  change({ op: i });
  reveal(i);
}
