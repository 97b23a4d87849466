// SPDX-License-Identifier: MIT
// Every text of the page in English and Chinese, from words/. {0}, {1} … stand for what is put in; of {0:move:moves} the
// first word where that is 1.
import { cards } from "../words/cards.js";
import { jobs } from "../words/jobs.js";
import { lessons } from "../words/lessons.js";
import { page } from "../words/page.js";
import { play } from "../words/play.js";
import { refusals } from "../words/refusals.js";
import { keep, recall } from "./storage.js";

const texts = { ...page, ...cards, ...play, ...jobs, ...lessons, ...refusals };

const languages = ["en", "zh"];
// Of the address (?lang=zh), as it was chosen before, or the browser's.
let language = [new URLSearchParams(location.search).get("lang"), recall("language"), navigator.language.slice(0, 2)]
  .map((name) => languages.indexOf(name)).find((at) => at >= 0) ?? 0;
document.documentElement.lang = languages[language];

/** The text of a key in the page's language. */
export function t(key, ...values) {
  return texts[key][language].replace(/\{(\d)(?::([^:}]*):([^}]*))?\}/g, (_, number, one, many) => (
    one === undefined ? values[number] : String(values[number]) === "1" ? one : many));
}

/** Returns true for a key that the table has. */
export const has = (key) => Object.hasOwn(texts, key);

export function otherLanguage() {
  language = 1 - language;
  keep("language", languages[language]);
  const address = new URL(location.href);
  if (address.searchParams.has("lang")) {
    address.searchParams.set("lang", languages[language]);
    history.replaceState(null, "", address);
  }
  document.documentElement.lang = languages[language];
}

export const count = (number) => (typeof number === "number" ? number.toLocaleString(languages[language]) : String(number));

/** A short stretch of time: 40 s, 3 min. */
export function duration(seconds) {
  return seconds < 90 ? t("secondsShort", Math.max(1, Math.round(seconds))) : t("minutesShort", Math.round(seconds / 60));
}

function scaled(number, units) {
  let unit = 0;
  for (; number >= 1000 && unit < 4; unit++) number /= 1000;
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)}${units[unit]}`;
}

/** Bytes as people write them: 83 MB. */
export const bytes = (number) => scaled(number, [" B", " kB", " MB", " GB", " TB"]);

/** A rate as people write it: 1.3 G. */
export const short = (number) => scaled(number, ["", " k", " M", " G", " T"]);

export const time = (milliseconds) => new Date(milliseconds).toLocaleString(languages[language]);
