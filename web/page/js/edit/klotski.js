// SPDX-License-Identifier: MIT
// Blocks: cells that are dragged over become one, a click on a block takes it away.
import { el } from "../base/dom.js";
import { t } from "../base/texts.js";
import { brushes, grid } from "./grid.js";

const LETTERS = [..."BCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnpqrstuvwyz"];
const FREE = "@";

export const smallest = 2;
export const cellsMost = 64;
export const size = { rows: 5, columns: 4 };
export const example = "HAAI/HAAI/JBBK/JNOK/P@@Q";

/** words: the keys of texts, where a block is called another thing. */
export function editor({ rows, columns }, text, changed, words = {}) {
  let cells = text ? text.split("/").map((row) => [...row]) : Array.from({ length: rows }, () => Array(columns).fill(FREE));
  let first = null;
  let last = null;
  const brush = brushes(["block", "chief", "wall"], "block", words);
  const inside = (x, y) => first && x >= Math.min(first.x, last.x) && x <= Math.max(first.x, last.x) && y >= Math.min(first.y, last.y) && y <= Math.max(first.y, last.y);
  const used = new Set();

  const remove = (letter) => { cells = cells.map((row) => row.map((cell) => (cell === letter ? FREE : cell))); };
  const letter = () => {
    used.clear();
    cells.flat().forEach((cell) => used.add(cell));
    return LETTERS.find((one) => !used.has(one));
  };
  const paint = () => {
    const chosen = [];
    cells.forEach((row, y) => row.forEach((_, x) => inside(x, y) && chosen.push([x, y])));
    const [{ x, y }] = [first];
    if (chosen.length === 1 && cells[y][x] !== FREE) {
      if (cells[y][x] === "#") cells[y][x] = FREE;
      else remove(cells[y][x]);
    } else if (chosen.every(([cx, cy]) => cells[cy][cx] === FREE)) {
      const kind = brush.chosen();
      if (kind === "chief") remove("A");
      const sign = kind === "wall" ? "#" : kind === "chief" ? "A" : letter();
      for (const [cx, cy] of sign ? chosen : []) cells[cy][cx] = sign;
    }
    first = null;
    changed();
  };
  const look = (x, y) => {
    const cell = cells[y][x];
    const kind = cell === FREE ? "floor" : cell === "#" ? "wall" : cell === "A" ? "chief" : "block";
    // Within a block there are no gaps.
    const joins = kind === "floor" || kind === "wall" ? "" : [["up", 0, -1], ["down", 0, 1], ["left", -1, 0], ["right", 1, 0]]
      .filter(([, dx, dy]) => cells[y + dy]?.[x + dx] === cell).map(([name]) => ` to-${name}`).join("");
    return { name: `${kind}${joins}${inside(x, y) ? " chosen" : ""}`, label: kind === "floor" ? t("emptyCell") : t(words[kind] ?? `piece-${kind}`) };
  };
  const board = () => cells.map((row) => row.join("")).join("/");
  const area = grid(columns, rows, look, {
    begin: (at) => { first = at; last = at; },
    over: (at) => { last = at; },
    end: paint,
    spans: true,
  });
  return { element: el("div", {}, el("p", { class: "keys" }, t(words.how ?? "editKlotskiHow")), brush.element, area.element), puzzle: () => `klotski:${board()}`, board };
}
