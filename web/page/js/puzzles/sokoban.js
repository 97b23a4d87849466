// SPDX-License-Identifier: MIT
// Sokoban in the XSB form: "#####/#@$.#/#####".
import { arrows } from "../base/dom.js";
import { t } from "../base/texts.js";
import { askedIn } from "./metrics.js";
import { ways } from "./ways.js";

const read = (board) => board.split(/[/|]/).map((row) => [...row]);

const has = {
  box: (cell) => cell === "$" || cell === "*",
  player: (cell) => cell === "@" || cell === "+",
  goal: (cell) => cell === "." || cell === "*" || cell === "+",
};
const solid = (cell) => cell === undefined || cell === "#";

function put(rows, [y, x], what) {
  const goal = has.goal(rows[y][x]);
  rows[y][x] = { floor: goal ? "." : " ", box: goal ? "*" : "$", player: goal ? "+" : "@" }[what];
}

function player(rows) {
  for (let y = 0; y < rows.length; y++) {
    const x = rows[y].findIndex(has.player);
    if (x >= 0) return [y, x];
  }
  return [0, 0];
}

/** The level in a puzzle's name; null where it has run lengths or letters, which the daemon reads. */
function level(puzzle) {
  const text = puzzle.slice("sokoban:".length).replace(/,metric:\w+$/, "");
  return /^[-#@+$*. _/|]*$/.test(text) && text.includes("#") ? text : null;
}

export const sokoban = {
  keys: "keysWalk",
  walks: true,
  matches: (puzzle) => puzzle.startsWith("sokoban:"),
  metrics: ["move", "push"],
  asked: (puzzle) => askedIn(sokoban, puzzle),
  explored: { from: "goals" },
  start: level,
  edits: "sokoban",
  title: () => t("name-sokoban"),
  solved: (_puzzle, board) => !board.includes("$"),

  picture(_puzzle, board) {
    const rows = read(board);
    const pieces = [];
    let boxes = 0;
    const add = (kind, id, x, y) => pieces.push({ id, kind, text: "", name: t("pieceAt", t(`piece-${kind}`), y + 1, x + 1), rects: [{ x, y, w: 1, h: 1 }] });
    rows.forEach((row, y) => row.forEach((cell, x) => {
      if (cell === "#") add("wall", `#${y}.${x}`, x, y);
      if (has.goal(cell)) add("goal", `.${y}.${x}`, x, y);
    }));
    rows.forEach((row, y) => row.forEach((cell, x) => {
      if (has.box(cell)) add(cell === "*" ? "home" : "box", `box${boxes++}`, x, y);
      if (has.player(cell)) add("player", "player", x, y);
    }));
    return { columns: Math.max(...rows.map((row) => row.length)), rows: rows.length, pieces };
  },

  /** The box that a step pushes, by its name on the board before. */
  pushed(board, { way }) {
    const rows = read(board);
    const [y, x] = player(rows);
    const [dy, dx] = ways.find((one) => one.way === way).by;
    const before = rows.flatMap((row, i) => row.filter((cell, j) => has.box(cell) && (i < y + dy || (i === y + dy && j < x + dx))));
    const place = `${y + dy + 1},${x + dx + 1}`;
    return { piece: `box${before.length}`, name: `${place} ${arrows[way]}`, say: t("boxAtGoes", y + dy + 1, x + dx + 1, t(`way${way}`)) };
  },

  steps(_puzzle, board) {
    const [y, x] = player(read(board));
    return ways.flatMap(({ key, way, by: [dy, dx] }) => {
      const rows = read(board);
      const [near, far] = [rows[y + dy]?.[x + dx], rows[y + 2 * dy]?.[x + 2 * dx]];
      if (solid(near) || (has.box(near) && (solid(far) || has.box(far)))) return [];
      const pushes = has.box(near);
      if (pushes) put(rows, [y + 2 * dy, x + 2 * dx], "box");
      put(rows, [y, x], "floor");
      put(rows, [y + dy, x + dx], "player");
      return [{ key, word: way.toLowerCase(), way, piece: "player", label: way.toLowerCase(), name: arrows[way],
        pushes, say: t(pushes ? "boxGoes" : "playerGoes", t(`way${way}`)), board: rows.map((row) => row.join("")).join("/") }];
    });
  },
};
