// SPDX-License-Identifier: MIT
// TopSpin: "1,4,3,2,5,6" is the ring from token 1 on. The moves come from the daemon.
import { t } from "../base/texts.js";
import { other } from "./other.js";

const sizes = (puzzle) => puzzle.match(/^topspin:(\d+),(\d+)/).slice(1).map(Number);

export const topspin = {
  ...other,
  prepare: undefined,
  matches: (puzzle) => /^topspin:\d+,\d+/.test(puzzle),
  title: (puzzle) => t("titleTopspin", ...sizes(puzzle)),
  solved: (_puzzle, board) => board.split(",").every((token, i) => Number(token) === i + 1),

  picture(_puzzle, board) {
    const tokens = board.split(",");
    const radius = Math.max(1.2, (tokens.length * 1.15) / (2 * Math.PI));
    const side = 2 * radius + 1;
    const pieces = tokens.map((token, i) => {
      const angle = (2 * Math.PI * i) / tokens.length - Math.PI / 2;
      return { id: `t${token}`, kind: "tile round", text: token, rects: [{ x: radius * (1 + Math.cos(angle)), y: radius * (1 + Math.sin(angle)), w: 1, h: 1 }] };
    });
    return { columns: side, rows: side, pieces };
  },

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
