// SPDX-License-Identifier: MIT
// Sliding blocks: "HAAI/HAAI/JBBK/JNOK/P@@Q". One block by one cell is a move here.
import { arrows } from "../dom.js";

const read = (board) => board.split("/").map((row) => [...row]);
const free = (cell) => cell === "@" || cell === "." || cell === "_";

function blocks(rows) {
  const cells = new Map();
  rows.forEach((row, y) => row.forEach((cell, x) => {
    if (free(cell) || cell === "#") return;
    if (!cells.has(cell)) cells.set(cell, []);
    cells.get(cell).push([y, x]);
  }));
  return cells;
}

// The fewest rectangles that one scan by rows finds: one for a rectangle, a row each for other shapes.
function rectangles(cells) {
  const ys = cells.map(([y]) => y);
  const xs = cells.map(([, x]) => x);
  const [y, x] = [Math.min(...ys), Math.min(...xs)];
  const [h, w] = [Math.max(...ys) - y + 1, Math.max(...xs) - x + 1];
  if (w * h === cells.length) return [{ x, y, w, h }];
  return cells.map(([row, column]) => ({ x: column, y: row, w: 1, h: 1 }));
}

const ways = [
  { key: "ArrowUp", way: "U", by: [-1, 0] },
  { key: "ArrowDown", way: "D", by: [1, 0] },
  { key: "ArrowLeft", way: "L", by: [0, -1] },
  { key: "ArrowRight", way: "R", by: [0, 1] },
];

const classic = "HAAI/HAAI/JBBK/JNOK/P@@Q";

export const klotski = {
  scrambles: true,
  keys: "keysSelect",
  selects: true,
  matches: (puzzle) => puzzle.startsWith("klotski:"),
  asked: (puzzle) => `${puzzle.replace(/,metric:\w+/, "")},metric:step`,
  counts: "Steps",
  explored: { from: "goals" },
  start: (puzzle) => (puzzle === "klotski:横刀立马" || puzzle === "klotski:classic" ? classic : null),

  // The goal stands in the canonical name; without it the 2×2 block is to be at the middle of the bottom edge.
  solved(puzzle, board) {
    const rows = read(board);
    const [, letter, row, column] = puzzle.match(/goal:(\w):(\d+):(\d+)/) ?? [null, "A", rows.length - 2, (rows[0].length - 2) / 2];
    const cells = blocks(rows).get(letter);
    return cells !== undefined && cells[0][0] === Number(row) && cells[0][1] === Number(column);
  },

  picture(_puzzle, board) {
    const rows = read(board);
    const pieces = [];
    rows.forEach((row, y) => row.forEach((cell, x) => {
      if (cell === "#") pieces.push({ id: `#${y}.${x}`, kind: "wall", text: "", rects: [{ x, y, w: 1, h: 1 }] });
    }));
    for (const [id, cells] of blocks(rows))
      pieces.push({ id, kind: id === "A" ? "chief" : `block${Math.min(cells.length, 4)}`, text: "", rects: rectangles(cells) });
    return { columns: rows[0].length, rows: rows.length, pieces };
  },

  steps(_puzzle, board) {
    const found = [];
    for (const [piece, cells] of blocks(read(board))) {
      for (const { key, way, by } of ways) {
        const rows = read(board);
        const to = cells.map(([y, x]) => [y + by[0], x + by[1]]);
        if (!to.every(([y, x]) => rows[y]?.[x] !== undefined && (free(rows[y][x]) || rows[y][x] === piece))) continue;
        for (const [y, x] of cells) rows[y][x] = "@";
        for (const [y, x] of to) rows[y][x] = piece;
        found.push({ key, way, piece, label: `${piece} ${way}`, name: `${piece} ${arrows[way]}`, board: rows.map((row) => row.join("")).join("/") });
      }
    }
    return found;
  },

  // "3.1:DL": a cell of the block, and its way.
  pieceOf(board, word) {
    const [, y, x] = word.match(/^(\d+)\.(\d+):/) ?? [];
    return y === undefined ? null : read(board)[y][x];
  },
};
