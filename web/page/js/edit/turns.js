// SPDX-License-Identifier: MIT
// Any other puzzle, twisty ones and texts too: a board is made by moves from where the puzzle begins.
import { get } from "../base/api.js";
import { button, el, renew } from "../base/dom.js";
import { explain } from "../base/refusals.js";
import { t } from "../base/texts.js";
import { Picture } from "../board/picture.js";
import { ownStart, walk } from "../parts/answers.js";
import { puzzleForm } from "../parts/form.js";
import { kindOf } from "../puzzles/kinds.js";

const SCRAMBLE = 20; // random moves
export const usual = "pancake:6";
export const example = null;

/** named is the puzzle; open(puzzle) is called for another one; defines: texts may be defined. board() is empty until the daemon has told it. */
export function editor(_size, text, changed, named = usual, open = () => {}, defines = false) {
  const kind = kindOf(named);
  const picture = new Picture();
  const moves = el("div", { class: "moves", tabindex: "-1" });
  const remark = el("p", { class: "remark", role: "status" });
  let board = "";
  const run = (work) => work().catch((error) => { explain(remark, error); });
  const first = async () => kind.goal?.(named, await ownStart(named)) ?? kind.start(named) ?? ownStart(named);
  async function set(next) {
    const steps = await kind.steps(named, next);
    await kind.prepare?.(named, [next]);
    board = next;
    picture.show(named, board);
    renew(moves, steps.map((step) => button(step.label, () => run(() => set(step.board)))), moves);
    changed();
  }
  const form = puzzleForm(named, open, el("button", {}, t("open")));
  get("puzzles").then(({ puzzles }) => form.querySelector("datalist").append(...puzzles.map(({ puzzle, example: one }) => el("option", { value: one ?? puzzle }))), () => {});
  run(async () => {
    await kind.enter?.(named, defines);
    await set(text ?? await first());
  });
  return { element: el("div", {}, el("p", { class: "keys" }, t("editTurnsHow")), form, picture.element,
    el("p", { class: "buttons" }, button(t("scrambleGo"), () => run(async () => set(await walk(named, await first(), SCRAMBLE))), { id: "edit-scramble" }),
      button(t("editFirst"), () => run(async () => set(await first())))), moves, remark), puzzle: () => named, board: () => board };
}
