// SPDX-License-Identifier: MIT
// The view Play: a board, how far it is, its best moves and a solution that plays itself.
import { get, submit } from "./api.js";
import { bestSteps, distance, distances, ownStart, sample, solution, walk } from "./answers.js";
import { button, el, field } from "./dom.js";
import { Game } from "./game.js";
import { frames, player } from "./player.js";
import { Minimap } from "./minimap.js";
import { examples, kindOf, named } from "./puzzles.js";
import { t } from "./texts.js";

const WALK = 300; // random moves, where no table gives a distance

export function puzzleForm(puzzle, onOpen, ...more) {
  const input = el("input", { name: "puzzle", value: puzzle, list: "examples", required: true, spellcheck: "false", autocomplete: "off" });
  const list = el("datalist", { id: "examples" }, ...examples.map((value) => el("option", { value })));
  return el("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); onOpen(named(input.value), event.target); } },
    field(t("puzzle"), input), list, ...more);
}

class Play {
  constructor(root, parameters, page) {
    this.page = page;
    this.puzzle = named(parameters.get("puzzle") ?? "3x3");
    this.counts = kindOf(this.puzzle).counts ?? "";
    this.status = el("p", { class: "status", role: "status", "aria-live": "polite" });
    this.remark = el("p", { class: "remark", role: "status", "aria-live": "polite" });
    this.solution = el("div");
    this.map = new Minimap();
    this.each = el("ul", { class: "each", "aria-label": t("everyMove") });
    this.distance = el("output", { id: "distance" }, "…");
    this.moves = el("output", { id: "moves" }, "0");
    this.place = el("div", { class: "place" });
    const board = el("input", { name: "board", value: parameters.get("board") ?? "", spellcheck: "false", autocomplete: "off" });
    this.boardInput = board;
    this.depth = el("input", { type: "number", min: 0, max: 65534, value: 20, name: "depth" });
    const open = (puzzle, form) => page.go("play", { puzzle, board: puzzle === this.puzzle ? form.elements.board.value.trim() : "" });
    root.append(puzzleForm(this.puzzle, open, field(t("board"), board), el("button", {}, t("open"))),
      el("div", { class: "columns" }, this.place, el("div", { class: "side" }, this.#numbers(), this.map.element, this.each, this.#buttons(), this.status, this.remark)),
      this.solution);
    this.ready = this.#begin(parameters.get("board"));
  }

  #numbers() {
    return el("dl", { class: "numbers" }, el("div", {}, el("dt", {}, t(`moves${this.counts}`)), el("dd", {}, this.moves)),
      el("div", {}, el("dt", {}, t("distance")), el("dd", {}, this.distance)));
  }

  #buttons() {
    this.scramble = el("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#run(() => this.#mix()); } },
      field(t("scramble"), this.depth), el("button", { id: "scramble" }, t("scrambleGo")));
    return el("div", {}, this.scramble, el("p", { class: "buttons" },
      button(t("hint"), () => this.#run(() => this.#hint()), { id: "hint" }),
      button(t("solve"), () => this.#run(() => this.#solve()), { id: "solve" }),
      this.undo = button(t("undo"), () => this.game?.back(), { id: "undo", disabled: true }),
      this.redo = button(t("redo"), () => this.game?.again(), { id: "redo", disabled: true }),
      button(t("restart"), () => this.#open(this.first)),
      button(t("fresh"), () => this.#run(() => this.#fresh()), { id: "fresh" }),
      button(t("share"), () => this.#run(() => this.#share()), { id: "share" })));
  }

  // Runs what a button does: its errors are shown, and a second one waits for nothing.
  async #run(what) {
    this.remark.textContent = "";
    try {
      await what();
    } catch (error) {
      this.status.textContent = "";
      this.remark.textContent = error.message;
    }
  }

  async #begin(board) {
    await this.#run(async () => {
      const kind = kindOf(this.puzzle);
      const own = kind.start(this.puzzle) ?? (board ? null : await ownStart(this.puzzle));
      const start = board || (kind.solved(this.puzzle, own) && kind.scrambles ? walk(this.puzzle, own, WALK) : own);
      await this.#check(start, board);
      this.first = start;
      this.game = new Game(this.puzzle, start, () => this.#moved());
      this.game.element.addEventListener("keydown", (event) => {
        if (event.key.toLowerCase() === "h") this.#run(() => this.#hint());
      });
      this.place.replaceChildren(this.game.element, el("p", { class: "keys" }, t(kind.keys)));
      this.game.element.focus({ preventScroll: true });
      this.boardInput.value = start;
      this.page.remember({ puzzle: this.puzzle, board: start });
      await this.#measure();
    });
  }

  // A board that somebody typed may be none: the daemon says what is wrong with it.
  async #check(start, typed) {
    if (typed) await get("draw", { puzzle: kindOf(this.puzzle).asked(this.puzzle), board: start });
  }

  async #fresh() {
    const { kind, board } = this.game;
    const own = kind.start(this.puzzle) ?? await ownStart(this.puzzle);
    this.#open(kind.scrambles && kind.solved(this.puzzle, own) ? walk(this.puzzle, own, WALK) : kind.scrambles ? walk(this.puzzle, board, WALK) : own);
  }

  async #share() {
    await navigator.clipboard.writeText(location.href);
    this.status.textContent = t("shared");
  }

  #open(board) {
    if (!board || !this.game) return;
    this.first = board;
    this.game.set(board);
    this.#closeSolution();
    this.#moved();
    this.game.element.focus({ preventScroll: true });
  }

