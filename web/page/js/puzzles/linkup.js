// SPDX-License-Identifier: MIT
// Link-up: "linkup:AB/BA,from:0:0,to:1:1". A line is drawn from one red tile to the other, cell by cell. It stands behind the
// board here, "AB/BA>0,0>0,-1"; the daemon is asked by the bare board.
import { t } from "../base/texts.js";
import { ways } from "./ways.js";

const WIDTH = 0.24; // of the line, in cells
const SIZE = [5, 6]; // of a new board: rows, columns
const LETTERS = "ABCDE";

const same = ([y, x], [v, u]) => y === v && x === u;
const plus = ([y, x], [v, u]) => [y + v, x + u];
const isEmpty = (cell) => cell === ".";
const write = (bare, line) => (line.length > 0 ? [bare, ...line].join(">") : bare);

/** The signs of the empty cells of a board: the usual ones, or where it has none of these, the first of others that it has. */
const emptyIn = (board) => (/[._\-@]/.test(board) ? "._-@" : [..."*0 "].find((sign) => board.includes(sign)) ?? "");

/** The rules in a puzzle's name, with its rows, in which an empty cell is ".". */
function rules(puzzle) {
  const [board, ...keys] = puzzle.slice("linkup:".length).split(",");
  const key = (name) => keys.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1);
  const [from, to] = ["from", "to"].map((name) => key(name)?.split(":").map(Number) ?? [-2, -2]);
  const empty = emptyIn(board);
  const rows = board.split("/").map((row) => [...row].map((cell) => (empty.includes(cell) ? "." : cell)));
  return { board, from, to, ring: key("border") === "no" ? 0 : 1, turns: Number(key("turns") ?? 2), rows };
}

const lineOf = (board) => board.split(">").slice(1).map((cell) => cell.split(",").map(Number));

/** True for an empty cell, also of the ring around the board where lines may leave it. */
function free({ rows, ring }, [y, x]) {
  if (rows[y]?.[x] !== undefined) return isEmpty(rows[y][x]);
  return y >= -ring && x >= -ring && y < rows.length + ring && x < rows[0].length + ring;
}

/** The places where a line turns, with both of its ends. */
const corners = (line) => line.filter((at, i) => {
  const [before, after] = [line[i - 1], line[i + 1]];
  return !before || !after || after[0] - at[0] !== at[0] - before[0] || after[1] - at[1] !== at[1] - before[1];
});

const turnsOf = (line) => Math.max(0, corners(line).length - 2);

/** True if a line with few enough turns joins two cells: rays go out from the cells that the rays before have reached. */
function joins(board, from, to) {
  const seen = new Set();
  let layer = [from];
  for (let turns = 0; turns <= board.turns; turns++) {
    const reached = [];
    for (const cell of layer) for (const { by } of ways)
      for (let at = plus(cell, by); ; at = plus(at, by)) {
        if (same(at, to)) return true;
        if (!free(board, at)) break;
        if (!seen.has(String(at))) reached.push(at);
        seen.add(String(at));
      }
    layer = reached;
  }
  return false;
}

function shuffled(list) {
  const mixed = list.map((one) => [Math.random(), one]).toSorted(([a], [b]) => a - b);
  return mixed.map(([, one]) => one);
}

function newRows() {
  const [height, width] = SIZE;
  const tiles = shuffled(Array.from({ length: height * width }, (_, i) => LETTERS[(i >> 1) % LETTERS.length]));
  return Array.from({ length: height }, (_, y) => tiles.slice(y * width, (y + 1) * width));
}

/** Two equal tiles that can be joined, at random; undefined where there are none. */
function pairOf(board) {
  const tiles = shuffled(board.rows.flatMap((row, y) => row.flatMap((cell, x) => (isEmpty(cell) ? [] : [[y, x]]))));
  const letter = ([y, x]) => board.rows[y][x];
  return tiles.flatMap((one, i) => tiles.slice(i + 1).map((two) => [one, two]))
    .find(([one, two]) => letter(one) === letter(two) && joins(board, one, two));
}

