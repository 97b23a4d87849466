// SPDX-License-Identifier: MIT
// TopSpin: "1,4,3,2,5,6" is the ring from token 1 on. Pieces and moves come from the daemon.
import { t } from "../base/texts.js";
import { namedGoal, other } from "./other.js";

const sizes = (puzzle) => puzzle.match(/^topspin:(\d+),(\d+)/).slice(1).map(Number);

export const topspin = {
  ...other,
  matches: (puzzle) => /^topspin:\d+,\d+/.test(puzzle),
  title: (puzzle) => t("titleTopspin", ...sizes(puzzle)),
  scrambles: true,
  keys: "keysRing",
  goal: (puzzle, board) => namedGoal(puzzle) ?? board.split(",").map((_, i) => i + 1).join(","),
  solved: (puzzle, board) => board === topspin.goal(puzzle, board),

  // A touched token is the first of those that are turned.
  touch: (_puzzle, board, piece) => ({ word: String(board.split(",").indexOf(piece.slice(1)) + 1) }),

  // A move turns round so many neighbours from this place on: the tokens there say which.
  async steps(puzzle, board) {
    const tokens = board.split(",");
    const [count, run] = sizes(puzzle);
    return (await other.steps(puzzle, board)).map((step) => {
      const turned = Array.from({ length: run }, (_, i) => tokens[(Number(step.word) - 1 + i) % count]).join(" ");
      return { ...step, label: turned, say: t("turns", turned) };
    });
  },
};
