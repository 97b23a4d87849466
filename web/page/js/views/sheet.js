// SPDX-License-Identifier: MIT
// The view Print: a sheet of boards that are exactly so far from the goal, with their solutions on a second page.
import { post, get } from "../base/api.js";
import { el, field, button } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { t } from "../base/texts.js";
import { small } from "../board/picture.js";
import { frames } from "../board/player.js";
import { puzzleForm } from "../parts/form.js";
import { kindOf, named, titleOf } from "../puzzles/kinds.js";

const MOST = 30; // boards on a sheet

/** The moves of a solution, in the puzzle's words, or as the daemon writes them where it has none. */
async function movesOf(puzzle, board, path) {
  return (await frames(puzzle, board, path)).slice(1).map(({ made, move }) => made?.name ?? move);
}

async function make(place, status, { puzzle, depth, count, seed }) {
  const asked = kindOf(puzzle).asked(puzzle);
  const { boards } = await get("sample", { puzzle: asked, depth, count, seed });
  if (boards.length === 0) {
    const { depth: farthest } = await get("deepest", { puzzle: asked });
    status.textContent = t("sheetNone", depth, farthest);
    return;
  }
  // A sample may give a board twice where there are few: each stands once on the sheet.
  const starts = [...new Set(boards.map(({ board }) => board))];
  const { answers } = await post("path", { puzzle: asked, starts });
  status.textContent = starts.length < count ? t("sheetFew", starts.length, depth) : "";
  const solutions = await Promise.all(starts.map((board, i) => movesOf(puzzle, board, answers[i].path)));
  place.replaceChildren(
    el("section", { class: "page" }, el("h2", {}, t("sheetTitle", titleOf(puzzle), starts.length, depth)),
      el("p", {}, t("sheetTask", depth), " ", el("span", { class: "caption" }, t("sheetName"), " ______________________")),
      el("ol", { class: "boards" }, ...starts.map((board) => el("li", {}, el("span", { class: "caption" }, t("sheetMoves")), small(puzzle, board))))),
    el("section", { class: "page" }, el("h2", {}, `${t("sheetSolutions")}: ${t("sheetTitle", titleOf(puzzle), starts.length, depth)}`),
      el("ol", { class: "solutions" }, ...solutions.map((moves) => el("li", {}, moves.join("  "))))),
  );
}

export function show(root, parameters, page) {
  const puzzle = named(parameters.get("puzzle") ?? "3x3");
  const number = (name, otherwise) => Math.max(name === "depth" ? 0 : 1, Number(parameters.get(name) ?? otherwise) || 0);
  const asked = { puzzle, depth: number("depth", 12), count: Math.min(MOST, number("count", 6)), seed: number("seed", 1) };
  const status = el("p", { class: "status", role: "status" });
  const place = el("div", { class: "sheet" });
  const input = (name, text, least) => field(t(text), el("input", { name, type: "number", min: least, max: name === "count" ? MOST : undefined, value: asked[name] }));
  root.append(el("div", { class: "unprinted" }, el("h1", {}, t("sheet")),
    puzzleForm(puzzle, (value, { elements }) => page.go("sheet",
      { puzzle: value, depth: elements.depth.value, count: elements.count.value, seed: elements.seed.value }),
    input("depth", "sheetDepth", 0), input("count", "sheetCount", 1), input("seed", "sheetSeed", 1),
    el("button", {}, t("sheetMake")), button(t("sheetPrint"), () => window.print(), { class: "primary", id: "print" })), status), place);
  make(place, status, asked).catch((error) => { status.textContent = explain(error); });
  return () => {};
}
