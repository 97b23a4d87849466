// SPDX-License-Identifier: MIT
// Plays a solution: a board, a slider, and buttons.
import { get } from "./api.js";
import { button, el } from "./dom.js";
import { Picture } from "./picture.js";
import { t } from "./texts.js";

const INTERVAL = 500; // milliseconds a move

/** The boards of a path, as DRAW gives them. */
export async function frames(puzzle, board, path) {
  return (await get("draw", { puzzle, board, path })).frames;
}

/** An element that plays frames of DRAW; its stop() ends a running play. counts: see puzzles.js. */
export function player(puzzle, list, counts = "") {
  const picture = new Picture();
  const caption = el("p", { class: "caption", role: "status", "aria-live": "polite" });
  const last = list.length - 1;
  let timer = 0;
  const slider = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": t("solution"), oninput: () => show(Number(slider.value)) });
  const playing = button(t("playBack"), () => (timer ? stop() : start()), { class: "primary" });

  function show(number) {
    slider.value = String(number);
    picture.show(puzzle, list[number].board, { label: t("boardOf", puzzle, list[number].board) });
    caption.textContent = t("step", number, last) + (list[number].move ? `: ${list[number].move}` : "");
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    playing.textContent = t("playBack");
  }
  function start() {
    if (Number(slider.value) === last) show(0);
    playing.textContent = t("pause");
    timer = setInterval(() => {
      if (Number(slider.value) >= last) stop();
      else show(Number(slider.value) + 1);
    }, INTERVAL);
  }
  const step = (by) => () => {
    stop();
    show(Math.min(last, Math.max(0, Number(slider.value) + by)));
  };
  show(0);
  const element = el("section", { class: "player" }, el("h2", {}, t(`solutionOf${counts}`, last)), picture.element, caption, slider,
    el("p", { class: "buttons" }, button(t("first"), step(-last)), button(t("previous"), step(-1)), playing, button(t("next"), step(1))));
  return { element, stop };
}
