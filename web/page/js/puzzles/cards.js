// SPDX-License-Identifier: MIT
// The puzzles of the start, by what people call them, and the boards that come after each other.
import { kindOf } from "./kinds.js";

// Each with the board that its card shows, and an easy, a middle and a hard one: [puzzle, board, fewest moves].
export const cards = [
  { puzzle: "3x3", text: "card8", board: "8,6,7/2,5,4/3,0,1",
    levels: [["3x3", "2,3,6/1,5,8/0,4,7", 10], ["3x3", "0,1,6/7,4,3/2,8,5", 20], ["3x3", "8,6,7/2,5,4/3,0,1", 31]] },
  { puzzle: "4x4", text: "card15", board: "5,1,7,3/9,2,11,4/13,6,15,8/0,10,14,12",
    levels: [["4x4", "1,7,2,4/9,5,8,0/6,11,3,12/13,10,14,15", 14], ["4x4", "6,7,0,5/13,10,2,4/11,1,3,8/14,12,9,15", 38],
      ["4x4", "5,15,9,14/3,10,2,0/7,11,4,6/12,8,1,13", 62]] },
  { puzzle: "klotski:横刀立马", text: "cardKlotski", board: "HAAI/HAAI/JBBK/JNOK/P@@Q",
    levels: [["klotski:似远实近", "", 15], ["klotski:横刀立马", "", 81], ["klotski:峰回路转", "", 138]] },
  { puzzle: "rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", text: "name-rushhour", board: "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM",
    levels: [["rushhour:BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo", "", 8], ["rushhour:BCCxooBoDEFFAADEooGooHHIGJJooIKKLLLI", "", 25],
      ["rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", "", 60]] },
  { puzzle: "sokoban:#######/#  .  #/# $#$ #/#. @  #/#######", text: "name-sokoban", board: "#######/#  .  #/# $#$ #/#. @  #/#######",
    levels: [["sokoban:####/# .#/#  ###/#*@  #/#  $ #/#  ###/####", "", 33], ["sokoban:  ####/###  ####/#     $ #/# #  #$ #/# . .#@ #/#########", "", 41], ["sokoban:###### #####/#    ###   #/# $$     #@#/# $ #...   #/#   ########/#####", "", 107]] },
  { puzzle: "jugs:3,5,goal:4", text: "cardJugs", board: "0,3",
    levels: [["jugs:3,5,goal:4", "", 6], ["jugs:3,5,8,start:0:0:8,goal:_:4:4,tap:no", "", 7], ["jugs:7,11,goal:5", "", 12]] },
  { puzzle: "hanoi:3,5", text: "cardHanoi", board: "3,2,2,1,1", start: "1,1,1,1,1",
    levels: [["hanoi:3,3", "1,1,1", 7], ["hanoi:4,6", "1,1,1,1,1,1", 17], ["hanoi:3,5", "1,1,1,1,1", 31]] },
  { puzzle: "pancake:7", text: "cardPancake", board: "5,2,7,1,4,6,3", start: "5,2,7,1,4,6,3",
    levels: [["pancake:7", "1,4,5,6,7,2,3", 3], ["pancake:7", "5,7,6,2,4,3,1", 5], ["pancake:7", "1,7,4,6,3,5,2", 8]] },
  { puzzle: "topspin:10,4", text: "cardTopspin", board: "1,2,6,5,4,3,7,8,9,10", start: "1,2,8,7,10,9,6,3,5,4",
    levels: [["topspin:10,4", "1,10,4,5,9,8,7,6,3,2", 2], ["topspin:10,4", "1,2,8,7,10,9,6,3,5,4", 5], ["topspin:10,4", "1,9,2,10,8,6,4,5,7,3", 8]] },
  { puzzle: "cube3", text: "name-cube3", board: "5,2,4,3,1,6,7,8.2,0,2,2,0,0,0,0/1,4,3,5,2,6,7,8,9,10,11,12.0,1,0,1,0,0,0,0,0,0,0,0",
    levels: [["cube3", "5,2,4,3,1,6,7,8.2,0,2,2,0,0,0,0/1,4,3,5,2,6,7,8,9,10,11,12.0,1,0,1,0,0,0,0,0,0,0,0", 4], ["cube3", "5,2,3,8,7,4,6,1.2,0,0,2,1,1,0,0/1,4,3,8,2,6,5,12,7,11,10,9.0,1,0,1,0,0,1,0,0,0,0,1", 6],
      ["cube3", "7,3,1,5,4,6,2,8.1,2,2,2,0,1,0,1/5,2,8,4,9,11,6,12,7,3,1,10.0,1,1,0,1,1,0,1,0,0,1,0", 9]] },
  { puzzle: "cube2", text: "name-cube2", board: "7,1,2,3,4,6,5,8.2,2,2,1,1,0,2,2",
    levels: [["cube2", "5,2,6,1,7,3,4,8.0,0,2,2,0,1,0,1", 4], ["cube2", "1,5,7,6,3,2,8,4.2,1,0,2,1,1,0,2", 7], ["cube2", "5,7,4,1,3,8,2,6.1,0,0,1,2,1,0,1", 10]] },
  { puzzle: "pyraminx", text: "name-pyraminx", board: "2,1,4,3.0,2,0,0/2,1,4,3.2,1,0,0/1,2,6,3,5,4.0,1,1,1,1,0",
    levels: [["pyraminx", "1,3,4,2.1,2,0,1/1,3,4,2.1,2,0,0/6,3,2,1,4,5.1,1,0,0,0,0", 4], ["pyraminx", "1,2,3,4.0,2,1,0/1,2,3,4.0,2,1,0/5,2,6,1,3,4.1,0,1,1,1,0", 8],
      ["pyraminx", "1,2,3,4.0,1,2,0/1,2,3,4.2,1,0,0/3,1,6,4,2,5.1,0,1,0,0,0", 11]] },
  { puzzle: "skewb", text: "name-skewb", board: "4,3,2,1.0,1,0,0/3,1,2,4.2,2,0,2/2,5,3,6,4,1",
    levels: [["skewb", "3,2,4,1.2,2,1,0/3,2,4,1.1,0,0,0/1,3,2,4,6,5", 4], ["skewb", "4,2,1,3.2,1,2,1/2,1,4,3.2,1,1,1/4,2,1,6,3,5", 7], ["skewb", "3,1,2,4.1,0,1,0/2,3,1,4.1,0,0,1/5,2,1,3,6,4", 9]] },
  { puzzle: "linkup:BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC,from:4:2,to:4:5,border:yes", text: "name-linkup", board: "BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC",
    levels: [["linkup:AAABC/B...B/ACAAC/.B.C.,from:1:0,to:1:4,border:yes", "", 0], ["linkup:CAC..DE/BE...AC/FFAA.FD/..DA..D/E.FBC.B/BB.E.BA,from:0:2,to:4:4,border:yes", "", 1],
      ["linkup:FCGB.E.GHA/..BH.DF.A./DD.EEAACAE/GCG.ADCCG./.F...BHBF./B.CFDH...E/.F.AE.D..G/A...H.H..B,from:4:8,to:6:1,border:yes", "", 2]] },
  { puzzle: "2x4", text: "card7", board: "5,1,7,3/2,6,0,4",
    levels: [["2x4", "6,5,3,4/1,7,2,0", 12], ["2x4", "4,2,0,3/1,6,7,5", 22], ["2x4", "0,7,2,1/4,3,6,5", 36]] },
  { puzzle: "3x4", text: "card11", board: "5,1,7,3/9,2,11,4/0,6,10,8",
    levels: [["3x4", "5,7,4,0/2,3,1,8/9,6,10,11", 14], ["3x4", "6,9,5,2/0,10,1,3/8,11,7,4", 28], ["3x4", "2,6,9,1/10,5,4,11/8,0,3,7", 34]] },
];

