// SPDX-License-Identifier: MIT
// Any other puzzle, also a plugin's: its boards are drawn as their text, its solutions played by DRAW.

export const other = {
  keys: "keysNone",
  matches: () => true,
  asked: (puzzle) => puzzle,
  explored: {},
  start: () => "",
  solved: () => false,

  picture(_puzzle, board) {
    const rows = board.split(/[/|]/).map((row) => [...row]);
    const pieces = rows.flatMap((row, y) => row.map((text, x) => (
      { id: `${y}.${x}`, kind: "letter", text, rects: [{ x, y, w: 1, h: 1 }] })));
    return { columns: Math.max(1, ...rows.map((row) => row.length)), rows: rows.length, pieces };
  },

  steps: () => [],
};
