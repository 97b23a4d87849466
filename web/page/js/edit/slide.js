// SPDX-License-Identifier: MIT
// Sliding tiles: two that are dragged onto each other, or chosen one after the other, change places.
import { el } from "../base/dom.js";
import { t } from "../base/texts.js";
import { slide } from "../puzzles/slide.js";
import { grid } from "./grid.js";

export const smallest = 2;
export const cellsMost = 42;
export const size = { rows: 3, columns: 3 };
export const example = "1,5,2/4,0,3/7,8,6";

/** A board in rows, also a square one that is written in a line: 867254301. */
export function inRows(board) {
  const side = Math.sqrt(board.length);
  return /[,/]/.test(board) || side % 1 > 0 ? board : board.match(RegExp(`.{${side}}`, "g")).map((row) => [...row].join(",")).join("/");
}

/** text is a board to begin with; changed() is called when it is another. */
export function editor({ rows, columns }, text, changed) {
  const tiles = (text ?? slide.start(`${rows}x${columns}`)).split(/[/,]/);
  let chosen = null;
  let pressed = null;
  const swap = (a, b) => {
    [tiles[a], tiles[b]] = [tiles[b], tiles[a]];
    chosen = null;
    changed();
  };
  const place = ({ x, y }) => y * columns + x;
  const look = (x, y) => {
    const tile = tiles[place({ x, y })];
    const kind = tile === "0" ? "floor" : tile === "#" ? "wall" : "tile";
    return { name: place({ x, y }) === chosen ? `${kind} chosen` : kind, text: kind === "tile" ? tile : "", label: kind === "tile" ? tile : t("emptyCell") };
  };
  const board = () => Array.from({ length: rows }, (_, y) => tiles.slice(y * columns, (y + 1) * columns).join(",")).join("/");
  const cells = grid(columns, rows, look, {
    begin: (at) => { pressed = place(at); },
    end: (at) => {
      if (place(at) !== pressed) swap(pressed, place(at));
      else if (chosen === null) chosen = pressed;
      else if (chosen === pressed) chosen = null;
      else swap(chosen, pressed);
    },
  });
  return { element: el("div", {}, el("p", { class: "keys" }, t("editSlideHow")), cells.element), puzzle: () => `${rows}x${columns}`, board };
}
