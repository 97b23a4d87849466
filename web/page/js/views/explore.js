// SPDX-License-Identifier: MIT
// The view Explore: starts an exploration and follows it.
import { post, submit } from "../base/api.js";
import { el, field } from "../base/dom.js";
import { reasons } from "../base/refusals.js";
import { isJob, Panel } from "../parts/panel.js";
import { boardIn, puzzleForm } from "../parts/form.js";
import { bytes, count, t } from "../base/texts.js";
import { named } from "../puzzles/cards.js";

function choices(name, pairs, chosen) {
  return el("select", { name }, ...pairs.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
}

/** The keys of the request, without those that were left empty. */
function keys(form, puzzle) {
  const { root, depth, keep, memory } = form.elements;
  const given = { puzzle, root: boardIn(root), depth: depth.value, keep: keep.value, memory: memory.value.trim() };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

export function show(root, parameters, page) {
  let panel = null;
  const status = el("p", { class: "status", role: "status", "aria-live": "polite" });
  const place = el("div");
  const run = async (puzzle, form, estimate) => {
    status.textContent = "";
    try {
      if (estimate) {
        const found = await post("jobs", { kind: "explore", estimate: true, ...keys(form, puzzle) });
        status.textContent = found.bytes === undefined ? t("estimateUnknown", found.engine) : t("estimated", count(found.states), bytes(found.bytes), found.engine);
        if (found.planes === "none") status.textContent += t("estimateTooLarge");
        return;
      }
      const job = await submit("explore", keys(form, puzzle));
      panel?.end();
      panel = new Panel(job);
      place.replaceChildren(panel.element);
      page.remember({ ...keys(form, puzzle), job });
    } catch (error) {
      status.replaceChildren(...reasons(error));
    }
  };
  const form = puzzleForm(named(parameters.get("puzzle") ?? "3x3"), (puzzle, element) => run(puzzle, element, false),
    field(t("from"), el("input", { name: "root", value: parameters.get("root"), spellcheck: "false", autocomplete: "off" })),
    field(t("depthLimit"), el("input", { name: "depth", type: "number", min: 0, value: parameters.get("depth") })),
    field(t("memoryLimit"), el("input", { name: "memory", value: parameters.get("memory"), placeholder: "2G", size: 6 })),
    field(t("keep"), choices("keep", [["table", t("keepTable")], ["levels", t("keepLevels")]], parameters.get("keep"))),
    el("button", { class: "primary", id: "start", disabled: page.readOnly }, t("start")),
    el("button", { type: "button", id: "estimate", disabled: page.readOnly,
      onclick: () => run(named(form.elements.puzzle.value), form, true) }, t("estimate")));
  root.append(el("h1", {}, t("exploreTitle")), form, page.readOnly ? el("p", {}, t("readOnly")) : "", status, place);
  if (isJob(parameters.get("job"))) {
    panel = new Panel(Number(parameters.get("job")));
    place.append(panel.element);
  }
  return () => panel?.end();
}
