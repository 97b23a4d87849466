# SPDX-License-Identifier: MIT
"""The verbs of the protocol as methods. One client is one connection: give each thread its own."""

from __future__ import annotations

import urllib.parse
import warnings
from typing import TYPE_CHECKING

from .boards import BoardLike, board_text, optional_text as _text
from .job_verbs import JobVerbs, Size, Time
from .lookup_verbs import LookupVerbs
from .results import Frame, Frames, Layout, Puzzle
from .wire import Reply

if TYPE_CHECKING:
    import networkx

__all__ = ["Client", "Size", "Time", "connect"]

# Bytes of a definition in one request, and those besides letters and digits that stand there as they are.
_PART = 1200
_AS_IT_IS = " !#$&'()*+,-./:;<=>?@[]^_`{|}~"


class Client(JobVerbs, LookupVerbs):
    """A connection to a puzzled, made by `connect()`. Use it in a `with`, or close() it.

    Every method raises a PuzzledError of the code's class where the daemon refuses. Sizes such as `memory` are the
    protocol's texts ("8G") or bytes, durations its texts ("30s") or seconds.
    """

    # ---- puzzles that are texts ----

    def define(
            self, name: str, text: str | bytes, format: str = "psvn",  # pylint: disable=redefined-builtin
            *, strict: bool | None = None) -> str:
        """Defines a puzzle by a text and returns its lasting name; the given name stands for it from now on. With strict a
        text that the daemon has a remark about is refused; without it the remark is a warning.

        >>> with puzzled.connect() as p:
        ...     p.define("flip", "2 2 2  0 - => 1 -  1 - => 0 -  - 0 => - 1  - 1 => - 0  GOAL 0 0")
        ...     p.explore("flip").levels[:]
        'psvn:507e5897e9194d4562d70511a6dc6f4a'
        (1, 2, 1)
        """
        data = text.encode() if isinstance(text, str) else text
        reply = Reply("OK")
        for at in range(0, max(len(data), 1), _PART):
            part = urllib.parse.quote(data[at:at + _PART], safe=_AS_IT_IS)
            reply = self.ask("DEFINE", name=name, format=format, at=at, more=at + _PART < len(data) or None,
                             strict=strict, text=part)
        if reply.text("remarks"):
            warnings.warn(reply.text("remarks"), stacklevel=2)
        return reply.text("puzzle")

    def undefine(self, name: str) -> None:
        """Removes a definition of one's own; its tables stay."""
        self.ask("UNDEFINE", name)

    def definitions(self) -> list[Reply]:
        """Returns the definitions, one record each: name, format, puzzle, bytes, …"""
        return self.ask_list("DEFINITIONS")[1]

    # ---- without a table ----

    def puzzles(self) -> list[Puzzle]:
        """Returns the puzzles that the daemon knows."""
        return [Puzzle.of(record) for record in self.ask_list("PUZZLES")[1]]

    def layouts(self, puzzle: str) -> list[Layout]:
        """Returns the named layouts of a puzzle.

        >>> with puzzled.connect() as p:
        ...     [layout.moves for layout in p.layouts("klotski") if layout.name == "klotski:横刀立马"]
        [81]
        """
        return [Layout.of(record) for record in self.ask_list("PUZZLES", puzzle)[1]]

    def heuristic(self, puzzle: str, board: BoardLike, goal: BoardLike | None = None) -> dict[str, int | None]:
        """Returns what each lower bound says of a board; None where it could not be had.

        >>> with puzzled.connect() as p:
        ...     p.heuristic("3x3", "867254301")["manhattan"]
        21
        """
        records = self.ask_list("HEURISTIC", puzzle, board_text(board), goal=_text(goal))[1]
        return {record.text("heuristic"): record.integer("at_least") for record in records}

    def draw(self, puzzle: str, board: BoardLike, path: str = "", *, goal: BoardLike | None = None, **own: object) -> Frames:
        """Returns a board of any puzzle, and those along a path from it, as texts and in pieces; a notebook shows them.

        >>> with puzzled.connect() as p:
        ...     print(p.draw("2x2", "1,2/0,3", "R")[1].board)
        1,2/3,0
        """
        records = self.ask_list("DRAW", puzzle, board_text(board), path=path or None, goal=_text(goal), pieces=True, **own)[1]
        return Frames(tuple(map(Frame.of, records)))

    def graph(self, puzzle: str, *, root: BoardLike | None = None, depth: int | None = None,
              goal: BoardLike | None = None, most: int | None = None, **own: object) -> networkx.DiGraph[str]:
        """Returns the states and moves of a small space as a networkx.DiGraph. Needs networkx.

        A node is a board, with `level` and `solved`; an edge has its `move`.

        >>> with puzzled.connect() as p:
        ...     graph = p.graph("2x3")
        ...     graph.number_of_nodes(), graph.number_of_edges()
        (360, 840)
        """
        import networkx
        records = self.ask_list("GRAPH", puzzle, root=_text(root), depth=depth, goal=_text(goal), most=most, **own)[1]
        boards = [record.text("board") for record in records]
        graph: networkx.DiGraph[str] = networkx.DiGraph()
        for record, board in zip(records, boards, strict=True):
            graph.add_node(board, level=record.integer("level"), solved=record.flag("solved") or False)
            for node, move in zip(record.text("next").split(), record.text("steps").split(), strict=True):
                graph.add_edge(board, boards[int(node)], move=move)
        return graph

    # ---- the daemon ----

    def version(self) -> str:
        """Returns the daemon's version."""
        return self.ask("VERSION").text("version")

    def stats(self) -> dict[str, str]:
        """Returns the daemon's figures as the protocol words them."""
        return dict(self.ask("STATS").fields)


def connect(address: str | None = None, timeout: float | None = None) -> Client:
    """Connects to a daemon.

    `address` is the path of a Unix socket, or HOST:PORT. Without one: $PUZZLED_SOCKET, else where a daemon of this
    user or of the system listens. `timeout` limits each wait for the daemon, in seconds.
    """
    return Client(address, timeout)
