// SPDX-License-Identifier: MIT
// The view Play: a board and its target; with the switch Analysis how far it is, its best moves and a solution that plays itself.
import { get, submit } from "../base/api.js";
import { cost, distanceIn, distances, ownStart, sample, solution, walk } from "../parts/answers.js";
import { button, el, field, renew } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { keep, recall } from "../base/storage.js";
import { bytes, count, t } from "../base/texts.js";
import { Game } from "../board/game.js";
import { aim } from "../board/picture.js";
import { frames, player } from "../board/player.js";
import { boardIn, puzzleForm } from "../parts/form.js";
import { Minimap } from "../parts/minimap.js";
import { Search } from "../parts/search.js";
import { copyAddress, savePicture } from "../parts/share.js";
import { Solver } from "../parts/solver.js";
import { harderThan, named } from "../puzzles/cards.js";
import { bareOf, kindOf, titleOf } from "../puzzles/kinds.js";
import { inMetric, metricOf, movesFrom } from "../puzzles/metrics.js";

const FARTHEST = 65534; // moves that a table can hold

class Play {
  constructor(root, parameters, page, before) {
    this.page = page;
    this.puzzle = named(parameters.get("puzzle") ?? "3x3", parameters.get("board"));
    const kind = kindOf(this.puzzle);
    this.metric = metricOf(kind, this.puzzle);
    this.counts = kind.counts ?? { step: "Steps", push: "Pushes" }[this.metric] ?? "";
    this.analysis = (parameters.get("analysis") ?? recall("analysis")) === "1";
    this.status = el("p", { class: "status", role: "status", "aria-live": "polite" });
    this.remark = el("p", { class: "remark", role: "status", "aria-live": "polite" });
    this.said = el("p", { class: "spoken", role: "status", "aria-live": "polite" });
    this.solution = el("div");
    this.map = new Minimap();
    this.search = new Search();
    this.solver = new Solver(this.puzzle, this.search);
    this.each = el("ul", { class: "each", "aria-label": t("everyMove") });
    this.place = el("div", { class: "place" });
    this.boardInput = el("input", { name: "board", value: parameters.get("board") ?? "", spellcheck: "false", autocomplete: "off" });
    this.depth = el("input", { type: "number", min: 0, max: FARTHEST, value: 20, name: "depth" });
    const open = async (puzzle, form) => {
      const board = puzzle === this.puzzle ? boardIn(form.elements.board) : "";
      // One of other walls or pieces than the puzzle's is a puzzle of its own.
      const own = board && puzzle.startsWith(`${kind.edits}:`) && await get("draw", { puzzle: kind.asked(puzzle), board }).then(() => false, ({ code }) => code === "bad-board");
      page.go("play", { puzzle: own ? kind.edits : puzzle, board });
    };
    this.ending = el("p", { class: "buttons", id: "ending" });
    root.append(el("h1", {}, titleOf(this.puzzle)),
      el("div", { class: "columns" }, el("div", {}, this.#numbers(), this.place, this.solution),
        el("div", { class: "side" }, this.#controls(kind), this.#buttons(), this.status, this.ending, this.search.element,
          this.remark, this.map.element, this.each, this.#more())),
      this.said,
      el("details", { class: "other" }, el("summary", {}, t("otherBoard")),
        puzzleForm(this.puzzle, open, field(t("board"), this.boardInput), el("button", {}, t("open")))));
    this.ready = this.#begin(parameters.get("board"), before);
  }

  // How moves are counted, and whether the page tells what it knows.
  #controls(kind) {
    const metrics = (kind.metrics ?? []).map((metric) => el("option", { value: metric, selected: metric === this.metric }, t(`metric-${metric}`)));
    const choice = el("select", { id: "metric", onchange: () => this.page.go("play", { puzzle: inMetric(kind, this.puzzle, choice.value), board: this.game?.board ?? "" }) }, ...metrics);
    const box = el("input", { type: "checkbox", id: "analysis", checked: this.analysis, onchange: () => this.#analyse(box.checked) });
    return el("div", { class: "bar" }, el("label", { class: "check" }, box, " ", t("analysis")), metrics.length > 0 ? field(t("metric"), choice) : null);
  }

  #analyse(on) {
    this.analysis = on;
    keep("analysis", on ? "1" : "0");
    if (!this.game) return;
    if (!on) this.#closeSolution();
    this.#tell();
    this.#run(() => this.#measure());
  }

  // Best moves and a solution, where they can be told: by a table, or by a search.
  #offerHelp() {
    this.help.hidden = !this.analysis || !this.asks || (this.page.readOnly && !this.known) || this.game.kind.solved(this.puzzle, this.game.board);
  }

  // What only Analysis shows.
  #deep() {
    for (const element of [this.distance.parentElement.parentElement, this.detour, this.each]) element.hidden = !this.analysis;
    this.#offerHelp();
    if (this.game.kind.explored === null) for (const element of [this.distance.parentElement.parentElement, this.best]) element.hidden = true;
    this.others.open = this.analysis;
    if (!this.analysis) this.map.element.hidden = true;
  }

  #numbers() {
    const number = (text, id, value) => el("div", {}, el("dt", {}, text), el("dd", {}, el("output", { id }, value)));
    const list = el("dl", { class: "numbers" }, number(t(`moves${this.counts}`), "moves", "0"), number(t("fewest"), "fewest", "–"),
      number(t("distance"), "distance", "…"));
    [this.moves, this.least, this.distance] = list.querySelectorAll("output");
    this.detour = el("p", { class: "caption", id: "detour" });
    this.aim = el("p", { class: "aim" });
    return el("div", {}, el("div", { class: "counted" }, list, this.aim), this.detour);
  }

