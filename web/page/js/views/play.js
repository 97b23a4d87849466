// SPDX-License-Identifier: MIT
// The view Play: a board, how far it is, its best moves and a solution that plays itself on it.
import { get, submit } from "../base/api.js";
import { bestSteps, cost, distanceIn, distances, ownStart, sample, solution, walk } from "../parts/answers.js";
import { button, el, field } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { bytes, count, t } from "../base/texts.js";
import { Game } from "../board/game.js";
import { frames, player } from "../board/player.js";
import { puzzleForm } from "../parts/form.js";
import { Minimap } from "../parts/minimap.js";
import { Search } from "../parts/search.js";
import { savePicture } from "../parts/share.js";
import { kindOf, named, titleOf } from "../puzzles/kinds.js";

const WALK = 300; // random moves, where no table gives a distance
const FARTHEST = 65534; // moves that a table can hold

class Play {
  constructor(root, parameters, page, before) {
    this.page = page;
    this.puzzle = named(parameters.get("puzzle") ?? "3x3");
    this.counts = kindOf(this.puzzle).counts ?? "";
    this.status = el("p", { class: "status", role: "status", "aria-live": "polite" });
    this.remark = el("p", { class: "remark", role: "status", "aria-live": "polite" });
    this.said = el("p", { class: "spoken", role: "status", "aria-live": "polite" });
    this.solution = el("div");
    this.map = new Minimap();
    this.search = new Search();
    this.each = el("ul", { class: "each", "aria-label": t("everyMove") });
    this.place = el("div", { class: "place" });
    this.boardInput = el("input", { name: "board", value: parameters.get("board") ?? "", spellcheck: "false", autocomplete: "off" });
    this.depth = el("input", { type: "number", min: 0, max: FARTHEST, value: 20, name: "depth" });
    const open = (puzzle, form) => page.go("play", { puzzle, board: puzzle === this.puzzle ? form.elements.board.value.trim() : "" });
    root.append(el("h1", {}, titleOf(this.puzzle)),
      el("div", { class: "columns" }, el("div", {}, this.place, this.solution),
        el("div", { class: "side" }, this.#numbers(), this.map.element, this.each, this.search.element, this.status, this.remark, this.#buttons())),
      this.said,
      el("details", { class: "other" }, el("summary", {}, t("otherBoard")),
        puzzleForm(this.puzzle, open, field(t("board"), this.boardInput), el("button", {}, t("open")))));
    this.ready = this.#begin(parameters.get("board"), before);
  }

  #numbers() {
    const number = (text, id, value) => el("div", {}, el("dt", {}, text), el("dd", {}, el("output", { id }, value)));
    const list = el("dl", { class: "numbers" }, number(t(`moves${this.counts}`), "moves", "0"), number(t("distance"), "distance", "…"),
      number(t("fewest"), "fewest", "–"));
    [this.moves, this.distance, this.least] = list.querySelectorAll("output");
    this.detour = el("p", { class: "caption", id: "detour" });
    return el("div", {}, list, this.detour);
  }

  #buttons() {
    const act = (text, what, id) => button(t(text), () => this.#run(what), { id });
    this.scramble = el("form", { class: "bar", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.#run(() => this.#mix()); } },
      field(t("scramble"), this.depth), el("button", { id: "scramble" }, t("scrambleGo")));
    this.undo = act("undo", () => this.game?.back(), "undo");
    this.redo = act("redo", () => this.game?.again(), "redo");
    [this.undo.disabled, this.redo.disabled] = [true, true];
    this.more = el("p", { class: "buttons" });
    return el("div", {}, el("p", { class: "buttons" }, act("hint", () => this.#hint(), "hint"), act("solve", () => this.#solve(), "solve"),
      this.undo, this.redo, act("restart", () => this.#open(this.first), "restart"), act("fresh", () => this.#fresh(), "fresh")),
    this.scramble, this.more);
  }

  // What can be done with a board besides playing it; filled once it is known to be one.
  #others() {
    const { kind } = this.game;
    const link = (text, view, parameters) => el("a", { class: "button", href: `#/${view}?${new URLSearchParams(parameters)}` }, t(text));
    const file = el("input", { type: "file", accept: "image/*", hidden: true, onchange: () => this.#wear(file.files[0]) });
    this.more.replaceChildren(button(t("share"), () => this.#run(() => this.#share()), { id: "share" }),
      button(t("savePicture"), () => this.#run(() => savePicture(this.game.picture.element, `${this.puzzle} ${this.game.board}`)), { id: "save-picture" }),
      ...(kind.edits === "slide" ? [file, this.photo = button(t("ownPicture"), () => (this.game.photo ? this.#wear(null) : file.click()), { id: "own-picture" })] : []),
      ...(kind.edits ? [link("changeBoard", "edit", { puzzle: this.puzzle, board: this.game.board })] : []),
      link("printSheet", "sheet", { puzzle: this.puzzle }), link("asGraph", "graph", { puzzle: this.puzzle }));
  }

  // A picture stays in this browser: it is never sent.
  #wear(file) {
    if (this.game.photo) URL.revokeObjectURL(this.game.photo);
    this.game.wear(file ? URL.createObjectURL(file) : null);
    this.photo.textContent = t(file ? "noPicture" : "ownPicture");
  }

  // Runs what a button does: its errors are shown, and a second one waits for nothing.
  async #run(what) {
    this.remark.textContent = "";
    try {
      await what();
    } catch (error) {
      this.status.textContent = "";
      this.remark.textContent = explain(error);
    }
  }

  async #begin(board, before) {
    await this.#run(async () => {
      const kind = kindOf(this.puzzle);
      const own = kind.start(this.puzzle) ?? (board ? null : await ownStart(this.puzzle));
      const start = board || (kind.solved(this.puzzle, own) && kind.scrambles ? walk(this.puzzle, own, WALK) : own);
      await this.#check(start, board);
      this.first = before?.first ?? start;
      this.fewest = before?.fewest;
      this.game = new Game(this.puzzle, start, (_board, step) => this.#moved(step));
      if (before) this.game.restore(before.played);
      this.game.element.addEventListener("keydown", (event) => this.#key(event));
      this.place.replaceChildren(this.game.element, el("p", { class: "keys" }, t(kind.keys)));
      this.game.element.focus({ preventScroll: true });
      this.#others();
      this.#tell();
      await this.#measure();
    });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const does = { h: () => this.#hint(), n: () => this.#fresh() }[event.key.toLowerCase()];
    if (does) this.#run(does);
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
    this.#moved();
    this.game.element.focus({ preventScroll: true });
  }

  #closeSolution() {
    this.player?.stop();
    this.player = null;
    this.solution.replaceChildren();
  }

  // After a move, an undo or a new board.
  #moved(step) {
    this.#closeSolution();
    this.#tell();
    const solved = this.game.moves > 0 && this.game.kind.solved(this.puzzle, this.game.board);
    const least = this.fewest === undefined ? "" : ` (${t("optimum", this.fewest)})`;
    this.status.textContent = solved ? t(`solved${this.counts}`, this.game.moves) + least : "";
    this.#run(() => this.#measure(step));
  }

  // What follows from the board alone.
  #tell() {
    this.moves.textContent = String(this.game.moves);
    this.boardInput.value = this.game.board;
    this.page.remember({ puzzle: this.puzzle, board: this.game.board });
    this.undo.disabled = !this.game.canUndo;
    this.redo.disabled = !this.game.canRedo;
  }

  // The distance of the board; an answer about a board that is gone is dropped.
  async #measure(step) {
    const board = this.game.board;
    const answer = await distanceIn(this.puzzle, board);
    if (board !== this.game.board) return;
    const found = answer?.moves ?? null;
    this.known = found !== null;
    if (board === this.first) this.fewest = found === null || found < 0 ? undefined : found;
    this.#tellMoves(board, found);
    this.map.show(answer?.job, found);
    this.#bound(answer?.job);
    this.distance.textContent = found === null ? t("distanceUnknown") : found < 0 ? "∞" : String(found);
    this.least.textContent = this.fewest ?? "–";
    const more = this.fewest === undefined || found === null || found < 0 ? 0 : this.game.moves + found - this.fewest;
    this.detour.textContent = more > 0 ? t("detour", more) : "";
    if (step?.say) this.said.textContent = found === null ? step.say : t("toGo", step.say, found < 0 ? "∞" : found);
    this.scramble.hidden = !this.known && !this.game.kind.scrambles;
    if (found === null && !this.page.readOnly) await this.#offer(board);
  }

  // No board is farther than the last level of the table: a larger distance is not offered.
  async #bound(job) {
    if (job === this.bounded) return;
    this.bounded = job;
    const levels = await this.map.of(job);
    if (job !== this.bounded) return;
    this.depth.max = levels ? levels.length - 1 : FARTHEST;
    if (Number(this.depth.value) > Number(this.depth.max)) this.depth.value = this.depth.max;
    this.depth.previousSibling.textContent = levels ? t("scrambleWithin", this.depth.max) : t("scramble");
  }

  // What a missing table would take; it is offered only where it can be made here.
  async #offer(board) {
    this.cost ??= await cost(this.puzzle);
    if (board !== this.game.board || this.cost === null) return;
    const { states, bytes: needed, planes, memory } = this.cost;
    const unknown = needed === undefined;
    if (!unknown && (planes === "none" || needed > memory)) {
      this.remark.textContent = t("costsTooMuch", count(states), bytes(needed), bytes(memory));
      return;
    }
    this.remark.replaceChildren(unknown ? t("noTable") : t("costsPositions", count(states), bytes(needed)), " ",
      button(t("exploreNow", titleOf(this.puzzle)), () => this.#run(async () => {
        const { asked, explored } = this.game.kind;
        this.page.go(`jobs/${await submit("explore", { puzzle: asked(this.puzzle), ...explored })}`);
      }), { id: "explore-now" }));
  }

  // Each legal move, with the distance that it leads to: in a list, and on the pieces.
  async #tellMoves(board, found) {
    const steps = await this.game.ready;
    const far = found === null || steps.length === 0 ? [] : await distances(this.puzzle, steps.map((step) => step.board));
    if (board !== this.game.board) return;
    const told = far.map((moves, i) => ({ ...steps[i], text: moves < 0 ? "∞" : String(moves), nearer: moves >= 0 && moves < found }));
    this.game.tell(told);
    this.each.replaceChildren(...told.map(({ name, label, say, text, nearer }, i) => el("li", {}, button(t("moveTo", name ?? label, text),
      () => this.game.make([steps[i]]), { class: nearer ? "nearer" : "", "aria-label": t("moveTo", say ?? label, text) }))));
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
    const best = await this.search.during((told) => bestSteps(this.puzzle, board, this.game.steps, told));
    if (board !== this.game.board) return;
    this.game.hint(best.map((step) => step.piece), best.map((step) => step.label));
    this.status.textContent = t("best", best.map((step) => step.say ?? step.label).join(t("or")) || t("none"));
  }

  async #solve() {
    if (!this.game) return;
    const board = this.game.board;
    this.status.textContent = "";
    const found = await this.search.during((told) => solution(this.puzzle, board, told));
    if (board !== this.game.board) return;
    if (found.path === null) {
      this.status.textContent = t(found.cancelled ? "solveCancelled" : found.unknown ? "notFound" : "unsolvable");
      return;
    }
    const list = await frames(this.puzzle, found.start, found.path);
    if (board !== this.game.board) return;
    this.#closeSolution();
    this.player = player(list, (frame, number) => this.#showFrame(frame, number === list.length - 1),
      { counts: this.counts, close: () => { this.#closeSolution(); this.#showFrame(list[0], false); } });
    this.solution.append(this.player.element);
    this.player.element.scrollIntoView({ block: "nearest" });
  }

  // A board of the solution stands on the game's own board.
  #showFrame({ board, drawn }, last) {
    this.game.show(board, drawn);
    this.#tell();
    this.status.textContent = last ? t("solvedShown") : "";
    this.#run(() => this.#measure());
  }

  end() {
    this.player?.stop();
    return this.game && { first: this.first, fewest: this.fewest, played: this.game.played };
  }
}

/** before is what the view left, where only the language has changed. */
export function show(root, parameters, page, _argument, before) {
  const play = new Play(root, parameters, page, before);
  return () => play.end();
}
