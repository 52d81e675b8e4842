// This file draws what was done to save memory: the memory over the step, before and after.

function drawFitting() {
  const f = data.fitting, box = $("fitting");
  if (!f) return;
  const peak = list => Math.max(...list, 0), before = peak(f.before), after = peak(f.after);
  const most = Math.max(before, after, f.limit), y = bytes => 100 - 94 * bytes / (most || 1);
  const outline = list => list.map((bytes, i) => `${1000 * i / list.length},${y(bytes)} ${1000 * (i + 1) / list.length},${y(bytes)}`).join(" ");
  const longer = seconds => `a step takes ${timeText(Math.abs(seconds))} ${seconds < 0 ? "shorter" : "longer"}`;
  const o = f.placement, without = o && (o.least ? `the peak is at least ${bytesText(o.least)}` : data.machine.scale ? longer(o.saved) : "");
  const parts = f.parts > 1 ? `the batch in ${f.parts} parts; ` : "";
  const label = `${parts}peak ${bytesText(before)} before, ${bytesText(after)} after${f.limit ? `, the limit is ${bytesText(f.limit)}` : ""}`;
  box.append(
    element("p", {}, label, element("span.soft", {}, f.seconds && data.machine.scale ? `; ${longer(f.seconds)}` : "")),
    o ? element("p", {}, `the limit has chosen ${o.chosen}: a device keeps ${bytesText(o.after)} of weights and the optimizer's state in place of ${bytesText(o.before)}${without ? `; without that ${without}` : ""}`) : "",
    shape("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img", "aria-label": `memory over the step: ${label}` },
      shape("polygon", { points: `0,100 ${outline(f.before)} 1000,100`, class: "before" }),
      shape("polygon", { points: `0,100 ${outline(f.after)} 1000,100`, class: "after" }),
      f.limit ? shape("line", { x1: 0, x2: 1000, y1: y(f.limit), y2: y(f.limit), class: "limit" }) : ""),
    element("p.soft", {}, f.actions.map(a => `${a.action}: ${grouped(a.count)} ${a.count === 1 ? "value" : "values"}, ${bytesText(a.bytes)}`).join("; ")));
}
