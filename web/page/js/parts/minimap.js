// SPDX-License-Identifier: MIT
// How many positions are how far from the goal, as small bars; the bar of the board that is played is marked.
import { get } from "../base/api.js";
import { el, svg } from "../base/dom.js";
import { count, t } from "../base/texts.js";

const HEIGHT = 40;
const LEAST = 2; // of a bar, so that it is seen

const MOST = 2000; // levels of a chart

/** The level counts of the exploration whose table answers, by distance; null where costs lie too far apart for a chart. */
export const levelsOf = async (job) => {
  const { levels } = await get(`jobs/${job}/levels`);
  const counts = Array(Math.min(MOST, (levels.at(-1)?.level ?? -1) + 1)).fill(0);
  for (const { level, states } of levels) counts[level] = states;
  return counts.length > MOST ? null : counts;
};

export class Minimap {
  constructor() {
    this.element = el("figure", { class: "minimap", hidden: true });
    this.levels = new Map();
  }

  /** The level counts of a job, asked for once; null without any. */
  async of(job) {
    if (job === undefined) return null;
    if (!this.levels.has(job)) this.levels.set(job, levelsOf(job).catch(() => null));
    return this.levels.get(job);
  }

  /** Shows where a distance lies among those of a job; hides the chart without one. */
  async show(job, distance) {
    const levels = distance !== null && distance >= 0 ? await this.of(job) : null;
    this.element.hidden = !levels || distance >= levels.length;
    if (this.element.hidden) return;
    const most = Math.max(...levels);
    const width = levels.length;
    const here = t("hereAt", distance, count(levels[distance]));
    this.element.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": here },
      svg("rect", { x: distance, y: 0, width: 1, height: HEIGHT, class: "place" }),
      ...levels.map((states, i) => {
        const height = Math.max(LEAST, (HEIGHT * states) / most);
        return svg("rect", { x: i + 0.1, y: HEIGHT - height, width: 0.8, height, class: i === distance ? "bar here" : "bar" }, svg("title", {}, `${i}: ${count(states)}`));
      })), el("figcaption", { class: "caption" }, here));
  }
}
