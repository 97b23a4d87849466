// SPDX-License-Identifier: MIT
// A refusal as a sentence in the page's language, from its code and fields, and the daemon's own words, which are English, where
// they say more.
import { ApiError } from "./api.js";
import { el } from "./dom.js";
import { bytes, count, has, t } from "./texts.js";

/** What to show of an error: texts and elements. */
export function reasons(error) {
  if (!(error instanceof ApiError)) return [error.message];
  const { states, needs_bytes: needed, visitor_jobs: most } = error.fields;
  if (most) return [t("refusedVisitor", most)];
  if (error.code === "no-table" && states && needed) return [t("costsPositions", count(states), bytes(needed))];
  const key = has(`refused-${error.code}`) ? `refused-${error.code}` : "refused-other";
  const [sentence, ...rest] = t(key, "\n").split("\n");
  return [sentence, ...rest.map(() => el("span", { lang: "en" }, error.message))];
}

/** True for an error of a daemon that is not there. */
export const isAway = ({ code }) => ["unreachable", "connection-lost", "shutting-down"].includes(code);

/** Shows an error in an element, for a view that is to ask again when the daemon is back. One in which something was typed shows the reasons alone. */
export const explain = (element, error) => element.replaceChildren(el("span", { "data-away": isAway(error) && error.code }, ...reasons(error)));
