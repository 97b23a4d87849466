// SPDX-License-Identifier: MIT
// A search on a drawn graph, step by step, beside others on the same board. Boards are unseen, waiting, or taken.
import { button, el, field } from "../base/dom.js";
import { count, t } from "../base/texts.js";
import { reel } from "../board/reel.js";
import { aStar, breadthFirst, deepening } from "./searches.js";

const LISTED = 8; // boards of a list

/** The state of each node after a step of a trace. */
function statesAfter({ steps }, nodes, step) {
  const states = Array(nodes).fill("unseen");
  if (step === 0) states[0] = "frontier";
  const { bound } = steps[step - 1] ?? {};
  for (const one of steps.slice(0, step)) if (one.bound === bound) states[one.node] = "visited"; // an iteration begins anew
  for (const node of steps[step - 1]?.open ?? []) states[node] = "frontier";
  if (step > 0) states[steps[step - 1].node] = "current";
  return states;
}

/**
 * mark(states) shows the state of each node; null where the whole graph is shown. texts are the boards, goal(node) and
 * estimate(node) as in searches.js, estimate null without a bound. Returns { element, stop }.
 */
export function walkthrough(neighbours, texts, { goal, estimate }, mark) {
  const traces = { bfs: breadthFirst(neighbours, goal) };
  const reached = traces.bfs.expanded > 0;
  if (estimate && reached) Object.assign(traces, { astar: aStar(neighbours, goal, estimate), idastar: deepening(neighbours, goal, estimate) });
  let run = traces.bfs;
  const caption = el("p", { class: "caption", id: "bfs-status", role: "status", "aria-live": "polite" });
  const method = el("select", { name: "method", onchange: () => { stop(); take(traces[method.value]); } },
    ...Object.keys(traces).map((name) => el("option", { value: name }, t(`search-${name}`))));
  const [waiting, taken] = [el("ol", { id: "queue" }), el("ol", { id: "visited" })];
  const counts = el("p", { id: "search-counts", class: "caption" }, !reached ? "" : Object.entries(traces)
    .map(([name, { expanded }]) => (expanded > 0 ? t("searchTook", t(`search-${name}`), count(expanded)) : t("searchLong", t(`search-${name}`)))).join(" "));

  const list = (place, nodes) => place.replaceChildren(...nodes.slice(0, LISTED).map((node) => el("li", {}, texts[node])),
    ...(nodes.length > LISTED ? [el("li", { class: "rest" }, t("andMore", count(nodes.length - LISTED)))] : []));
  function show(step) {
    const states = statesAfter(run, neighbours.length, step);
    mark(states);
    const { node = 0, open = [0], bound } = run.steps[step - 1] ?? {};
    const many = (state) => count(states.filter((one) => one === state).length);
    list(waiting, open);
    list(taken, run.steps.slice(0, step).filter((one) => one.bound === bound).map((one) => one.node).reverse());
    caption.textContent = bound === undefined
      ? t("bfsStep", run.level[node], many("frontier"), count(step), count(states.length - states.filter((one) => one === "unseen").length))
      : t("idaStep", bound, count(open.length), count(step));
  }
  const { slider, turn, to, stop, buttons } = reel(t("bfs"), run.steps.length, show, { interval: 600, speeds: [1, 4, 16, 64], usual: 4 });
  function take(other) {
    run = other;
    slider.max = String(run.steps.length);
    turn(0);
  }
  // The last step that takes a board of the current level, or of the next one if that is done.
  const endOfLevel = (step) => {
    const level = run.level[run.steps[Math.min(step, run.steps.length - 1)].node];
    return run.steps.findLastIndex(({ node }) => run.level[node] === level) + 1;
  };
  const element = el("section", { class: "player" }, el("h2", {}, t("bfs")), field(t("searchMethod"), method), caption, slider,
    el("ul", { class: "legend" }, ...["unseen", "frontier", "current", "visited"].map((state) => el("li", { class: state }, t(`bfs-${state}`)))),
    buttons({ id: "bfs-next" }, button(t("bfsLevel"), to(endOfLevel), { id: "bfs-level" }), button(t("bfsEnd"), () => { stop(); mark(null); })), counts,
    el("div", { class: "lists" }, el("section", {}, el("h3", {}, t("listWaiting")), waiting), el("section", {}, el("h3", {}, t("listTaken")), taken)));
  turn(0);
  return { element, stop };
}
