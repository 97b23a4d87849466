// SPDX-License-Identifier: MIT
// What plays something step by step: a slider, a speed and buttons. What a step shows is its caller's.
import { button, el, field } from "../base/dom.js";
import { t } from "../base/texts.js";

/**
 * show(number) is called for each step from 0 to last; interval is that of one at single speed, in milliseconds. Returns { slider, turn, to, stop, buttons }:
 * turn(number) shows a step, to(where) is what a button does that goes from one to where(number), buttons(attributes, ...more) has them all.
 */
export function reel(name, last, show, { interval, speeds, usual }) {
  let timer = 0;
  const slider = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": name, oninput: () => to((number) => number)() });
  const playing = button(t("playBack"), () => (timer ? stop() : start()), { class: "primary", id: "play-solution" });
  const speed = el("select", { name: "speed", onchange: () => { if (timer) { stop(); start(); } } },
    ...speeds.map((value) => el("option", { value, selected: value === usual }, `${value}×`)));

  function turn(number) {
    slider.value = String(number); // which stays within its ends
    show(Number(slider.value));
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    playing.textContent = t("playBack");
  }
  function start() {
    if (slider.value === slider.max) turn(0);
    playing.textContent = t("pause");
    timer = setInterval(() => {
      if (slider.value === slider.max) stop();
      else turn(Number(slider.value) + 1);
    }, interval / Number(speed.value));
  }
  const to = (where) => () => {
    stop();
    turn(where(Number(slider.value)));
  };
  const buttons = (next, ...more) => el("div", { class: "buttons" }, button(t("first"), to(() => 0)), button(t("previous"), to((number) => number - 1)), playing,
    button(t("next"), to((number) => number + 1), next), more, field(t("speed"), speed));
  return { slider, turn, to, stop, buttons };
}
