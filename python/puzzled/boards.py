# SPDX-License-Identifier: MIT
"""Boards as texts, and as pictures (SVG) for notebooks."""

from __future__ import annotations

import colorsys
import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_STEP = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
_CELL = 36


def board_text(board: BoardLike | Iterable[Any]) -> str:
    """Returns the text by which the daemon knows a board.

    >>> board_text([[4, 1, 2], [5, 0, 3]]), board_text([4, 1, 2, 5, 0, 3]), board_text("412503")
    ('4,1,2/5,0,3', '4,1,2,5,0,3', '412503')
    >>> board_text("; One\\n#####\\n#@$.#\\n#####\\n"), board_text(["AA.", "BC."])
    ('; One%0A#####%0A#@$.#%0A#####', 'AA./BC.')
    """
    if isinstance(board, (str, Board)):
        text = str(board)
        lines = text.expandtabs().splitlines() if "\n" in text or "\r" in text else [text]
        return ("" if text.startswith("[") else "%0A").join(lines)  # the daemon reads lines as those of a file
    tolist = getattr(board, "tolist", None)
    rows: list[Any] = tolist() if tolist is not None else list(board)
    if rows and isinstance(rows[0], (list, tuple)):
        letters = any(isinstance(cell, str) and not cell.isdigit() and len(cell) == 1 for row in rows for cell in row)
        return "/".join(("" if letters else ",").join(map(str, row)) for row in rows)
    if rows and isinstance(rows[0], str) and any(len(row) > 2 or not row.isdigit() for row in rows):
        return "/".join(rows)
    return ",".join(map(str, rows))


def board_set(boards: Iterable[BoardLike]) -> str:
    """Returns the text of several boards, for `root=`: distances are then from the nearest of them.

    >>> board_set(["123450", [[1, 2, 3], [4, 0, 5]]])
    '123450+1,2,3/4,0,5'
    """
    return "+".join(map(board_text, boards))


def optional_text(board: BoardLike | None) -> str | None:
    """Returns the text of a board, None for none."""
    return None if board is None else board_text(board)


def board_rows(text: str) -> list[list[str]]:
    """Returns the cells of a printed board, row by row.

    >>> board_rows("4,1,2/5,0,3"), board_rows("AA@/AA@")
    ([['4', '1', '2'], ['5', '0', '3']], [['A', 'A', '@'], ['A', 'A', '@']])
    """
    return [row.split(",") if "," in row else list(row) for row in text.split("/")]


def _colour(cell: str) -> str:
    """A light colour that depends on the cell's text alone."""
    number = int(cell) if cell.isdigit() else sum(map(ord, cell))
    red, green, blue = colorsys.hls_to_rgb(number * 0.381966 % 1.0, 0.82, 0.55)
    return f"#{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"


def _cell_svg(cell: str, x: int, y: int) -> str:
    if cell in ("0", "@", ".", "_", " ", "-"):
        return ""
    fill = "#444" if cell == "#" else _colour(cell)
    middle = _CELL // 2
    return (f'<rect x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_CELL - 2}" rx="4" fill="{fill}"/>'
            f'<text x="{x + middle}" y="{y + middle}" dy=".35em" text-anchor="middle" font-family="sans-serif" '
            f'font-size="15" fill="#222">{html.escape(cell)}</text>')


def boards_svg(boards: Sequence[str], captions: Sequence[str] | None = None, columns: int = 8) -> str:
    """Returns a picture of boards, laid out in rows of `columns`, with a caption below each."""
    grids = [board_rows(board) for board in boards]
    width = max((len(row) for grid in grids for row in grid), default=1) * _CELL + 16
    height = max((len(grid) for grid in grids), default=1) * _CELL + (28 if captions else 14)
    parts = []
    for index, grid in enumerate(grids):
        left, top = index % columns * width + 8, index // columns * height + 6
        inner = (len(max(grid, key=len)) * _CELL, len(grid) * _CELL)
        parts.append(f'<rect x="{left - 2}" y="{top - 2}" width="{inner[0] + 4}" height="{inner[1] + 4}" rx="5" '
                     'fill="#fafafa" stroke="#888"/>')
        for row, cells in enumerate(grid):
            for column, cell in enumerate(cells):
                parts.append(_cell_svg(cell, left + column * _CELL, top + row * _CELL))
        if captions:
            parts.append(f'<text x="{left + inner[0] // 2}" y="{top + inner[1] + 16}" text-anchor="middle" '
                         f'font-family="sans-serif" font-size="12" fill="#555">{html.escape(captions[index])}</text>')
    rows = (len(grids) + columns - 1) // columns
    size = (min(len(grids), columns) * width, rows * height)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
            f'viewBox="0 0 {size[0]} {size[1]}">{"".join(parts)}</svg>')


@dataclass(frozen=True)
class Board:
    """A board by its canonical text; a notebook shows its picture."""

    text: str

    def __str__(self) -> str:
        return self.text

    def rows(self) -> list[list[str]]:
        """Returns its cells, row by row, as they are printed."""
        return board_rows(self.text)

    def _repr_svg_(self) -> str:
        return boards_svg([self.text])


BoardLike = str | Board | Sequence[int] | Sequence[Sequence[int]] | Sequence[Sequence[str]]
"""A board: its text, in one line or several, one that was told, its cells in row order, or its rows, numbers or texts.
A row of a numpy array will do."""


def sliding_frames(start: str, path: str) -> list[str]:
    """Returns the boards of a sliding puzzle from `start` along `path` (letters U D L R: the way the blank goes; by
    metric=multi words such as L2, with commas between them).

    >>> sliding_frames("1,2/0,3", "R")
    ['1,2/0,3', '1,2/3,0']
    """
    rows = board_rows(start)
    row, column = next((r, c) for r, cells in enumerate(rows) for c, cell in enumerate(cells) if cell == "0")
    frames = [start]
    for letter, times in re.findall(r"([UDLR])(\d*)", path):
        for _ in range(int(times or 1)):
            to_row = (row + _STEP[letter][0]) % len(rows)  # a torus goes on at the other end
            to_column = (column + _STEP[letter][1]) % len(rows[0])
            rows[row][column], rows[to_row][to_column] = rows[to_row][to_column], rows[row][column]
            row, column = to_row, to_column
        frames.append("/".join(",".join(cells) for cells in rows))
    return frames