  #closeSolution() {
    this.player?.stop();
    this.solution.replaceChildren();
  }

  #moved() {
    this.moves.textContent = String(this.game.moves);
    this.boardInput.value = this.game.board;
    this.page.remember({ puzzle: this.puzzle, board: this.game.board });
    const solved = this.game.moves > 0 && this.game.kind.solved(this.puzzle, this.game.board);
    const least = this.fewest === undefined ? "" : ` (${t("optimum", this.fewest)})`;
    this.status.textContent = solved ? t(`solved${this.counts}`, this.game.moves) + least : "";
    this.undo.disabled = !this.game.canUndo;
    this.redo.disabled = !this.game.canRedo;
    this.#run(() => this.#measure());
  }

  // The distance of the board; an answer about a board that is gone is dropped.
  async #measure() {
    const board = this.game.board;
    const found = await distance(this.puzzle, board);
    if (board !== this.game.board) return;
    this.known = found !== null;
    if (board === this.first) this.fewest = found === null || found < 0 ? undefined : found;
    this.#tellMoves(board, found);
    this.map.show(this.puzzle, found);
    this.distance.textContent = found === null ? t("distanceUnknown") : found < 0 ? "∞" : String(found);
    this.scramble.hidden = !this.known && !this.game.kind.scrambles;
    if (found === null && !this.page.readOnly)
      this.remark.replaceChildren(t("noTable"), " ", button(t("exploreNow", this.puzzle), () => this.#run(async () => {
        const { asked, explored } = this.game.kind;
        this.page.go(`jobs/${await submit("explore", { puzzle: asked(this.puzzle), ...explored })}`);
      }), { id: "explore-now" }));
  }

  // Each legal move, with the distance that it leads to.
  async #tellMoves(board, found) {
    const steps = await this.game.ready;
    const far = found === null || steps.length === 0 ? [] : await distances(this.puzzle, steps.map((step) => step.board));
    if (board !== this.game.board) return;
    this.each.replaceChildren(...far.map((moves, i) => el("li", {}, button(t("moveTo", steps[i].name ?? steps[i].label, moves < 0 ? "∞" : moves),
      () => this.game.make(steps[i]), { class: moves >= 0 && moves < found ? "nearer" : "" }))));
  }

  async #mix() {
    const exact = this.known ? await sample(this.puzzle, this.depth.value) : null;
    if (this.known && !exact) {
      this.status.textContent = t("atMost", this.depth.value);
      return;
    }
    this.#open(exact ?? walk(this.puzzle, this.game.board, WALK));
    if (!exact) this.status.textContent = t("scrambledWalk");
  }

  async #hint() {
    if (!this.game) return;
    const board = this.game.board;
    const best = await bestSteps(this.puzzle, board, this.game.steps);
    if (board !== this.game.board) return;
    this.game.hint(best.map((step) => step.piece), best.map((step) => step.label));
    this.status.textContent = t("best", best.map((step) => step.label).join(", ") || t("none"));
  }

  async #solve() {
    if (!this.game) return;
    this.status.textContent = t("solving");
    const found = await solution(this.puzzle, this.game.board);
    this.status.textContent = "";
    if (found.path === null) {
      this.status.textContent = found.unknown ? t("notFound") : t("unsolvable");
      return;
    }
    this.#closeSolution();
    this.player = player(this.puzzle, await frames(this.game.kind.asked(this.puzzle), found.start, found.path), this.counts);
    this.solution.append(this.player.element);
    this.player.element.scrollIntoView({ block: "nearest" });
  }

  end() {
    this.player?.stop();
  }
}

export function show(root, parameters, page) {
  const play = new Play(root, parameters, page);
  return () => play.end();
}