const names = {
  "8-puzzle": "3x3", 八数码: "3x3", 八數碼: "3x3", "15-puzzle": "4x4", 十五数码: "4x4", 十五數碼: "4x4",
  数字华容道: "slide", 數字華容道: "slide", 华容道: "klotski", 華容道: "klotski", 塞车: "rushhour", 塞車: "rushhour", 倒水: "jugs",
  推箱子: "sokoban", 连连看: "linkup", 連連看: "linkup", 煎饼: "pancake", 煎餅: "pancake", 煎饼排序: "pancake", 煎餅排序: "pancake", 水壶: "jugs", 水壺: "jugs", 汉诺塔: "hanoi", 漢諾塔: "hanoi", 河内塔: "hanoi",
  魔方: "cube3", 三阶魔方: "cube3", 三階魔方: "cube3", 二阶魔方: "cube2", 二階魔方: "cube2", 金字塔魔方: "pyraminx", 斜转魔方: "skewb", 斜轉魔方: "skewb", 恐龙魔方: "dino", 恐龍魔方: "dino",
};

/** A puzzle's name as people write it, "3×3", "4*4", "华容道：横刀立马", as the kinds know it. A name alone, "sokoban", is the puzzle of its card, or of a board that is given. */
export function named(text, board = "") {
  const [name, ...rest] = text.trim().normalize("NFKC").replaceAll("、", ",").split(":");
  const known = [Object.hasOwn(names, name) ? names[name] : name, ...rest].join(":");
  const own = cards.find(({ puzzle }) => puzzle.split(":")[0] === known)?.puzzle;
  if (own && board && kindOf(own).edits === known) return `${known}:${board}`;
  return own ?? known.replace(/^slide$/, "3x3").replace(/^(slide:)?(\d+)\s*[xX×*]\s*(\d+)/, "$1$2x$3");
}

/** The next harder board of a puzzle's kind, { puzzle, board }; undefined beyond the hardest, and where moves are counted another way. */
export function harderThan(puzzle, moves) {
  if (/,metric:/.test(puzzle)) return undefined;
  const [harder] = cards.flatMap(({ levels = [] }) => levels).filter(([name, , fewest]) => kindOf(name) === kindOf(puzzle) && fewest > moves)
    .sort(([, , one], [, , two]) => one - two);
  return harder && { puzzle: harder[0], board: harder[1] };
}
