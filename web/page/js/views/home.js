// SPDX-License-Identifier: MIT
// The view Start: a card with a picture for each puzzle, and a field for every other one.
import { get } from "../base/api.js";
import { el } from "../base/dom.js";
import { levels } from "../edit/sokoban.js";
import { small } from "../board/picture.js";
import { ownStart } from "../parts/answers.js";
import { puzzleForm } from "../parts/form.js";
import { t } from "../base/texts.js";

// Each with the board that its card shows; without a puzzle's start Play scrambles.
const cards = [
  { puzzle: "3x3", text: "card8", board: "8,6,7/2,5,4/3,0,1" },
  { puzzle: "4x4", text: "card15", board: "5,1,7,3/9,2,11,4/13,6,15,8/0,10,14,12" },
  { puzzle: "klotski:横刀立马", text: "cardKlotski", board: "HAAI/HAAI/JBBK/JNOK/P@@Q" },
  { puzzle: "rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", text: "cardRush", board: "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM" },
  { puzzle: "sokoban:#######/#  .  #/# $#$ #/#. @  #/#######", text: "cardSokoban", board: "#######/#  .  #/# $#$ #/#. @  #/#######" },
  { puzzle: "jugs:3,5,goal:4", text: "cardJugs", board: "0,3" },
  { puzzle: "hanoi:3,5", text: "cardHanoi", board: "3,2,2,1,1", start: "1,1,1,1,1" },
  { puzzle: "pancake:7", text: "cardPancake", board: "5,2,7,1,4,6,3", start: "5,2,7,1,4,6,3" },
  { puzzle: "topspin:10,4", text: "cardTopspin", board: "1,2,6,5,4,3,7,8,9,10", start: "1,2,6,5,4,3,7,8,9,10" },
  { puzzle: "linkup:BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC,from:4:2,to:4:5,border:yes", text: "cardLinkup", board: "BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC" },
  { puzzle: "2x4", text: "card7", board: "5,1,7,3/2,6,0,4" },
  { puzzle: "3x4", text: "card11", board: "5,1,7,3/9,2,11,4/0,6,10,8" },
];

const BUILT_IN = ["slide", "klotski", "rushhour", "jugs", "sokoban", "linkup", "pancake", "topspin", "hanoi"];

function card(puzzle, start, picture, title, remark) {
  const address = `#/play?${new URLSearchParams(start ? { puzzle, board: start } : { puzzle })}`;
  return el("li", {}, el("a", { class: "card", href: address }, picture, el("strong", {}, title), el("span", {}, remark)));
}

/** The other layouts of Klotski, each with its fewest moves. */
async function layouts(place) {
  if (place.childElementCount > 0) return;
  const { puzzles } = await get("puzzles", { puzzle: "klotski" });
  place.append(...puzzles.map(({ layout, board, moves }) => (
    card(layout, null, small(layout, board), layout.replace("klotski:", ""), moves < 0 ? t("unsolvableShort") : t("movesShort", moves)))));
}

/** The levels of Microban, each with its fewest pushes and moves where they are known. */
async function microban(place) {
  if (place.childElementCount > 0) return;
  const [text, table] = await Promise.all(["xsb", "csv"].map(async (ending) => (await fetch(`levels/microban.${ending}`)).text()));
  const rows = table.split("\n").filter((line) => /^\d/.test(line)).map((line) => line.split(",").map(Number));
  const known = (number) => (number < 0 ? "?" : number);
  place.append(...levels(text).map((level, i) => (
    card(`sokoban:${level}`, null, small(`sokoban:${level}`, level), t("levelNumber", i + 1), t("levelFewest", known(rows[i][1]), known(rows[i][2]))))));
}

/** Puzzles that plugins and definitions bring. */
async function own(place, section) {
  const { puzzles } = await get("puzzles");
  const found = puzzles.filter(({ puzzle }) => !BUILT_IN.includes(puzzle));
  section.hidden = found.length === 0;
  place.append(...found.map(({ puzzle, example, does }) => {
    const mark = el("span", { class: "mark", "aria-hidden": "true" }, puzzle.slice(0, 2));
    ownStart(example ?? puzzle).then((board) => mark.replaceWith(small(example ?? puzzle, board)), () => {});
    return card(example ?? puzzle, null, mark, puzzle, does ?? "");
  }));
}

export function show(root, _parameters, page) {
  const more = el("ul", { class: "cards" });
  const collection = el("ul", { class: "cards" });
  const others = el("ul", { class: "cards" });
  const section = el("section", { hidden: true }, el("h2", {}, t("ownPuzzles")), others);
  root.append(el("h1", {}, t("homeTitle")), el("p", { class: "lead" }, t("homeLead")),
    el("ul", { class: "cards", id: "cards" }, ...cards.map(({ puzzle, text, board, start }) => card(puzzle, start, small(puzzle, board), t(text), t(`${text}Does`)))),
    el("details", { id: "layouts", ontoggle: () => layouts(more).catch(() => {}) }, el("summary", {}, t("layouts")), more),
    el("details", { id: "microban", ontoggle: () => microban(collection).catch(() => {}) }, el("summary", {}, t("microban")), collection),
    section,
    el("details", {}, el("summary", {}, t("otherPuzzles")), puzzleForm("", (puzzle) => page.go("play", { puzzle }), el("button", { class: "primary" }, t("open")))));
  own(others, section).catch(() => {});
  return () => {};
}
