// SPDX-License-Identifier: MIT
// How many positions are how far from the goal, as small bars; the bar of the board that is played is marked.
import { get } from "./api.js";
import { el, svg } from "./dom.js";
import { kindOf } from "./puzzles.js";
import { t } from "./texts.js";

const HEIGHT = 40;

/** The level counts of the exploration whose table answers; null where there is none. */
async function levelsOf(puzzle) {
  const { jobs } = await get("jobs", { state: "done", limit: 1000 });
  const name = kindOf(puzzle).asked(puzzle);
  const job = jobs.find((one) => one.kind === "explore" && (one.puzzle === name || one.puzzle === `slide:${name}`));
  return job ? (await get(`jobs/${job.job}/levels`)).levels.map(({ states }) => states) : null;
}

export class Minimap {
  constructor() {
    this.element = el("figure", { class: "minimap", hidden: true });
    this.levels = new Map();
  }

  async show(puzzle, distance) {
    if (distance === null || distance < 0) {
      this.element.hidden = true;
      return;
    }
    if (!this.levels.has(puzzle)) this.levels.set(puzzle, levelsOf(puzzle).catch(() => null));
    const levels = await this.levels.get(puzzle);
    this.element.hidden = !levels || distance >= levels.length;
    if (this.element.hidden) return;
    const most = Math.max(...levels);
    this.element.replaceChildren(svg("svg", { viewBox: `0 0 ${levels.length} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("here") },
      ...levels.map((states, i) => {
        const height = Math.max(1, (HEIGHT * states) / most);
        return svg("rect", { x: i + 0.1, y: HEIGHT - height, width: 0.8, height, class: i === distance ? "bar here" : "bar" }, svg("title", {}, `${i}: ${states}`));
      })), el("figcaption", { class: "caption" }, t("here")));
  }
}
