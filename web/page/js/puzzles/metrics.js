// SPDX-License-Identifier: MIT
// What counts as one move. A puzzle's name says which of its kind's metrics is meant (",metric:push"); the first is the usual one.

/** The metric of a puzzle's name, of those of its kind; null where there is one way to count. */
export function metricOf(kind, puzzle) {
  const named = puzzle.match(/,metric:(\w+)/)?.[1];
  return kind.metrics ? kind.metrics.find((one) => one === named) ?? kind.metrics[0] : null;
}

/** A puzzle's name with a metric; the usual one is not named. */
export function inMetric(kind, puzzle, metric) {
  const bare = puzzle.replace(/,metric:\w+/, "");
  return metric === null || metric === kind.metrics[0] ? bare : `${bare},metric:${metric}`;
}

/** The name that the daemon is asked by. */
export const askedIn = (kind, puzzle) => `${puzzle.replace(/,metric:\w+/, "")},metric:${metricOf(kind, puzzle)}`;

const LINES = { U: "vertical", D: "vertical", L: "level", R: "level" };

/** How many moves these steps are, made one after the other: in a row, those of one piece, or along one line, or of one side, are one; or only pushes count. */
export function movesOf(kind, puzzle, steps) {
  const metric = metricOf(kind, puzzle);
  if (steps[0]?.face !== undefined && metric !== "quarter") return steps.filter(({ face }, i) => i === 0 || face !== steps[i - 1].face).length;
  if (metric === "push") return steps.filter(({ pushes }) => pushes).length;
  if (metric === "multi") return steps.filter(({ way }, i) => i === 0 || LINES[way] !== LINES[steps[i - 1].way]).length;
  if (metric === "move" && kind.selects) return steps.filter(({ piece }, i) => i === 0 || piece !== steps[i - 1].piece).length;
  return steps.length;
}

// All boards that steps chosen by goesOn reach, each with the steps that lead there.
function reached(kind, puzzle, board, goesOn) {
  const found = new Map([[board, []]]);
  for (const [from, path] of found)
    for (const step of kind.steps(puzzle, from))
      if (goesOn(step) && !found.has(step.board)) found.set(step.board, [...path, step]);
  return found;
}

/** A move of these steps: { steps, board, piece, way, name, say }, way only where all go one way. */
export function asOne(kind, steps) {
  if (steps.length === 1) return { ...steps[0], steps };
  const [first, last] = [steps[0], steps.at(-1)];
  const way = steps.every((step) => step.way === last.way) ? last.way : null;
  return { ...last, steps, way, name: `${first.name.split(" ")[0]} ${steps.map((step) => step.name.split(" ").at(-1)).join("")}`, say: kind.sayAll(steps) };
}

/** The steps that begin with this one and go on the same way, 1, 2, … of them. */
function lineOf(kind, puzzle, step) {
  const path = [step];
  for (let next = step; next;) {
    next = kind.steps(puzzle, next.board).find(({ way }) => way === step.way);
    if (next) path.push(next);
  }
  return path.map((_, i) => path.slice(0, i + 1));
}

/** The moves from a board whose single steps are given, as asOne makes them. */
export function movesFrom(kind, puzzle, board, steps) {
  const metric = metricOf(kind, puzzle);
  if (metric === "push")
    return [...reached(kind, puzzle, board, (step) => !step.pushes)].flatMap(([from, path]) => kind.steps(puzzle, from)
      .filter((step) => step.pushes).map((step) => ({ ...step, ...kind.pushed(from, step), steps: [...path, step] })));
  if (metric === "multi") return steps.flatMap((step) => lineOf(kind, puzzle, step)).map((path) => asOne(kind, path));
  if (metric !== "move" || !kind.selects) return steps.map((step) => asOne(kind, [step]));
  return [...new Set(steps.map(({ piece }) => piece))].flatMap((piece) => (
    [...reached(kind, puzzle, board, (step) => step.piece === piece).values()].slice(1).map((path) => asOne(kind, path))));
}
