// SPDX-License-Identifier: MIT
// Any other puzzle, also a plugin's: the daemon tells the pieces of its boards, and its moves.
import { get } from "../base/api.js";
import { read } from "../board/pieces.js";

const KEPT = 2000; // pictures

const pictures = new Map(); // from "puzzle board"
const keyOf = (puzzle, board) => `${puzzle} ${board}`;

function keep(puzzle, board, picture) {
  if (pictures.size >= KEPT) pictures.delete(pictures.keys().next().value);
  pictures.set(keyOf(puzzle, board), picture);
}

/** The board that a puzzle's name ends with as its goal, "pancake:3,goal:2:1:3"; undefined for the usual one. */
export const namedGoal = (puzzle) => puzzle.match(/,goal:([-\d:]+)/)?.[1].replaceAll(":", ",");

export const other = {
  keys: "keysButtons",
  buttons: true,
  matches: () => true,
  asked: (puzzle) => puzzle,
  explored: {},
  start: () => null,
  solved: () => false,

  /** Nothing, before prepare() has found the board's pieces. */
  picture: (puzzle, board) => pictures.get(keyOf(puzzle, board)) ?? { columns: 1, rows: 1, pieces: [] },

  async prepare(puzzle, boards) {
    const wanted = boards.filter((board) => !pictures.has(keyOf(puzzle, board)));
    const drawn = await Promise.all(wanted.map((board) => get("draw", { puzzle, board, pieces: "yes" })));
    drawn.forEach(({ frames: [frame] }, i) => keep(puzzle, wanted[i], read(frame.pieces)));
  },

  async steps(puzzle, board) {
    const { nodes } = await get("graph", { puzzle, root: board, depth: 1 });
    const [words, next] = [nodes[0].steps.split(" "), nodes[0].next.split(" ")];
    return words.flatMap((word, i) => (word === "" ? [] : [{ label: word, word, board: nodes[next[i]].board }]));
  },
};
