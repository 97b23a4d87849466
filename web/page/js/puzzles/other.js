// SPDX-License-Identifier: MIT
// Any other puzzle, also a plugin's: its boards are drawn as DRAW draws them, its moves come from the daemon.
import { get } from "../base/api.js";

const KEPT = 2000; // drawings

const drawings = new Map(); // from "puzzle board" to the rows of its drawing
const keyOf = (puzzle, board) => `${puzzle} ${board}`;

function keep(puzzle, { board, drawing }) {
  if (drawings.size >= KEPT) drawings.delete(drawings.keys().next().value);
  drawings.set(keyOf(puzzle, board), drawing.split("|"));
}

/** A list of numbers or words is a row of cells; everything else is a text in letters of one width. */
function cells(rows) {
  const words = rows.map((row) => row.trim().split(/[,\s]+/));
  const listed = words.every((row) => row.length > 1 && row.length === words[0].length && row.every((word) => word !== "" && word.length <= 3));
  return listed ? { rows: words, kind: "cell" } : { rows: rows.map((row) => [...row]), kind: "letter" };
}

export const other = {
  keys: "keysButtons",
  buttons: true,
  matches: () => true,
  asked: (puzzle) => puzzle,
  explored: {},
  start: () => null,
  solved: () => false,

  picture(puzzle, board) {
    const { rows, kind } = cells(drawings.get(keyOf(puzzle, board)) ?? board.split(/[/|]/));
    const pieces = rows.flatMap((row, y) => row.map((text, x) => (
      { id: `${y}.${x}`, kind, text, rects: [{ x, y, w: 1, h: 1 }] })));
    return { columns: Math.max(1, ...rows.map((row) => row.length)), rows: rows.length, pieces };
  },

  /** Boards are drawn by the daemon; frames are those of a DRAW that was made for a path. */
  async prepare(puzzle, boards, frames = []) {
    frames.forEach((frame) => keep(puzzle, frame));
    const wanted = boards.filter((board) => !drawings.has(keyOf(puzzle, board)));
    const drawn = await Promise.all(wanted.map((board) => get("draw", { puzzle, board })));
    drawn.forEach((reply, i) => keep(puzzle, { board: wanted[i], drawing: reply.frames[0].drawing }));
  },

  async steps(puzzle, board) {
    const { nodes } = await get("graph", { puzzle, root: board, depth: 1 });
    const [words, next] = [nodes[0].steps.split(" "), nodes[0].next.split(" ")];
    return words.flatMap((word, i) => (word === "" ? [] : [{ label: word, word, board: nodes[next[i]].board }]));
  },
};
