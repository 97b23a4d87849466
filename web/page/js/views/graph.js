// SPDX-License-Identifier: MIT
// The view Graph: a small space as a layered picture, from a board on, with boards as nodes.
import { get } from "../base/api.js";
import { explain } from "../base/refusals.js";
import { button, el, field, svg } from "../base/dom.js";
import { Picture } from "../board/picture.js";
import { boardIn, puzzleForm } from "../parts/form.js";
import { named } from "../puzzles/cards.js";
import { kindOf } from "../puzzles/kinds.js";
import { t } from "../base/texts.js";
import { walkthrough } from "../parts/walkthrough.js";

const MOST = 2000;
const NODE = 60; // pixels of a board's side, as if it was a square, at least: so that it can be read
const LARGEST = 110;
const BETWEEN = 6; // boards of a level
const RANKS = 26; // between levels
const WHOLE = 400; // boards of a graph that is drawn whole where nobody gave a depth
const SMALL = 150; // and of one that is cut then, so that it is seen at once
const MANY = 300; // boards that are drawn by the daemon for one graph
const DRAWN = 60; // boards in a level, above which nodes are dots

/** The lines of the picture, { a, b, from }: a move and its way back are one; from are the ends that have a move to the other. */
function lines(nodes) {
  const found = new Map();
  for (const { node, next } of nodes) {
    for (const to of next.split(" ").filter((one) => one !== "").map(Number)) {
      const key = node < to ? `${node} ${to}` : `${to} ${node}`;
      if (!found.has(key)) found.set(key, { a: node, b: to, from: [] });
      found.get(key).from.push(node);
    }
  }
  return [...found.values()];
}

/** Places nodes by level, side by side around the middle; within one by the middle of their neighbours above, so that lines cross less. */
function arrange(nodes, pairs) {
  const near = nodes.map(() => []);
  for (const { a, b } of pairs) {
    near[a].push(b);
    near[b].push(a);
  }
  const levels = [];
  for (const one of nodes) (levels[one.level] ??= []).push(one);
  const widest = Math.max(...levels.map(({ length }) => length));
  const place = new Map();
  for (const level of levels) {
    const above = (node) => near[node].filter((other) => place.has(other)).map((other) => place.get(other));
    const middle = new Map(level.map(({ node }) => [node, above(node).reduce((sum, at, _, { length }) => sum + at / length, 0)]));
    level.sort((a, b) => middle.get(a.node) - middle.get(b.node));
    // Only once the whole level is in order: nodes of one level do not count for each other.
    level.forEach(({ node }, i) => place.set(node, 0.5 + (i - (level.length - 1) / 2) / widest));
  }
  return { place, widest, height: levels.length };
}

function link(puzzle, { board, level, solved }, x, y, size) {
  const label = t("graphNode", level, board) + (solved ? ` (${t("goalBoard")})` : "");
  const anchor = svg("a", { href: `#/play?${new URLSearchParams({ puzzle, board })}`, "aria-label": label }, svg("title", {}, label));
  if (size === null) {
    anchor.append(svg("circle", { cx: x, cy: y, r: solved ? 5 : 3, class: solved ? "node goal" : "node" }));
    return anchor;
  }
  const { width, height } = size;
  const around = (by, name) => svg("rect", { x: x - width / 2 - by, y: y - height / 2 - by, width: width + 2 * by, height: height + 2 * by, rx: 4, class: name });
  if (solved) anchor.append(around(3, "goal"));
  const picture = new Picture(board).show(puzzle, board).element;
  for (const [name, value] of Object.entries({ x: x - width / 2, y: y - height / 2, width, height })) picture.setAttribute(name, value);
  anchor.append(around(0, "ground"), picture, around(0, "edge"));
  return anchor;
}

/** The size of a board that is drawn so often side by side: as large as the window allows, long where the puzzle is long. */
function sizeOf(puzzle, board, widest, room) {
  const { columns, rows } = kindOf(puzzle).picture(puzzle, board);
  const long = Math.sqrt(columns / rows);
  const side = Math.max(NODE, Math.min(LARGEST, (room / widest - BETWEEN) / long));
  return { width: side * long, height: side / long };
}

