// SPDX-License-Identifier: MIT
// The states of each level as bars, and as a table for those who do not see bars.
import { el, svg } from "../base/dom.js";
import { count, short, t } from "../base/texts.js";

const WIDEST = 640;
const LABEL = 44; // units that a number below the chart takes
const HEIGHT = 300;
const LEFT = 52;
const BOTTOM = 34;
const TOP = 12;

/** The values at which lines are drawn: powers of ten, or about four round numbers. */
function ticks(most, log) {
  if (log) {
    const powers = [];
    for (let value = 1; value <= most * 1.0001; value *= 10) powers.push(value);
    const every = Math.ceil(powers.length / 6);
    return powers.filter((_, i) => i % every === 0);
  }
  const step = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const by = [step, step / 2, step / 5].map((size) => Math.max(1, size)).find((size) => most / size >= 3) ?? Math.max(1, step / 5);
  return Array.from({ length: Math.floor(most / by) + 1 }, (_, i) => i * by);
}

/** The units across: as many as there are pixels, so that letters keep their size on a phone. */
const across = () => Math.min(WIDEST, Math.max(280, document.documentElement.clientWidth - 56));

function bars(levels, log, width) {
  const most = Math.max(1, ...levels.map(({ states }) => states));
  const part = (states) => (log ? (states > 0 ? (Math.log10(states) + 0.3) / (Math.log10(most) + 0.3) : 0) : states / most);
  const height = HEIGHT - BOTTOM - TOP;
  const each = (width - LEFT) / Math.max(levels.length, 1);
  const y = (states) => TOP + height * (1 - part(states));
  const every = Math.ceil((levels.length * LABEL) / (width - LEFT));
  return [
    ...ticks(most, log).map((value) => svg("g", { class: "tick" }, svg("line", { x1: LEFT, x2: width, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 6, y: y(value) + 4, class: "value" }, short(value)))),
    ...levels.map(({ level, states }, i) => svg("rect", { class: "bar", x: LEFT + i * each + each * 0.08, y: y(states), width: each * 0.84,
      height: Math.max(0, TOP + height - y(states)) }, svg("title", {}, `${t("level")} ${level}: ${count(states)}`))),
    ...levels.filter((_, i) => i % every === 0).map(({ level }, i) => svg("text", { class: "level",
      x: LEFT + (i * every + 0.5) * each, y: HEIGHT - BOTTOM + 16 }, String(level))),
    svg("line", { class: "axis", x1: LEFT, x2: width, y1: TOP + height, y2: TOP + height }),
    svg("text", { class: "level", x: LEFT + (width - LEFT) / 2, y: HEIGHT - 2 }, t("level")),
  ];
}

function numbers(levels) {
  return el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("level")), el("th", { scope: "col" }, t("states")))),
    el("tbody", {}, ...levels.map(({ level, states }) => el("tr", {}, el("th", { scope: "row" }, level), el("td", {}, count(states))))));
}

/** A chart that grows: set(levels) draws it again. */
export class Chart {
  constructor(title) {
    this.title = title;
    this.levels = [];
    this.log = el("input", { type: "checkbox", name: "log", onchange: () => this.set(this.levels) });
    this.picture = svg("svg", { class: "chart", role: "img", "aria-label": title });
    this.table = el("div");
    const details = el("details", { ontoggle: () => this.#fill() }, el("summary", {}, t("asTable")), this.table);
    this.details = details;
    this.element = el("figure", {}, el("figcaption", {}, title, " ", el("label", { class: "check" }, this.log, " ", t("logScale"))),
      this.picture, details);
  }

  set(levels) {
    this.levels = levels;
    const width = across();
    this.picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.picture.replaceChildren(...bars(levels, this.log.checked, width));
    this.#fill();
  }

  #fill() {
    this.table.replaceChildren(...(this.details.open ? [numbers(this.levels)] : []));
  }
}
