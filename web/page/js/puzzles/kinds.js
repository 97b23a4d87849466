// SPDX-License-Identifier: MIT
/*
 * The puzzles that the page can play. Each has, for a puzzle's name and a board's text:
 *   matches(puzzle)          true if it is one of these
 *   start(puzzle)            its own start; null if only the daemon knows it
 *   picture(puzzle, board)   { columns, rows, pieces: [{ id, kind, text, rects: [{ x, y, w, h }] }] }, in cells
 *   steps(puzzle, board)     the moves: [{ label, board, key?, piece?, way?, word? }], or a promise of them
 *   solved(puzzle, board)    true at a goal
 *   asked(puzzle)            the name that the daemon is asked by, with the metric
 *   metrics                  how moves may be counted, the usual way first: see metrics.js
 *   counts                   "Line" if a solution is a line
 *   explored                 the keys of an exploration that knows the distance to the goal; null if there is none
 *   keys                     the text that says how it is played
 *   scrambles                true if random moves make a board that can be solved
 *   mixed(puzzle, board)     optional: a random board, where random moves would not go far
 *   walks                    true if the daemon's board may have the player elsewhere, where he can walk
 *   selects, buttons         true if a piece is chosen first, or moves are buttons
 *   touch(puzzle, board, piece, chosen)  optional: what a click on a piece does, { word } of a move or { choose: piece }
 *   goal(puzzle, board)      optional: the goal's board, to be shown; goalText(puzzle) says it in words
 *   estimate(puzzle, board)  optional: an admissible bound of the moves to the goal
 *   edits                    the editor that makes its boards
 *   run(puzzle, board, piece, way)   optional: { pieces, steps } that a drag of a piece by a cell makes
 *   wayOf(puzzle, board, piece)      optional: the way in which a click on a piece moves it
 *   title(puzzle)            optional: what people call it
 *   bare(board)              optional: the board as the daemon knows it, where more stands behind it here
 *   made(puzzle, board)      optional: how many moves were made, where the board tells
 *   begin(puzzle, board, piece)      optional: the board once a piece is pressed; null if it stays
 *   next(puzzle, board)      optional: the puzzle that comes after this one
 *   enter(puzzle, defines)   optional: a promise after which it can be played, of whether the daemon knows it
 *   stepOf(steps, event)     optional: the step that a pressed key makes; keyed: its buttons have no numbers
 *   local                    true if the page has its rules, vast(puzzle) if no table can hold it
 *   patience                 optional: how long the daemon may search where nobody asked
 *   prepare(puzzle, boards)  optional: a promise after which picture() can draw these boards; docs/protocol.md (DRAW) has the
 *                            kinds of pieces, and the daemon puts the same pieces as picture() here
 * A step has also say, a phrase in the puzzle's words, and name, which is short. A piece has name, for screen readers,
 * home, the cell where a tile belongs, and tag, the letter by which steps name it.
 */
import { jugs } from "./jugs.js";
import { klotski } from "./klotski.js";
import { linkup } from "./linkup.js";
import { other } from "./other.js";
import { rushhour } from "./rushhour.js";
import { slide } from "./slide.js";
import { sokoban } from "./sokoban.js";
import { hanoi, pancakes, topspin } from "./stacks.js";
import { cube, twisty } from "./twisty.js";

const kinds = [slide, klotski, rushhour, sokoban, jugs, pancakes, hanoi, topspin, linkup, cube, twisty, other];

/** The moves that a drag of a piece by one cell makes, { pieces, steps }; null if there are none. */
export function runOf(kind, puzzle, board, steps, piece, way) {
  if (kind.run) return piece === undefined ? null : kind.run(puzzle, board, piece, way);
  const step = steps.find((one) => one.way === way && (one.piece === piece || one.piece === "player"));
  return step ? { pieces: [step.piece], steps: [step] } : null;
}

/** A board as the daemon knows it. */
export const bareOf = (puzzle, board) => (board && kindOf(puzzle).bare?.(board)) || board;

/** A puzzle as people call it. */
export const titleOf = (puzzle) => kindOf(puzzle).title?.(puzzle) ?? puzzle;

export const kindOf = (puzzle) => kinds.find((kind) => kind.matches(puzzle));

/** What a view offers to begin with. */
export const examples = [
  "3x3", "2x3", "3x4", "2x5", "4x4", "klotski:横刀立马", "rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", "jugs:3,5,goal:4", "jugs:3,5,8,start:0:0:8,goal:_:4:4,tap:no",
  "sokoban:######/#@   #/# $  #/#   .#/######",
];
