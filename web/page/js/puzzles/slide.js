// SPDX-License-Identifier: MIT
// Sliding tiles, also with walls and equal tiles: "8,6,7/2,5,4/3,0,1".
import { arrows } from "../dom.js";

const read = (board) => board.split("/").map((row) => row.split(","));
const write = (rows) => rows.map((row) => row.join(",")).join("/");
const size = (puzzle) => puzzle.match(/^(?:slide:)?(\d+)x(\d+)(?:,.*)?$/);

function blank(rows) {
  const row = rows.findIndex((cells) => cells.includes("0"));
  return [row, rows[row].indexOf("0")];
}

// The way the blank goes, as in paths; the tile goes the other way.
const ways = [
  { key: "ArrowUp", word: "U", way: "D", by: [-1, 0] },
  { key: "ArrowDown", word: "D", way: "U", by: [1, 0] },
  { key: "ArrowLeft", word: "L", way: "R", by: [0, -1] },
  { key: "ArrowRight", word: "R", way: "L", by: [0, 1] },
];

export const slide = {
  scrambles: true, // moves can be undone: a walk never leads into a dead end
  keys: "keysSlide",
  matches: (puzzle) => size(puzzle) !== null,
  asked: (puzzle) => puzzle,
  explored: {},

  start(puzzle) {
    const [, rows, columns] = size(puzzle).map(Number);
    const cell = (row, column) => (row * columns + column + 1) % (rows * columns);
    return write(Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => cell(row, column))));
  },

  solved: (puzzle, board) => board === slide.start(puzzle),

  picture(_puzzle, board) {
    const rows = read(board);
    const pieces = [];
    const seen = {};
    rows.forEach((cells, y) => cells.forEach((tile, x) => {
      if (tile === "0") return;
      const wall = tile === "#";
      seen[tile] = (seen[tile] ?? 0) + 1;
      pieces.push({ id: `${tile}-${seen[tile]}`, kind: wall ? "wall" : "tile", text: wall ? "" : tile, rects: [{ x, y, w: 1, h: 1 }] });
    }));
    return { columns: rows[0].length, rows: rows.length, pieces };
  },

  steps(_puzzle, board) {
    const [row, column] = blank(read(board));
    return ways.flatMap(({ key, word, way, by }) => {
      const rows = read(board);
      const tile = rows[row + by[0]]?.[column + by[1]];
      if (tile === undefined || tile === "#") return [];
      const picture = slide.picture(_puzzle, board);
      const piece = picture.pieces.find(({ rects: [at] }) => at.x === column + by[1] && at.y === row + by[0]).id;
      rows[row][column] = tile;
      rows[row + by[0]][column + by[1]] = "0";
      return [{ key, word, way, piece, label: word, name: `${tile} ${arrows[way]}`, board: write(rows) }];
    });
  },
};
