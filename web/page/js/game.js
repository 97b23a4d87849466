// SPDX-License-Identifier: MIT
// A puzzle under the fingers: keys, drags and clicks become moves. It knows the rules and nothing of the daemon.
import { el, button } from "./dom.js";
import { Picture } from "./picture.js";
import { kindOf } from "./puzzles.js";
import { t } from "./texts.js";

const DRAG = 0.5; // of a cell, until a drag is a move

export class Game {
  /** changed(board) is called after each move. */
  constructor(puzzle, board, changed) {
    this.puzzle = puzzle;
    this.kind = kindOf(puzzle);
    this.changed = changed;
    this.picture = new Picture();
    this.selected = null;
    this.moves = 0;
    this.list = el("div", { class: "moves" });
    this.element = el("div", { class: "game", tabindex: "0", role: "application", onkeydown: (event) => this.#key(event) },
      this.picture.element, this.list);
    this.picture.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.picture.element.addEventListener("focusin", (event) => this.#select(event.target.dataset.piece));
    this.set(board);
  }

  /** Another board, which is not a move. */
  set(board) {
    this.moves = 0;
    this.past = [];
    this.future = [];
    this.#become(board);
  }

  /** Marks pieces; on puzzles with buttons, those of the named moves. */
  hint(pieces, labels = []) {
    this.hints = pieces;
    this.hintLabels = labels;
    this.#draw();
  }

  #become(board) {
    this.board = board;
    this.hints = [];
    this.hintLabels = [];
    const steps = this.kind.steps(this.puzzle, board);
    this.ready = Promise.resolve(steps).catch(() => []);
    this.steps = steps instanceof Promise ? [] : steps;
    this.#draw();
    if (steps instanceof Promise) this.#await(steps, board);
  }

  // A puzzle whose moves the daemon tells cannot be played while it does not answer.
  async #await(steps, board) {
    try {
      const found = await steps;
      if (this.board !== board) return;
      this.steps = found;
      this.#draw();
    } catch (error) {
      this.list.replaceChildren(error.message);
    }
  }

  #draw() {
    const label = t("boardOf", this.puzzle, this.board);
    this.element.setAttribute("aria-label", `${label}. ${t(this.kind.keys)}`);
    this.picture.show(this.puzzle, this.board,
      { label, hints: this.hints, selected: this.selected, focusable: this.kind.selects });
    if (!this.kind.buttons) return;
    this.list.replaceChildren(...this.steps.map((step, i) => button(`${i + 1}. ${step.label}`, () => this.make(step),
      { class: this.hintLabels.includes(step.label) ? "hinted" : "" })));
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  back() {
    if (!this.canUndo) return;
    this.future.push(this.board);
    this.moves--;
    this.#become(this.past.pop());
    this.changed(this.board);
  }

  again() {
    if (!this.canRedo) return;
    this.past.push(this.board);
    this.moves++;
    this.#become(this.future.pop());
    this.changed(this.board);
  }

  /** Makes one of the moves. */
  make(step) {
    this.past.push(this.board);
    this.future = [];
    this.moves++;
    this.#become(step.board);
    this.changed(step.board);
  }

  #select(piece) {
    if (!this.kind.selects || piece === undefined) return;
    this.selected = piece;
    this.#draw();
  }

  #key(event) {
    if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (event.shiftKey) this.again();
      else this.back();
      return;
    }
    const step = this.kind.buttons
      ? this.steps[Number(event.key) - 1]
      : this.steps.find(({ key, piece }) => key === event.key && (!this.kind.selects || piece === this.selected));
    if (event.key.startsWith("Arrow")) event.preventDefault();
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) this.make(step);
  }

  #press(event) {
    const piece = event.target.closest("[data-piece]")?.dataset.piece;
    const cell = this.picture.element.getScreenCTM().a * 10;
    let [x, y] = [event.clientX, event.clientY];
    let moved = false;
    this.#select(piece);
    const target = this.picture.element;
    target.setPointerCapture(event.pointerId);
    const drag = (at) => {
      const [dx, dy] = [(at.clientX - x) / cell, (at.clientY - y) / cell];
      if (Math.max(Math.abs(dx), Math.abs(dy)) < DRAG) return;
      const across = Math.abs(dx) > Math.abs(dy);
      const way = across ? (dx > 0 ? "R" : "L") : (dy > 0 ? "D" : "U");
      const step = this.steps.find((one) => one.way === way && (one.piece === piece || one.piece === "player"));
      moved = true;
      if (!step) return;
      [x, y] = [x + (across ? Math.sign(dx) * cell : 0), y + (across ? 0 : Math.sign(dy) * cell)];
      this.make(step);
    };
    const release = () => {
      target.removeEventListener("pointermove", drag);
      if (moved || this.kind.selects) return;
      const step = this.steps.find((one) => one.piece === piece && piece !== "player");
      if (step) this.make(step);
    };
    target.addEventListener("pointermove", drag);
    target.addEventListener("pointerup", release, { once: true });
    target.addEventListener("pointercancel", () => target.removeEventListener("pointermove", drag), { once: true });
  }
}
