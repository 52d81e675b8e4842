// This file draws the findings.

const findingKinds = {
  suggestion: "layout", shardedUpdate: "sharded update", conflict: "conflict", override: "overridden", replicated: "replicated", collective: "sends most",
};

// gainText says what a finding gains, or what a collective costs.
function gainText(f) {
  const time = f.time ? `${percent(Math.abs(f.time))} of the time${data.machine.scale ? ` (${timeText(Math.abs(f.time) * data.totals.seconds)})` : ""}` : "";
  if (f.kind === "collective") return [time, bytesText(f.bytes)].filter(Boolean).join(", ");
  const of = data.machine.memory ? "memory" : "the peak";
  const parts = [];
  if (f.time >= .001 || f.time > 0 && !(f.memory > 0)) parts.push(`−${time}`);
  if (f.memory > 0) parts.push(`−${bytesText(f.memory)}, ${percent(f.part)} of ${of}`);
  if (parts.length && f.time <= -.001) parts.push(`+${time}`);
  if (parts.length && f.memory < 0) parts.push(`+${bytesText(-f.memory)} memory`);
  return parts.join(", ");
}

// drawFindings lists the findings. It lists those with small gains, which come last, on demand.
function drawFindings() {
  const box = $("findings"), body = element("div.body"), all = data.findings, large = all.filter(f => !f.small).length;
  box.append(element("div.head", {}, element("h2", {}, "Findings"), element("span.soft", {}, large ? `${grouped(large)}, most of the time or memory first` : "")), body);
  if (!large) body.append(element("p.none", {}, "Nothing found that would make this program cheaper" + (all.length ? " by 0.1 % of the time or memory." : ".")));
  const show = (from, to, end) => {
    body.append(...all.slice(from, to).map(finding));
    if (to < end) more(`${grouped(end - to)} more`, to, end);
    else if (to < all.length) more(`${grouped(all.length - to)} more, each below 0.1 %`, to, all.length);
  };
  const more = (label, from, end) => {
    const button = element("button.button", { type: "button", style: { margin: "8px 12px" }, onclick: () => { button.remove(); show(from, Math.min(from + 40, end), end); } }, label);
    body.append(button);
  };
  show(0, Math.min(40, large), large);
}

function finding(f) {
  const about = f.op >= 0 ? element("button.about", { type: "button", onclick: () => pin(f.op) }, f.text) : element("span.about", {}, f.text);
  return element("div.finding", {},
    element("div.first", {}, element("span.tag", {}, findingKinds[f.kind] || f.kind), element(f.kind === "collective" ? "span.cost" : "span.gain", {}, gainText(f))),
    about,
    f.line ? element("div.paste", {}, element("code", {}, ...f.line.split(/(?<= )/).map(word => element("span", {}, word))), copyButton("copy", f.line)) : null);
}
