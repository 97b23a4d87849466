// SPDX-License-Identifier: MIT
// The view Graph: a small space as a layered picture, from a board on, with boards as nodes.
import { get } from "../base/api.js";
import { explain } from "../base/refusals.js";
import { button, el, field, svg } from "../base/dom.js";
import { Picture } from "../board/picture.js";
import { puzzleForm } from "../parts/form.js";
import { kindOf, named } from "../puzzles/kinds.js";
import { t } from "../base/texts.js";
import { walkthrough } from "../parts/walkthrough.js";

const MOST = 2000;
const NODE = 36;
const RANK = 62;
const MANY = 300; // boards that are drawn by the daemon for one graph
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
  const label = t("graphNode", level, board) + (solved ? ` (${t("goalBoard")})` : "");
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

/** Returns { picture, anchors, moves }: the elements of the nodes and of the moves between two of them. */
function draw(puzzle, nodes) {
  const pairs = lines(nodes);
  const { place, widest, height } = arrange(nodes, pairs);
  const drawn = widest <= DRAWN;
  const width = Math.max(320, widest * (drawn ? NODE + 6 : 8));
  const at = ({ node, level }) => [place.get(node) * width, (level + 0.5) * RANK];
  const anchors = nodes.map((one) => link(puzzle, one, ...at(one), drawn));
  const moves = pairs.map(([a, b]) => {
    const [[x1, y1], [x2, y2]] = [at(nodes[a]), at(nodes[b])];
    return { a, b, line: svg("line", { x1, y1, x2, y2, class: "move" }) };
  });
  const picture = svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height * RANK}`, width, height: height * RANK, role: "group" },
    ...moves.map(({ line }) => line), ...anchors);
  return { picture, anchors, moves };
}

/** The lesson on a graph: states of nodes become classes, and a move is seen once one of its ends is done. */
function lesson({ picture, anchors, moves }, nodes) {
  const neighbours = nodes.map(({ next }) => next.split(" ").filter((to) => to !== "").map(Number));
  const states = [];
  return walkthrough(neighbours, (node, state) => {
    states[node] = state;
    anchors[node].dataset.state = state ?? "";
    picture.classList.toggle("lesson", state !== null);
    if (node < nodes.length - 1) return;
    for (const { a, b, line } of moves) line.classList.toggle("done", [states[a], states[b]].some((one) => one === "visited" || one === "current"));
    anchors[states.indexOf("current")]?.scrollIntoView({ block: "nearest", inline: "center" });
  });
}

async function load(puzzle, root, depth, { status, place, teach }) {
  try {
    const found = await get("graph", { puzzle: kindOf(puzzle).asked(puzzle), root, depth, most: MOST });
    await kindOf(puzzle).prepare?.(puzzle, found.nodes.length <= MANY ? found.nodes.map(({ board }) => board) : []);
    const drawn = draw(puzzle, found.nodes);
    place.replaceChildren(drawn.picture);
    place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
    let shown = null;
    teach.replaceChildren(button(t("bfsShow"), () => {
      shown = lesson(drawn, found.nodes);
      teach.replaceChildren(shown.element);
    }, { id: "bfs" }));
    teach.stop = () => shown?.stop();
    status.textContent = t("graphOf", found.count, found.edges, found.depth) + (found.complete ? "" : ` ${t("graphCut")}`);
  } catch (error) {
    status.textContent = error.code === "too-large" ? t("graphLarge", MOST) : explain(error);
  }
}

export function show(root, parameters, page) {
  const puzzle = named(parameters.get("puzzle") ?? "2x2");
  const board = parameters.get("board") ?? "";
  const depth = parameters.get("depth") ?? "";
  const status = el("p", { class: "status", id: "graph-status", role: "status" });
  const place = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("graph") });
  const teach = el("div");
  root.append(el("h1", {}, t("graphTitle")), puzzleForm(puzzle, (value, { elements }) => page.go("graph",
    { puzzle: value, board: value === puzzle ? elements.board.value.trim() : "", depth: elements.depth.value }),
  field(t("from"), el("input", { name: "board", value: board, spellcheck: "false", autocomplete: "off" })),
  field(t("depthLimit"), el("input", { name: "depth", type: "number", min: 0, value: depth })),
  el("button", { class: "primary" }, t("graphDraw"))), status, teach, place);
  load(puzzle, board || (kindOf(puzzle).start(puzzle) ?? ""), depth, { status, place, teach });
  return () => teach.stop?.();
}
