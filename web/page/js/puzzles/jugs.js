// SPDX-License-Identifier: MIT
// Water jugs: "0,4" are the amounts. "jugs:3,5,goal:4" names capacities and goal.
import { t } from "../base/texts.js";

const read = (board) => board.split(",").map(Number);

function rules(puzzle) {
  const words = puzzle.slice("jugs:".length).split(",");
  const capacities = words.filter((word) => /^\d+$/.test(word)).map(Number);
  const key = (name) => words.find((word) => word.startsWith(`${name}:`))?.slice(name.length + 1);
  return { capacities, goal: key("goal"), tap: key("tap") !== "no", start: key("start") };
}

function meets(goal, amounts) {
  if (goal === undefined) return false;
  if (goal.startsWith("sum:")) return amounts.reduce((sum, amount) => sum + amount, 0) === Number(goal.slice(4));
  const wanted = goal.split(":");
  if (wanted.length === 1) return amounts.includes(Number(goal));
  return wanted.every((amount, i) => amount === "_" || Number(amount) === amounts[i]);
}

export const jugs = {
  keys: "keysJugs",
  buttons: true,
  title: (puzzle) => t("titleJugs", rules(puzzle).capacities.join(", ")),
  matches: (puzzle) => /^jugs:\d/.test(puzzle),
  asked: (puzzle) => puzzle,
  explored: { from: "goals" },
  start: (puzzle) => rules(puzzle).start?.replaceAll(":", ",") ?? rules(puzzle).capacities.map(() => 0).join(","),
  solved: (puzzle, board) => meets(rules(puzzle).goal, read(board)),

  /** "4": in one jug; "sum:4": in all together; "4:4:_": in each, where _ is any amount. */
  goalText(puzzle) {
    const { goal } = rules(puzzle);
    if (goal?.startsWith("sum:")) return t("goalSum", goal.slice(4));
    if (goal?.includes(":")) return goal.split(":").map((amount) => (amount === "_" ? t("goalAny") : amount)).join(", ");
    return goal === undefined ? null : t("goalLitres", goal);
  },

  // A touched jug is chosen, and pours into the one that is touched next; an empty one is filled, a chosen one emptied.
  touch(puzzle, board, piece, chosen) {
    const [from, to] = [chosen, piece].map((one) => (one === null ? null : Number(one.match(/\d+$/)[0])));
    const { tap } = rules(puzzle);
    if (from !== null && from !== to) return { word: `pour:${from + 1}>${to + 1}` };
    if (from !== null) return tap ? { word: `empty:${to + 1}` } : { choose: null };
    return read(board)[to] === 0 ? { word: `fill:${to + 1}` } : { choose: `jug${to}` };
  },

  picture(puzzle, board) {
    const { capacities } = rules(puzzle);
    const most = Math.max(...capacities);
    const height = (amount) => (4 * amount) / most;
    const pieces = capacities.map((capacity, i) => (
      { id: `jug${i}`, kind: "jug", text: "", rects: [{ x: i, y: 4 - height(capacity), w: 1, h: height(capacity) }] }));
    read(board).forEach((amount, i) => {
      if (amount > 0) pieces.push({ id: `water${i}`, kind: "water", text: "", rects: [{ x: i, y: 4 - height(amount), w: 1, h: height(amount) }] });
      pieces.push({ id: `text${i}`, kind: "label", text: `${amount}/${capacities[i]}`, rects: [{ x: i, y: 4, w: 1, h: 0.6 }] });
    });
    return { columns: capacities.length, rows: 4.6, pieces };
  },

  steps(puzzle, board) {
    const { capacities, tap } = rules(puzzle);
    const amounts = read(board);
    const found = [];
    const add = (label, word, change) => {
      const next = [...amounts];
      change(next);
      if (next.join() !== amounts.join()) found.push({ label, word, board: next.join(",") });
    };
    capacities.forEach((capacity, i) => {
      if (tap) add(t("fill", i + 1), `fill:${i + 1}`, (next) => { next[i] = capacity; });
      if (tap) add(t("empty", i + 1), `empty:${i + 1}`, (next) => { next[i] = 0; });
      capacities.forEach((room, j) => {
        const poured = Math.min(amounts[i], room - amounts[j]);
        if (i !== j) add(t("pour", i + 1, j + 1), `pour:${i + 1}>${j + 1}`, (next) => { next[i] -= poured; next[j] += poured; });
      });
    });
    return found;
  },
};
