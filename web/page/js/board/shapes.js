// SPDX-License-Identifier: MIT
// How pieces look; puzzlectl's pictures have the same, as CMake makes rows of C of these. The words of a piece's kind are parted by "-".

// A word, a style of pieces.css, and lines within a piece whose sides are 1: M, L, C and Z, pairs parted from each other. "shape" stands
// for the rectangle. A car lies here; of one that stands the length goes from top to bottom.
export const shapes = [
  ["up", "shape", "M.5 0L1 1L0 1Z"],
  ["down", "shape", "M0 0L1 0L.5 1Z"],
  ["left", "shape", "M1 0L1 1L0 .5Z"],
  ["right", "shape", "M0 0L1 .5L0 1Z"],
  ["diamond", "shape", "M.5 0L1 .5L.5 1L0 .5Z"],
  ["upperleft", "shape", "M0 0L1 0L0 1Z"],
  ["upperright", "shape", "M0 0L1 0L1 1Z"],
  ["lowerleft", "shape", "M0 0L1 1L0 1Z"],
  ["lowerright", "shape", "M1 0L1 1L0 1Z"],
  ["token", "shape", "M0 .5C0 .22 .22 0 .5 0C.78 0 1 .22 1 .5C1 .78 .78 1 .5 1C.22 1 0 .78 0 .5Z"],
  ["player", "shape", "M0 .5C0 .22 .22 0 .5 0C.78 0 1 .22 1 .5C1 .78 .78 1 .5 1C.22 1 0 .78 0 .5Z"],
  ["player", "ink", "M.34 .33C.34 .11 .66 .11 .66 .33C.66 .55 .34 .55 .34 .33ZM.24 .84C.24 .42 .76 .42 .76 .84Z"],
  ["box", "drawn", "M.14 .14L.86 .14L.86 .86L.14 .86ZM.14 .14L.86 .86M.86 .14L.14 .86"],
  ["home", "drawn", "M.14 .14L.86 .14L.86 .86L.14 .86ZM.14 .14L.86 .86M.86 .14L.14 .86"],
  ["jug", "shape", "M0 0L0 1L1 1L1 0"],
  ["car", "wheel", "M.12 0L.26 0L.26 1L.12 1ZM.72 0L.86 0L.86 1L.72 1Z"],
  ["car", "shape", "M.07 .07L.92 .07C.98 .07 1 .25 1 .5C1 .75 .98 .93 .92 .93L.07 .93C.02 .93 0 .8 0 .5C0 .2 .02 .07 .07 .07Z"],
  ["car", "glass", "M.18 .24L.25 .3L.25 .7L.18 .76ZM.62 .27L.73 .19C.77 .4 .77 .6 .73 .81L.62 .73ZM.31 .15L.58 .15L.56 .21L.33 .21ZM.33 .79L.56 .79L.58 .85L.31 .85Z"],
  ["car", "lamp", "M.92 .14L.97 .2L.97 .32L.92 .28ZM.92 .86L.97 .8L.97 .68L.92 .72Z"],
];

// A word, and who such a piece is, in English and Chinese.
export const names = [
  ["caocao", "Cao Cao", "曹操"],
  ["guanyu", "Guan Yu", "关羽"],
  ["zhangfei", "Zhang Fei", "张飞"],
  ["zhaoyun", "Zhao Yun", "赵云"],
  ["machao", "Ma Chao", "马超"],
  ["huangzhong", "Huang Zhong", "黄忠"],
  ["soldier", "Soldier", "兵"],
];
