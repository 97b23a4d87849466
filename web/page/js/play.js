// SPDX-License-Identifier: MIT
// The view Play: a board, how far it is, its best moves and a solution that plays itself.
import { submit } from "./api.js";
import { bestSteps, distance, ownStart, sample, solution, walk } from "./answers.js";
import { button, el, field } from "./dom.js";
import { Game } from "./game.js";
import { frames, player } from "./player.js";
import { examples, kindOf } from "./puzzles.js";
import { t } from "./texts.js";

const WALK = 300; // random moves, where no table gives a distance

export function puzzleForm(puzzle, onOpen, ...more) {
  const input = el("input", { name: "puzzle", value: puzzle, list: "examples", required: true, spellcheck: "false", autocomplete: "off" });
  const list = el("datalist", { id: "examples" }, ...examples.map((value) => el("option", { value })));
  return el("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); onOpen(input.value.trim(), event.target); } },
    field(t("puzzle"), input), list, ...more);
}

class Play {
  constructor(root, parameters, page) {
    this.page = page;
    this.puzzle = parameters.get("puzzle") ?? "3x3";
    this.counts = kindOf(this.puzzle).counts ?? "";
    this.status = el("p", { class: "status", role: "status", "aria-live": "polite" });
    this.remark = el("p", { class: "remark", role: "status", "aria-live": "polite" });
    this.solution = el("div");
    this.distance = el("output", { id: "distance" }, "…");
    this.moves = el("output", { id: "moves" }, "0");
    this.place = el("div", { class: "place" });
    const board = el("input", { name: "board", value: parameters.get("board") ?? "", spellcheck: "false", autocomplete: "off" });
    this.boardInput = board;
    this.depth = el("input", { type: "number", min: 0, max: 65534, value: 20, name: "depth" });
    const open = (puzzle, form) => page.go("play", { puzzle, board: puzzle === this.puzzle ? form.elements.board.value.trim() : "" });
    root.append(puzzleForm(this.puzzle, open, field(t("board"), board), el("button", {}, t("open"))),
      el("div", { class: "columns" }, this.place, el("div", { class: "side" }, this.#numbers(), this.#buttons(), this.status, this.remark)),
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
      button(t("restart"), () => this.#open(this.first))));
  }

  // Runs what a button does: its errors are shown, and a second one waits for nothing.
  async #run(what) {
    this.remark.textContent = "";
    try {
      await what();
    } catch (error) {
      this.remark.textContent = error.message;
    }
  }

  async #begin(board) {
    await this.#run(async () => {
      const kind = kindOf(this.puzzle);
      const start = board || (kind.start(this.puzzle) ?? await ownStart(this.puzzle));
      this.first = start;
      this.game = new Game(this.puzzle, start, () => this.#moved());
      this.game.element.addEventListener("keydown", (event) => {
        if (event.key.toLowerCase() === "h") this.#run(() => this.#hint());
      });
      this.place.replaceChildren(this.game.element, el("p", { class: "keys" }, t(kind.keys)));
      this.game.element.focus({ preventScroll: true });
      await this.#measure();
    });
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
    this.status.textContent = solved ? t(`solved${this.counts}`, this.game.moves) : "";
    this.#run(() => this.#measure());
  }

  // The distance of the board; an answer about a board that is gone is dropped.
  async #measure() {
    const board = this.game.board;
    const found = await distance(this.puzzle, board);
    if (board !== this.game.board) return;
    this.known = found !== null;
    this.distance.textContent = found === null ? t("distanceUnknown") : found < 0 ? "∞" : String(found);
    this.scramble.hidden = !this.known && !this.game.kind.scrambles;
    if (found === null && !this.page.readOnly)
      this.remark.replaceChildren(t("noTable"), " ", button(t("exploreNow", this.puzzle), () => this.#run(async () => {
        const { asked, explored } = this.game.kind;
        this.page.go(`jobs/${await submit("explore", { puzzle: asked(this.puzzle), ...explored })}`);
      }), { id: "explore-now" }));
  }

  async #mix() {
    const exact = this.known ? await sample(this.puzzle, this.depth.value) : null;
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
