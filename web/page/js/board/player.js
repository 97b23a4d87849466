// SPDX-License-Identifier: MIT
// Plays a solution. Where the boards are shown is its caller's.
import { button, el } from "../base/dom.js";
import { get } from "../base/api.js";
import { t } from "../base/texts.js";
import { kindOf, titleOf } from "../puzzles/kinds.js";
import { asOne } from "../puzzles/metrics.js";
import { read } from "./pieces.js";
import { Picture } from "./picture.js";
import { reel } from "./reel.js";

/** The steps that a word of a path describes, "3.1:DL" two of them; null if none do. steps are those of the board. */
function stepsOf(kind, puzzle, board, steps, word) {
  const exact = steps.find((one) => one.word === word);
  if (exact) return [exact];
  const piece = kind.pieceOf?.(board, word);
  const [, letter, times] = word.match(/^([UDLR])(\d{1,2})$/) ?? [];
  if (letter && !piece) { // several tiles of a line
    const path = [];
    while (path.length < times) {
      const step = (path.length > 0 ? kind.steps(puzzle, path.at(-1).board) : steps).find((one) => one.word === letter);
      if (!step) return null;
      path.push(step);
    }
    return path;
  }
  if (!piece) {
    const step = steps.find((one) => one.word?.toLowerCase() === word.toLowerCase());
    return step ? [step] : null;
  }
  const path = [];
  for (const way of word.split(":")[1]) {
    const step = (path.length > 0 ? kind.steps(puzzle, path.at(-1).board) : steps).find((one) => one.piece === piece && one.way === way);
    if (!step) return null;
    path.push(step);
  }
  return path;
}

/** The words of a path: single letters, or words between commas. */
const wordsOf = (path) => (/^[A-Za-z]*$/.test(path) ? [...path] : path.split(","));

/** The boards of a path by the page's own rules, which keep each piece's name; null where they do not suffice. */
function walked(puzzle, board, path) {
  const kind = kindOf(puzzle);
  const frames = [{ board }];
  for (const word of kind.keyed ? path.split(",") : wordsOf(path)) {
    const steps = kind.steps(puzzle, frames.at(-1).board);
    const path = Array.isArray(steps) ? stepsOf(kind, puzzle, frames.at(-1).board, steps, word) : null;
    if (!path) return null;
    const move = asOne(kind, path);
    frames.push({ board: move.board, move: move.say ?? word, made: move });
  }
  return frames;
}

/** The boards of a path: { board, move, made }, the move in words and as asOne makes it; with drawn, a picture, where the daemon draws them. */
export async function frames(puzzle, board, path) {
  const own = walked(puzzle, board, path);
  if (own) return own;
  const found = await get("draw", { puzzle: kindOf(puzzle).asked(puzzle), board, path, pieces: "yes" });
  return found.frames.map((frame) => ({ ...frame, drawn: read(frame.pieces) }));
}

/** An element that plays frames: show(frame, number) is called for each. Its stop() ends a running play. */
export function player(list, show, { counts = "", moves = list.length - 1, close = null } = {}) {
  const caption = el("p", { class: "caption", role: "status", "aria-live": "polite" });
  const last = list.length - 1;
  const { slider, turn, stop, buttons } = reel(t("solution"), last, (number) => {
    show(list[number], number);
    caption.textContent = t("step", number, last) + (list[number].move ? `: ${list[number].move}` : "");
  }, { interval: 500, speeds: [0.5, 1, 2, 4], usual: 1 });
  turn(0);
  const element = el("section", { class: "player", "aria-label": t("solution") }, el("h2", {}, t(`solutionOf${counts}`, moves)), caption, slider,
    buttons({}, close ? button(t("closeSolution"), close) : null));
  return { element, stop };
}

/** The same with a board of its own. */
export function shownPlayer(puzzle, list, options) {
  const picture = new Picture();
  const made = player(list, ({ board, drawn }) => picture.show(puzzle, board, { label: t("boardOf", titleOf(puzzle), board), drawn }), options);
  made.element.prepend(picture.element);
  return made;
}
