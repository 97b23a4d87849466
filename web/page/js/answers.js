// SPDX-License-Identifier: MIT
// What Play asks the daemon: distances, best moves, solutions. A stored table answers at once; without one a job does.
import { ApiError, finished, get, post, submit } from "./api.js";
import { kindOf } from "./puzzles.js";

/**
 * One answer of a lookup, null where no table tells. It is asked for as a list of one: what a list lacks is no failed
 * request, which browsers would note as an error.
 */
async function look(verb, puzzle, start) {
  const { answers: [answer] } = await post(verb, { puzzle: kindOf(puzzle).asked(puzzle), starts: [start] });
  if (answer.error && !["no-table", "unsupported", "bad-request"].includes(answer.error.code)) throw new ApiError(answer.error);
  return answer.error || answer.solvable === "unknown" ? null : answer;
}

/** Moves to the goal; -1 for a board without a solution, null where no table tells. */
export async function distance(puzzle, start) {
  return (await look("distance", puzzle, start))?.moves ?? null;
}

/** Moves to the goal of several boards, as distance tells them. */
export async function distances(puzzle, starts) {
  const { answers } = await post("distance", { puzzle: kindOf(puzzle).asked(puzzle), starts });
  return answers.map((answer) => answer.moves ?? null);
}

/** A solution: { start, path, moves }; path is null where there is none. From the table, else by a job. */
export async function solution(puzzle, board) {
  const answer = await look("path", puzzle, board);
  return answer ? { start: board, path: answer.path ?? null, moves: answer.moves } : solveByJob(puzzle, board);
}

/** The same by a job. */
async function solveByJob(puzzle, board) {
  const job = await submit("solve", { puzzle: kindOf(puzzle).asked(puzzle), start: board });
  await finished(job);
  const result = await get(`jobs/${job}/result`);
  return { start: board, path: result.path ?? null, moves: result.moves ?? -1, unknown: result.solvable !== "yes" && result.solvable !== "no" };
}

/** The steps that lead nearer to the goal. */
export async function bestSteps(puzzle, board, steps) {
  const here = await distance(puzzle, board);
  if (here !== null && here > 0) {
    const { answers } = await post("distance", { puzzle: kindOf(puzzle).asked(puzzle), starts: steps.map((step) => step.board) });
    return steps.filter((_, i) => answers[i].moves === here - 1);
  }
  if (here !== null) return [];
  const { path } = await solveByJob(puzzle, board);
  if (!path) return [];
  const word = /[,: ]/.test(path) ? path.split(/[, ]/)[0] : path[0];
  const piece = kindOf(puzzle).pieceOf?.(board, word);
  const way = word.split(":")[1]?.[0];
  return steps.filter((step) => (piece ? step.piece === piece && step.way === way : step.word?.toLowerCase() === word.toLowerCase()));
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