/** A stretch of the line: from the middle of a cell, or the side of a tile, to the next one's. */
function stretch(board, at, other) {
  const end = (one, two) => [0, 1].map((axis) => one[axis] + 0.5 + (free(board, one) ? 0 : 0.5 * Math.sign(two[axis] - one[axis])));
  const [[y, x], [v, u]] = [end(at, other), end(other, at)];
  return { x: Math.min(x, u) + board.ring - WIDTH / 2, y: Math.min(y, v) + board.ring - WIDTH / 2, w: Math.abs(x - u) + WIDTH, h: Math.abs(y - v) + WIDTH };
}

export const linkup = {
  keys: "keysLine",
  counts: "Line",
  explored: null,
  matches: (puzzle) => puzzle.startsWith("linkup:"),
  asked: (puzzle) => puzzle,
  title: () => t("name-linkup"),
  start: (puzzle) => rules(puzzle).board,
  bare: (board) => board.split(">")[0],
  made: (_puzzle, board) => turnsOf(lineOf(board)),

  solved(puzzle, board) {
    const [line, { from, to }] = [lineOf(board), rules(puzzle)];
    return line.length > 1 && same(line.at(-1), same(line[0], from) ? to : from);
  },

  picture(puzzle, board) {
    const found = rules(puzzle);
    const { rows, ring, from, to } = found;
    const pieces = rows.flatMap((row, y) => row.flatMap((text, x) => (isEmpty(text) ? [] : [{ id: `${y}.${x}`, kind: same([y, x], from) || same([y, x], to) ? "chief" : "tile",
      text, rects: [{ x: x + ring, y: y + ring, w: 1, h: 1 }] }])));
    const places = corners(lineOf(board));
    if (places.length > 1) pieces.push({ id: "line", kind: "line", text: "", rects: places.slice(1).map((at, i) => stretch(found, places[i], at)) });
    return { columns: rows[0].length + 2 * ring, rows: rows.length + 2 * ring, pieces };
  },

  /** A touched red tile begins a line, and ends the one that was drawn. */
  begin(puzzle, board, piece) {
    const { from, to } = rules(puzzle);
    const at = [from, to].find((one) => one.join(".") === piece);
    return !at || same(lineOf(board)[0] ?? from, at) && lineOf(board).length < 2 ? null : write(linkup.bare(board), [at]);
  },

  // The line goes on by a cell, or back by one.
  steps(puzzle, board) {
    const found = rules(puzzle);
    const line = lineOf(board).length > 0 ? lineOf(board) : [found.from];
    const other = same(line[0], found.from) ? found.to : found.from;
    return ways.flatMap(({ key, way, by }) => {
      const next = plus(line.at(-1), by);
      const back = line.length > 1 && same(next, line.at(-2));
      const longer = back ? line.slice(0, -1) : [...line, next];
      const crosses = !back && line.some((one) => same(one, next));
      if (!back && (linkup.solved(puzzle, board) || crosses || turnsOf(longer) > found.turns || (!same(next, other) && !free(found, next)))) return [];
      return [{ key, way, piece: "player", label: way, say: t("lineGoes", t(`way${way}`)), board: write(linkup.bare(board), longer) }];
    });
  },

  /** What comes next: two other tiles of the board, without those that are joined; a new board where no two are left. */
  next(puzzle, board) {
    const found = rules(puzzle);
    if (linkup.solved(puzzle, board)) for (const [y, x] of [found.from, found.to]) found.rows[y][x] = ".";
    let pair = pairOf(found);
    while (!pair) {
      found.rows = newRows();
      pair = pairOf(found);
    }
    const [from, to] = pair.map((at) => at.join(":"));
    return `linkup:${found.rows.map((row) => row.join("")).join("/")},from:${from},to:${to},border:${found.ring ? "yes" : "no"}${found.turns === 2 ? "" : `,turns:${found.turns}`}`;
  },
};
