// SPDX-License-Identifier: MIT
// What is known of boards that no table has: solutions that jobs found, one at a time, and of all boards on their ways.
import { ApiError, finished, get, post } from "../base/api.js";
import { frames } from "../board/player.js";
import { bareOf, kindOf } from "../puzzles/kinds.js";
import { movesOf } from "../puzzles/metrics.js";

const LIMIT = "60s"; // of a search that nobody asked for

export class Solver {
  /** search shows what a job does: see search.js. */
  constructor(puzzle, search) {
    this.puzzle = puzzle;
    this.search = search;
    this.known = new Map(); // from boards
  }

  /**
   * What is known of a board: { moves, list, cancelled, least }. moves are -1 if there is no solution, undefined where they were
   * not found, then at least so many; list are the boards on the way, see player.js. A search for another board ends. Its job is
   * forgotten unless it is to be kept: what it found is known here.
   */
  async find(board, { keys = { time: kindOf(this.puzzle).patience ?? LIMIT, tool: "page" }, keep = false } = {}) {
    const known = this.known.get(board);
    if (known?.moves !== undefined) return known;
    this.stop();
    const wanted = { board };
    this.wanted = wanted;
    const found = await this.search.during((told) => this.#solve(wanted, keys, keep, told));
    // One that was given up for another may be asked for again, one that somebody stopped is not.
    if (!found.cancelled || this.wanted === wanted) this.known.set(board, found);
    if (found.path) await this.#learn(found);
    return this.known.get(board) ?? found;
  }

  /** Gives up the running search. A job that was there before goes on: another page may wait for it. */
  stop() {
    if (this.job) post(`jobs/${this.job}/cancel`).catch(() => {});
    this.job = null;
    this.wanted = null;
  }

  async #solve(wanted, keys, keep, told, again = true) {
    const { board } = wanted;
    const { job, cached } = await post("jobs", { kind: "solve", puzzle: kindOf(this.puzzle).asked(this.puzzle), start: bareOf(this.puzzle, board), ...keys });
    if (this.wanted === wanted) this.job = cached ? null : job;
    else if (!cached) post(`jobs/${job}/cancel`).catch(() => {}); // it was given up before it had a number
    const state = await finished(job, (event) => told(job, event));
    if (this.job === job) this.job = null;
    const left = state === "cancelled" && cached && this.search.stopped !== job; // by who began it
    if (left && again && this.wanted === wanted) return this.#solve(wanted, keys, keep, told, false);
    const { path, moves, at_least: least, solvable, error, ...more } = state === "cancelled" ? {} : await get(`jobs/${job}/result`);
    if (!keep && !cached) post(`jobs/${job}/forget`).catch(() => {});
    if (state === "cancelled") return { cancelled: true };
    if (error) throw new ApiError({ ...more, code: error });
    return { start: board, path, moves: solvable === "no" ? -1 : moves, least };
  }

  // Each board on a shortest way has the rest of it as its own.
  async #learn({ start, path, moves }) {
    const kind = kindOf(this.puzzle);
    const list = await frames(this.puzzle, bareOf(this.puzzle, start), path);
    if (kind.counts) { // a line
      this.known.set(start, { moves, list });
      return;
    }
    const made = list.slice(1).flatMap((frame) => frame.made?.steps ?? []);
    let done = 0;
    list.forEach(({ board }, i) => {
      const left = made.length > 0 ? movesOf(kind, this.puzzle, made.slice(done)) : moves - i;
      this.known.set(board, { moves: left, list: list.slice(i) });
      done += list[i + 1]?.made?.steps.length ?? 0;
    });
  }
}