  #buttons() {
    const act = (text, what, id) => button(t(text), () => this.game && this.#run(what), { id });
    this.scramble = el("form", { class: "bar", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.#run(() => this.#mix()); } },
      field(t("scramble"), this.depth), el("button", { id: "scramble" }, t("scrambleGo")));
    this.undo = act("undo", () => this.game.back(), "undo");
    this.redo = act("redo", () => this.game.again(), "redo");
    this.best = act("hint", () => this.#hint(), "hint");
    this.help = el("span", { class: "buttons" }, this.best, act("solve", () => this.#solve(), "solve"));
    this.acts = el("p", { class: "buttons", hidden: true }, this.undo, this.redo, act("restart", () => this.#open(this.first), "restart"),
      act("fresh", () => this.#fresh(), "fresh"), this.help);
    return this.acts;
  }

  #more() {
    this.more = el("p", { class: "buttons" });
    this.others = el("details", { open: this.analysis, hidden: true }, el("summary", {}, t("moreToDo")), this.scramble, this.more);
    return this.others;
  }

  // What can be done with a board, once it is known to be one.
  #others() {
    const { kind } = this.game;
    this.acts.hidden = this.others.hidden = false;
    const link = (text, view, parameters) => el("a", { class: "button", href: `#/${view}?${new URLSearchParams(parameters)}` }, t(text));
    const file = el("input", { type: "file", accept: "image/*", hidden: true, onchange: () => this.#wear(file.files[0]) });
    this.graphLink = link("asGraph", "graph", {});
    this.more.replaceChildren(button(t("share"), () => this.#run(() => this.#share()), { id: "share" }),
      button(t("savePicture"), () => this.#run(() => savePicture(this.game.picture.element, `${this.puzzle} ${this.game.board}`)), { id: "save-picture" }),
      ...(kind.edits === "slide" ? [file, this.photo = button(t("ownPicture"), () => (this.game.photo ? this.#wear(null) : file.click()), { id: "own-picture" })] : []),
      ...(kind.edits ? [link("changeBoard", "edit", { puzzle: this.puzzle, board: this.game.board })] : []),
      ...(kind.explored === null ? [] : [link("printSheet", "sheet", { puzzle: this.puzzle }), this.graphLink]));
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
      explain(this.remark, error);
    }
  }

  async #begin(board, before) {
    await this.#run(async () => {
      const kind = kindOf(this.puzzle);
      this.asks = await kind.enter?.(this.puzzle, this.page.defines) ?? true;
      const own = kind.start(this.puzzle) ?? (board ? null : await ownStart(this.puzzle, !kind.scrambles));
      const start = board ? await this.#read(kind, bareOf(this.puzzle, board)) : kind.solved(this.puzzle, own) && kind.scrambles ? await walk(this.puzzle, own) : own;
      if (this.ended) return;
      this.first = before?.first ?? start;
      this.fewest = before?.fewest;
      this.game = new Game(this.puzzle, start, (said) => this.#moved(said));
      if (before) this.game.restore(before.played);
      this.game.element.addEventListener("keydown", (event) => this.#key(event));
      this.game.element.addEventListener("pointerdown", () => this.player?.stop()); // a solution does not play under the finger
      this.place.replaceChildren(this.game.element, el("p", { class: "keys" }, t(kind.keys)));
      this.aim.replaceChildren(...aim(this.puzzle, start));
      this.game.element.focus({ preventScroll: true });
      this.#others();
      this.told = [];
      this.#tell();
      await this.#measure();
    });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const does = { h: () => this.best.checkVisibility() && this.#hint(), n: () => this.#fresh() }[event.key.toLowerCase()];
    if (does) this.#run(does);
  }

  // A board that somebody typed may be none: the daemon says what is wrong with it. Else it writes it as the page reads it.
  async #read(kind, typed) {
    if (!this.asks) return typed;
    const { frames: [{ board }] } = await get("draw", { puzzle: kind.asked(this.puzzle), board: typed });
    return kind.walks ? typed : board;
  }

  async #fresh() {
    const { kind, board } = this.game;
    if (kind.next) {
      this.page.go("play", { puzzle: kind.next(this.puzzle, board) });
      return;
    }
    const own = kind.goal?.(this.puzzle, board) ?? kind.start(this.puzzle) ?? await ownStart(this.puzzle, !kind.scrambles);
    this.#open(kind.scrambles ? await walk(this.puzzle, kind.solved(this.puzzle, own) ? own : board) : own);
  }

  async #share() {
    await copyAddress();
    this.status.textContent = t("shared");
  }

  #open(board) {
    this.first = board;
    this.game.set(board);
    this.#moved(t("boardOf", titleOf(this.puzzle), board));
    this.game.element.focus({ preventScroll: true });
  }

  #closeSolution() {
    this.player?.stop();
    this.player = null;
    this.solution.replaceChildren();
  }

  // After a move, an undo or a new board, which is said.
  #moved(said) {
    this.#closeSolution();
    this.#tell();
    this.#end(this.game.canUndo && this.game.kind.solved(this.puzzle, this.game.board));
    this.#run(() => this.#measure(said));
  }

  // Moves against the fewest, and the next board, a step harder where a table has one.
  #end(solved) {
    const least = this.fewest === undefined ? "" : t("optimum", this.fewest);
    this.status.textContent = solved ? t(`solved${this.counts}`, this.game.moves) + least : "";
    this.ending.replaceChildren(...(solved ? [button(t("nextBoard"), () => this.#run(() => this.#harder()), { id: "next-board", class: "primary" })] : []));
  }

  #sample(depth) {
    return sample({ puzzle: this.game.kind.asked(this.puzzle) }, depth);
  }

  async #harder() {
    const harder = this.known && this.fewest > 0 ? await this.#sample(this.fewest + 1) ?? await this.#sample(this.fewest) : null;
    const level = harder || this.game.kind.next || this.game.kind.scrambles && !this.game.kind.selects ? null : harderThan(this.puzzle, this.fewest);
    if (harder) this.#open(harder);
    else if (level) this.page.go("play", level);
    else await this.#fresh();
  }

  // What follows from the board alone.
  #tell() {
    this.moves.textContent = String(this.game.moves);
    const board = bareOf(this.puzzle, this.game.board);
    this.boardInput.value = board;
    this.graphLink.href = `#/graph?${new URLSearchParams({ puzzle: this.puzzle, board: this.game.board })}`;
    this.#deep();
    this.page.remember({ puzzle: this.puzzle, board, ...(this.analysis ? { analysis: 1 } : {}) });
    this.undo.disabled = !this.game.canUndo;
    this.redo.disabled = !this.game.canRedo;
    // A button that can do no more, or has gone, leaves the keys to the board.
    if (document.activeElement === document.body || document.activeElement.disabled) this.game.element.focus({ preventScroll: true });
  }

  // True if an answer about the board comes too late: another one is shown, or another view.
  #gone(board) {
    return this.ended || board !== this.game.board;
  }

  // The distance of the board; an answer about a board that is gone is dropped.
  async #measure(said = "") {
    const board = this.game.board;
    const answer = this.asks ? await distanceIn(this.puzzle, board).catch((error) => this.#fail(board, error)) : null;
    if (this.#gone(board)) return;
    const { wanted } = this.solver;
    if (wanted && ![board, this.first].includes(wanted.board)) this.solver.stop(); // nobody looks at that board any more
    const known = answer ? null : this.solver.known.get(board);
    const found = (answer ?? known)?.moves ?? null;
    this.known = answer !== null;
    this.#offerHelp();
    if (found === 0) this.help.hidden = true;
    if (board === this.first) this.fewest = found === null || found < 0 ? undefined : found;
    if (board === this.first && found < 0) this.status.textContent = t("unsolvable");
    if (found === 0 && this.game.moves > 0 && !this.player) this.#end(true);
    this.measured = this.#tellMoves(board, found, known?.list?.[1]);
    if (this.analysis) this.map.show(answer?.job, found);
    this.#bound(answer?.job);
    this.distance.textContent = found === null ? known?.least ? t("atLeast", known.least) : t("distanceUnknown") : found < 0 ? "∞" : String(found);
    this.least.textContent = this.fewest ?? "–";
    const more = this.fewest === undefined || found === null || found < 0 ? 0 : this.game.moves + found - this.fewest;
    this.detour.textContent = more > 0 ? t("detour", more) : "";
    if (said) this.said.textContent = found === null || !this.analysis ? said : t("toGo", said, found < 0 ? "∞" : found);
    this.scramble.hidden = !this.known && !this.game.kind.scrambles;
    if (found === null && !this.page.readOnly && this.asks) await this.#unknown(board, known);
  }

  // What was told of the board before is not told of one whose answer does not come.
  #fail(board, error) {
    if (!this.#gone(board)) {
      this.told = [];
      renew(this.each, [], this.game.element);
      this.distance.textContent = "…";
      this.detour.textContent = "";
      this.map.element.hidden = true;
    }
    throw error;
  }

  // Without a table a job solves the board, once: the target of the first one, and each that is analysed.
  async #unknown(board, known) {
    if (this.analysis) await this.#offer(board);
    if (this.#gone(board) || known || ((!this.analysis || this.game.kind.explored === null) && board !== this.first)) return;
    const { cancelled } = await this.solver.find(board, { keep: board === this.first });
    if (this.#gone(board) || !this.solver.known.has(board)) return;
    if (cancelled) this.status.textContent = t("solveCancelled");
    await this.#measure();
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
    if (this.#gone(board) || this.cost === null) return;
    const { states, bytes: needed, planes, memory } = this.cost;
    const unknown = needed === undefined;
    if (!unknown && (planes === "none" || needed > memory)) return;
    this.remark.replaceChildren(unknown ? t("noTable") : t("costsPositions", count(states), bytes(needed)), " ",
      button(t("exploreNow", titleOf(this.puzzle)), () => this.#run(async () => {
        const { asked, explored } = this.game.kind;
        this.page.go(`jobs/${await submit("explore", { puzzle: asked(this.puzzle), ...explored })}`);
      }), { id: "explore-now" }));
  }

  // Each move, with the distance that it leads to: in a list, and on the pieces. Without a table only the best is known.
  async #tellMoves(board, found, next) {
    const moves = this.analysis && found !== null && found !== 0 ? movesFrom(this.game.kind, this.puzzle, board, await this.game.ready) : [];
    const best = next && (next.made ?? moves.find((move) => move.board === next.board)); // one that the daemon drew is no move yet
    const far = this.known && moves.length > 0 ? await distances(this.puzzle, moves.map((move) => move.board)) : [];
    if (this.#gone(board)) return;
    const told = (this.known ? moves.map((move, i) => ({ ...move, far: far[i] })) : best && this.analysis ? [{ ...best, far: found - 1 }] : [])
      .map((move) => ({ ...move, text: move.far === null ? "?" : move.far < 0 ? "∞" : String(move.far), nearer: move.far !== null && move.far >= 0 && move.far < found }));
    this.told = told;
    this.toldOf = board;
    const marks = new Map(told.toSorted((one, two) => two.far - one.far).map((move) => [`${move.piece} ${move.way}`, move]));
    this.game.tell([...marks.values()]);
    renew(this.each, told.map(({ name, label, say, text, nearer, steps }) => el("li", {}, button(t("moveTo", name ?? label, text),
      () => this.#gone(board) || this.game.make(steps), { class: nearer ? "nearer" : "", "aria-label": t("moveTo", say ?? label, text) }))), this.game.element);
  }

  async #mix() {
    const exact = this.known ? await this.#sample(this.depth.value) : null;
    if (this.known && !exact) {
      this.status.textContent = t("atMost", this.depth.value);
      return;
    }
    this.#open(exact ?? await walk(this.puzzle, this.game.board));
    if (!exact) this.status.textContent = t("scrambledWalk");
  }

  async #hint() {
    const board = this.game.board;
    await this.measured;
    if (this.toldOf !== board) await this.#measure().then(() => this.measured);
    if (this.#gone(board)) return;
    if (!this.told.some(({ nearer }) => nearer) && !this.known) await this.solver.find(board).then(() => this.#measure()).then(() => this.measured);
    if (this.#gone(board)) return;
    const best = this.told.filter(({ nearer }) => nearer);
    this.game.hint(best.map((move) => move.piece), best.map((move) => move.label));
    this.status.textContent = t("best", best.map((move) => move.say ?? move.label).join(t("or")) || t("none"));
  }

  async #solve() {
    const board = this.game.board;
    this.status.textContent = "";
    const stored = await solution(this.puzzle, board);
    if (this.#gone(board)) return;
    const found = stored ?? await this.solver.find(board, { keys: {}, keep: true });
    if (this.#gone(board)) return;
    const list = stored?.path ? await frames(this.puzzle, board, stored.path) : found.list;
    if (!list) {
      this.status.textContent = t(found.cancelled ? "solveCancelled" : found.moves === undefined ? "notFound" : "unsolvable");
      return;
    }
    if (this.#gone(board)) return;
    this.#closeSolution();
    this.player = player(list, (frame, number) => this.#showFrame(frame, number === list.length - 1),
      { counts: this.counts, moves: found.moves, close: () => { this.#closeSolution(); this.#showFrame(list[0], false); } });
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
    this.ended = true;
    this.player?.stop();
    this.solver.stop();
    return this.game && { first: this.first, fewest: this.fewest, played: this.game.played };
  }
}

/** before is what the view left, where only the language has changed. */
export function show(root, parameters, page, _argument, before) {
  const play = new Play(root, parameters, page, before);
  return () => play.end();
}
