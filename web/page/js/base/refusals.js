// SPDX-License-Identifier: MIT
// A refusal as a sentence in the page's language, from its code and fields; the daemon's own words stand behind it.
import { ApiError } from "./api.js";
import { bytes, count, has, t } from "./texts.js";

/** The sentence for an error of the API; any other error's own text. */
export function explain(error) {
  if (!(error instanceof ApiError)) return error.message;
  const { states, needs_bytes: needed } = error.fields;
  if (error.code === "no-table" && states && needed) return t("costsPositions", count(states), bytes(needed));
  const key = `refused-${error.code}`;
  return has(key) ? t(key, error.message) : error.message;
}
