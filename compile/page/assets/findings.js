// This file draws the findings.

const findingKinds = {
  suggestion: "layout", conflict: "conflict", override: "overridden", replicated: "replicated", collective: "sends most",
};

function gainText(f) {
  const parts = [];
  if (f.kind === "collective") return `${timeText(f.seconds)}, ${bytesText(f.bytes)}`;
  if (f.seconds > 0) parts.push(`−${timeText(f.seconds)}`);
  if (f.bytes > 0) parts.push(`−${bytesText(f.bytes)}`);
  if (f.memory > 0) parts.push(`−${bytesText(f.memory)} memory`);
  return parts.join(", ");
}

function drawFindings() {
  const box = $("findings"), body = element("div.body"), first = 40;
  box.append(element("div.head", {}, element("h2", {}, "Findings"), element("span.soft", {}, data.findings.length ? `${grouped(data.findings.length)}, the largest gain first` : "")), body);
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
