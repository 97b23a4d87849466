// SPDX-License-Identifier: MIT
// Boards from a text: a field for it, and a choice among them.
import { ApiError, get, post } from "../base/api.js";
import { button, el } from "../base/dom.js";
import { reasons } from "../base/refusals.js";
import { t } from "../base/texts.js";

/** The boards of a text, as puzzled-web reads it: each has a board, a title, and an error if it is none. */
export async function boardsOf(puzzle, text) {
  return (await post("boards", { puzzle, text })).boards;
}

/** The puzzle of a board, by the editor's kind. */
const puzzles = {
  slide(board) {
    const cells = /[ ,/]/.test(board) ? board.match(/[^ ,/]+/g) : [...board];
    // Whole numbers, also of a board that lacks cells: the daemon says how many.
    const rows = board.includes("/") ? board.split("/").length : Math.ceil(Math.sqrt(cells.length));
    return `${rows}x${board.includes("/") ? Math.ceil(cells.length / rows) : rows}`;
  },
  sokoban: (board) => `sokoban:${board},metric:move`, // where pushes count, the player may stand elsewhere
  klotski: (board) => `klotski:${board}`,
  rushhour: (board) => `rushhour:${board}`,
};

/** A field for a text of boards of a kind, or of a puzzle that has no kind here: take(board) is called with one as the daemon writes it. */
export function source(kind, puzzle, take) {
  const remark = el("p", { class: "caption", role: "status" });
  const choice = el("select", { name: "level", hidden: true, onchange: () => use().catch(tell) });
  const area = el("textarea", { name: "xsb", rows: 6, spellcheck: "false", "aria-label": t("xsbPaste") });
  let found = [];
  const tell = (error) => remark.replaceChildren(...reasons(error));
  const use = async () => {
    const { board, error } = found[Number(choice.value)];
    remark.textContent = "";
    if (error) throw new ApiError(error);
    const { frames: [frame] } = await get("draw", { puzzle: puzzles[kind]?.(board) ?? puzzle, board });
    take(kind === "sokoban" ? frame.board.replaceAll("-", " ") : frame.board);
  };
  const read = async () => {
    found = await boardsOf(puzzles[kind] ? kind : puzzle, area.value);
    choice.replaceChildren(...found.map(({ title }, i) => el("option", { value: i }, `${t("xsbTake", i + 1, found.length)} ${title ?? ""}`)));
    choice.hidden = found.length < 2;
    if (found.length === 0) remark.textContent = t("xsbNone");
    else await use();
  };
  return el("details", { open: kind === "sokoban" }, el("summary", {}, t("xsbPaste")), area,
    el("p", { class: "buttons" }, button(t("open"), () => read().catch(tell), { id: "xsb-take" }), choice), remark);
}
