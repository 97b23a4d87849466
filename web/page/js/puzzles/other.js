// SPDX-License-Identifier: MIT
// Any other puzzle, also a plugin's: its boards are drawn as their text, its moves come from the daemon.
import { get } from "../base/api.js";

export const other = {
  keys: "keysButtons",
  buttons: true,
  matches: () => true,
  asked: (puzzle) => puzzle,
  explored: {},
  start: () => null,
  solved: () => false,

  picture(_puzzle, board) {
    const rows = board.split(/[/|]/).map((row) => [...row]);
    const pieces = rows.flatMap((row, y) => row.map((text, x) => (
      { id: `${y}.${x}`, kind: "letter", text, rects: [{ x, y, w: 1, h: 1 }] })));
    return { columns: Math.max(1, ...rows.map((row) => row.length)), rows: rows.length, pieces };
  },

  async steps(puzzle, board) {
    const { nodes } = await get("graph", { puzzle, root: board, depth: 1 });
    const [words, next] = [nodes[0].steps.split(" "), nodes[0].next.split(" ")];
    return words.flatMap((word, i) => (word === "" ? [] : [{ label: word, word, board: nodes[next[i]].board }]));
  },
};
