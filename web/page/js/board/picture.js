// SPDX-License-Identifier: MIT
// A board as SVG. Pieces keep their elements while they keep their names, so that they glide where they go.
import { el, svg } from "../base/dom.js";
import { t } from "../base/texts.js";
import { kindOf } from "../puzzles/kinds.js";
import { names, shapes } from "./shapes.js";

export const CELL = 10;
const GAP = 0.4;
const RING = 1.1; // how far inside a piece its mark lies
const EDGE = 0.15; // cells from a piece's side to the middle of the word there
const LINE = 2.6; // units between the lines of a name
const MIDDLE = ".35em"; // from a text's base line to its middle; not every program knows dominant-baseline
const BESIDE = 0.33; // cells from a tile's middle down to a word beside its number; a letter stands above
const sides = { U: [0, -1], D: [0, 1], L: [-1, 0], R: [1, 0] };

const FRAME = 1.2; // units of a frame that has an exit

/** True if a word is among those of a piece's kind. */
const isA = ({ kind }, word) => kind.split("-").includes(word);

/** Lines of shapes.js within a rectangle, whose sides they take for 1. */
function lines([word, name, drawn], { x, y, w, h }, origin, inset) {
  const stands = word === "car" && h > w;
  const [left, top, width, height] = [(x - origin.x) * CELL + inset, (y - origin.y) * CELL + inset, Math.max(0, w * CELL - 2 * inset), Math.max(0, h * CELL - 2 * inset)];
  const d = drawn.replace(/([\d.]+) ([\d.]+)/g, (_, one, two) => `${left + (stands ? two : one) * width} ${top + (stands ? one : two) * height}`);
  return svg("path", { d, class: name });
}

// The style of shapes is pieces.css, which puzzlectl's pictures have, too.
function shape(piece, rect, origin, inset, name = "shape") {
  const own = shapes.find(([word, style]) => style === "shape" && isA(piece, word));
  if (own) return lines([own[0], name, own[2]], rect, origin, inset);
  return svg("rect", {
    x: (rect.x - origin.x) * CELL + inset, y: (rect.y - origin.y) * CELL + inset,
    width: rect.w * CELL - 2 * inset, height: Math.max(0, rect.h * CELL - 2 * inset), rx: 1, class: name,
  });
}

// Between cells of one piece there is no gap: squares of their own bridge it.
function bridges(rects, origin) {
  const cells = rects.filter(({ w, h }) => w === 1 && h === 1);
  return cells.flatMap((one) => cells.filter((two) => (two.x === one.x + 1 && two.y === one.y) || (two.y === one.y + 1 && two.x === one.x))
    .map((two) => svg("rect", { class: "shape",
      x: (one.x - origin.x) * CELL + (two.x > one.x ? CELL / 2 : GAP), y: (one.y - origin.y) * CELL + (two.y > one.y ? CELL / 2 : GAP),
      width: two.x > one.x ? CELL : CELL - 2 * GAP, height: two.y > one.y ? CELL : CELL - 2 * GAP,
    })));
}

/** A frame that has an opening: gate is a line of cells at an edge of the board, out of which a sign points. */
function framed({ columns, rows }, { x, y, w, h }) {
  const [width, height] = [columns * CELL, rows * CELL];
  const at = (place, long) => (long > 0 || place > 0 ? place * CELL : -FRAME);
  const gap = { x: at(x, w), y: at(y, h), width: w * CELL || FRAME, height: h * CELL || FRAME };
  const turn = w > 0 ? (y > 0 ? 90 : -90) : x > 0 ? 0 : 180;
  const sign = { d: "M-.5-1.6L.6 0L-.5 1.6z", transform: `translate(${gap.x + gap.width / 2} ${gap.y + gap.height / 2}) rotate(${turn})` };
  return svg("g", {}, svg("rect", { x: -FRAME, y: -FRAME, width: width + 2 * FRAME, height: height + 2 * FRAME, rx: 1.5, class: "frame" }),
    svg("rect", { width, height, class: "ground" }), svg("rect", { ...gap, class: "gate" }), svg("path", { ...sign, class: "sign" }));
}

