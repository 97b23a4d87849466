// SPDX-License-Identifier: MIT
// What is seen while a board is solved: the phase, how much of it is done, how long it will take, and a way to stop it.
import { post } from "../base/api.js";
import { button, el } from "../base/dom.js";
import { duration, has, t } from "../base/texts.js";

const SHOWN_FROM = 0.05; // of a phase, from which its rate tells how long it will take

/** The sentence for an event of WATCH; began is when its phase did, in milliseconds. */
function progressText(event, began) {
  const words = [has(`phase-${event.phase}`) ? t(`phase-${event.phase}`) : event.phase ?? t(event.state)];
  if (event.done !== undefined) words.push(t("percent", Math.floor(event.done * 100)));
  if (event.done >= SHOWN_FROM) words.push(t("timeLeft", duration((((Date.now() - began) / 1000) * (1 - event.done)) / event.done)));
  return words.join(" · ");
}

export class Search {
  constructor() {
    this.text = el("span");
    this.bar = el("progress", { max: 1, "aria-label": t("solving") });
    this.element = el("div", { class: "search", role: "status", hidden: true }, this.text, this.bar,
      button(t("cancelSolve"), () => this.job && this.#stop(), { id: "cancel-solve" }));
  }

  #stop() {
    this.stopped = this.job;
    post(`jobs/${this.job}/cancel`).catch(() => {});
  }

  /** Runs what(told), and shows what it tells meanwhile. */
  async during(what) {
    let phase = null;
    let began = 0;
    this.job = null;
    this.latest = what;
    try {
      return await what((job, event) => {
        if (this.latest !== what) return;
        if (event.phase !== phase) [phase, began] = [event.phase, Date.now()];
        this.job = job;
        this.element.hidden = false;
        this.text.textContent = t("searchingPhase", progressText(event, began));
        if (event.done === undefined) this.bar.removeAttribute("value");
        else this.bar.value = event.done;
      });
    } finally {
      if (this.latest === what) this.element.hidden = true;
    }
  }
}
