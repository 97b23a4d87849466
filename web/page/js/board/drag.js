// SPDX-License-Identifier: MIT
// Fingers and mice on a board: pieces follow them, whole rows too, and go on where they are let go.

const BEGIN = 0.12; // of a cell, until a press is a drag
const LET_GO = 0.4; // of a cell, from which a piece that is let go makes the move

const ways = { R: [1, 0], L: [-1, 0], D: [0, 1], U: [0, -1] };

function wayOf(dx, dy) {
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? "R" : "L";
  return dy > 0 ? "D" : "U";
}

/**
 * game has picture, pixels() of a cell, press(piece), run(piece, way), make(steps) and click(piece): see game.js.
 */
export function follow(game) {
  const target = game.picture.element;
  target.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return; // a menu opens, or a second finger rests on the board
    const piece = event.target.closest("[data-piece]")?.dataset.piece;
    const cell = game.pixels();
    let [x, y] = [event.clientX, event.clientY];
    let moved = false;
    let at = null; // the run under the finger: { way, run, far }
    game.press(piece);
    let on = game.board; // which a key or a button may change meanwhile: then the drag is over
    target.setPointerCapture(event.pointerId);

    const drag = ({ clientX, clientY }) => {
      const [dx, dy] = [(clientX - x) / cell, (clientY - y) / cell];
      if (Math.max(Math.abs(dx), Math.abs(dy)) < BEGIN) {
        at = null;
        game.picture.hold([]);
        return;
      }
      moved = true;
      const way = wayOf(dx, dy);
      const run = at?.way === way ? at.run : game.run(piece, way);
      const [ex, ey] = ways[way];
      const far = run ? Math.min(1, dx * ex + dy * ey) : 0;
      at = { way, run, far };
      game.picture.hold(run?.pieces ?? [], ex * far, ey * far);
      if (far === 1) {
        [x, y] = [x + ex * cell, y + ey * cell];
        at = null;
        game.picture.hold([]);
        game.make(run.steps);
        on = game.board;
        drag({ clientX, clientY }); // a fast finger has gone several cells
      }
    };

    const end = (letGo) => () => {
      for (const type of Object.keys(hears)) target.removeEventListener(type, hear);
      game.picture.hold([]);
      if (letGo && at?.run && at.far >= LET_GO) game.make(at.run.steps);
      else if (letGo && !moved) game.click(piece);
    };
    const hears = { pointermove: drag, pointerup: end(true), pointercancel: end(false) };
    const hear = (heard) => {
      if (heard.pointerId !== event.pointerId) return;
      if (game.board === on) hears[heard.type](heard);
      else end(false)();
    };
    for (const type of Object.keys(hears)) target.addEventListener(type, hear);
  });
}
