// SPDX-License-Identifier: MIT
// Breadth-first search on a drawn graph, step by step: each step takes the oldest board of the frontier and finds its
// neighbours. Boards are unseen, in the frontier, or done.
import { button, el, field } from "../base/dom.js";
import { count, t } from "../base/texts.js";

const INTERVAL = 600; // milliseconds a step, at single speed
const SPEEDS = [1, 4, 16, 64];

/** The search from node 0: the step in which each node is found and taken, -1 for never, and the order of taking. */
export function search(neighbours) {
  const found = neighbours.map((_, node) => (node === 0 ? 0 : -1));
  const taken = neighbours.map(() => -1);
  const level = neighbours.map(() => 0);
  const order = [0];
  for (let step = 1; step <= order.length; step++) {
    const node = order[step - 1];
    taken[node] = step;
    for (const next of neighbours[node]) {
      if (found[next] >= 0) continue;
      found[next] = step;
      level[next] = level[node] + 1;
      order.push(next);
    }
  }
  return { found, taken, level, order };
}

/** The state of a node after a step. */
export function stateOf({ found, taken }, node, step) {
  if (found[node] < 0 || found[node] > step) return "unseen";
  if (taken[node] > step) return "frontier";
  return taken[node] === step && step > 0 ? "current" : "visited";
}

/** mark(node, state) shows the state of each node; null where the whole graph is shown. Returns { element, stop }. */
export function walkthrough(neighbours, mark) {
  const run = search(neighbours);
  const last = run.order.length;
  const caption = el("p", { class: "caption", id: "bfs-status", role: "status", "aria-live": "polite" });
  const slider = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": t("bfs"), oninput: () => { stop(); turn(Number(slider.value)); } });
  const speed = el("select", { name: "speed", onchange: () => { if (timer) { stop(); start(); } } },
    ...SPEEDS.map((value) => el("option", { value, selected: value === 4 }, `${value}×`)));
  const playing = button(t("playBack"), () => (timer ? stop() : start()), { class: "primary" });
  let timer = 0;

  function turn(step) {
    slider.value = String(step);
    const states = neighbours.map((_, node) => stateOf(run, node, step));
    states.forEach((state, node) => mark(node, state));
    const many = (state) => count(states.filter((one) => one === state).length);
    const here = step === 0 ? 0 : run.level[run.order[step - 1]];
    caption.textContent = t("bfsStep", here, many("frontier"), count(step), count(states.length - states.filter((one) => one === "unseen").length));
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    playing.textContent = t("playBack");
  }
  function start() {
    if (Number(slider.value) === last) turn(0);
    playing.textContent = t("pause");
    timer = setInterval(() => {
      if (Number(slider.value) >= last) stop();
      else turn(Number(slider.value) + 1);
    }, INTERVAL / Number(speed.value));
  }
  const to = (where) => () => {
    stop();
    turn(Math.min(last, Math.max(0, where(Number(slider.value)))));
  };
  // The last step that takes a board of the current level, or of the next one if that is done.
  const endOfLevel = (step) => {
    const level = run.level[run.order[Math.min(step, last - 1)]];
    return run.order.findLastIndex((node) => run.level[node] === level) + 1;
  };
  const element = el("section", { class: "player" }, el("h2", {}, t("bfs")), caption, slider,
    el("ul", { class: "legend" }, ...["unseen", "frontier", "current", "visited"].map((state) => el("li", { class: state }, t(`bfs-${state}`)))),
    el("div", { class: "buttons" }, button(t("first"), to(() => 0)), button(t("previous"), to((step) => step - 1)), playing,
      button(t("next"), to((step) => step + 1), { id: "bfs-next" }), button(t("bfsLevel"), to(endOfLevel), { id: "bfs-level" }), field(t("speed"), speed),
      button(t("bfsEnd"), () => { stop(); neighbours.forEach((_, node) => mark(node, null)); })));
  turn(0);
  return { element, stop };
}
