// SPDX-License-Identifier: MIT
// The view Graph: a small space as a layered picture, from a board on, with boards as nodes.
import { el, field, svg } from "./dom.js";
import { Picture } from "./picture.js";
import { puzzleForm } from "./play.js";
import { kindOf } from "./puzzles.js";
import { t } from "./texts.js";

const MOST = 2000;
const NODE = 36;
const RANK = 62;

/** All boards that moves reach, breadth first, at most so many: { levels: [[board]], moves: [[board, board]], cut }. */
export function layers(puzzle, start, most) {
  const kind = kindOf(puzzle);
  const level = new Map([[start, 0]]);
  const levels = [[start]];
  const moves = [];
  let cut = false;
  for (let depth = 0; depth < levels.length; depth++) {
    for (const board of levels[depth]) {
      for (const { board: next } of kind.steps(puzzle, board)) {
        if (!level.has(next) && level.size >= most) {
          cut = true;
          continue;
        }
        if (!level.has(next)) {
          level.set(next, depth + 1);
          (levels[depth + 1] ??= []).push(next);
        }
        if (level.get(next) >= depth) moves.push([board, next]);
      }
    }
  }
  // A move and its way back are one line.
  const lines = new Map(moves.map(([a, b]) => [[a, b].sort().join(" "), [a, b]]));
  return { levels, moves: [...lines.values()], cut, count: level.size };
}

// Orders each level by the middle of the boards before it, so that lines cross less.
function arrange({ levels, moves }) {
  const before = new Map();
  for (const [a, b] of moves) {
    before.set(b, [...(before.get(b) ?? []), a]);
    before.set(a, [...(before.get(a) ?? []), b]);
  }
  const place = new Map();
  levels.forEach((boards, depth) => {
    const known = (board) => (before.get(board) ?? []).filter((other) => place.has(other)).map((other) => place.get(other).at);
    const middle = new Map(boards.map((board) => {
      const at = known(board);
      return [board, at.length ? at.reduce((sum, x) => sum + x, 0) / at.length : 0.5];
    }));
    boards.sort((a, b) => middle.get(a) - middle.get(b));
    boards.forEach((board, i) => place.set(board, { at: (i + 0.5) / boards.length, depth }));
  });
  return place;
}

function node(puzzle, board, x, y, depth, drawn) {
  const link = svg("a", { href: `#/play?${new URLSearchParams({ puzzle, board })}`, "aria-label": t("graphNode", depth, board) },
    svg("title", {}, t("graphNode", depth, board)));
  if (drawn) {
    const picture = new Picture(board).show(puzzle, board).element;
    for (const [name, value] of Object.entries({ x: x - NODE / 2, y: y - NODE / 2, width: NODE, height: NODE })) picture.setAttribute(name, value);
    link.append(picture);
  } else {
    link.append(svg("circle", { cx: x, cy: y, r: 3, class: "node" }));
  }
  return link;
}

function draw(puzzle, found) {
  const place = arrange(found);
  const widest = Math.max(...found.levels.map((boards) => boards.length));
  const drawn = widest <= 60;
  const width = Math.max(320, widest * (drawn ? NODE + 6 : 8));
  const height = found.levels.length * RANK;
  const at = (board) => {
    const { at: x, depth } = place.get(board);
    return [x * width, (depth + 0.5) * RANK, depth];
  };
  const lines = found.moves.map(([a, b]) => {
    const [[x1, y1], [x2, y2]] = [at(a), at(b)];
    return svg("line", { x1, y1, x2, y2, class: "move" });
  });
  const nodes = found.levels.flat().map((board) => {
    const [x, y, depth] = at(board);
    return node(puzzle, board, x, y, depth, drawn);
  });
  return svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "group" }, ...lines, ...nodes);
}

export function show(root, parameters, page) {
  const puzzle = parameters.get("puzzle") ?? "2x2";
  const most = Number(parameters.get("most") ?? 400);
  const kind = kindOf(puzzle);
  const start = parameters.get("board") || kind.start(puzzle);
  const form = puzzleForm(puzzle, (value, element) => page.go("graph",
    { puzzle: value, board: value === puzzle ? element.elements.board.value.trim() : "", most: element.elements.most.value }),
  field(t("board"), el("input", { name: "board", value: start ?? "", spellcheck: "false", autocomplete: "off" })),
  field(t("graphMost"), el("input", { name: "most", type: "number", min: 1, max: MOST, value: most })),
  el("button", { class: "primary" }, t("graphDraw")));
  root.append(form);
  const found = start ? layers(puzzle, start, Math.min(most, MOST)) : null;
  if (!found || (found.count === 1 && kind.steps(puzzle, start).length === 0)) {
    root.append(el("p", { class: "status" }, t("graphNone")));
    return () => {};
  }
  root.append(el("p", { class: "status", id: "graph-status" }, t("graphOf", found.count, found.moves.length, found.levels.length - 1),
    found.cut ? ` ${t("graphCut", found.count)}` : ""));
  const place = el("div", { class: "scroll", tabindex: "0" }, draw(puzzle, found));
  root.append(place);
  place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
  return () => {};
}
