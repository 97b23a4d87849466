// SPDX-License-Identifier: MIT
// A puzzle under the fingers: keys, drags and clicks become moves. It knows the rules and nothing of the daemon.
import { el, button, renew } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { t } from "../base/texts.js";
import { kindOf, runOf, titleOf } from "../puzzles/kinds.js";
import { movesOf } from "../puzzles/metrics.js";
import { follow } from "./drag.js";
import { CELL, Picture } from "./picture.js";

export class Game {
  /** changed(board, step) is called after each move, with the last step; without one after an undo. */
  constructor(puzzle, board, changed) {
    this.puzzle = puzzle;
    this.kind = kindOf(puzzle);
    this.changed = changed;
    this.picture = new Picture();
    this.selected = null;
    this.photo = null;
    this.list = el("div", { class: "moves" });
    this.element = el("div", { class: "game", tabindex: "0", role: "application", onkeydown: (event) => this.#key(event) },
      this.picture.element, this.list);
    follow(this);
    // Not on the picture: what listens to the focus is itself a stop of Tab in an SVG.
    this.element.addEventListener("focusin", (event) => this.press(event.target.dataset.piece));
    this.set(board);
  }

  /** Another board, which is not a move. */
  set(board) {
    this.past = [];
    this.future = [];
    this.#become(board);
  }

  /** Shows a board of a solution, with a picture of its own: it is played on from there, and the moves made so far stay. */
  show(board, drawn = null) {
    this.#become(board, drawn);
  }

  /** What has been played, for restore(). */
  get played() {
    return { board: this.board, past: this.past, future: this.future };
  }

  restore({ board, past, future }) {
    [this.past, this.future] = [past, future];
    this.#become(board);
  }

  /** The moves made, as the puzzle's metric counts them. */
  get moves() {
    return this.kind.made?.(this.puzzle, this.board) ?? movesOf(this.kind, this.puzzle, this.past.map(({ step }) => step));
  }

  /** Marks pieces; on puzzles with buttons, those of the named moves. */
  hint(pieces, labels = []) {
    this.hints = pieces;
    this.hintLabels = labels;
    this.#draw();
  }

  /** Writes on pieces how far their moves lead, see Picture.mark; until the board changes. */
  tell(marks) {
    this.marks = marks;
    this.picture.mark(marks);
  }

  /** Puts a picture on the tiles; null takes it away. */
  wear(photo) {
    this.photo = photo;
    this.#draw();
  }

  #become(board, drawn = null) {
    this.board = board;
    this.drawn = drawn;
    this.hints = [];
    this.hintLabels = [];
    this.marks = [];
    const steps = this.kind.steps(this.puzzle, board);
    this.ready = Promise.resolve(steps).catch(() => []);
    this.steps = steps instanceof Promise ? [] : steps;
    this.#draw();
    if (steps instanceof Promise) this.#await(steps, board);
    this.kind.prepare?.(this.puzzle, [board]).then(() => board === this.board && this.#draw(), () => {});
  }

  // A puzzle whose moves the daemon tells cannot be played while it does not answer.
  async #await(steps, board) {
    try {
      const found = await steps;
      if (this.board !== board) return;
      this.steps = found;
      this.#draw();
    } catch (error) {
      explain(this.list, error);
    }
  }

  #draw() {
    const label = t("boardOf", titleOf(this.puzzle), this.board);
    this.element.setAttribute("aria-label", t("sentences", label, t(this.kind.keys)));
    this.picture.show(this.puzzle, this.board,
      { label, hints: this.hints, selected: this.selected, focusable: this.kind.selects, photo: this.photo, drawn: this.drawn });
    this.picture.mark(this.marks);
    if (!this.kind.buttons) return;
    const sides = new Set(this.steps.map(({ face }) => face)).size;
    this.list.classList.toggle("turns", this.kind.keyed === true);
    this.list.style.setProperty("--powers", String(this.steps.length / sides));
    renew(this.list, this.steps.map((step, i) => button(this.kind.keyed ? step.label : `${i + 1}. ${step.label}`, () => this.make([step]),
      { class: this.hintLabels.includes(step.label) ? "hinted" : "" })), this.element);
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  back() {
    if (!this.canUndo) return;
    const made = this.past.pop();
    this.future.push({ ...made, to: this.board });
    this.#become(made.board);
    this.changed(this.board);
  }

  again() {
    if (!this.canRedo) return;
    const { to, ...made } = this.future.pop();
    this.past.push(made);
    this.#become(to);
    this.changed(this.board);
  }

  /** Makes moves, one after the other. */
  make(steps) {
    for (const step of steps) {
      this.past.push({ board: this.board, step });
      this.board = step.board;
    }
    this.future = [];
    this.#become(steps.at(-1).board);
    this.changed(this.board, steps.at(-1));
  }

  /** The width of a cell on the screen. */
  pixels() {
    return this.picture.element.getScreenCTM().a * CELL;
  }

  press(piece) {
    const begun = this.kind.begin?.(this.puzzle, this.board, piece);
    if (begun) this.make([{ board: begun }]);
    if (!this.kind.selects || piece === undefined) return;
    this.selected = piece;
    this.#draw();
  }

  run(piece, way) {
    return runOf(this.kind, this.puzzle, this.board, this.steps, piece, way);
  }

  click(piece) {
    if (piece === undefined) return;
    if (this.kind.touch) this.#touch(piece);
    if (!this.kind.wayOf) return;
    const way = this.kind.wayOf(this.puzzle, this.board, piece);
    if (way) this.make(this.run(piece, way).steps);
  }

  // The thing itself is touched: that is a move, or chooses what a second touch moves.
  #touch(piece) {
    const { word, choose = null } = this.kind.touch(this.puzzle, this.board, piece, this.selected);
    const step = this.steps.find((one) => one.word === word);
    this.selected = choose;
    if (step) this.make([step]);
    else this.#draw();
  }

  #key(event) {
    if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (event.shiftKey) this.again();
      else this.back();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) event.preventDefault();
    const named = this.kind.stepOf?.(this.steps, event);
    if (named) {
      this.make([named]);
      return;
    }
    const key = event.key.toLowerCase();
    if (key === "u") this.back();
    if (key === "r") this.again();
    if (this.kind.stepOf) return;
    const step = this.kind.buttons
      ? this.steps[Number(event.key) - 1]
      : this.steps.find((one) => one.key === event.key && (!this.kind.selects || one.piece === this.selected));
    if (step) this.make([step]);
  }
}
