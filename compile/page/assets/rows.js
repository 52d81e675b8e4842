// This file draws long lists: only the rows that are seen are in the document.

// rowList shows length() rows in the element at; make(i) makes row i. It
// returns functions to draw again and to bring a row into sight.
function rowList(at, height, length, make) {
  const space = element("div.space");
  at.append(space);
  let drawn = "";
  const draw = force => {
    const n = length();
    const first = Math.max(0, Math.floor(at.scrollTop / height) - 4);
    const last = Math.min(n, Math.ceil((at.scrollTop + at.clientHeight) / height) + 4);
    if (!force && drawn === `${first} ${last}`) return;
    drawn = `${first} ${last}`;
    space.style.height = `${n * height}px`;
    const rows = [];
    for (let i = first; i < last; i++) {
      const row = make(i);
      row.style.top = `${i * height}px`;
      row.style.height = `${height}px`;
      rows.push(row);
    }
    space.replaceChildren(...rows);
  };
  at.addEventListener("scroll", () => draw(false), { passive: true });
  new ResizeObserver(() => draw(true)).observe(at);
  const show = i => {
    const top = i * height, seen = at.clientHeight;
    if (top < at.scrollTop || top + height > at.scrollTop + seen) at.scrollTop = top - seen / 2;
  };
  return { draw: () => draw(true), show };
}

// byKeys calls move(step) on the keys that move in a list of rows.
function byKeys(at, height, move, more = {}) {
  at.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(1, Math.floor(at.clientHeight / height) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[e.key];
    if (step === undefined && !more[e.key]) return;
    e.preventDefault();
    e.stopPropagation();
    if (step !== undefined) move(step); else more[e.key]();
  });
}
