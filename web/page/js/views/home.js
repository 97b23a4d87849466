// SPDX-License-Identifier: MIT
// The view Start: a card with a picture for each puzzle, and a field for every other one.
import { get } from "../base/api.js";
import { el } from "../base/dom.js";
import { boardsOf } from "../edit/source.js";
import { small } from "../board/picture.js";
import { ownStart } from "../parts/answers.js";
import { puzzleForm } from "../parts/form.js";
import { t } from "../base/texts.js";
import { cards } from "../puzzles/cards.js";
import { kindOf } from "../puzzles/kinds.js";

const BUILT_IN = ["slide", "klotski", "rushhour", "jugs", "sokoban", "linkup", "pancake", "topspin", "hanoi"];

// What the formats of texts say of themselves.
const TEXTS = { "permutation puzzles by definition": "doesTws", "vectors of variables with rules, by definition": "doesPsvn" };

const address = (puzzle, board) => `#/play?${new URLSearchParams(board ? { puzzle, board } : { puzzle })}`;

function card(puzzle, start, picture, title, remark, levels = []) {
  const hardness = ["levelEasy", "levelMiddle", "levelHard"];
  const fewest = kindOf(puzzle).counts ? "levelTurns" : "levelMoves";
  return el("li", {}, el("a", { class: "card", href: address(puzzle, start) }, picture, el("strong", {}, title), el("span", {}, remark)),
    levels.length === 0 ? null : el("p", { class: "levels" }, ...levels.map(([name, board, moves], i) => el("a", { href: address(name, board) }, t(hardness[i], t(fewest, moves))))));
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
  place.append(...(await boardsOf("sokoban", text)).map(({ board: level }, i) => (
    card(`sokoban:${level}`, null, small(`sokoban:${level}`, level), t("levelNumber", i + 1), t("levelFewest", known(rows[i][1]), known(rows[i][2]))))));
}

/** Puzzles that plugins and definitions bring and that have no card yet. */
async function own(place, section) {
  const { puzzles } = await get("puzzles");
  const found = puzzles.filter(({ puzzle }) => !BUILT_IN.includes(puzzle) && !cards.some((one) => one.puzzle === puzzle));
  section.hidden = found.length === 0;
  place.append(...found.map(({ puzzle, example, does }) => {
    const mark = el("span", { class: "mark", "aria-hidden": "true" }, puzzle.slice(0, 2));
    ownStart(example ?? puzzle).then((board) => mark.replaceWith(small(example ?? puzzle, board)), () => {});
    return card(example ?? puzzle, null, mark, puzzle, does in TEXTS ? t(TEXTS[does]) : does ?? "");
  }));
}

export function show(root, _parameters, page) {
  const more = el("ul", { class: "cards" });
  const collection = el("ul", { class: "cards" });
  const others = el("ul", { class: "cards" });
  const section = el("section", { hidden: true }, el("h2", {}, t("ownPuzzles")), others);
  root.append(el("h1", {}, t("homeTitle")), el("p", { class: "lead" }, t("homeLead")),
    el("ul", { class: "cards", id: "cards" }, ...cards.map(({ puzzle, text, board, start, levels: of }) => card(puzzle, start, small(puzzle, board), t(text), t(`${text}Does`), of))),
    el("details", { id: "layouts", ontoggle: () => layouts(more).catch(() => {}) }, el("summary", {}, t("layouts")), more),
    el("details", { id: "microban", ontoggle: () => microban(collection).catch(() => {}) }, el("summary", {}, t("microban")), collection),
    section,
    el("details", {}, el("summary", {}, t("otherPuzzles")), puzzleForm("", (puzzle) => page.go("play", { puzzle }), el("button", { class: "primary" }, t("open")))));
  own(others, section).catch(() => {});
  return () => {};
}
