// SPDX-License-Identifier: MIT
// The page: its views by address (#/play?puzzle=3x3), its language, and whether the daemon answers.
import { get } from "./base/api.js";
import { el } from "./base/dom.js";
import { isAway } from "./base/refusals.js";
import { otherLanguage, t } from "./base/texts.js";
import * as edit from "./views/edit.js";
import * as explore from "./views/explore.js";
import * as graph from "./views/graph.js";
import * as home from "./views/home.js";
import * as jobs from "./views/jobs.js";
import * as play from "./views/play.js";
import * as sheet from "./views/sheet.js";

const views = { home, play, explore, jobs, graph, edit, sheet };
const inNavigation = ["home", "play", "edit", "graph"];
const inMenu = ["explore", "jobs"];
const PROBE = 3000; // milliseconds between two questions whether the daemon answers

const root = document.getElementById("view");
const notice = document.getElementById("notice");
let leave = () => {};
let shown = 0; // views so far

/** What the views know of the page. */
const page = {
  readOnly: false,
  defines: false,
  visitor: undefined, // the name of this browser's, where each manages its own jobs only
  go(view, parameters = {}) {
    const given = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
    location.hash = `#/${view}${given.size ? `?${given}` : ""}`;
  },
  /** Changes the address of the view that is shown, without a new entry in the history. */
  remember(parameters) {
    const [view] = location.hash.split("?");
    try {
      history.replaceState(null, "", `${view || "#/home"}?${new URLSearchParams(parameters)}`);
    } catch { /* Safari takes 100 changes in 30 seconds: a fast player's later moves bring the address back */ }
  },
  notice(...words) {
    notice.replaceChildren(...words);
    notice.hidden = words.length === 0;
  },
};

function address() {
  const [path, query = ""] = location.hash.replace(/^#\//, "").split("?");
  const [view, argument] = path.split("/");
  return { view: Object.hasOwn(views, view) ? view : "home", argument, parameters: new URLSearchParams(query) };
}

function frame(current) {
  document.getElementById("nav").setAttribute("aria-label", t("navigation"));
  const link = (view) => el("a", { href: `#/${view}`, "aria-current": view === current ? "page" : false }, t(view));
  document.getElementById("nav").replaceChildren(...inNavigation.map(link),
    el("details", { class: "menu" }, el("summary", inMenu.includes(current) ? { "aria-current": "page" } : {}, t(inMenu.includes(current) ? current : "more")), el("div", {}, ...inMenu.map(link))));
  document.getElementById("skip").textContent = t("skip");
  Object.assign(document.getElementById("language"), { textContent: t("language"), onclick: () => { otherLanguage(); show(leave()); } });
  document.title = `${t(current)} – puzzled`;
}

/** The page as one view knows it: once that is left, its late answers change no address. */
function pageOf(number) {
  let own = location.hash;
  const isShown = () => number === shown && location.hash === own;
  return { ...page,
    go: (view, parameters) => { if (isShown()) page.go(view, parameters); },
    remember(parameters) {
      if (!isShown()) return;
      page.remember(parameters);
      own = location.hash;
    } };
}

/** before is what the view left that was shown at this address, in another language. */
function show(before = null) {
  const { view, argument, parameters } = address();
  if (!before) leave();
  root.replaceChildren();
  root.dataset.view = view;
  frame(view);
  leave = views[view].show(root, parameters, pageOf(++shown), argument, before);
}

async function probe() {
  try {
    await get("version");
    page.notice();
    // What was asked in vain; but a request whose connection was lost may be what ended the daemon.
    if (root.querySelector("[data-away]") && !root.querySelector("[data-away=connection-lost]")) show(leave());
  } catch (error) {
    if (isAway(error)) page.notice(t("unreachable"));
  }
  setTimeout(probe, PROBE);
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  root.focus();
});
window.addEventListener("hashchange", () => {
  show();
  root.focus({ preventScroll: true });
});
// Shown inside another page, ?embed=1, there is the view alone.
document.body.classList.toggle("embed", new URLSearchParams(location.search).get("embed") === "1");
try {
  const { read_only: readOnly, defines, visitor } = await get("page");
  Object.assign(page, { readOnly, defines, visitor });
} finally {
  show();
  probe();
}
