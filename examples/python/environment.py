# SPDX-License-Identifier: MIT
"""A sliding puzzle as an environment to learn in, by the rules of Gymnasium; the daemon is the exact teacher.

    python3 environment.py

`SlidingPuzzle` is a gymnasium.Env where gymnasium is installed, and has the same methods where it is not.
"""

import numpy

import puzzled

try:
    import gymnasium
    BASE = gymnasium.Env
except ImportError:
    gymnasium, BASE = None, object

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # U D L R: the way the blank goes


class SlidingPuzzle(BASE):
    """An observation is the board, row by row; an action one of U D L R; a step costs 1. Ends at the goal.

    Each start is exactly `depth` moves from the goal. `info` has the exact distance, and which actions are best.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, client, rows=3, columns=3, depth=20, render_mode=None):
        self.client, self.rows, self.columns, self.depth = client, rows, columns, depth
        self.puzzle, self.render_mode = f"{rows}x{columns}", render_mode
        client.explore(self.puzzle)
        if gymnasium:
            cells = rows * columns
            self.observation_space = gymnasium.spaces.Box(0, cells - 1, (cells,), numpy.uint8)
            self.action_space = gymnasium.spaces.Discrete(4)

    def _moved(self, action):
        """Returns the board after an action; the same one where the blank cannot go there."""
        blank = int(self.board.argmin())
        row, column = blank // self.columns + STEPS[action][0], blank % self.columns + STEPS[action][1]
        board = self.board.copy()
        if 0 <= row < self.rows and 0 <= column < self.columns:
            board[[blank, row * self.columns + column]] = board[[row * self.columns + column, blank]]
        return board

    def _told(self):
        """Returns the observation and the teacher's info about it."""
        boards = numpy.array([self.board, *(self._moved(action) for action in range(4))])
        distance, *after = self.client.distance(self.puzzle, boards).tolist()
        return self.board.copy(), {"distance": distance, "best": [one == distance - 1 for one in after]}

    def reset(self, *, seed=None, options=None):
        """Begins a new episode; the same seed gives the same start."""
        if gymnasium:
            super().reset(seed=seed)
        seed = int(numpy.random.default_rng(seed).integers(1 << 62))
        start = self.client.sample(self.puzzle, (options or {}).get("depth", self.depth), seed=seed)[0]
        self.board = numpy.array([int(cell) for row in start.rows() for cell in row], dtype=numpy.uint8)
        return self._told()

    def step(self, action):
        """Makes a move: (observation, reward, terminated, truncated, info)."""
        self.board = self._moved(action)
        observation, info = self._told()
        return observation, -1.0, info["distance"] == 0, False, info

    def render(self):
        """Returns the board as text."""
        return "\n".join(" ".join(map(str, row)) for row in self.board.reshape(self.rows, self.columns))


def main():
    with puzzled.daemon() as client:
        environment = SlidingPuzzle(client, depth=25)
        _, info = environment.reset(seed=1)
        total, terminated = 0.0, False
        while not terminated:  # a pupil who always believes the teacher
            _, reward, terminated, _, info = environment.step(info["best"].index(True))
            total += reward
    print(f"solved with a reward of {total:.0f}\n{environment.render()}")


if __name__ == "__main__":
    main()
