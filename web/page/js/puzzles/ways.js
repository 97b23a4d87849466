// SPDX-License-Identifier: MIT
/** The ways of pieces and of arrow keys: by so many rows and columns. */
export const ways = [
  { key: "ArrowUp", way: "U", back: "D", by: [-1, 0] },
  { key: "ArrowDown", way: "D", back: "U", by: [1, 0] },
  { key: "ArrowLeft", way: "L", back: "R", by: [0, -1] },
  { key: "ArrowRight", way: "R", back: "L", by: [0, 1] },
];
