// SPDX-License-Identifier: MIT
// The view Jobs: the list, the latest first, and one of them by its address.
import { ended, get, post } from "../base/api.js";
import { button, el } from "../base/dom.js";
import { explain, reasons } from "../base/refusals.js";
import { isJob, Panel, puzzleOf, stateWord } from "../parts/panel.js";
import { count, t, time } from "../base/texts.js";

const REFRESH = 2000;
const PAGE = 50;
const BEFORE_ALL = Number.MAX_SAFE_INTEGER;

function outcome(job) {
  if (job.states !== undefined) return t("statesShort", count(job.states), count(job.depth ?? 0));
  if (job.solvable === "no") return t("unsolvable");
  if (job.moves !== undefined) return t("movesShort", job.moves);
  return "";
}

function actions(job, page, changed) {
  if (page.readOnly || (page.visitor && !job.request.endsWith(` visitor=${page.visitor}`))) return [];
  const act = (what) => async () => {
    if (what === "forget" && !confirm(t("forgetAsk", job.job))) return;
    try {
      await post(`jobs/${job.job}/${what}`);
    } catch (error) {
      page.notice(...reasons(error));
    }
    changed();
  };
  return [ended(job.state) ? button(t("forget"), act("forget")) : button(t("cancel"), act("cancel"))];
}

// On a phone a row is a card, in which each cell says what it is.
const cell = (text, attributes, ...content) => el("td", { "data-label": t(text), ...attributes }, ...content);

function row(job, page, changed) {
  return el("tr", { "data-job": job.job }, el("th", { scope: "row" }, el("a", { href: `#/jobs/${job.job}` }, job.job)),
    cell("kind", {}, t(`kind-${job.kind}`)), cell("puzzle", { class: "name" }, puzzleOf(job)), cell("state", { "data-state": job.state }, stateWord(job.state)),
    cell("result", {}, outcome(job)), cell("submitted", {}, time(job.submitted_ms)), el("td", {}, ...actions(job, page, changed)));
}

/** Shows other rows. The keyboard's focus stays on its job, or is on the one that took its place. */
function redraw(body, rows) {
  const focused = document.activeElement;
  const at = [...body.children].findIndex((one) => one.contains(focused));
  const job = body.children[at]?.dataset.job;
  body.replaceChildren(...rows);
  if (at < 0) return;
  const now = rows.find((one) => one.dataset.job === job) ?? rows[Math.min(at, rows.length - 1)];
  (now?.querySelector(focused.localName) ?? now?.querySelector("a"))?.focus({ preventScroll: true });
}

function list(root, page) {
  const body = el("tbody");
  const remark = el("p", { role: "status" });
  const titles = ["job", "kind", "puzzle", "state", "result", "submitted", "actions"].map((key) => el("th", { scope: "col" }, t(key)));
  const older = button(t("older"), () => { most += PAGE; refresh(); }, { hidden: true });
  let most = PAGE;
  let stopped = false;
  let timer = 0;
  let shown = "";
  const refresh = async () => {
    clearTimeout(timer);
    try {
      const { jobs, more } = await get("jobs", { before: BEFORE_ALL, limit: Math.min(most, 1000) });
      // Only what has changed is drawn again: a list under the fingers stays.
      if (JSON.stringify(jobs) !== shown) redraw(body, jobs.map((job) => row(job, page, refresh)));
      shown = JSON.stringify(jobs);
      remark.textContent = jobs.length === 0 ? t("noJobs") : "";
      older.hidden = !more;
    } catch (error) {
      explain(remark, error);
    }
    if (!stopped) timer = setTimeout(refresh, REFRESH);
  };
  root.append(el("h1", {}, t("jobs")), el("div", { class: "scroll" }, el("table", { class: "jobs" }, el("thead", {}, el("tr", {}, ...titles)), body)), remark, older);
  refresh();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

export function show(root, _parameters, page, job) {
  if (!isJob(job)) return list(root, page);
  const panel = new Panel(Number(job));
  root.append(el("h1", {}, t("jobNumber", job)), el("p", {}, el("a", { href: "#/jobs" }, t("jobs"))), panel.element);
  return () => panel.end();
}