/** The part of an own picture that belongs on a tile. */
function part({ url, columns, rows }, { x, y }) {
  const side = CELL - 2 * GAP;
  return svg("svg", { x: GAP, y: GAP, width: side, height: side, viewBox: `${x * CELL} ${y * CELL} ${CELL} ${CELL}` },
    svg("image", { href: url, x: 0, y: 0, width: columns * CELL, height: rows * CELL, preserveAspectRatio: "xMidYMid slice" }));
}

const wide = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
const columns = (text) => [...text].reduce((sum, sign) => sum + (wide.test(sign) ? 2 : 1), 0);

function words(piece, photo) {
  const { w, h } = piece.rects[0];
  const small = photo ? { x: 2.4, y: 2.4, class: "corner" } : { x: (w * CELL) / 2, y: (h * CELL) / 2, class: columns(piece.text) > 2 ? "long" : "" };
  return svg("text", { ...small, dy: MIDDLE }, piece.text);
}

/** A piece in all its shapes, in the order of shapes.js. */
function drawn(piece, rect, origin) {
  const looks = shapes.filter(([word]) => isA(piece, word));
  return [...(looks.some(([, style]) => style === "shape") ? [] : [shape(piece, rect, origin, GAP)]), ...looks.map((look) => lines(look, rect, origin, GAP))];
}

/** Who a piece is, word by word. */
const who = (piece) => names.find(([word]) => isA(piece, word))?.[document.documentElement.lang === "zh" ? 2 : 1].split(" ") ?? [];

function element(piece, photo) {
  const origin = piece.rects[0];
  const own = photo && piece.home;
  return svg("g", { class: `piece ${piece.kind.replaceAll("-", " ")}`, "data-piece": piece.id },
    ...piece.rects.flatMap((rect) => drawn(piece, rect, origin)), ...(piece.rects.length > 1 ? bridges(piece.rects, origin) : []),
    own ? part(photo, piece.home) : null,
    ...piece.rects.map((rect) => shape(piece, rect, origin, RING, "ring")),
    piece.text === "" ? null : words(piece, own),
    ...who(piece).map((word, i, all) => svg("text",
      { x: (origin.w * CELL) / 2, y: (origin.h * CELL) / 2 + (i - (all.length - 1) / 2) * LINE, dy: MIDDLE, class: wide.test(word) ? "caption han" : "caption" }, word)),
    piece.tag ? svg("text", { x: 2.2, y: 2.4, dy: MIDDLE, class: "tag" }, piece.tag) : null);
}

/** Pieces by themselves, "goal player", those below others first, to stand in a cell. */
export const sign = (kinds) => svg("svg", { viewBox: `0 0 ${CELL} ${CELL}`, "aria-hidden": "true" },
  ...kinds.split(" ").map((kind) => element({ id: kind, kind, text: "", rects: [{ x: 0, y: 0, w: 1, h: 1 }] })));

const form = (piece, photo) => JSON.stringify([piece.kind, piece.text, photo?.url, piece.rects.map((rect) => (
  [rect.x - piece.rects[0].x, rect.y - piece.rects[0].y, rect.w, rect.h]))]);

const fixed = ["wall", "goal", "exit", "cell", "letter", "label", "jug", "water", "line"];

export class Picture {
  constructor(label = "") {
    this.element = svg("svg", { class: "board", role: "img", "aria-label": label });
    this.pieces = new Map();
  }

