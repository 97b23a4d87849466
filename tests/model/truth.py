# SPDX-License-Identifier: MIT
"""What the answers must be: plain breadth-first searches, nothing shared with puzzled."""

import functools


class Slide:
    """All boards of a small sliding puzzle by their distance from the goal, the blank last."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        cells = rows * columns
        self.goal = tuple([*range(1, cells), 0])
        self.distances = {self.goal: 0}
        self.levels = []
        level = [self.goal]
        while level:
            self.levels.append(len(level))
            following = []
            for board in level:
                for _, successor in self.successors(board):
                    if successor not in self.distances:
                        self.distances[successor] = len(self.levels)
                        following.append(successor)
            level = following
        self.boards = list(self.distances)

    def successors(self, board):
        """Yields (the way the blank goes, board)."""
        blank = board.index(0)
        row, column = divmod(blank, self.columns)
        for letter, r, c in (("U", row - 1, column), ("D", row + 1, column), ("L", row, column - 1), ("R", row, column + 1)):
            if 0 <= r < self.rows and 0 <= c < self.columns:
                tiles = list(board)
                tiles[blank], tiles[r * self.columns + c] = tiles[r * self.columns + c], 0
                yield letter, tuple(tiles)

    def text(self, board):
        """The canonical text of a board."""
        lines = [board[row * self.columns:(row + 1) * self.columns] for row in range(self.rows)]
        return "/".join(",".join(map(str, line)) for line in lines)

    def read(self, text):
        return tuple(int(cell) for cell in text.replace("/", ",").split(","))

    def moves(self, text):
        """The distance of a board, -1 for one that cannot be solved."""
        return self.distances.get(self.read(text), -1)

    def leads_to_goal(self, text, path):
        board = self.read(text)
        for letter in path:
            board = dict(self.successors(board)).get(letter)
            if board is None:
                return False
        return board == self.goal


@functools.cache
def slide(size):
    rows, columns = map(int, size.split("x"))
    return Slide(rows, columns)


SIZES = ("2x3", "2x4", "3x3")
