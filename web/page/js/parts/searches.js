// SPDX-License-Identifier: MIT
/*
 * Searches on a drawn graph, as lists of steps: each step takes one node. A trace has
 *   steps        [{ node, open, bound? }]: the node taken, the nodes that wait after it (for IDA* the path to it)
 *   expanded     how many nodes were taken until the goal was
 * neighbours are lists of nodes, goal says which nodes are one, estimate(node) is an admissible bound of the moves to it.
 */

const MOST = 20000; // steps of IDA*

/** Breadth-first search from node 0, through the whole graph. */
export function breadthFirst(neighbours, goal) {
  const level = neighbours.map((_, node) => (node === 0 ? 0 : -1));
  const queue = [0];
  const steps = [];
  for (let i = 0; i < queue.length; i++) {
    for (const next of neighbours[queue[i]]) {
      if (level[next] >= 0) continue;
      level[next] = level[queue[i]] + 1;
      queue.push(next);
    }
    steps.push({ node: queue[i], open: queue.slice(i + 1) });
  }
  return { steps, level, expanded: queue.findIndex(goal) + 1 };
}

/** A*: of the waiting nodes the one of least f = g + h is taken, among these the farthest from the start. */
export function aStar(neighbours, goal, estimate) {
  const level = neighbours.map((_, node) => (node === 0 ? 0 : Infinity));
  const steps = [];
  let open = [0];
  const before = (a, b) => level[a] + estimate(a) - level[b] - estimate(b) || level[b] - level[a];
  while (open.length > 0) {
    const node = open.toSorted(before)[0];
    open = open.filter((other) => other !== node);
    for (const next of goal(node) ? [] : neighbours[node]) {
      if (level[node] + 1 >= level[next]) continue;
      level[next] = level[node] + 1;
      if (!open.includes(next)) open.push(next);
    }
    steps.push({ node, open: open.toSorted(before) });
    if (goal(node)) break;
  }
  return { steps, level, expanded: steps.length };
}

/** IDA*: depth-first within a bound of f, which grows; only the path is kept, so boards are taken again and again. */
export function deepening(neighbours, goal, estimate) {
  const steps = [];
  const level = [];
  let bound = estimate(0);
  let found = false;
  const visit = (node, path) => {
    const f = path.length + estimate(node);
    if (f > bound) return f;
    level[node] = path.length;
    steps.push({ node, open: path, bound });
    found = goal(node);
    let least = Infinity;
    for (const next of neighbours[node]) {
      if (found || steps.length >= MOST) return least;
      if (next !== path.at(-1)) least = Math.min(least, visit(next, [...path, node]));
    }
    return least;
  };
  while (!found && bound < Infinity && steps.length < MOST) bound = visit(0, []);
  return { steps, level, expanded: found ? steps.length : 0 };
}
