// SPDX-License-Identifier: MIT
// A board as SVG. Pieces keep their elements while they keep their names, so that they glide where they go.
import { svg } from "./dom.js";
import { kindOf } from "./puzzles.js";

const CELL = 10;
const GAP = 0.4;

function shape(rect, origin) {
  return svg("rect", {
    x: (rect.x - origin.x) * CELL + GAP, y: (rect.y - origin.y) * CELL + GAP,
    width: rect.w * CELL - 2 * GAP, height: rect.h * CELL - 2 * GAP, rx: 1,
  });
}

// Between cells of one piece there is no gap: squares of their own bridge it.
function bridges(rects, origin) {
  return rects.flatMap((one) => rects.filter((two) => (two.x === one.x + 1 && two.y === one.y) || (two.y === one.y + 1 && two.x === one.x))
    .map((two) => svg("rect", {
      x: (one.x - origin.x) * CELL + (two.x > one.x ? CELL / 2 : GAP), y: (one.y - origin.y) * CELL + (two.y > one.y ? CELL / 2 : GAP),
      width: two.x > one.x ? CELL : CELL - 2 * GAP, height: two.y > one.y ? CELL : CELL - 2 * GAP,
    })));
}

function element(piece) {
  const origin = piece.rects[0];
  const group = svg("g", { class: `piece ${piece.kind}`, "data-piece": piece.id },
    ...piece.rects.map((rect) => shape(rect, origin)), ...(piece.rects.length > 1 ? bridges(piece.rects, origin) : []));
  if (piece.text !== "") {
    const { w, h } = origin;
    group.append(svg("text", { x: (w * CELL) / 2, y: (h * CELL) / 2, class: piece.text.length > 2 ? "long" : "" }, piece.text));
  }
  return group;
}

const form = (piece) => JSON.stringify([piece.kind, piece.text, piece.rects.map((rect) => [rect.x - piece.rects[0].x, rect.y - piece.rects[0].y, rect.w, rect.h])]);

export class Picture {
  constructor(label = "") {
    this.element = svg("svg", { class: "board", role: "img", "aria-label": label });
    this.pieces = new Map();
  }

  /** Shows a board; hints and selected are names of pieces. */
  show(puzzle, board, { label, hints = [], selected = null, focusable = false } = {}) {
    const picture = kindOf(puzzle).picture(puzzle, board);
    this.element.setAttribute("viewBox", `0 0 ${picture.columns * CELL} ${picture.rows * CELL}`);
    if (label) this.element.setAttribute("aria-label", label);
    const left = new Map(this.pieces);
    for (const piece of picture.pieces) {
      const known = left.get(piece.id);
      const same = known?.form === form(piece);
      if (known && !same) known.group.remove();
      const group = same ? known.group : element(piece);
      if (!same) this.element.append(group);
      left.delete(piece.id);
      this.pieces.set(piece.id, { group, form: form(piece) });
      group.style.transform = `translate(${piece.rects[0].x * CELL}px, ${piece.rects[0].y * CELL}px)`;
      group.classList.toggle("hinted", hints.includes(piece.id));
      group.classList.toggle("selected", piece.id === selected);
      if (focusable && piece.kind !== "wall") {
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
        group.setAttribute("aria-label", piece.id);
      }
    }
    for (const [id, { group }] of left) {
      group.remove();
      this.pieces.delete(id);
    }
    return this;
  }
}

/** A small picture of a board. */
export function small(puzzle, board) {
  const picture = new Picture(board).show(puzzle, board);
  picture.element.classList.add("small");
  return picture.element;
}
