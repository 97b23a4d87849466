// SPDX-License-Identifier: MIT
// A Sokoban level, painted cell by cell.
import { el } from "../base/dom.js";
import { t } from "../base/texts.js";
import { sign } from "../board/picture.js";
import { brushes, grid } from "./grid.js";

export const smallest = 3;
export const cellsMost = 900;
export const size = { rows: 6, columns: 8 };
export const example = "########/#  .   #/# $##  #/#  @ $ #/#   .  #/########";

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
