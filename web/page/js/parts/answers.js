// SPDX-License-Identifier: MIT
// What Play asks the daemon: distances, best moves, solutions. A stored table answers at once; without one a job does.
import { ApiError, finished, get, post, submit } from "../base/api.js";
import { stepOf, wordsOf } from "../board/player.js";
import { kindOf } from "../puzzles/kinds.js";

/**
 * One answer of a lookup, null where no table tells. It is asked for as a list of one: what a list lacks is no failed
 * request, which browsers would note as an error.
 */
async function look(verb, puzzle, start) {
  const { answers: [answer] } = await post(verb, { puzzle: kindOf(puzzle).asked(puzzle), starts: [start] });
  if (answer.error && !["no-table", "unsupported", "bad-request"].includes(answer.error.code)) throw new ApiError(answer.error);
  return answer.error || answer.solvable === "unknown" ? null : answer;
}

/** { moves, job }: the moves to the goal, -1 for a board without a solution, and whose table tells; null where none does. */
export const distanceIn = (puzzle, start) => look("distance", puzzle, start);

/** The moves alone. */
export const distance = async (puzzle, start) => (await distanceIn(puzzle, start))?.moves ?? null;

/** Moves to the goal of several boards, as distance tells them. */
export async function distances(puzzle, starts) {
  const { answers } = await post("distance", { puzzle: kindOf(puzzle).asked(puzzle), starts });
  return answers.map((answer) => answer.moves ?? null);
}

/**
 * A solution: { start, path, moves }; path is null where there is none. From the table, else by a job: told(job, event)
 * is called while it searches.
 */
export async function solution(puzzle, board, told) {
  const answer = await look("path", puzzle, board);
  return answer ? { start: board, path: answer.path ?? null, moves: answer.moves } : solveByJob(puzzle, board, told);
}

/** The same by a job; { cancelled: true } if that was cancelled. */
async function solveByJob(puzzle, board, told = () => {}) {
  const job = await submit("solve", { puzzle: kindOf(puzzle).asked(puzzle), start: board });
  if ((await finished(job, (event) => told(job, event))) === "cancelled") return { cancelled: true, path: null };
  const result = await get(`jobs/${job}/result`);
  return { start: board, path: result.path ?? null, moves: result.moves ?? -1, unknown: result.solvable !== "yes" && result.solvable !== "no" };
}

/** The steps that lead nearer to the goal. */
export async function bestSteps(puzzle, board, steps, told) {
  const here = await distance(puzzle, board);
  if (here !== null && here > 0) {
    const { answers } = await post("distance", { puzzle: kindOf(puzzle).asked(puzzle), starts: steps.map((step) => step.board) });
    return steps.filter((_, i) => answers[i].moves === here - 1);
  }
  if (here !== null) return [];
  const { path } = await solveByJob(puzzle, board, told);
  if (!path) return [];
  const step = stepOf(kindOf(puzzle), board, steps, wordsOf(path)[0]);
  return step ? [step] : [];
}

/** The board that a puzzle begins with, where only the daemon knows it. */
export async function ownStart(puzzle) {
  return (await get("graph", { puzzle: kindOf(puzzle).asked(puzzle), depth: 0 })).nodes[0].board;
}

/** A board exactly so far from the goal of a table that is there; null where there is none so far. */
export async function sample(puzzle, depth) {
  const { boards } = await get("sample", { puzzle: kindOf(puzzle).asked(puzzle), depth, count: 1, seed: Math.floor(Math.random() * 2 ** 31) });
  return boards[0]?.board ?? null;
}

/** What an exploration takes: { states, bytes, engine, … }, states "unknown" where nobody can tell. */
export const estimate = (keys) => post("jobs", { kind: "explore", estimate: true, ...keys });

/** The same of a puzzle as it is played here, with the daemon's memory; null where it cannot be explored. */
export async function cost(puzzle) {
  const { asked, explored } = kindOf(puzzle);
  if (explored === null) return null;
  try {
    return { ...await estimate({ puzzle: asked(puzzle), ...explored }), memory: (await get("stats")).memory_limit };
  } catch (error) {
    if (error.retry) throw error;
    return null;
  }
}

/** A board after random moves that do not go straight back. */
export function walk(puzzle, board, moves) {
  const kind = kindOf(puzzle);
  let before = null;
  for (let i = 0; i < moves; i++) {
    const steps = kind.steps(puzzle, board).filter((step) => step.board !== before);
    if (steps.length === 0) return board;
    before = board;
    board = steps[Math.floor(Math.random() * steps.length)].board;
  }
  return board;
}
