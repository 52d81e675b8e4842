// This file draws the findings.

const findingKinds = {
  suggestion: "layout", conflict: "conflict", override: "overridden", replicated: "replicated", collective: "sends most",
};

// gainText says what a finding gains, or what a collective costs.
function gainText(f) {
  const time = f.time ? `${percent(Math.abs(f.time))} of the time${data.machine.scale ? ` (${timeText(Math.abs(f.time) * data.totals.seconds)})` : ""}` : "";
  if (f.kind === "collective") return [time, bytesText(f.bytes)].filter(Boolean).join(", ");
  const of = data.machine.memory ? "memory" : "the peak";
  const parts = [];
  if (f.time > 0) parts.push(`−${time}`);
  if (f.memory > 0) parts.push(`−${bytesText(f.memory)}, ${percent(f.part)} of ${of}`);
  if (parts.length && f.memory < 0) parts.push(`+${bytesText(-f.memory)} memory`);
  return parts.join(", ");
}

function drawFindings() {
  const box = $("findings"), body = element("div.body"), first = 40;
  box.append(element("div.head", {}, element("h2", {}, "Findings"), element("span.soft", {}, data.findings.length ? `${grouped(data.findings.length)}, most of the time or memory first` : "")), body);
  if (!data.findings.length) body.append(element("p.none", {}, "Nothing found that would make this program cheaper."));
  const show = from => {
    body.append(...data.findings.slice(from, from + first).map(finding));
    if (from + first >= data.findings.length) return;
    const more = element("button.button", { type: "button", style: { margin: "8px 12px" }, onclick: () => { more.remove(); show(from + first); } },
      `${grouped(data.findings.length - from - first)} more`);
    body.append(more);
  };
  show(0);
}

function finding(f) {
  const about = f.op >= 0 ? element("button.about", { type: "button", onclick: () => pin(f.op) }, f.text) : element("span", {}, f.text);
  return element("div.finding", {},
    element("div.first", {}, element("span.tag", {}, findingKinds[f.kind] || f.kind), element(f.kind === "collective" ? "span.cost" : "span.gain", {}, gainText(f))),
    about,
    f.line ? element("div.paste", {}, element("code", { title: f.line }, f.line), copyButton("copy", f.line)) : null);
}
