# SPDX-License-Identifier: MIT
"""A client of puzzled, the daemon that explores the state spaces of puzzles and keeps every answer.

>>> import puzzled
>>> with puzzled.connect() as p:
...     found = p.explore("3x3")
...     found.states, found.depth, p.distance("3x3", "8,6,7/2,5,4/3,0,1")
(181440, 31, 31)

Needs the standard library only. numpy arrays go in and out of `distance` where numpy is there; `Levels.to_pandas`
needs pandas. Boards, solutions and levels show themselves as pictures in notebooks. `puzzled.aio` is the asyncio twin.
"""

from . import aio
from .boards import Board, BoardLike, board_set, board_text, boards_svg
from .client import Client, connect
from .errors import (BadBoard, BadPuzzle, BadRequest, Busy, Cancelled, Denied, Internal, Limit, NoSuchJob, NoTable, NotFinished,
                     OutOfMemory, PuzzledError, ShuttingDown, Storage, StorageFull, TooLarge, Unreachable, Unsupported)
from .pieces import Picture, Piece
from .private import PrivateDaemon, daemon
from .results import Boards, Event, Exploration, Frame, Frames, Grade, Job, Layout, Levels, Puzzle, Solution
from .wire import BEYOND, UNSOLVABLE

__all__ = [
    "BEYOND", "UNSOLVABLE", "BadBoard", "BadPuzzle", "BadRequest", "Board", "BoardLike", "Boards", "Busy", "Cancelled",
    "Client", "Denied", "Event", "Exploration", "Frame", "Frames", "Grade", "Internal", "Job", "Layout", "Levels", "Limit", "NoSuchJob", "NoTable", "NotFinished",
    "OutOfMemory", "Picture", "Piece", "PrivateDaemon", "Puzzle", "PuzzledError", "ShuttingDown", "Solution", "Storage", "StorageFull", "TooLarge",
    "Unreachable", "Unsupported", "aio", "board_set", "board_text", "boards_svg", "connect", "daemon",
]
