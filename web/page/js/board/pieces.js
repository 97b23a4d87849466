// SPDX-License-Identifier: MIT
// Boards in pieces, as the daemon's DRAW gives them.

/** Reads "2x1 kind:id:x,y,w,h;…:text …" as a picture: { columns, rows, pieces }. */
export function read(pieces) {
  const [size, ...words] = pieces.split(" ");
  const [columns, rows] = size.split("x").map(Number);
  return { columns, rows, pieces: words.map((word) => {
    const [, kind, id, rects, text] = word.match(/^([^:]*):([^:]*):([^:]*):?(.*)$/);
    return { id, kind, text, rects: rects.split(";").map((rect) => {
      const [x, y, w = 1, h = 1] = rect.split(",").map(Number);
      return { x, y, w, h };
    }) };
  }) };
}