/** Returns { picture, anchors, moves }: the elements of the nodes and of the moves between two of them. */
function draw(puzzle, nodes, room) {
  const pairs = lines(nodes);
  const { place, widest, height } = arrange(nodes, pairs);
  const size = widest <= DRAWN ? sizeOf(puzzle, nodes[0].board, widest, room) : null;
  const rank = (size?.height ?? NODE / 2) + RANKS;
  const width = Math.max(320, widest * (size ? size.width + BETWEEN : 8));
  const at = ({ node, level }) => [place.get(node) * width, (level + 0.5) * rank];
  const anchors = nodes.map((one) => link(puzzle, one, ...at(one), size));
  const moves = pairs.map(({ a, b, from }) => {
    const [[x1, y1], [x2, y2]] = [at(nodes[a]), at(nodes[b])];
    return { from, line: svg("line", { x1, y1, x2, y2, class: "move" }) };
  });
  const picture = svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height * rank}`, width, height: height * rank, role: "group" },
    ...moves.map(({ line }) => line), ...anchors);
  return { picture, anchors, moves };
}

/** The lesson on a graph: states of nodes become classes, and a move is seen once it is taken. */
function lesson(puzzle, { picture, anchors, moves }, nodes) {
  const kind = kindOf(puzzle);
  const neighbours = nodes.map(({ next }) => next.split(" ").filter((to) => to !== "").map(Number));
  const estimates = kind.estimate ? nodes.map(({ board }) => kind.estimate(puzzle, board)) : null;
  const search = { goal: (node) => nodes[node].solved, estimate: estimates && ((node) => estimates[node]) };
  return walkthrough(neighbours, nodes.map(({ board }) => board), search, (states) => {
    picture.classList.toggle("lesson", states !== null);
    anchors.forEach((anchor, node) => { anchor.dataset.state = states?.[node] ?? ""; });
    for (const { from, line } of moves) line.classList.toggle("done", from.some((node) => ["visited", "current"].includes(states?.[node])));
    anchors[states?.indexOf("current")]?.scrollIntoView({ block: "nearest", inline: "center" });
  });
}

/** The graph to a depth. Without one the whole, if it is not large, else as deep as it is seen at once. */
async function ask(puzzle, root, depth) {
  const graph = (keys) => get("graph", { puzzle: kindOf(puzzle).asked(puzzle), root, most: MOST, ...keys });
  const within = (keys) => graph(keys).catch((error) => { if (error.code === "too-large") return null; throw error; });
  if (depth !== "") return graph({ depth });
  let fit = null;
  for (let level = 1; ; level++) {
    const found = await within({ depth: level });
    if (found?.complete && found.count <= WHOLE) return found;
    if (found === null || found.count > WHOLE) return fit ?? found ?? graph({ depth: level });
    if (fit === null || found.count <= SMALL) fit = found;
  }
}

async function load(puzzle, root, depth, { status, place, teach }) {
  try {
    const found = await ask(puzzle, root, depth);
    await kindOf(puzzle).prepare?.(puzzle, found.nodes.length <= MANY ? found.nodes.map(({ board }) => board) : []);
    const drawn = draw(puzzle, found.nodes, place.clientWidth);
    place.replaceChildren(drawn.picture);
    place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
    let shown = null;
    teach.replaceChildren(button(t("bfsShow"), () => {
      shown = lesson(puzzle, drawn, found.nodes);
      teach.replaceChildren(shown.element);
      shown.element.querySelector("#bfs-next").focus({ preventScroll: true });
    }, { id: "bfs" }));
    teach.stop = () => shown?.stop();
    status.textContent = t("graphOf", found.count, found.edges, found.depth) + (found.complete ? "" : ` ${t("graphCut")}`);
  } catch (error) {
    if (error.code === "too-large") status.textContent = t("graphLarge", MOST);
    else explain(status, error);
  }
}

export function show(root, parameters, page) {
  const puzzle = named(parameters.get("puzzle") ?? "2x2", parameters.get("board"));
  const board = parameters.get("board") ?? "";
  const depth = parameters.get("depth") ?? "";
  const status = el("p", { class: "status", id: "graph-status", role: "status" });
  const place = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("graph") });
  const teach = el("div");
  root.append(el("h1", {}, t("graphTitle")), puzzleForm(puzzle, (value, { elements }) => page.go("graph",
    { puzzle: value, board: value === puzzle ? boardIn(elements.board) : "", depth: elements.depth.value }),
  field(t("from"), el("input", { name: "board", value: board, spellcheck: "false", autocomplete: "off" })),
  field(t("depthLimit"), el("input", { name: "depth", type: "number", min: 0, value: depth })),
  el("button", { class: "primary" }, t("graphDraw"))), status, el("div", { class: "graphed" }, place, teach));
  load(puzzle, board || (kindOf(puzzle).start(puzzle) ?? ""), depth, { status, place, teach });
  return () => teach.stop?.();
}
