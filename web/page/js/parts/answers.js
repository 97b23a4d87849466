// SPDX-License-Identifier: MIT
// What stored tables answer at once, and what an exploration would take.
import { ApiError, finished, get, post, submit } from "../base/api.js";
import { t } from "../base/texts.js";
import { bareOf, kindOf } from "../puzzles/kinds.js";

const WALK = 300; // random moves, where no table gives a distance
const VARIED = 12; // up to so many more: boards in a circle would always end in the same place of it
const ASKED_WALK = 16;
const EXPLORING = 30; // seconds

/**
 * One answer of a lookup, null where no table tells, or where it counts from the root as the puzzle has no goal, or sums costs, as the page counts moves. It is asked for as a list of one: what a list lacks is no failed
 * request, which browsers would note as an error.
 */
async function look(verb, puzzle, start) {
  const { answers: [answer] } = await post(verb, { puzzle: kindOf(puzzle).asked(puzzle), starts: [bareOf(puzzle, start)] });
  if (answer.error && !["no-table", "unsupported", "bad-request", "limit"].includes(answer.error.code)) throw new ApiError(answer.error);
  return answer.error || answer.from === "root" || answer.cost !== undefined || answer.solvable === "unknown" ? null : answer;
}

/** { moves, job }: the moves to the goal, -1 for a board without a solution, and whose table tells; null where none does. */
export const distanceIn = (puzzle, start) => look("distance", puzzle, start);

/** Moves to the goal of several boards, as distance tells them. */
export async function distances(puzzle, starts) {
  const { answers } = await post("distance", { puzzle: kindOf(puzzle).asked(puzzle), starts });
  return answers.map((answer) => answer.moves ?? null);
}

/** A solution from the table: { start, path, moves }, path null where there is none; null without a table. */
export async function solution(puzzle, board) {
  const answer = await look("path", puzzle, board);
  return answer && { start: board, path: answer.path ?? null, moves: answer.moves };
}

/** The board that a puzzle begins with, where only the daemon knows it; to be played, a scrambled one if that is a goal, which only a text's moves backwards lead away from where moves cannot be undone. */
export async function ownStart(puzzle, played = false) {
  const { nodes: [{ board, solved }], reversible } = await get("graph", { puzzle: kindOf(puzzle).asked(puzzle), depth: 0 });
  if (!played || !solved) return board;
  return reversible ? walk(puzzle, board) : walk(`${puzzle},backwards:yes`, board).catch(() => board);
}

/** A board exactly so far from the goal of a table that is there, by a lookup's keys; null where there is none so far. */
export async function sample(keys, depth) {
  const { boards } = await get("sample", { ...keys, depth, count: 1, seed: Math.floor(Math.random() * 2 ** 31) });
  return boards[0]?.board ?? null;
}

/** Explores a space that is small, if no table of it is there. Returns the keys of lookups in that table. */
export async function exploredNow(puzzle) {
  const keys = { puzzle: kindOf(puzzle).asked(puzzle), ...kindOf(puzzle).explored };
  const state = await finished(await submit("explore", { ...keys, time: `${EXPLORING}s`, tool: "page" }));
  if (state !== "done") throw new Error(t("editTooLarge", EXPLORING));
  return keys;
}

/** What an exploration takes: { states, bytes, engine, … }, states "unknown" where nobody can tell. */
export const estimate = (keys) => post("jobs", { kind: "explore", estimate: true, ...keys });

/** The same of a puzzle as it is played here, with the daemon's memory; null where it cannot be explored, or its table tells costs. */
export async function cost(puzzle) {
  const { asked, explored } = kindOf(puzzle);
  if (explored === null || kindOf(puzzle).vast?.(puzzle)) return null;
  try {
    const found = await estimate({ puzzle: asked(puzzle), ...explored });
    return found.engine === "costs" ? null : { ...found, memory: (await get("stats")).memory_limit };
  } catch (error) {
    if (error.retry) throw error;
    return null;
  }
}

/** A board after so many random moves that do not go straight back; without a number many, fewer where the daemon tells each, and on from a solved one. */
export async function walk(puzzle, board, length = null, random = Math.random) {
  const kind = kindOf(puzzle);
  if (length === null && kind.mixed) return kind.mixed(puzzle, board);
  const most = length ?? (kind.buttons && !kind.local ? ASKED_WALK : WALK + Math.floor(random() * VARIED));
  let before = null;
  for (let i = 0; i < most || (length === null && i < 2 * most && kind.solved(puzzle, board)); i++) {
    const steps = (await kind.steps(puzzle, board)).filter((step) => step.board !== before);
    if (steps.length === 0) return board;
    before = board;
    board = steps[Math.floor(random() * steps.length)].board;
  }
  return board;
}
