// SPDX-License-Identifier: MIT
// Pancakes, discs and tokens. Pieces and moves come from the daemon.
import { t } from "../base/texts.js";
import { namedGoal, other } from "./other.js";

const ordered = {
  ...other,
  scrambles: true,
  goal: (puzzle, board) => namedGoal(puzzle) ?? board.split(",").map((_, i) => i + 1).join(","),
  solved: (puzzle, board) => board === ordered.goal(puzzle, board),
};

/** "3,1,2" from the top; burnt ones that lie on the wrong side are negative. */
export const pancakes = {
  ...ordered,
  matches: (puzzle) => /^pancake:\d/.test(puzzle),
  title: (puzzle) => t("titlePancake", puzzle.match(/\d+/)[0]),
  keys: "keysPancake",

  /** The gap heuristic (Helmert 2010): neighbours that do not belong together; 0 to a goal in the name. */
  estimate: (puzzle, board) => (namedGoal(puzzle) ? 0 : [...board.split(",").map(Number), board.split(",").length + 1]
    .filter((size, i, all) => i > 0 && Math.abs(size - all[i - 1]) !== 1).length),

  // A touched pancake is flipped with all above it.
  touch: (_puzzle, board, piece) => ({ word: String(board.split(",").findIndex((one) => `p${Math.abs(Number(one))}` === piece) + 1) }),

  steps: async (puzzle, board) => (await other.steps(puzzle, board)).map((step) => ({ ...step, say: t("flips", step.word) })),
};

/** "1,1,2": the peg of each disc, the smallest first; the goal is the last peg, if the name has no other one. */
export const hanoi = {
  ...other,
  matches: (puzzle) => /^hanoi:\d/.test(puzzle),
  title: (puzzle) => t("titleHanoi", ...puzzle.match(/\d+/g)),
  scrambles: true,
  keys: "keysHanoi",
  goal: (puzzle, board) => namedGoal(puzzle) ?? board.replace(/\d+/g, puzzle.match(/^hanoi:(\d+)/)[1]),
  solved: (puzzle, board) => board === hanoi.goal(puzzle, board),

  /** Any pegs are a board. */
  mixed(puzzle, board) {
    const pegs = Number(puzzle.match(/\d+/)[0]);
    const next = board.replace(/\d+/g, () => 1 + Math.floor(Math.random() * pegs));
    return hanoi.solved(puzzle, next) ? hanoi.mixed(puzzle, board) : next;
  },

  /** Each disc that is not on its peg moves at least once. */
  estimate: (puzzle, board) => board.split(",").filter((peg, i) => peg !== hanoi.goal(puzzle, board).split(",")[i]).length,

  // The upper disc of a touched peg is chosen, then goes to the peg that is touched next.
  touch(_puzzle, board, piece, chosen) {
    const pegs = board.split(",");
    const pegOf = (one) => (one.startsWith("peg") ? String(Number(one.slice(3)) + 1) : pegs[Number(one.slice(1)) - 1]);
    const top = pegs.indexOf(pegOf(piece));
    if (chosen === null) return { choose: top < 0 ? null : `d${top + 1}` };
    return pegOf(chosen) === pegOf(piece) ? { choose: null } : { word: `${pegOf(chosen)}>${pegOf(piece)}` };
  },

  steps: async (puzzle, board) => (await other.steps(puzzle, board)).map((step) => ({ ...step, say: t("discGoes", ...step.word.split(">")) })),
};

const sizes = (puzzle) => puzzle.match(/^topspin:(\d+),(\d+)/).slice(1).map(Number);

/** "1,4,3,2,5,6" is the ring from token 1 on. */
export const topspin = {
  ...ordered,
  matches: (puzzle) => /^topspin:\d+,\d+/.test(puzzle),
  title: (puzzle) => t("titleTopspin", ...sizes(puzzle)),
  keys: "keysRing",

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