  /**
   * Shows a board; hints and selected are names of pieces, photo is a picture's address to stand on the tiles, drawn a picture
   * to show instead of the board's own.
   */
  show(puzzle, board, { label, hints = [], selected = null, focusable = false, photo = null, drawn = null } = {}) {
    const picture = drawn ?? kindOf(puzzle).picture(puzzle, board);
    const own = photo && { url: photo, columns: picture.columns, rows: picture.rows };
    const gate = picture.pieces.find(({ kind }) => kind === "gate");
    const edge = gate ? FRAME : 0;
    const [width, height] = [picture.columns * CELL + 2 * edge, picture.rows * CELL + 2 * edge];
    this.element.setAttribute("viewBox", `${-edge} ${-edge} ${width} ${height}`);
    this.element.style.setProperty("--aspect", String(width / height));
    this.element.classList.toggle("gated", edge > 0);
    this.frame?.remove();
    if (gate) this.element.prepend(this.frame = framed(picture, gate.rects[0]));
    if (label) this.element.setAttribute("aria-label", label);
    // Names of the pieces are read where they can be chosen: then the picture is no single image.
    this.element.setAttribute("role", focusable ? "group" : "img");
    const left = new Map(this.pieces);
    for (const piece of picture.pieces.filter((one) => one !== gate)) {
      const known = left.get(piece.id);
      const made = form(piece, own);
      const same = known?.form === made;
      if (known && !same) known.group.remove();
      const group = same ? known.group : element(piece, own);
      if (!same) this.element.append(group);
      left.delete(piece.id);
      this.pieces.set(piece.id, { group, form: made, at: piece.rects[0] });
      this.#place(piece.id);
      group.classList.toggle("hinted", hints.includes(piece.id));
      group.classList.toggle("selected", piece.id === selected);
      if (focusable && !fixed.includes(piece.kind)) {
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
        group.setAttribute("aria-pressed", String(piece.id === selected));
        group.setAttribute("aria-label", piece.name ?? piece.id);
      }
    }
    for (const [id, { group }] of left) {
      group.remove();
      this.pieces.delete(id);
    }
    return this;
  }

  /** Writes a word on each piece at the side to which it can go: marks are { piece, way, text, nearer }. */
  mark(marks) {
    this.marks?.remove();
    this.marks = svg("g", { class: "marks", "aria-hidden": "true" }, ...marks.filter(({ piece, way }) => way && this.pieces.has(piece)).map(({ piece, way, text, nearer }) => {
      const { x, y, w, h } = this.pieces.get(piece).at;
      const [right, down] = sides[way];
      const clear = down === 0 && this.pieces.get(piece).group.querySelector("text:not(.tag)") ? BESIDE : 0; // a number keeps its place
      return svg("text", { x: (x + w / 2 + right * (w / 2 - EDGE)) * CELL, y: (y + h / 2 + down * (h / 2 - EDGE) + clear) * CELL, class: nearer ? "nearer" : "" }, text);
    }));
    this.element.append(this.marks);
  }

  /** Holds pieces so many cells off their places, as they follow a finger; none lets them glide back. */
  hold(ids, dx = 0, dy = 0) {
    for (const [id, { group }] of this.pieces) {
      const held = ids.includes(id);
      group.classList.toggle("held", held);
      this.#place(id, held ? dx : 0, held ? dy : 0);
    }
  }

  #place(id, dx = 0, dy = 0) {
    const { group, at } = this.pieces.get(id);
    group.style.transform = `translate(${(at.x + dx) * CELL}px, ${(at.y + dy) * CELL}px)`;
  }
}

/** A small picture of a board. */
export function small(puzzle, board) {
  const picture = new Picture(board).show(puzzle, board);
  picture.element.classList.add("small");
  kindOf(puzzle).prepare?.(puzzle, [board]).then(() => picture.show(puzzle, board), () => {});
  return picture.element;
}

/** The goal in words or as a small picture; nothing where the boards show it. */
export function aim(puzzle, board) {
  const { goal, goalText } = kindOf(puzzle);
  const words = goalText?.(puzzle);
  if (!words && !goal) return [];
  return [t("goal"), " ", words ? el("strong", {}, words) : small(puzzle, goal(puzzle, board))];
}
