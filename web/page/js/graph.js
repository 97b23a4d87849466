// SPDX-License-Identifier: MIT
// The view Graph: a small space as a layered picture, from a board on, with boards as nodes.
import { get } from "./api.js";
import { el, field, svg } from "./dom.js";
import { Picture } from "./picture.js";
import { puzzleForm } from "./play.js";
import { kindOf } from "./puzzles.js";
import { t } from "./texts.js";

const MOST = 2000;
const NODE = 36;
const RANK = 62;
const DRAWN = 60; // boards in a level, above which nodes are dots

/** The lines of the picture, as pairs of nodes: a move and its way back are one. */
function lines(nodes) {
  const pairs = nodes.flatMap(({ node, next }) => next.split(" ").filter((to) => to !== "").map((to) => [node, Number(to)]));
  return [...new Map(pairs.map(([a, b]) => [a < b ? `${a} ${b}` : `${b} ${a}`, [a, b]])).values()];
}

/** Places nodes by level; within one by the middle of their neighbours above, so that lines cross less. */
function arrange(nodes, pairs) {
  const near = nodes.map(() => []);
  for (const [a, b] of pairs) {
    near[a].push(b);
    near[b].push(a);
  }
  const levels = [];
  for (const one of nodes) (levels[one.level] ??= []).push(one);
  const place = new Map();
  for (const level of levels) {
    const above = (node) => near[node].filter((other) => place.has(other)).map((other) => place.get(other));
    const middle = new Map(level.map(({ node }) => [node, above(node).reduce((sum, at, _, { length }) => sum + at / length, 0)]));
    level.sort((a, b) => middle.get(a.node) - middle.get(b.node));
    // Only once the whole level is in order: nodes of one level do not count for each other.
    level.forEach(({ node }, i) => place.set(node, (i + 0.5) / level.length));
  }
  return { place, widest: Math.max(...levels.map(({ length }) => length)), height: levels.length };
}

function link(puzzle, { board, level, solved }, x, y, drawn) {
  const label = t("graphNode", level, board);
  const anchor = svg("a", { href: `#/play?${new URLSearchParams({ puzzle, board })}`, "aria-label": label }, svg("title", {}, label));
  if (!drawn) {
    anchor.append(svg("circle", { cx: x, cy: y, r: solved ? 5 : 3, class: solved ? "node goal" : "node" }));
    return anchor;
  }
  if (solved) anchor.append(svg("rect", { x: x - NODE / 2 - 3, y: y - NODE / 2 - 3, width: NODE + 6, height: NODE + 6, rx: 4, class: "goal" }));
  const picture = new Picture(board).show(puzzle, board).element;
  for (const [name, value] of Object.entries({ x: x - NODE / 2, y: y - NODE / 2, width: NODE, height: NODE })) picture.setAttribute(name, value);
  anchor.append(picture);
  return anchor;
}

function draw(puzzle, nodes) {
  const pairs = lines(nodes);
  const { place, widest, height } = arrange(nodes, pairs);
  const drawn = widest <= DRAWN;
  const width = Math.max(320, widest * (drawn ? NODE + 6 : 8));
  const at = ({ node, level }) => [place.get(node) * width, (level + 0.5) * RANK];
  return svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height * RANK}`, width, height: height * RANK, role: "group" },
    ...pairs.map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [at(nodes[a]), at(nodes[b])];
      return svg("line", { x1, y1, x2, y2, class: "move" });
    }),
    ...nodes.map((one) => link(puzzle, one, ...at(one), drawn)));
}

async function load(puzzle, root, depth, status, place) {
  try {
    const found = await get("graph", { puzzle: kindOf(puzzle).asked(puzzle), root, depth, most: MOST });
    place.replaceChildren(draw(puzzle, found.nodes));
    place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
    status.textContent = t("graphOf", found.count, found.edges, found.depth) + (found.complete ? "" : ` ${t("graphCut")}`);
  } catch (error) {
    status.textContent = error.code === "too-large" ? t("graphLarge", MOST) : error.message;
  }
}

export function show(root, parameters, page) {
  const puzzle = parameters.get("puzzle") ?? "2x2";
  const board = parameters.get("board") ?? "";
  const depth = parameters.get("depth") ?? "";
  const status = el("p", { class: "status", id: "graph-status", role: "status" });
  const place = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("graph") });
  root.append(puzzleForm(puzzle, (value, { elements }) => page.go("graph",
    { puzzle: value, board: value === puzzle ? elements.board.value.trim() : "", depth: elements.depth.value }),
  field(t("from"), el("input", { name: "board", value: board, spellcheck: "false", autocomplete: "off" })),
  field(t("depthLimit"), el("input", { name: "depth", type: "number", min: 0, value: depth })),
  el("button", { class: "primary" }, t("graphDraw"))), status, place);
  load(puzzle, board || (kindOf(puzzle).start(puzzle) ?? ""), depth, status, place);
  return () => {};
}
