// SPDX-License-Identifier: MIT
// The page: its views by address (#/play?puzzle=3x3), its language, and whether the daemon answers.
import { get } from "./api.js";
import { button, el } from "./dom.js";
import * as explore from "./explore.js";
import * as graph from "./graph.js";
import * as home from "./home.js";
import * as jobs from "./jobs.js";
import * as play from "./play.js";
import { otherLanguage, t } from "./texts.js";

const views = { home, play, explore, jobs, graph };
const PROBE = 3000; // milliseconds between two questions whether the daemon answers

const root = document.getElementById("view");
const notice = document.getElementById("notice");
let leave = () => {};

/** What the views know of the page. */
const page = {
  readOnly: false,
  go(view, parameters = {}) {
    const given = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
    location.hash = `#/${view}${given.size ? `?${given}` : ""}`;
  },
  /** Changes the address of the view that is shown, without a new entry in the history. */
  remember(parameters) {
    const [view] = location.hash.split("?");
    history.replaceState(null, "", `${view || "#/home"}?${new URLSearchParams(parameters)}`);
  },
  notice(text) {
    notice.textContent = text;
    notice.hidden = text === "";
  },
};

function address() {
  const [path, query = ""] = location.hash.replace(/^#\//, "").split("?");
  const [view, argument] = path.split("/");
  return { view: Object.hasOwn(views, view) ? view : "home", argument, parameters: new URLSearchParams(query) };
}

function frame(current) {
  document.getElementById("nav").setAttribute("aria-label", t("navigation"));
  document.getElementById("nav").replaceChildren(...Object.keys(views).map((view) => (
    el("a", { href: `#/${view}`, "aria-current": view === current ? "page" : false }, t(view)))));
  document.getElementById("skip").textContent = t("skip");
  const language = document.getElementById("language");
  language.replaceWith(button(t("language"), () => { otherLanguage(); show(); }, { id: "language" }));
  document.title = `${t(current)} – puzzled`;
}

function show() {
  const { view, argument, parameters } = address();
  leave();
  root.replaceChildren();
  root.dataset.view = view;
  frame(view);
  leave = views[view].show(root, parameters, page, argument);
}

async function probe() {
  try {
    await get("version");
    page.notice("");
  } catch (error) {
    if (error.code !== "limit") page.notice(t("unreachable"));
  }
  setTimeout(probe, PROBE);
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  root.focus();
});
window.addEventListener("hashchange", show);
try {
  page.readOnly = (await get("page")).read_only;
} finally {
  show();
  probe();
}
