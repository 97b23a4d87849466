// SPDX-License-Identifier: MIT
// A Sokoban level: painted cell by cell, or taken from a text.
import { ApiError, get, post } from "../base/api.js";
import { button, el } from "../base/dom.js";
import { reasons } from "../base/refusals.js";
import { t } from "../base/texts.js";
import { sign } from "../board/picture.js";
import { brushes, grid } from "./grid.js";

export const smallest = 3;
export const cellsMost = 900;
export const size = { rows: 6, columns: 8 };
export const example = "########/#  .   #/# $##  #/#  @ $ #/#   .  #/########";

/** The levels of a text, as puzzled-web reads it: each has a board, a title, and an error if it is none. */
export async function levels(text) {
  return (await post("boards", { puzzle: "sokoban", text })).boards;
}

/** A level as rows of the usual signs, parted by slashes. */
async function plain({ board, error }) {
  if (error) throw new ApiError(error);
  const { frames } = await get("draw", { puzzle: `sokoban:${board},metric:move`, board });
  return frames[0].board.replaceAll("-", " ");
}

const signs = { wall: "#", floor: " ", box: "$", goal: ".", player: "@" };
const onGoal = { $: "*", "@": "+", " ": "." };
const offGoal = { "*": "$", "+": "@", ".": " " };

function frame(rows, columns) {
  return Array.from({ length: rows }, (_, y) => Array.from({ length: columns }, (__, x) => (
    y === 0 || x === 0 || y === rows - 1 || x === columns - 1 ? "#" : " ")));
}

/** The sign of a cell after something is painted on it. */
function painted(cell, brush) {
  if (brush === "goal") return onGoal[cell] ?? (offGoal[cell] !== undefined ? offGoal[cell] : ".");
  const goal = offGoal[cell] !== undefined;
  if (brush === "floor" || brush === "wall") return signs[brush];
  return goal ? onGoal[signs[brush]] : signs[brush];
}

export function editor({ rows, columns }, text, changed) {
  const cells = text ? text.split("/").map((row) => [...row.padEnd(columns)]) : frame(rows, columns);
  const brush = brushes(Object.keys(signs), "wall");
  const put = ({ x, y }) => {
    if (brush.chosen() === "player") {
      cells.forEach((row) => row.forEach((cell, i) => { if (cell === "@" || cell === "+") row[i] = cell === "+" ? "." : " "; }));
    }
    cells[y][x] = painted(cells[y][x], brush.chosen());
  };
  const look = (x, y) => {
    const cell = cells[y][x];
    const name = { "#": "wall", " ": "floor", $: "box", "*": "home", ".": "goal", "@": "player", "+": "goal player" }[cell] ?? "floor";
    return { name, text: name === "floor" || name === "wall" ? "" : sign(name), label: name === "floor" ? t("emptyCell") : t(`piece-${name.split(" ").at(-1)}`) };
  };
  const area = grid(columns, rows, look, { begin: put, over: (at) => { if (brush.chosen() !== "goal") put(at); }, end: changed });
  const board = () => cells.map((row) => row.join("").trimEnd()).join("/").replace(/\/+$/, "");
  return { element: el("div", {}, el("p", { class: "keys" }, t("editSokobanHow")), brush.element, area.element), puzzle: () => `sokoban:${board()}`, board };
}

/** A field for a text of levels, and a choice among them: take(level) is called with one. */
export function source(take) {
  const remark = el("p", { class: "caption", role: "status" });
  const choice = el("select", { name: "level", hidden: true, onchange: () => use() });
  const area = el("textarea", { name: "xsb", rows: 6, spellcheck: "false", "aria-label": t("xsbPaste") });
  let found = [];
  const tell = (error) => remark.replaceChildren(...reasons(error));
  const use = () => plain(found[Number(choice.value)]).then(take, tell);
  const read = async () => {
    remark.textContent = "";
    found = await levels(area.value);
    choice.replaceChildren(...found.map(({ title }, i) => el("option", { value: i }, `${t("xsbTake", i + 1, found.length)} ${title ?? ""}`)));
    choice.hidden = found.length < 2;
    if (found.length === 0) remark.textContent = t("xsbNone");
    else await use();
  };
  return el("details", { open: true }, el("summary", {}, t("xsbPaste")), area,
    el("p", { class: "buttons" }, button(t("open"), () => read().catch(tell), { id: "xsb-take" }), choice), remark);
}
