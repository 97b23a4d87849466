// SPDX-License-Identifier: MIT
// The view Make: boards are made by hand or from a text, checked at once, solved and graded.
import { ApiError, ended, get, post, watch } from "../base/api.js";
import { button, el, field } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { count, t } from "../base/texts.js";
import * as klotski from "../edit/klotski.js";
import * as slide from "../edit/slide.js";
import * as sokoban from "../edit/sokoban.js";
import { levelsOf } from "../parts/minimap.js";
import { kindOf, named } from "../puzzles/kinds.js";

const editors = { slide, klotski, sokoban };
const QUIET = 400; // milliseconds without a change, after which a board is checked
const SECONDS = 5; // that a solution and its grade are looked for

// What is shown of a grade, in this order.
const FIGURES = ["rating", "other_moves", "solutions", "branching", "wrong_turns", "dead_turns", "must_move", "box_changes", "decomposition"];

const sizeOf = (board) => {
  const rows = board.split("/");
  return { rows: rows.length, columns: Math.max(...rows.map((row) => (row.includes(",") ? row.split(",").length : row.length))) };
};

/** { moves, job } where a table tells; throws what is wrong with the puzzle or its board. */
async function judge(puzzle, board) {
  // A list of one: a refusal in it is no failed request, which browsers would note as an error.
  const { answers: [answer] } = await post("distance", { puzzle: kindOf(puzzle).asked(puzzle), starts: [board] });
  if (answer.error && !["no-table", "unsupported", "limit"].includes(answer.error.code)) throw new ApiError(answer.error);
  return answer.error || answer.solvable === "unknown" ? {} : answer;
}

/** The fewest moves, -1 without a solution, null where none was found in time. */
const movesOf = (grade) => (grade.solvable === "no" ? -1 : grade.moves ?? null);

class Edit {
  constructor(root, parameters, page) {
    this.page = page;
    const puzzle = named(parameters.get("puzzle") ?? "3x3");
    this.kind = editors[parameters.get("kind")] ? parameters.get("kind") : kindOf(puzzle).edits ?? "slide";
    this.verdict = el("p", { class: "status", id: "verdict", role: "status", "aria-live": "polite" });
    this.figures = el("dl", { class: "numbers", id: "grade" });
    this.place = el("div");
    const source = editors[this.kind].source?.((level) => this.#make(level));
    this.rows = el("input", { name: "rows", type: "number", min: 2, max: 30 });
    this.columns = el("input", { name: "columns", type: "number", min: 2, max: 30 });
    const tabs = el("p", { class: "buttons" }, ...Object.keys(editors).map((kind) => button(t(`edit-${kind}`),
      () => page.go("edit", { kind }), { "aria-pressed": String(kind === this.kind), id: `edit-${kind}` })));
    const sizes = el("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); this.#resize(); } },
      field(t("rows"), this.rows), field(t("columns"), this.columns), el("button", { id: "edit-size" }, t("editClear")));
    this.play = button(t("editPlay"), () => page.go("play", { puzzle: this.editor.puzzle(), board: this.editor.board() }), { class: "primary", id: "edit-play" });
    root.append(el("h1", {}, t("editTitle")), tabs,
      el("div", { class: "columns" }, el("div", {}, this.place, source ?? ""), el("div", { class: "side" }, sizes, this.verdict, this.figures, el("p", { class: "buttons" }, this.play))));
    this.#make(parameters.get("board") || null);
  }

  #make(board) {
    const { editor, size } = editors[this.kind];
    const cells = board ? sizeOf(board) : size;
    this.#build(editor, cells, board);
  }

  #build(editor, cells, board) {
    [this.rows.value, this.columns.value] = [cells.rows, cells.columns];
    this.editor = editor(cells, board, () => this.#changed());
    this.place.replaceChildren(this.editor.element);
    this.#changed();
  }

  #resize() {
    const { editor, smallest, cellsMost } = editors[this.kind];
    const rows = Math.max(smallest, Number(this.rows.value));
    const columns = Math.min(Math.floor(cellsMost / rows), Math.max(smallest, Number(this.columns.value)));
    this.#build(editor, { rows, columns }, null);
  }

  #changed() {
    clearTimeout(this.timer);
    this.stop?.();
    this.verdict.textContent = "…";
    this.figures.replaceChildren();
    this.timer = setTimeout(() => this.#check().catch((error) => explain(this.verdict, error)), QUIET);
  }

  async #check() {
    const [puzzle, board] = [this.editor.puzzle(), this.editor.board()];
    const same = () => board === this.editor.board();
    this.page.remember({ kind: this.kind, board });
    const known = await judge(puzzle, board);
    if (!same()) return;
    this.verdict.textContent = t("editGood");
    const grading = this.page.readOnly || known.moves < 0 ? {} : this.#grade(puzzle, board).catch((error) => { if (known.moves === undefined) throw error; return {}; });
    const moves = known.moves ?? movesOf(await grading);
    if (!same()) return;
    this.verdict.textContent = `${t("editGood")} ${moves === null ? t("editUnknown", SECONDS) : moves < 0 ? t("editNoSolution") : t("editSolved", count(moves))}`;
    const levels = known.job && moves > 0 ? await levelsOf(known.job).catch(() => null) : null;
    if (levels && same()) {
      const [nearer, all] = [levels.slice(0, moves), levels].map((list) => list.reduce((sum, states) => sum + states, 0));
      this.verdict.textContent += ` ${t("editHard", Math.floor((100 * nearer) / all))}`;
    }
    const grade = await grading;
    if (same() && grade.moves > 0) this.#show(grade);
  }

  #show(grade) {
    const text = (key) => t(`grade-${key === "other_moves" ? `${this.kind}-${grade.other_metric}` : key}`, count(grade.piece_count));
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
    clearTimeout(this.timer);
    this.stop?.();
  }
}

export function show(root, parameters, page) {
  const edit = new Edit(root, parameters, page);
  return () => edit.end();
}
