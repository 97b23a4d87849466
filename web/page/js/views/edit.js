// SPDX-License-Identifier: MIT
// The view Make: boards are made by hand or from a text, checked at once, solved and graded.
import { ended, get, post, watch } from "../base/api.js";
import { button, el, field } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { keep, recall } from "../base/storage.js";
import { count, t } from "../base/texts.js";
import { small } from "../board/picture.js";
import * as klotski from "../edit/klotski.js";
import * as rushhour from "../edit/rushhour.js";
import * as slide from "../edit/slide.js";
import * as sokoban from "../edit/sokoban.js";
import { source } from "../edit/source.js";
import * as turns from "../edit/turns.js";
import { distanceIn, exploredNow, sample } from "../parts/answers.js";
import { levelsOf } from "../parts/minimap.js";
import { copyAddress, saveDrawing, savePicture, saveText } from "../parts/share.js";
import { named } from "../puzzles/cards.js";
import { kindOf, titleOf } from "../puzzles/kinds.js";

const editors = { slide, klotski, rushhour, sokoban, turns };
const KEPT = 30; // boards that the browser keeps
const QUIET = 400; // milliseconds without a change, after which a board is checked
const SECONDS = 5; // that a solution and its grade are looked for

// What is shown of a grade, in this order.
const FIGURES = ["rating", "other_moves", "solutions", "branching", "wrong_turns", "dead_turns", "must_move", "box_changes", "decomposition"];

const kept = () => JSON.parse(recall("made") ?? "[]");

const sizeOf = (board) => {
  const rows = board.split("/");
  return { rows: rows.length, columns: Math.max(...rows.map((row) => (row.includes(",") ? row.split(",").length : row.length))) };
};

/** What a puzzle's name says behind its size or board and holds for a changed board: of goals of blocks only A's, as others get new letters. */
function optionsOf(puzzle, kind) {
  const options = puzzle.match(/,(?:wrap|metric|goal):[^,]*/g) ?? [];
  return options.filter((option) => kind === "slide" || !option.startsWith(",goal:") || /^,goal:A:\d+:\d+$/.test(option));
}

/** The fewest moves, -1 without a solution, null where none was found in time. */
const movesOf = (grade) => (grade.solvable === "no" ? -1 : grade.moves ?? null);

