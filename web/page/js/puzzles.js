// SPDX-License-Identifier: MIT
/*
 * The puzzles that the page can play. Each has, for a puzzle's name and a board's text:
 *   matches(puzzle)          true if it is one of these
 *   start(puzzle)            its own start; null if only the daemon knows it
 *   picture(puzzle, board)   { columns, rows, pieces: [{ id, kind, text, rects: [{ x, y, w, h }] }] }, in cells
 *   steps(puzzle, board)     the moves: [{ label, board, key?, piece?, way?, word? }], or a promise of them
 *   solved(puzzle, board)    true at a goal
 *   asked(puzzle)            the name that the daemon is asked by: moves are counted as they are made here
 *   counts                   "Steps" if these are single steps, of which a move of the puzzle's usual metric has many
 *   explored                 the keys of an exploration that knows the distance to the goal
 *   keys                     the text that says how it is played
 *   scrambles                true if random moves make a board that can be solved
 *   selects, buttons         true if a piece is chosen first, or moves are buttons
 */
import { jugs } from "./puzzles/jugs.js";
import { klotski } from "./puzzles/klotski.js";
import { other } from "./puzzles/other.js";
import { rushhour } from "./puzzles/rushhour.js";
import { slide } from "./puzzles/slide.js";
import { sokoban } from "./puzzles/sokoban.js";
import { hanoi, pancakes } from "./puzzles/stacks.js";

const kinds = [slide, klotski, rushhour, sokoban, jugs, pancakes, hanoi, other];

/** A puzzle's name as people write it, "3×3" or "4*4", as the daemon takes it. */
export const named = (text) => text.trim().replace(/^(\d+)\s*[xX×*＊]\s*(\d+)/, "$1x$2").replaceAll("：", ":");

export const kindOf = (puzzle) => kinds.find((kind) => kind.matches(puzzle));

/** What a view offers to begin with. */
export const examples = [
  "3x3", "2x3", "3x4", "2x5", "4x4", "klotski:横刀立马", "rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", "jugs:3,5,goal:4", "jugs:3,5,8,start:0:0:8,goal:_:4:4,tap:no",
  "sokoban:######/#@   #/# $  #/#   .#/######",
];
