// SPDX-License-Identifier: MIT
// Twisty puzzles whose texts come with the page, texts/cube3.tws: it knows their rules and their stickers from these (docs/twisty.md).
import { get, post } from "../base/api.js";
import { t } from "../base/texts.js";
import { askedIn, metricOf } from "./metrics.js";
import { other } from "./other.js";

const nameOf = (puzzle) => puzzle.match(/^(?:tws:)?(\w+)/)[1];
const picksMoves = (puzzle) => /,moves:/.test(puzzle); // only some moves: the daemon knows them

// ---- a text ----

/** Reads "red-up:1,2,3,4". */
function sticker(word) {
  const [kind, box] = word.split(":");
  const [x, y, w = 1, h = 1] = box.split(",").map(Number);
  return { kind: `sticker-${kind.split("-")[0]}`, form: kind.match(/-\w+$/)?.[0] ?? "", rect: { x, y, w, h } };
}

/** One move done after another, each { from, turn } by place. */
const then = (one, two, sets) => ({ from: two.from.map((from) => one.from[from]),
  turn: two.from.map((from, i) => (one.turn[from] + two.turn[i]) % sets.turns[i]) });

/** The powers of a listed move that are moves: [{ word, face, move, back }], back for the way back. */
function powers(face, move, sets) {
  const all = [move];
  while (all.at(-1).from.some((from, i) => from !== i || all.at(-1).turn[i] !== 0)) all.push(then(all.at(-1), move, sets));
  const order = all.length;
  const word = (power) => (2 * power <= order ? face + (power > 1 ? power : "") : `${face}'${power < order - 1 ? order - power : ""}`);
  return all.slice(0, -1).map((one, i) => ({ word: word(i + 1), face, move: one, back: i > 0 && i === order - 2, single: i === 0 || i === order - 2 }));
}

/** Reads sets, moves and net: { sets: [{ name, first, places, turns, stickers }], moves, fixed, solved, columns, rows }. */
function read(text) {
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
  const net = new Map(lines.filter(([word]) => word === "#net").map(([, set, ...words]) => [set, words.map(sticker)]));
  const sets = [];
  sets.turns = [];
  for (const [word, name, places, turns] of lines) {
    if (word !== "Set") continue;
    sets.push({ name, first: sets.turns.length, places: Number(places), turns: Number(turns), stickers: net.get(name) });
    sets.turns.push(...Array(Number(places)).fill(Number(turns)));
  }
  const moves = [];
  lines.forEach(([word, face], i) => {
    if (word !== "Move" || /^([xyz]|[A-Z].*v)$/.test(face)) return;
    const move = { from: sets.turns.map((_, at) => at), turn: sets.turns.map(() => 0) };
    for (let at = i + 1; lines[at][0] !== "End"; at++) {
      const { first, places } = sets.find(({ name }) => name === lines[at][0]);
      const from = lines[++at].map((place) => first + Number(place) - 1);
      const turns = /^\d/.test(lines[at + 1][0]) ? lines[++at].map(Number) : Array(places).fill(0);
      from.forEach((place, k) => { move.from[first + k] = place; move.turn[first + k] = turns[place - first]; });
    }
    moves.push(...powers(face, move, sets));
  });
  const fixed = net.get("-") ?? [];
  const boxes = [...net.values()].flat().map(({ rect }) => rect);
  const solved = write({ piece: sets.flatMap(({ places }) => Array.from({ length: places }, (_, i) => i + 1)), turn: sets.turns.map(() => 0) }, sets);
  return { sets, moves, fixed, solved, columns: Math.max(...boxes.map(({ x, w }) => x + w)), rows: Math.max(...boxes.map(({ y, h }) => y + h)) };
}

function write({ piece, turn }, sets) {
  return sets.map(({ first, places, turns }) => piece.slice(first, first + places).join(",")
    + (turns > 1 ? `.${turn.slice(first, first + places).join(",")}` : "")).join("/");
}

/** The pieces and turns of a board's text; null if it has others. */
function parse(board, sets) {
  const parts = board.split("/").map((part) => part.split(".").map((list) => list.split(/[,:]/).map(Number)));
  if (parts.length !== sets.length || !sets.every(({ places, turns }, i) => parts[i].length <= 2 && parts[i].every((list) => list.length === places)
    && parts[i][0].every((piece) => piece >= 1 && piece <= places) && (parts[i][1] ?? []).every((turn) => turn >= 0 && turn < turns))) return null;
  return { piece: parts.flatMap(([piece]) => piece), turn: parts.flatMap(([piece, turn]) => turn ?? piece.map(() => 0)) };
}

