# SPDX-License-Identifier: MIT
"""Lookups in stored tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, overload

from .asking import Asking
from .boards import Board, BoardLike, board_rows, board_text, optional_text as _text
from .connection import LIST_BYTES_MAX
from .errors import TooLarge
from .results import Boards, Solution
from .wire import Reply, moves_of, quoted, request

if TYPE_CHECKING:
    import numpy


class LookupVerbs(Asking):
    """The verbs that stored tables answer as methods."""

    # A text is an iterable of texts, too, for the type checker; the first two overloads come first for that.
    @overload
    def distance(self, puzzle: str, boards: str | Board, goal: BoardLike | None = None, *,  # type: ignore[misc]
                 root: BoardLike | None = None, from_: str | None = None) -> int: ...
    @overload
    def distance(self, puzzle: str, boards: numpy.ndarray[Any, Any], goal: BoardLike | None = None, *,  # type: ignore[misc]
                 root: BoardLike | None = None, from_: str | None = None) -> numpy.ndarray[Any, Any]: ...
    @overload
    def distance(self, puzzle: str, boards: Iterable[BoardLike], goal: BoardLike | None = None, *,
                 root: BoardLike | None = None, from_: str | None = None) -> list[int]: ...
    def distance(self, puzzle: str, boards: Any, goal: BoardLike | None = None, *,
                 root: BoardLike | None = None, from_: str | None = None) -> Any:
        """Returns how far boards are from the goal, in moves; UNSOLVABLE (-1) or BEYOND (-2) where that is so.

        With from_="root" from the root. `root` asks the exploration that began there.
        One text or Board gives one number. A list or an iterator of boards gives a list. A numpy array of shape (N, cells) or
        (N, rows, columns) gives an array of N int64. Needs a stored exploration. Requests are sent ahead of replies.

        >>> with puzzled.connect() as p:
        ...     _ = p.explore("3x3")
        ...     p.distance("3x3", ["867254301", "123456780", "213456780"])
        [31, 0, -1]
        """
        if isinstance(boards, (str, Board)):
            return next(self.iter_distance(puzzle, [boards], goal, root=root, from_=from_))
        told = self.iter_distance(puzzle, boards, goal, root=root, from_=from_)
        if not hasattr(boards, "dtype"):
            return list(told)
        import numpy
        return numpy.fromiter(told, dtype=numpy.int64, count=len(boards))

    def iter_distance(self, puzzle: str, boards: Iterable[BoardLike], goal: BoardLike | None = None, *,
                      root: BoardLike | None = None, from_: str | None = None) -> Iterator[int]:
        """Yields the distances of boards as they come; read it to its end before the next request.

        The client hangs up where it is left before: answers that are on their way would be taken for later ones.
        """
        head = request("DISTANCE", puzzle)
        tail = request("", goal=_text(goal), root=_text(root), from_=from_)
        known: dict[str, int] = {}  # few distances, many boards: a reply is read once for each
        lines = (f"{head} {quoted(board_text(board))}{tail}" for board in boards)
        failed: Exception | None = None
        with closing(self.connection.pipeline(lines)) as replies:
            for index, line in enumerate(replies):
                moves = known.get(line)
                if moves is None and failed is None:
                    try:
                        moves = known[line] = moves_of(line, index)
                    except Exception as error:  # told behind the last reply, so that the connection stays in step
                        failed = error
                if failed is None and moves is not None:
                    yield moves
        if failed is not None:
            raise failed

    def path(self, puzzle: str, start: BoardLike, goal: BoardLike | None = None, *,
             root: BoardLike | None = None, from_: str | None = None) -> Solution:
        """Returns a shortest solution out of a stored table."""
        text = board_text(start)
        reply = self.ask("PATH", puzzle, text, goal=_text(goal), root=_text(root), from_=from_)
        return Solution.of(reply, puzzle, text)

    def sample(self, puzzle: str, depth: int, count: int = 1, *, seed: int | None = None,
               goal: BoardLike | None = None, root: BoardLike | None = None, from_: str | None = None) -> Boards:
        """Returns boards exactly `depth` moves away, at most 1,000; the same seed gives the same ones."""
        return self._boards("SAMPLE", puzzle, depth=depth, count=count, seed=seed, goal=_text(goal), root=_text(root),
                            from_=from_)

    def deepest(self, puzzle: str, goal: BoardLike | None = None, *, root: BoardLike | None = None,
                from_: str | None = None, dead: int | None = None) -> Boards:
        """Returns the boards at the greatest distance, at most 1,000; with `dead` up to so many without any solution."""
        return self._boards("DEEPEST", puzzle, goal=_text(goal), root=_text(root), from_=from_, dead=dead)

    def _boards(self, verb: str, puzzle: str, **keys: object) -> Boards:
        head, records = self.ask_list(verb, puzzle, **keys)
        return Boards(tuple(Board(record.text("board")) for record in records), head.integer("depth") or 0, head.fields)

    def tables(self, table: str | None = None, *, histogram: bool | None = None) -> list[Reply]:
        """Returns the stored tables, one record each, or that of one; with `histogram` also the `entries` with each value."""
        return self.ask_list("TABLES", table=table, histogram=histogram)[1]

    def parts(self, puzzle: str, limit: int | None = None, *, goal: BoardLike | None = None, root: BoardLike | None = None,
              from_: str | None = None, after: int | None = None) -> list[Reply]:
        """Returns the connected components of a space that was explored with parts=True, the largest first.

        `root` asks the exploration that began there; `after` leaves out so many parts.
        """
        return self.ask_list("PARTS", puzzle, limit=limit, goal=_text(goal), root=_text(root), from_=from_, after=after)[1]

    def pin(self, table: str) -> None:
        """Keeps a table when room is made."""
        self.ask("PIN", table)

    def unpin(self, table: str) -> None:
        """Lets a pinned table go when room is made."""
        self.ask("UNPIN", table)

    def export(self, puzzle: str, goal: BoardLike | None = None) -> numpy.ndarray[Any, Any]:
        """Returns every distance of an explored sliding puzzle of up to 11 cells, as uint8. Needs numpy. Of other puzzles that
        number their states (pancake, TopSpin, Hanoi, sets of Klotski's blocks, texts) uint16 in that order; 65535: not reached.

        A row for each cell of the blank; column r is the solvable one of the two boards whose tiles, in row order, have the
        lexicographic ranks 2r and 2r+1. 255: not reached. examples/python/dataset.py makes the boards.

        >>> with puzzled.connect() as p:
        ...     _ = p.explore("3x3")
        ...     p.export("3x3").shape, p.export("3x3").max()
        ((9, 20160), 31)
        """
        import numpy
        head, records = self.connection.ask_list(request("EXPORT", puzzle, goal=_text(goal)), _see_room)
        distances = bytes.fromhex("".join(record.text("distances") for record in records))
        if head.integer("bytes") == 2:
            return numpy.frombuffer(distances, dtype=">u2").astype(numpy.uint16)
        cells = sum(map(len, board_rows(head.text("goal"))))
        return numpy.frombuffer(distances, dtype=numpy.uint8).reshape(cells, -1)


def _see_room(head: Reply) -> None:
    """Refuses an EXPORT whose records are more than a list may have."""
    states, count = head.integer("states") or 0, head.integer("count") or 0
    if 2 * states * (head.integer("bytes") or 1) + len("distances=") * count > LIST_BYTES_MAX:
        raise TooLarge(f"{states} distances are more than one list of 64 MiB: puzzlectl export writes them to a file. "
                       "The connection is closed")
