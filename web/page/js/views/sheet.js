// SPDX-License-Identifier: MIT
// The view Print: a sheet of boards that are exactly so far from the goal, with their solutions on a second page.
import { ApiError, post, get } from "../base/api.js";
import { el, field, button } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { t } from "../base/texts.js";
import { aim, small } from "../board/picture.js";
import { frames } from "../board/player.js";
import { distanceIn, exploredNow, walk } from "../parts/answers.js";
import { puzzleForm } from "../parts/form.js";
import { Search } from "../parts/search.js";
import { Solver } from "../parts/solver.js";
import { named } from "../puzzles/cards.js";
import { kindOf, titleOf } from "../puzzles/kinds.js";

const MOST = 30; // boards on a sheet
const TRIES = 400; // boards that are solved for a sheet, where no table is

/** The moves of a solution, in the puzzle's words, or as the daemon writes them where it has none. */
async function movesOf(puzzle, board, path) {
  return (await frames(puzzle, board, path)).slice(1).map(({ made, move }) => made?.name ?? move);
}

/** Random numbers from 0 to 1 that follow from a seed (mulberry32). */
function chance(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), seed | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Boards with their moves from the table: { board, moves }. */
async function fromTable({ puzzle, depth, count, seed, readOnly }) {
  const asked = kindOf(puzzle).asked(puzzle);
  const keys = readOnly ? { puzzle: asked } : await exploredNow(puzzle);
  const { boards } = await get("sample", { ...keys, depth, count, seed });
  if (boards.length === 0) throw new Error(t("sheetNone", depth, (await get("deepest", keys)).depth));
  // A sample may give a board twice where there are few: each stands once on the sheet.
  const starts = [...new Set(boards.map(({ board }) => board))];
  const { answers } = await post("path", { puzzle: asked, starts });
  if (answers[0].error) throw new ApiError(answers[0].error); // of moves with costs no table tells a path
  return Promise.all(starts.map(async (board, i) => ({ board, moves: await movesOf(puzzle, board, answers[i].path) })));
}

/** Without a table: boards after so many random moves are solved, those that need them all are taken. */
async function fromWalks(asked) {
  const { puzzle, depth, count, seed } = asked;
  const kind = kindOf(puzzle);
  const solver = new Solver(puzzle, new Search());
  asked.end = () => solver.stop();
  const random = chance(seed);
  const found = new Map();
  for (let i = 0; i < TRIES && found.size < count && !asked.ended; i++) {
    const board = await walk(puzzle, kind.start(puzzle), depth, random);
    const { moves, list } = await solver.find(board);
    if (moves === depth) found.set(board, list.slice(1).map(({ made, move }) => made?.name ?? move));
  }
  return [...found].map(([board, moves]) => ({ board, moves }));
}

async function boardsFor(asked, status) {
  const { puzzle } = asked;
  if (kindOf(puzzle).edits !== "slide" || await distanceIn(puzzle, kindOf(puzzle).start(puzzle))) return fromTable(asked);
  status.textContent = t("solving");
  return fromWalks(asked);
}

async function make(place, status, asked) {
  const { puzzle, depth, count } = asked;
  const found = await boardsFor(asked, status);
  const starts = found.map(({ board }) => board);
  status.textContent = starts.length < count ? t("sheetFew", starts.length, depth) : "";
  if (starts.length === 0) return;
  const solutions = found.map(({ moves }) => moves);
  place.replaceChildren(
    el("section", { class: "page" }, el("h2", {}, t("sheetTitle", titleOf(puzzle), starts.length, depth)),
      el("p", {}, t("sheetTask", depth), " ", el("span", { class: "caption" }, t("sheetName"), " ______________________")),
      el("p", { class: "aim" }, ...aim(puzzle, starts[0])),
      el("ol", { class: "boards" }, ...starts.map((board) => el("li", {}, el("span", { class: "caption" }, t("sheetMoves")), small(puzzle, board))))),
    el("section", { class: "page" }, el("h2", {}, `${t("sheetSolutions")}: ${t("sheetTitle", titleOf(puzzle), starts.length, depth)}`),
      el("ol", { class: "solutions" }, ...solutions.map((moves) => el("li", {}, moves.map((move) => move.replaceAll(" ", "\u00a0")).join(" "))))),
  );
}

export function show(root, parameters, page) {
  const puzzle = named(parameters.get("puzzle") ?? "3x3");
  const number = (name, otherwise) => Math.max(name === "depth" ? 0 : 1, Number(parameters.get(name) ?? otherwise) || 0);
  const asked = { puzzle, depth: number("depth", 12), count: Math.min(MOST, number("count", 6)), seed: number("seed", 1), readOnly: page.readOnly };
  const status = el("p", { class: "status", role: "status" });
  const place = el("div", { class: "sheet" });
  const input = (name, text, least) => field(t(text), el("input", { name, type: "number", min: least, max: name === "count" ? MOST : undefined, value: asked[name] }));
  root.append(el("div", { class: "unprinted" }, el("h1", {}, t("sheet")),
    puzzleForm(puzzle, (value, { elements }) => page.go("sheet",
      { puzzle: value, depth: elements.depth.value, count: elements.count.value, seed: elements.seed.value }),
    input("depth", "sheetDepth", 0), input("count", "sheetCount", 1), input("seed", "sheetSeed", 1),
    el("button", {}, t("sheetMake")), button(t("sheetPrint"), () => window.print(), { class: "primary", id: "print" })), status), place);
  make(place, status, asked).catch((error) => explain(status, error));
  return () => {
    asked.ended = true;
    asked.end?.();
  };
}
