// SPDX-License-Identifier: MIT
// A puzzle under the fingers: keys, drags and clicks become moves. It knows the rules and nothing of the daemon.
import { el, button, renew } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { t } from "../base/texts.js";
import { kindOf, runOf, titleOf } from "../puzzles/kinds.js";
import { movesOf } from "../puzzles/metrics.js";
import { follow } from "./drag.js";
import { CELL, Picture } from "./picture.js";

/** The last of these steps in words; nothing where it has none, as the begin of a line. */
const phraseOf = (steps) => steps.at(-1).say ?? steps.at(-1).label ?? "";

export class Game {
  /** changed(said) is called after each move, undo and redo, with what a screen reader is told of it. */
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
    this.early = null;
    this.#become(board);
  }

  /** Shows a board of a solution, with a picture of its own: it is played on from there, and the moves made so far stay. */
  show(board, drawn = null) {
    this.early = null;
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
    return this.kind.made?.(this.puzzle, this.board) ?? movesOf(this.kind, this.puzzle, this.past.flatMap(({ steps }) => steps));
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
    else this.early = null;
    this.kind.prepare?.(this.puzzle, [board]).then(() => board === this.board && this.#draw(), () => {});
  }

  // A puzzle whose moves the daemon tells cannot be played while it does not answer.
  async #await(steps, board) {
    this.early ??= [];
    try {
      const found = await steps;
      if (this.board !== board) return;
      this.steps = found;
      this.#draw();
    } catch (error) {
      if (this.board === board) explain(this.list, error);
    }
    if (this.board !== board) return;
    const early = this.early ?? [];
    this.early = null;
    for (const what of early) this.#soon(what);
  }

  /** Does what was pressed or touched; once the moves of the board are known, where the daemon tells them: a fast player is ahead of it. */
  #soon(what) {
    if (this.early) this.early.push(what);
    else what();
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
    this.#soon(() => {
      if (!this.canUndo) return;
      const made = this.past.pop();
      this.future.push({ ...made, to: this.board });
      this.#become(made.board);
      this.changed(t("undone", phraseOf(made.steps)));
    });
  }

  again() {
    this.#soon(() => {
      if (!this.canRedo) return;
      const { to, ...made } = this.future.pop();
      this.past.push(made);
      this.#become(to);
      this.changed(phraseOf(made.steps));
    });
  }

  /** Makes steps, one after the other. Those that count as one move are undone as one. */
  make(steps) {
    for (const made of movesOf(this.kind, this.puzzle, steps) > 1 ? steps.map((step) => [step]) : [steps]) {
      this.past.push({ board: this.board, steps: made });
      this.board = made.at(-1).board;
    }
    this.future = [];
    this.#become(this.board);
    this.changed(phraseOf(steps));
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
    if (this.kind.touch) this.#soon(() => this.#touch(piece));
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
    if (!this.early || !event.repeat) this.#soon(() => this.#press(event));
  }

  #press(event) {
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
