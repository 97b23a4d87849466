// SPDX-License-Identifier: MIT
// Sliding tiles, also with walls and equal tiles: "8,6,7/2,5,4/3,0,1".
import { arrows } from "../base/dom.js";
import { t } from "../base/texts.js";
import { inMetric, metricOf } from "./metrics.js";
import { ways } from "./ways.js";

const read = (board) => board.split("/").map((row) => row.split(","));
const write = (rows) => rows.map((row) => row.join(",")).join("/");
const size = (puzzle) => puzzle.match(/^(?:slide:)?([1-9]\d?)x([1-9]\d?)(?:,.*)?$/);

/** The goal in a puzzle's name, as a board: ":" stands between its cells. undefined without one, null if it is none. */
function goalOf(puzzle) {
  const [, text] = puzzle.match(/,goal:([^,]*)/) ?? [];
  if (text === undefined) return undefined;
  const [, rows, columns] = size(puzzle).map(Number);
  const cells = (text.includes(":") ? text.split(/[:/]/) : [...text.replaceAll("/", "")]).map((cell) => cell.replace(/^[x_.]$/, "0"));
  if (cells.length !== rows * columns || !cells.includes("0") || !cells.every((cell) => /^(\d+|#)$/.test(cell))) return null;
  return write(Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns)));
}

function blank(rows) {
  const row = rows.findIndex((cells) => cells.includes("0"));
  return [row, rows[row].indexOf("0")];
}

/** Where a tile belongs in the usual order, for a picture cut in pieces. */
function home(rows, tile) {
  const columns = rows[0].length;
  return tile > 0 ? { x: (tile - 1) % columns, y: Math.floor((tile - 1) / columns) } : null;
}

/** A place of a line; on a torus a line of three cells or more is closed. */
const around = (puzzle, place, length) => (/,wrap:yes/.test(puzzle) && length > 2 ? (place + length) % length : place);

export const slide = {
  scrambles: true, // moves can be undone: a walk never leads into a dead end
  keys: "keysSlide",
  matches: (puzzle) => size(puzzle) !== null && goalOf(puzzle) !== null,
  metrics: ["single", "multi"],
  asked: (puzzle) => inMetric(slide, puzzle, metricOf(slide, puzzle)),
  sayAll: (path) => t("tileGoes", path.map(({ tile }) => tile).join(", "), t(`way${path[0].way}`)),
  explored: {},

  start(puzzle) {
    const goal = goalOf(puzzle);
    if (goal) return goal;
    const [, rows, columns] = size(puzzle).map(Number);
    const cell = (row, column) => (row * columns + column + 1) % (rows * columns);
    return write(Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => cell(row, column))));
  },

  /** The tiles in order, around the walls of a board that has some. */
  goal(puzzle, board) {
    if (goalOf(puzzle) || !board.includes("#")) return slide.start(puzzle);
    const tiles = read(board).flat().filter((cell) => Number(cell) > 0).toSorted((one, two) => one - two);
    return write(read(board).map((row) => row.map((cell) => (cell === "#" ? cell : tiles.shift() ?? "0"))));
  },

  /** Manhattan distance, in moves of as many tiles as can go at once; 0 on a torus, among walls, and to a goal in the name. */
  estimate(puzzle, board) {
    const rows = read(board);
    const most = metricOf(slide, puzzle) === "multi" ? Math.max(rows.length, rows[0].length) - 1 : 1;
    return Math.ceil((/,(wrap|goal):/.test(puzzle) || board.includes("#") ? [] : rows).flatMap((cells, y) => cells.map((tile, x) => {
      const at = home(rows, Number(tile));
      return at ? Math.abs(at.x - x) + Math.abs(at.y - y) : 0;
    })).reduce((sum, way) => sum + way, 0) / most);
  },

  solved: (puzzle, board) => board === slide.goal(puzzle, board),

  picture(_puzzle, board) {
    const rows = read(board);
    const pieces = [];
    const seen = {};
    rows.forEach((cells, y) => cells.forEach((tile, x) => {
      if (tile === "0") return;
      const wall = tile === "#";
      seen[tile] = (seen[tile] ?? 0) + 1;
      pieces.push({ id: `${tile}-${seen[tile]}`, kind: wall ? "wall" : "tile", text: wall ? "" : tile,
        name: t("tileAt", tile, y + 1, x + 1), home: home(rows, Number(tile)), rects: [{ x, y, w: 1, h: 1 }] });
    }));
    return { columns: rows[0].length, rows: rows.length, pieces };
  },

  steps(puzzle, board) {
    const [row, column] = blank(read(board));
    // A word of a path is the way of the blank; the tile goes the other way.
    return ways.flatMap(({ key, way: word, back: way, by }) => {
      const rows = read(board);
      const [y, x] = [around(puzzle, row + by[0], rows.length), around(puzzle, column + by[1], rows[0].length)];
      const tile = rows[y]?.[x];
      if (tile === undefined || tile === "#") return [];
      const picture = slide.picture(puzzle, board);
      const piece = picture.pieces.find(({ rects: [at] }) => at.x === x && at.y === y).id;
      rows[row][column] = tile;
      rows[y][x] = "0";
      return [{ key, word, way, piece, tile, label: word, name: `${tile} ${arrows[way]}`, say: t("tileGoes", tile, t(`way${way}`)), board: write(rows) }];
    });
  },

  // A tile in line with the blank takes those between along: the moves of the blank, one after the other.
  run(puzzle, board, piece, way) {
    const { rects: [at] } = slide.picture(puzzle, board).pieces.find(({ id }) => id === piece);
    const [row, column] = blank(read(board));
    const { by } = ways.find(({ back }) => back === way);
    const length = (row - at.y) * -by[0] + (column - at.x) * -by[1];
    const inLine = by[0] === 0 ? row === at.y : column === at.x;
    const steps = [];
    for (let now = board; inLine && steps.length < length; now = steps.at(-1).board) {
      const step = slide.steps(puzzle, now).find((one) => one.way === way);
      if (!step) return null;
      steps.push(step);
    }
    return steps.length > 0 ? { pieces: steps.map((step) => step.piece), steps } : null;
  },

  // The way that a tile can go; null where it is not in line with the blank.
  wayOf(puzzle, board, piece) {
    return ways.map(({ way }) => way).find((way) => slide.run(puzzle, board, piece, way)) ?? null;
  },

  edits: "slide",
  title: (puzzle) => t("titleSlide", size(puzzle).slice(1).join("×")),
};
