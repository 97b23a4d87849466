// SPDX-License-Identifier: MIT
// One job, followed to its end: its numbers, its growing levels, its deepest boards or its solution.
import { ApiError, ended, get, watch } from "../base/api.js";
import { estimate } from "./answers.js";
import { Chart } from "./chart.js";
import { el } from "../base/dom.js";
import { explain, reasons } from "../base/refusals.js";
import { small } from "../board/picture.js";
import { frames, shownPlayer } from "../board/player.js";
import { bytes, count, duration, has, short, t } from "../base/texts.js";

const BETWEEN = 700; // milliseconds between two readings of the levels
const DEEPEST = 24;
const SEARCHED = 0.85; // of the bar: the rest is for storing

// What is shown of a status, an event or a result, in this order: the key, its text, and how it is written.
const shown = [
  ["phase", "phase", (phase) => (has(`phase-${phase}`) ? t(`phase-${phase}`) : phase)], ["level", "level", count], ["states", "states", count], ["depth", "depth", count],
  ["rate", "rate", short], ["bytes", "memory", bytes], ["peak_bytes", "memory", bytes], ["table_bytes", "databases", bytes], ["disk_bytes", "disk", bytes],
  ["moves", "moves", count], ["at_least", "moves", (moves) => t("atLeast", count(moves))], ["engine", "engine", String], ["complete", "complete", (value) => t(value ? "yes" : "no")],
  ["seconds", "seconds", (value) => value.toFixed(value < 10 ? 2 : 0)],
];

/** True for the number of a job, in an address. */
export const isJob = (text) => /^[1-9]\d*$/.test(text);

/** A job's puzzle, with a definition's name for its id. */
export const puzzleOf = ({ puzzle, layout }) => (layout ? puzzle.replace(/^(psvn|tws):\w+/, layout) : puzzle);

export const stateWord = (state) => (has(state) ? t(state) : state);

export class Panel {
  constructor(job) {
    this.job = job;
    this.title = el("h2", {}, t("jobNumber", job));
    this.state = el("p", { class: "status", id: "job-state", role: "status", "aria-live": "polite" });
    this.bar = el("progress", { max: 1, "aria-label": t("jobNumber", job), hidden: true });
    this.left = el("p", { class: "caption", id: "job-left" });
    this.numbers = el("dl", { class: "numbers" });
    this.body = el("div");
    this.element = el("section", { class: "panel" }, this.title, this.state, this.bar, this.left, this.numbers, this.body);
    this.read = 0;
    this.stop = watch(job, (event) => this.#event(event), (error) => explain(this.state, error));
    this.#try(() => this.#describe());
  }

  end() {
    this.stop();
    this.player?.stop();
    this.stopped = true;
  }

  async #try(what) {
    try {
      await what();
    } catch (error) {
      if (!error.retry && !this.stopped) explain(this.state, error);
    }
  }

  async #describe() {
    this.status ??= await get(`jobs/${this.job}`);
    this.title.textContent = `${t("jobNumber", this.job)}: ${t(`kind-${this.status.kind}`)} ${puzzleOf(this.status)}`;
    if (this.status.kind === "explore" && !this.chart) {
      this.chart = new Chart(t("chart", puzzleOf(this.status)));
      this.body.append(this.chart.element);
      // How many there will be, where that is known: a bounded exploration ends before.
      if (!/ depth=/.test(this.status.request)) this.total = await estimate({ puzzle: this.status.puzzle }).then(({ states }) => (typeof states === "number" ? states : null), () => null);
    }
  }

  #event(event) {
    this.state.textContent = stateWord(event.state);
    this.state.dataset.state = event.state;
    this.#progress(event);
    this.#show(event);
    this.#try(async () => {
      await this.#describe();
      await this.#levels(ended(event.state));
      if (ended(event.state)) await this.#result();
    });
  }

  // The bar runs once: over all positions, then over what is stored. Without their number it only shows that something runs.
  #progress(event) {
    this.bar.hidden = ended(event.state) || event.phase === undefined;
    const searching = event.phase === "search";
    if (searching && this.total) this.bar.value = Math.max(this.bar.value, (SEARCHED * event.states) / this.total);
    else if (event.phase === "store" && event.done !== undefined) this.bar.value = SEARCHED + (1 - SEARCHED) * event.done;
    else this.bar.removeAttribute("value");
    const known = searching && this.total && event.rate > 0 && !ended(event.state);
    this.left.textContent = known ? `${t("overall", count(event.states), count(this.total))} · ${t("timeLeft", duration((this.total - event.states) / event.rate))}` : "";
  }

  #show(values) {
    const reading = values.phase === "load"; // of a checkpoint: nothing is counted yet
    const rows = shown.filter(([key]) => values[key] !== undefined && typeof values[key] !== "object" && !(reading && values[key] === 0));
    if (rows.length === 0) return;
    this.numbers.replaceChildren(...rows.map(([key, text, write]) => el("div", {}, el("dt", {}, t(text)),
      el("dd", { "data-key": key }, typeof values[key] === "string" && key !== "phase" ? values[key] : write(values[key])))));
  }

  async #levels(last) {
    if (!this.chart || (!last && Date.now() - this.read < BETWEEN)) return;
    this.read = Date.now();
    const { levels } = await get(`jobs/${this.job}/levels`);
    if (levels.length >= this.chart.levels.length) this.chart.set(levels);
  }

  async #result() {
    const result = await get(`jobs/${this.job}/result`);
    const { bytes: tables, ...more } = result; // of pattern databases
    this.#show({ ...more, table_bytes: tables });
    if (result.kind === "explore" && result.keep === "table") await this.#deepest(result);
    if (result.path && !this.player) {
      this.player = shownPlayer(result.puzzle, await frames(result.puzzle, result.start, result.path));
      this.body.append(this.player.element);
    }
    if (has(`reason-${result.reason}`)) this.state.append(`: ${t(`reason-${result.reason}`)}`);
    if (result.error) this.state.append(": ", ...reasons(new ApiError({ ...result, code: result.error })));
  }

  async #deepest(result) {
    if (this.deepest) return;
    this.deepest = true;
    const found = await get("deepest", { puzzle: result.puzzle });
    const puzzle = puzzleOf(result);
    const all = found.total ?? found.count;
    const shown = found.boards.slice(0, DEEPEST);
    this.body.append(el("h3", {}, t(found.complete ? "deepest" : "deepestBounded", all, found.depth)), el("ul", { class: "gallery" }, ...shown.map(({ board }) => (
      el("li", {}, el("a", { href: `#/play?${new URLSearchParams({ puzzle, board })}`, title: t("playThis") }, small(puzzle, board)))))),
    all > shown.length ? el("p", { class: "caption" }, t("andMore", count(all - shown.length))) : "");
  }
}
