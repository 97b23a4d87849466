// SPDX-License-Identifier: MIT
// Pancakes and discs: bars of several widths. The moves come from the daemon.
import { t } from "../base/texts.js";
import { other } from "./other.js";

const bar = (id, kind, middle, y, width, text) => ({ id, kind, text, rects: [{ x: middle - width / 2, y, w: width, h: 1 }] });

/** "3,1,2" from the top; burnt ones that lie on the wrong side are negative. */
export const pancakes = {
  ...other,
  prepare: undefined, // it is drawn here
  matches: (puzzle) => /^pancake:\d/.test(puzzle),
  title: (puzzle) => t("titlePancake", puzzle.match(/\d+/)[0]),
  solved: (_puzzle, board) => board.split(",").every((pancake, i) => Number(pancake) === i + 1),

  steps: async (puzzle, board) => (await other.steps(puzzle, board)).map((step) => ({ ...step, say: t("flips", step.word) })),

  picture(_puzzle, board) {
    const stack = board.split(",").map(Number);
    const columns = stack.length + 2;
    return { columns, rows: stack.length, pieces: stack.map((pancake, y) => (
      bar(`p${Math.abs(pancake)}`, pancake < 0 ? "chief" : "block1", columns / 2, y, Math.abs(pancake) + 1.5, String(pancake)))) };
  },
};

/** "1,1,2": the peg of each disc, the smallest first; the last peg is the goal. */
export const hanoi = {
  ...other,
  prepare: undefined, // it is drawn here
  matches: (puzzle) => /^hanoi:\d/.test(puzzle),
  title: (puzzle) => t("titleHanoi", ...puzzle.match(/\d+/g)),
  solved: (puzzle, board) => board.split(",").every((peg) => peg === puzzle.match(/^hanoi:(\d+)/)[1]),

  steps: async (puzzle, board) => (await other.steps(puzzle, board)).map((step) => ({ ...step, say: t("discGoes", ...step.word.split(">")) })),

  picture(puzzle, board) {
    const pegs = Number(puzzle.match(/^hanoi:(\d+)/)[1]);
    const on = board.split(",").map((peg) => Number(peg) - 1);
    const width = on.length + 1.5;
    const pieces = [];
    for (let peg = 0; peg < pegs; peg++) {
      pieces.push({ id: `peg${peg}`, kind: "wall", text: "", rects: [{ x: (peg + 0.5) * width - 0.15, y: 0.3, w: 0.9, h: on.length + 0.7 }] });
      on.map((at, disc) => [at, disc]).filter(([at]) => at === peg).reverse()
        .forEach(([, disc], i) => pieces.push(bar(`d${disc}`, `block${(disc % 4) + 1}`, (peg + 0.5) * width + 0.3, on.length - i, disc + 1.6, String(disc + 1))));
    }
    return { columns: pegs * width, rows: on.length + 1, pieces };
  },
};
