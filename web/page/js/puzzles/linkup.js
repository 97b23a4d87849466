// SPDX-License-Identifier: MIT
// Link-up: "linkup:AB/BA,from:0:0,to:1:1". It has no moves: its solution is a line, which the daemon draws.
import { t } from "../base/texts.js";
import { other } from "./other.js";

export const linkup = {
  ...other,
  keys: "keysLine",
  counts: "Line",
  explored: null,
  matches: (puzzle) => puzzle.startsWith("linkup:"),
  title: () => t("titleLinkup"),
  start: (puzzle) => puzzle.slice("linkup:".length).split(",")[0],
  steps: async () => [],
};