class Edit {
  constructor(root, parameters, page) {
    this.page = page;
    const given = parameters.get("puzzle");
    const puzzle = named(given ?? "3x3");
    this.kind = Object.hasOwn(editors, parameters.get("kind")) ? parameters.get("kind") : kindOf(puzzle).edits ?? (given ? "turns" : "slide");
    this.puzzle = given && !kindOf(puzzle).edits ? puzzle : turns.usual;
    this.options = parameters.get("board") && kindOf(puzzle).edits === this.kind ? optionsOf(puzzle, this.kind) : [];
    this.verdict = el("p", { class: "status", id: "verdict", role: "status", "aria-live": "polite" });
    this.figures = el("dl", { class: "numbers", id: "grade" });
    this.place = el("div");
    this.preview = el("div", { class: "preview" });
    this.list = el("ul", { class: "gallery", id: "kept" });
    const take = (board) => {
      this.options = [];
      this.#make(board);
    };
    this.rows = el("input", { name: "rows", type: "number", min: 2, max: 30 });
    this.columns = el("input", { name: "columns", type: "number", min: 2, max: 30 });
    const tabs = el("p", { class: "buttons" }, ...Object.keys(editors).map((kind) => button(t(`name-${kind}`),
      () => page.go("edit", { kind }), { "aria-pressed": String(kind === this.kind), id: `edit-${kind}` })));
    const sizes = el("form", { class: "bar", hidden: !editors[this.kind].size, onsubmit: (event) => { event.preventDefault(); this.#resize(); } },
      field(t("rows"), this.rows), field(t("columns"), this.columns), el("button", { id: "edit-size" }, t("editClear")));
    root.append(el("h1", {}, t("editTitle")), tabs,
      el("div", { class: "columns" }, el("div", {}, this.place, source(this.kind, this.puzzle, take)), el("div", { class: "side" }, sizes, this.verdict, this.#buttons(), this.#wish(), this.preview, this.figures)),
      el("h2", {}, t("editKept")), this.list);
    this.#make(parameters.get("board") || editors[this.kind].example);
    this.#keep([]);
  }

  #puzzle() {
    return [this.editor.puzzle(), ...this.options].join("");
  }

  // What is done with a board: it is played, kept, shared, or saved as a file.
  #buttons() {
    const name = () => `${titleOf(this.#puzzle())} ${this.editor.board()}`;
    const picture = () => this.preview.querySelector("svg");
    const tell = (work) => () => Promise.resolve(work()).catch((error) => { explain(this.verdict, error); });
    const share = async () => {
      await copyAddress();
      this.verdict.textContent = t("shared");
    };
    return el("p", { class: "buttons" },
      button(t("editPlay"), () => this.page.go("play", { puzzle: this.#puzzle(), board: this.editor.board() }), { class: "primary", id: "edit-play" }),
      button(t("editKeep"), () => this.#keep([{ kind: this.kind, puzzle: this.#puzzle(), board: this.editor.board() }]), { id: "edit-keep" }),
      button(t("share"), tell(share), { id: "edit-share" }),
      button(t("savePng"), tell(() => savePicture(picture(), name())), { id: "edit-png" }),
      button(t("saveSvg"), tell(() => saveDrawing(picture(), name())), { id: "edit-svg" }),
      button(t("saveTxt"), tell(() => saveText(`${this.editor.board().replaceAll("/", "\n")}\n`, name())), { id: "edit-txt" }));
  }

  // Another board of the same pieces that is exactly so far from the goal: the daemon explores what is small.
  #wish() {
    const moves = el("input", { name: "away", type: "number", min: 0, max: 65534, value: 20 });
    const make = async () => {
      const [puzzle, board] = [this.#puzzle(), this.editor.board()];
      this.verdict.textContent = t("solving");
      const keys = await exploredNow(puzzle);
      const found = await sample(keys, moves.value);
      if (this.ended || board !== this.editor.board()) return; // what was made meanwhile stays
      if (found) this.#make(found);
      else this.verdict.textContent = t("sheetNone", moves.value, (await get("deepest", keys)).depth);
    };
    return el("form", { class: "bar", hidden: this.page.readOnly, onsubmit: (event) => { event.preventDefault(); make().catch((error) => { explain(this.verdict, error); }); } },
      field(t("editAway"), moves), el("button", { id: "edit-make" }, t("editMake")));
  }

  /** Keeps more boards, the latest first, and shows all. */
  #keep(more) {
    const same = (one, other) => one.puzzle === other.puzzle && one.board === other.board;
    const boards = [...more, ...kept().filter((one) => !more.some((other) => same(one, other)))].slice(0, KEPT);
    keep("made", JSON.stringify(boards));
    this.list.replaceChildren(...boards.map((one) => el("li", {}, el("a", { href: `#/edit?${new URLSearchParams(one)}` }, small(one.puzzle, one.board)),
      button("×", () => { keep("made", JSON.stringify(kept().filter((other) => !same(one, other)))); this.#keep([]); }, { "aria-label": t("editDrop", titleOf(one.puzzle)) }))));
    this.list.previousElementSibling.hidden = boards.length === 0;
  }

  #make(given) {
    const { editor, size, inRows = (same) => same } = editors[this.kind];
    const board = given && inRows(given);
    this.#build(editor, board && size ? sizeOf(board) : size ?? {}, board);
  }

  #build(editor, cells, board) {
    [this.rows.value, this.columns.value] = [cells.rows, cells.columns];
    this.editor = { board: () => "" };
    this.editor = editor(cells, board, () => this.#changed(), ...(this.kind === "turns" ? [this.puzzle, (puzzle) => this.page.go("edit", { puzzle }), this.page.defines] : []));
    this.place.replaceChildren(this.editor.element);
    this.#changed();
  }

  #resize() {
    this.options = this.options.filter((option) => !option.startsWith(",goal:")); // it was for the board that is cleared
    const { editor, smallest, cellsMost } = editors[this.kind];
    const rows = Math.max(smallest, Number(this.rows.value));
    const columns = Math.min(Math.floor(cellsMost / rows), Math.max(smallest, Number(this.columns.value)));
    this.#build(editor, { rows, columns }, null);
  }

  #changed() {
    clearTimeout(this.timer);
    this.stop?.();
    if (this.ended || this.editor.board() === "") return; // it is not told yet
    this.verdict.textContent = "…";
    this.figures.replaceChildren();
    this.timer = setTimeout(() => this.#check().catch((error) => explain(this.verdict, error)), QUIET);
  }

  async #check() {
    const [puzzle, board] = [this.#puzzle(), this.editor.board()];
    const same = () => !this.ended && board === this.editor.board();
    this.page.remember({ kind: this.kind, board, ...(this.kind === "turns" || this.options.length > 0 ? { puzzle } : {}) });
    this.preview.replaceChildren(small(puzzle, board));
    const known = await distanceIn(puzzle, board) ?? {}; // or it throws what is wrong with them
    if (!same()) return;
    this.verdict.textContent = t("editGood");
    const none = {}; // where nothing is searched: lines and moves with costs have no grade
    const grading = this.page.readOnly || known.moves < 0 ? none
      : this.#grade(puzzle, board).catch((error) => { if (known.moves === undefined && error.code !== "unsupported") throw error; return none; });
    const moves = known.moves ?? movesOf(await grading);
    if (!same() || (moves === null && await grading === none)) return;
    this.verdict.textContent = `${t("editGood")} ${moves === null ? t("editUnknown", SECONDS) : moves < 0 ? t("editNoSolution") : t("editSolved", count(moves))}`;
    const levels = known.job && moves > 0 ? await levelsOf(known.job).catch(() => null) : null;
    if (levels && same()) {
      const [nearer, all] = [levels.slice(0, moves), levels].map((list) => list.reduce((sum, states) => sum + states, 0));
      const share = Math.floor((100 * nearer) / all);
      if (share > 0) this.verdict.textContent += ` ${t("editHard", share)}`;
    }
    const grade = await grading;
    if (same() && grade.moves > 0) this.#show(grade);
  }

  #show(grade) {
    const text = (key) => t(`grade-${key === "other_moves" ? `${this.kind.replace("rushhour", "klotski")}-${grade.other_metric}` : key}`, count(grade.piece_count));
    this.figures.replaceChildren(...FIGURES.filter((key) => grade[key] !== undefined).map((key) =>
      el("div", {}, el("dt", {}, text(key)), el("dd", { "data-key": key }, key === "branching" ? grade[key].toFixed(1) : count(grade[key])))));
  }

  /** The result of GRADE. A job of the page's own, which the list of jobs leaves out. */
  async #grade(puzzle, board) {
    const { job, cached } = await post("jobs", { kind: "grade", puzzle: kindOf(puzzle).asked(puzzle), start: board, time: `${SECONDS}s`, tool: "page" });
    await new Promise((resolve, reject) => {
      const unwatch = watch(job, (event) => ended(event.state) && resolve(), reject);
      this.stop = () => { unwatch(); post(`jobs/${job}/cancel`).catch(() => {}); };
    });
    this.stop = null;
    const grade = await get(`jobs/${job}/result`);
    if (!cached) post(`jobs/${job}/forget`).catch(() => {}); // each change of the board makes one
    return grade;
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    this.stop?.();
  }
}

export function show(root, parameters, page) {
  const edit = new Edit(root, parameters, page);
  return () => edit.end();
}