// ---- the puzzles ----

const rules = new Map(); // from names
const loading = new Map();

async function load(puzzle) {
  const name = nameOf(puzzle);
  if (!loading.has(name)) loading.set(name, fetch(new URL(`texts/${name}.tws`, document.baseURI)).then((found) => found.text()));
  const text = await loading.get(name);
  if (!rules.has(name)) rules.set(name, read(text));
  return text;
}

const escape = (text) => text.replace(/[%\n\r\t"\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);

export const twisty = {
  ...other,
  keys: "keysTwisty",
  local: true,
  keyed: true,
  scrambles: true,
  patience: "10s",
  title: (puzzle) => t(`name-${nameOf(puzzle)}`),
  matches: (puzzle) => /^(tws:)?(pyraminx|skewb|dino)(,|$)/.test(puzzle) && !picksMoves(puzzle),
  start: (puzzle) => rules.get(nameOf(puzzle))?.solved ?? null,
  goal: (puzzle) => rules.get(nameOf(puzzle))?.solved,
  solved: (puzzle, board) => board === rules.get(nameOf(puzzle))?.solved,
  prepare: load,

  /** Before it is played: the page has its text, and the daemon is told it, where that is allowed. */
  async enter(puzzle, defines) {
    const [text, name] = [await load(puzzle), nameOf(puzzle)];
    const known = (await get("puzzles")).puzzles.find((one) => one.puzzle === name);
    if (!known && defines) await post("definitions", { name, format: "tws", text: escape(text) });
    return known ? known.keys.includes("moves") : defines; // a plugin may have the name
  },

  // Each sticker of a place shows one of the piece's, which turns have carried on.
  picture(puzzle, board) {
    const { sets, fixed, columns, rows } = rules.get(nameOf(puzzle)) ?? { sets: [] };
    const state = sets.length > 0 && parse(board, sets);
    if (!state) return { columns: 1, rows: 1, pieces: [] };
    const pieces = [];
    let number = 0;
    for (const { first, places, turns, stickers } of sets) {
      const each = stickers.length / places;
      stickers.forEach(({ form, rect }, i) => {
        const place = first + Math.floor(i / each);
        const seen = (state.piece[place] - 1) * each + (turns > 1 ? ((i % each) - state.turn[place] + turns) % turns : i % each);
        pieces.push({ id: `${number + seen}-0`, kind: stickers[seen].kind + form, text: "", rects: [rect] });
      });
      number += stickers.length;
    }
    fixed.forEach(({ kind, form, rect }, i) => pieces.push({ id: `${number + i}-0`, kind: kind + form, text: "", rects: [rect] }));
    return { columns, rows, pieces };
  },

  steps(puzzle, board) {
    const known = rules.get(nameOf(puzzle));
    if (!known) return load(puzzle).then(() => this.steps(puzzle, board));
    const { sets, moves } = known;
    const state = parse(board, sets);
    return !state ? [] : moves.filter(({ single }) => single || metricOf(this, puzzle) !== "quarter").map(({ word, face, move, back }) => (
      { label: word, word, face, back, board: write({ piece: move.from.map((from) => state.piece[from]),
        turn: move.from.map((from, i) => (state.turn[from] + move.turn[i]) % sets.turns[i]) }, sets) }));
  },

  /** The step of a key: the letter of a move or its number, with Shift its way back. */
  stepOf(steps, { key, code, shiftKey }) {
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1];
    const face = digit ? [...new Set(steps.map((step) => step.face))][digit - 1] : key.toUpperCase();
    return steps.find((step) => step.face === face && step.back === shiftKey && (shiftKey || step.word === face));
  },
};

export const cube = {
  ...twisty,
  matches: (puzzle) => /^(tws:)?cube[23](,|$)/.test(puzzle) && !picksMoves(puzzle),
  metrics: ["turn", "quarter"],
  asked: (puzzle) => askedIn(cube, puzzle),
  vast: (puzzle) => nameOf(puzzle) === "cube3",
};
