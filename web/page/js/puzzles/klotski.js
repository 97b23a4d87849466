// SPDX-License-Identifier: MIT
// Sliding blocks: "HAAI/HAAI/JBBK/JNOK/P@@Q". One block by one cell is a move here.
import { arrows } from "../base/dom.js";
import { t } from "../base/texts.js";
import { askedIn } from "./metrics.js";
import { ways } from "./ways.js";

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

function extent(cells) {
  const ys = cells.map(([y]) => y);
  const xs = cells.map(([, x]) => x);
  const [y, x] = [Math.min(...ys), Math.min(...xs)];
  return { x, y, w: Math.max(...xs) - x + 1, h: Math.max(...ys) - y + 1 };
}

// The fewest rectangles that one scan by rows finds: one for a rectangle, a row each for other shapes.
function rectangles(cells) {
  const whole = extent(cells);
  if (whole.w * whole.h === cells.length) return [whole];
  return cells.map(([row, column]) => ({ x: column, y: row, w: 1, h: 1 }));
}

/** How people call a block: by its size and the place of its upper left cell. */
function nameOf(id, cells) {
  const [{ w, h }] = rectangles(cells);
  const whole = w * h === cells.length;
  const size = id === "A" ? "Chief" : !whole ? "Odd" : w > h ? "Wide" : h > w ? "Tall" : w === 1 ? "Small" : "Odd";
  return t("blockAt", t(`block${size}`), Math.min(...cells.map(([y]) => y)) + 1, Math.min(...cells.map(([, x]) => x)) + 1);
}

const GENERALS = ["guanyu", "zhangfei", "zhaoyun", "machao", "huangzhong"];

/** Who blocks are, where a chief of 2×2 cells leads: the first general is the first that lies. Letters name the blocks, so names stay. */
function roles(all) {
  const found = new Map();
  const shapes = [...all].map(([id, cells]) => ({ id, ...extent(cells), size: cells.length })).sort((a, b) => (a.id < b.id ? -1 : 1));
  if (!shapes.some(({ id, w, h, size }) => id === "A" && w === 2 && h === 2 && size === 4)) return found;
  found.set("A", "-caocao");
  const long = shapes.filter(({ size }) => size === 2);
  const wide = long.find(({ w }) => w === 2);
  const generals = [...(wide ? [wide] : []), ...long.filter((one) => one !== wide)];
  generals.slice(0, GENERALS.length).forEach(({ id }, i) => found.set(id, `-${GENERALS[i]}`));
  for (const { id, size } of shapes) if (size === 1) found.set(id, "-soldier");
  return found;
}

/** The cells that blocks are to reach, "goal:A:3:1+H:0:0" in the puzzle's name, or the middle of the bottom edge for the chief. */
function goalsOf(puzzle, rows) {
  const [, named] = puzzle.match(/,goal:([^,]+)/) ?? [null, `A:${rows.length - 2}:${(rows[0].length - 2) / 2}`];
  return named.split("+").map((goal) => goal.split(":")).map(([letter, row, column]) => ({ letter, row: Number(row), column: Number(column) }));
}

/** Where the frame is open: at the first of these sides that the goal touches. */
function gateOf({ x, y, w, h }, columns, rows, sides) {
  const open = { D: y + h === rows && { x, y: rows, w, h: 0 }, R: x + w === columns && { x: columns, y, w: 0, h }, U: y === 0 && { x, y, w, h: 0 }, L: x === 0 && { x, y, w: 0, h } };
  return open[[...sides].find((side) => open[side])];
}

const classic = "HAAI/HAAI/JBBK/JNOK/P@@Q";

export const klotski = {
  scrambles: true,
  keys: "keysSelect",
  selects: true,
  matches: (puzzle) => puzzle.startsWith("klotski:"),
  metrics: ["move", "step"],
  asked: (puzzle) => askedIn(klotski, puzzle),
  explored: { from: "goals" },
  edits: "klotski",
  title: (puzzle) => t("titleKlotski", puzzle.slice("klotski:".length).replace(/,.*/, "")),
  start: (puzzle) => (puzzle === "klotski:横刀立马" || puzzle === "klotski:classic" ? classic : null),

  // The goal stands in the canonical name; without it the 2×2 block is to be at the middle of the bottom edge. The daemon
  // renames other blocks than A, so only its table tells whether these are at their goals.
  solved(puzzle, board) {
    const rows = read(board);
    const [{ letter, row, column }, ...more] = goalsOf(puzzle, rows);
    const cells = letter === "A" && more.length === 0 ? blocks(rows).get("A") : undefined;
    return cells !== undefined && cells[0][0] === row && cells[0][1] === column;
  },

  picture(puzzle, board, sides = "DRUL") {
    const rows = read(board);
    const [{ letter, row: bottom, column: left }] = goalsOf(puzzle, rows);
    const chief = blocks(rows).get(letter) ?? [];
    const { w, h } = chief.length > 0 ? extent(chief) : { w: 0, h: 0 };
    const exit = w === 0 || !Number.isInteger(left) ? [] : [{ x: left, y: bottom, w, h }];
    const gate = exit.map((rect) => gateOf(rect, rows[0].length, rows.length, sides)).filter(Boolean);
    const pieces = [...gate.map((rect) => ({ id: "gate", kind: "gate", text: "", rects: [rect] })), ...exit.map((rect) => ({ id: "exit", kind: "exit", text: "", rects: [rect] }))];
    rows.forEach((row, y) => row.forEach((cell, x) => {
      if (cell === "#") pieces.push({ id: `#${y}.${x}`, kind: "wall", text: "", rects: [{ x, y, w: 1, h: 1 }] });
    }));
    const names = roles(blocks(rows));
    for (const [id, cells] of blocks(rows))
      pieces.push({ id, kind: `${id === "A" ? "chief" : `block${Math.min(cells.length, 4)}`}${names.get(id) ?? ""}`, text: "", tag: id, name: nameOf(id, cells), rects: rectangles(cells) });
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
        const name = nameOf(piece, cells);
        found.push({ key, way, piece, label: `${piece} ${way}`, name: `${piece} ${arrows[way]}`, say: t("pieceGoes", name, t(`way${way}`)), block: name, board: rows.map((row) => row.join("")).join("/") });
      }
    }
    return found;
  },

  /** A move of several steps in words: "the small block right, down". */
  sayAll: (path) => t("pieceGoes", path[0].block, path.map(({ way }) => t(`way${way}`)).join(t("then"))),

  // "3.1:DL": a cell of the block, and its way.
  pieceOf(board, word) {
    const [, y, x] = word.match(/^(\d+)\.(\d+):/) ?? [];
    return y === undefined ? null : read(board)[y][x];
  },
};
