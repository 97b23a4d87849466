// SPDX-License-Identifier: MIT
// Cells to paint: a press, a drag and a release, by mouse or finger; by arrow keys and Enter.
import { el } from "../base/dom.js";
import { t } from "../base/texts.js";
import { ways } from "../puzzles/ways.js";

/**
 * look(x, y) gives { name, text, label } of a cell, whose text may be an element; begin(at), over(at) and end(at) are told the cells, { x, y }.
 * spans: a drag is one thing, which Enter on its first and its last cell is, too. Returns { element, draw }.
 */
export function grid(columns, rows, look, { begin, over = () => {}, end = () => {}, spans = false }) {
  let begun = false; // by Enter
  const cells = Array.from({ length: rows * columns }, (_, i) => el("button", { type: "button", "data-cell": i }));
  const element = el("div", { class: "cells" }, ...cells);
  element.style.setProperty("--columns", String(columns));
  element.style.setProperty("--rows", String(rows));
  const placeOf = (i) => ({ x: i % columns, y: Math.floor(i / columns) });
  const under = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest("[data-cell]");
  const at = (button) => (element.contains(button) ? placeOf(Number(button.dataset.cell)) : null);

  function draw() {
    cells.forEach((cell, i) => {
      const { x, y } = placeOf(i);
      const { name, text = "", label = name } = look(x, y);
      cell.className = name;
      cell.replaceChildren(text);
      cell.setAttribute("aria-label", t("cellAt", y + 1, x + 1, label));
    });
  }

  element.addEventListener("pointerdown", (event) => {
    const first = at(event.target.closest("[data-cell]"));
    if (!first) return;
    event.preventDefault();
    let last = first;
    begun = false;
    begin(first);
    draw();
    const move = (now) => {
      const here = at(under(now));
      if (!here || (here.x === last.x && here.y === last.y)) return;
      last = here;
      over(here);
      draw();
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", () => {
      document.removeEventListener("pointermove", move);
      end(last);
      draw();
    }, { once: true });
  });
  // A click without a pointer is a key.
  element.addEventListener("click", (event) => {
    const here = event.detail === 0 ? at(event.target.closest("[data-cell]")) : null;
    if (!here) return;
    if (begun) over(here);
    else begin(here);
    begun = spans && !begun;
    if (!begun) end(here);
    draw();
  });
  element.addEventListener("keydown", (event) => {
    const to = ways.find(({ key }) => key === event.key);
    if (!to) return;
    event.preventDefault(); // the page does not roll
    cells[cells.indexOf(event.target) + to.by[0] * columns + to.by[1]]?.focus();
  });
  draw();
  return { element, draw };
}

/** Radio buttons of what to paint with; chosen() is the name of one. words: keys of texts other than piece-NAME. */
export function brushes(names, first, words = {}) {
  const inputs = names.map((name) => el("input", { type: "radio", name: "brush", value: name, checked: name === first }));
  const element = el("div", { class: "brushes", role: "radiogroup" }, ...inputs.map((input, i) => el("label", {}, input, " ", t(words[names[i]] ?? `piece-${names[i]}`))));
  return { element, chosen: () => inputs.find(({ checked }) => checked).value };
}
