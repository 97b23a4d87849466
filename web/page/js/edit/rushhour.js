// SPDX-License-Identifier: MIT
// Cars: the blocks of Klotski, painted in lanes.
import { fromKlotski, toKlotski } from "../puzzles/rushhour.js";
import * as klotski from "./klotski.js";

export const smallest = 3;
export const cellsMost = 64;
export const size = { rows: 6, columns: 6 };
export const example = "BBCooD/EoCFFD/EAAGoo/HIIGoJ/HoKLLJ/MMKoNN";

/** A board in rows, also one that is written in a line. */
export const inRows = (board) => fromKlotski(toKlotski(board), "/");

export function editor(cells, text, changed) {
  const { element, board } = klotski.editor(cells, text && toKlotski(text), changed, { how: "editRushHow", chief: "piece-leaver", block: "piece-car" });
  const cars = () => inRows(board());
  return { element, puzzle: () => `rushhour:${cars()}`, board: cars };
}
