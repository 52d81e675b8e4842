// This file changes between the ops, the memory and the roofline, which have one place.

const panels = () => [
  { name: "", label: "Ops", parts: ["list"] },
  { name: "memory", label: "Memory", parts: ["buffers", "fitting"] },
  ...data.kernels.op.length ? [{ name: "roofline", label: "Roofline", parts: ["roofline"] }] : [],
];

function nextPanel(step = 1) {
  const all = panels(), at = all.findIndex(p => p.name === state.panel);
  change({ panel: all[(at + step + all.length) % all.length].name });
}

function drawPanels() {
  const tabs = panels().map(p => ({ ...p, tab: element("button.tab", { type: "button", role: "tab", id: `tab-${p.parts[0]}`, "aria-controls": p.parts[0], onclick: () => change({ panel: p.name }) }, p.label) }));
  $("panels").append(...tabs.map(t => t.tab));
  $("panels").addEventListener("keydown", e => {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    e.preventDefault();
    e.stopPropagation();
    nextPanel(e.key === "ArrowRight" ? 1 : -1);
    tabs.find(t => t.name === state.panel).tab.focus();
  });
  const heads = { list: document.querySelector(".head.op"), buffers: document.querySelector(".head.buffer") };
  onChange(() => {
    for (const t of tabs) {
      const on = t.name === state.panel;
      t.tab.setAttribute("aria-selected", on);
      t.tab.tabIndex = on ? 0 : -1;
      for (const id of t.parts) {
        $(id).hidden = !on;
        if (heads[id]) heads[id].hidden = !on;
      }
    }
    $("shown").hidden = state.panel !== "";
    $("count").hidden = state.panel === "roofline";
  });
}
