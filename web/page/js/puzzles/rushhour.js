// SPDX-License-Identifier: MIT
// Rush Hour: "BCCxooBooDEEFAAD…", a letter a cell. Klotski with lanes: a car keeps to the axis that it is long in.
import { t } from "../base/texts.js";
import { klotski } from "./klotski.js";
import { askedIn } from "./metrics.js";

function rows(board) {
  if (board.includes("/")) return board.split("/");
  const side = Math.sqrt(board.length);
  return Array.from({ length: side }, (_, row) => board.slice(row * side, (row + 1) * side));
}

export const toKlotski = (board) => rows(board).join("/").replaceAll("o", "@").replaceAll("x", "#");
export const fromKlotski = (board, like) => (like.includes("/") ? board : board.replaceAll("/", "")).replaceAll("@", "o").replaceAll("#", "x");

/** True if the car lies in a row. */
const lies = (board, car) => rows(board).some((row) => row.includes(car + car));

export const rushhour = {
  scrambles: true,
  title: () => t("name-rushhour"),
  keys: "keysSelect",
  selects: true,
  matches: (puzzle) => puzzle.startsWith("rushhour:"),
  metrics: ["move", "step"],
  asked: (puzzle) => askedIn(rushhour, puzzle),
  sayAll: klotski.sayAll,
  explored: { from: "goals" },
  edits: "rushhour",
  start: () => null, // the daemon renames cars: the one that leaves is A

  // Without a goal in the name, car A is to be at the right end of its row, or at the lower end of its column.
  solved(puzzle, board) {
    const [, row, column] = puzzle.match(/goal:A:(\d+):(\d+)/) ?? [];
    const cells = rows(board);
    if (row !== undefined) {
      const at = cells.findIndex((one) => one.includes("A"));
      return at === Number(row) && cells[at].indexOf("A") === Number(column);
    }
    return lies(board, "A") ? cells.some((one) => one.endsWith("AA")) : cells.at(-1).includes("A");
  },

  // Its exit is where car A ends: the goal in the name, or the far end of its lane.
  picture(puzzle, board) {
    const cells = toKlotski(board).split("/");
    const row = cells.findIndex((one) => one.includes("A"));
    const length = toKlotski(board).split("A").length - 1;
    const goal = lies(board, "A") ? `${row}:${cells[0].length - length}` : `${cells.length - length}:${cells[row]?.indexOf("A")}`;
    const picture = klotski.picture(/goal:A:/.test(puzzle) ? puzzle : `${puzzle},goal:A:${goal}`, toKlotski(board), lies(board, "A") ? "RL" : "DU");
    return { ...picture, pieces: picture.pieces.map((piece) => ({ ...piece, kind: piece.kind.replace(/^(chief|block\d).*/, "$1-car") })) };
  },

  steps: (puzzle, board) => klotski.steps(puzzle, toKlotski(board))
    .filter(({ piece, way }) => lies(board, piece) === "LR".includes(way))
    .map((step) => ({ ...step, board: fromKlotski(step.board, board) })),

  pieceOf: (board, word) => klotski.pieceOf(toKlotski(board), word),
};
