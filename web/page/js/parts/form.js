// SPDX-License-Identifier: MIT
// The field in which a puzzle is named, with what a view asks besides.
import { el, field } from "../base/dom.js";
import { t } from "../base/texts.js";
import { named } from "../puzzles/cards.js";
import { examples } from "../puzzles/kinds.js";

/** The rows of a pasted board are parted by slashes: a field of one line would put blanks between them. */
function pasteRows(event) {
  const rows = event.clipboardData.getData("text").replace(/^\s*\n|\s+$/g, "").split(/\r?\n/);
  if (rows.length < 2 || !/^(klotski|rushhour|sokoban|linkup):/.test(named(event.currentTarget.elements.puzzle.value))) return;
  event.preventDefault();
  const behindName = event.target.name === "puzzle" && !event.target.value.includes(":");
  document.execCommand("insertText", false, `${behindName ? ":" : ""}${rows.join("/")}`);
}

/** A board as it was typed. The first row of a level may begin with blanks. */
export const boardIn = ({ value }) => (value.includes("#") ? value.trimEnd() : value.trim());

export function puzzleForm(puzzle, onOpen, ...more) {
  const input = el("input", { name: "puzzle", value: puzzle, list: "examples", required: true, placeholder: t("puzzleHint"), spellcheck: "false", autocomplete: "off" });
  const list = el("datalist", { id: "examples" }, ...examples.map((value) => el("option", { value })));
  return el("form", { class: "bar", onpaste: pasteRows, onsubmit: (event) => { event.preventDefault(); onOpen(named(input.value), event.target); } },
    field(t("puzzle"), input), list, ...more);
}
