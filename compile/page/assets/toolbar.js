// This file draws the search and the filters.

function drawToolbar() {
  const search = $("search");
  search.addEventListener("input", () => change({ q: search.value }));
  search.addEventListener("keydown", e => {
    if (e.key === "Enter" || e.key === "ArrowDown") { e.preventDefault(); $("list").focus(); if (listedOps().length) pin(listedOps()[0]); }
    if (e.key === "Escape") { e.stopPropagation(); search.blur(); change({ q: "" }); }
  });
  const chip = (label, dot, tip, pressed, set) => {
    const b = element("button.button", { type: "button", "data-tip": tip, onclick: () => change(set()) }, dot ? element("span.dot", { style: { background: dot } }) : null, label);
    onChange(() => b.setAttribute("aria-pressed", pressed()));
    return b;
  };
  $("chips").append(
    chip("only what sends", null, "only the collectives", () => state.sends, () => ({ sends: !state.sends })),
    ...data.mesh.axes.map((a, i) => a.size < 2 ? null :
      chip(a.name, axisColor(i), `only what sends along ${a.name}`, () => state.axis === i, () => ({ axis: state.axis === i ? -1 : i }))).filter(Boolean),
    ...phases.map((name, i) => !tree[0].cells[i].flops && !tree[0].cells[i].bytes || onlyPhase(i) ? null :
      chip(name, `var(--${name})`, `only the ${name} ${name === "update" ? "of weights" : "pass"}`, () => state.phase === i, () => ({ phase: state.phase === i ? -1 : i }))).filter(Boolean));
  $("clear").addEventListener("click", () => change({ q: "", axis: -1, phase: -1, sends: false, node: 0, repeat: -1 }));
  onChange(() => {
    if (search.value !== state.q) search.value = state.q;
    const found = matchingOps().length, shown = listedOps().length;
    $("clear").hidden = found === count;
    $("count").textContent = shown === found ? `${grouped(found)}${found === count ? "" : ` of ${grouped(count)}`}, as they run` : `${grouped(shown)} of ${grouped(found)}`;
  });
}

// onlyPhase reports whether the program has no other phase, as one that does
// not train.
const onlyPhase = i => ops.phase.every(p => p === i);
