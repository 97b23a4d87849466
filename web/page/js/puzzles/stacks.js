// SPDX-License-Identifier: MIT
// Pancakes and discs. Pieces and moves come from the daemon.
import { t } from "../base/texts.js";
import { namedGoal, other } from "./other.js";

/** "3,1,2" from the top; burnt ones that lie on the wrong side are negative. */
export const pancakes = {
  ...other,
  matches: (puzzle) => /^pancake:\d/.test(puzzle),
  title: (puzzle) => t("titlePancake", puzzle.match(/\d+/)[0]),
  solved: (puzzle, board) => board === (namedGoal(puzzle) ?? board.split(",").map((_, i) => i + 1).join(",")),

  steps: async (puzzle, board) => (await other.steps(puzzle, board)).map((step) => ({ ...step, say: t("flips", step.word) })),
};

/** "1,1,2": the peg of each disc, the smallest first; the goal is the last peg, if the name has no other one. */
export const hanoi = {
  ...other,
  matches: (puzzle) => /^hanoi:\d/.test(puzzle),
  title: (puzzle) => t("titleHanoi", ...puzzle.match(/\d+/g)),
  solved: (puzzle, board) => board === (namedGoal(puzzle) ?? board.replace(/\d+/g, puzzle.match(/^hanoi:(\d+)/)[1])),

  steps: async (puzzle, board) => (await other.steps(puzzle, board)).map((step) => ({ ...step, say: t("discGoes", ...step.word.split(">")) })),
};
