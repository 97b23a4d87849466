# SPDX-License-Identifier: MIT
"""The verbs of the protocol as methods. One client is one connection: give each thread its own."""

from __future__ import annotations

import time
import urllib.parse
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

from .boards import Board, BoardLike, board_text
from .connection import Connection
from .errors import Busy, ErrorCodes, Limit, Unreachable
from .results import Boards, Event, Exploration, Job, Levels, Solution
from .wire import Reply, parse, quoted, request

if TYPE_CHECKING:
    import numpy

UNSOLVABLE = -1
"""The distance of a board that cannot reach the goal."""
BEYOND = -2
"""The distance of a board that lies farther away than the stored exploration reaches."""

# Bytes of a definition in one request, and those besides letters and digits that stand there as they are.
_PART = 1200
_AS_IT_IS = " !#$&'()*+,-./:;<=>?@[]^_`{|}~"

# Jobs that solve_many keeps in flight. The daemon's default limit for one client is larger.
_IN_FLIGHT = 16


def _moves(line: str, index: int) -> int:
    """Returns the distance that a reply to DISTANCE tells. Raises what an ERR tells."""
    reply = parse(line, index)
    if reply.text("solvable") == "unknown":
        return BEYOND
    moves = reply.integer("moves")
    return UNSOLVABLE if moves is None else moves


class Client:
    """A connection to a puzzled, made by `connect()`. Use it in a `with`, or close() it.

    Every method raises a PuzzledError of the code's class where the daemon refuses. Sizes such as `memory` are the
    protocol's texts ("8G") or bytes, durations its texts ("30s") or seconds.
    """

    def __init__(self, address: str | None = None, timeout: float | None = None) -> None:
        self.connection = Connection(address, timeout)

    def close(self) -> None:
        """Hangs up. Running jobs go on."""
        self.connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def ask(self, verb: str, *arguments: object, **keys: object) -> Reply:
        """Sends any request with a reply of one line."""
        return self.connection.ask(request(verb, *arguments, **keys))

    def ask_list(self, verb: str, *arguments: object, **keys: object) -> tuple[Reply, list[Reply]]:
        """Sends any request whose reply is a list; returns its first line and its records."""
        return self.connection.ask_list(request(verb, *arguments, **keys))

    # ---- jobs ----

    def submit_explore(self, puzzle: str, *, root: BoardLike | None = None, **keys: object) -> Job:
        """Submits an exploration and returns at once. `keys` are those of EXPLORE: depth, memory, time, keep, …"""
        return Job.of(self.ask("EXPLORE", puzzle, root=None if root is None else board_text(root), **keys))

    def explore(self, puzzle: str, *, root: BoardLike | None = None, **keys: object) -> Exploration:
        """Explores a puzzle, waits for the end, and returns what was found.

        >>> with puzzled.connect() as p:
        ...     p.explore("2x3").levels[:5]
        (1, 2, 3, 5, 6)
        """
        return self.exploration(self.wait(self.submit_explore(puzzle, root=root, **keys)))

    def exploration(self, job: Job | int) -> Exploration:
        """Returns the result of an exploration that has ended, stopped ones included."""
        reply = self.result(job)
        number = reply.integer("job") or 0
        return Exploration(Job.of(reply), reply.text("puzzle"), reply.flag("complete") or False,
                           reply.integer("states") or 0, reply.integer("depth") or 0, self.levels(number),
                           reply.real("seconds") or 0.0, reply.fields)

    def submit_solve(self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
                     **keys: object) -> Job:
        """Submits a board to solve and returns at once. `keys` are those of SOLVE: method, memory, time, …"""
        return Job.of(self.ask("SOLVE", puzzle, start=None if start is None else board_text(start),
                               goal=None if goal is None else board_text(goal), **keys))

    def solve(self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
              **keys: object) -> Solution:
        """Returns a shortest solution; an unsolvable board is an answer, not an error.

        >>> with puzzled.connect() as p:
        ...     p.solve("3x3", "867254301").moves
        31
        """
        job = self.wait(self.submit_solve(puzzle, start, goal=goal, **keys))
        return Solution.of(self.result(job), puzzle, "" if start is None else board_text(start), job)

    def solve_many(self, puzzle: str, boards: Iterable[BoardLike], *, goal: BoardLike | None = None,
                   **keys: object) -> Iterator[Solution]:
        """Yields a shortest solution for each board, in their order. The daemon solves several beside each other."""
        waiting: deque[tuple[Job, str]] = deque()
        for board in boards:
            text = board_text(board)
            if len(waiting) >= _IN_FLIGHT:
                yield self._finish(puzzle, *waiting.popleft())
            while True:
                try:
                    waiting.append((self.submit_solve(puzzle, text, goal=goal, **keys), text))
                    break
                except (Busy, Limit):
                    if waiting:
                        yield self._finish(puzzle, *waiting.popleft())
                    else:
                        time.sleep(0.1)
        while waiting:
            yield self._finish(puzzle, *waiting.popleft())

    def _finish(self, puzzle: str, job: Job, start: str) -> Solution:
        return Solution.of(self.result(self.wait(job)), puzzle, start, job)

    def wait(self, job: Job | int, timeout: float | str | None = None) -> Job:
        """Waits until the job has ended, or for `timeout` seconds; returns it with the state of that moment."""
        if isinstance(job, Job) and job.ended:
            return job
        return Job.of(self.ask("WAIT", _number(job), timeout=timeout))

    def watch(self, job: Job | int) -> Generator[Event, None, None]:
        """Yields events until the job has ended, on a connection of its own. Leaving the loop early is fine."""
        with Connection(self.connection.address) as connection:
            connection.ask(request("WATCH", _number(job)))
            lost = 0
            while True:
                reply = parse(connection.line())
                if reply.word == "LOST":
                    lost += reply.integer("n") or 0
                    continue
                event = Event.of(reply, lost)
                lost = 0
                yield event
                if event.state not in ("queued", "running"):
                    return

    def result(self, job: Job | int) -> Reply:
        """Returns RESULT of a job that has ended. Raises the job's own error where it failed or was cancelled."""
        reply = self.ask("RESULT", _number(job))
        if reply.text("state") == "failed":
            raise ErrorCodes.make(reply.text("error"), reply.text("text"))
        if reply.text("state") == "cancelled":
            raise ErrorCodes.make("cancelled", f"job {_number(job)} was cancelled")
        return reply

    def levels(self, job: Job | int) -> Levels:
        """Returns the states at each level that the job has found so far."""
        _, records = self.ask_list("LEVELS", _number(job))
        return Levels([record.integer("states") or 0 for record in records])

    def status(self, job: Job | int) -> Job:
        """Returns the job as it stands now; its progress is in `fields`."""
        return Job.of(self.ask("STATUS", _number(job)))

    def jobs(self, state: str | None = None) -> Iterator[Job]:
        """Yields all jobs by ascending number, or those in one state."""
        after: int | None = None
        while True:
            head, records = self.ask_list("JOBS", state=state, after=after)
            yield from map(Job.of, records)
            if not records or not head.flag("more"):
                return
            last = records[-1].integer("job")
            if last is None or (after is not None and last <= after):
                raise Unreachable("jobs without an end: a page leads back to those before it")
            after = last

    def cancel(self, job: Job | int) -> Job:
        """Cancels a job and returns it once it has stopped."""
        return Job.of(self.ask("CANCEL", _number(job)))

    def forget(self, job: Job | int) -> None:
        """Deletes an ended job, its results and its table."""
        self.ask("FORGET", _number(job))

    # ---- puzzles that are texts ----

    def define(self, name: str, text: str | bytes, format: str = "psvn") -> str:  # pylint: disable=redefined-builtin
        """Defines a puzzle by a text and returns its lasting name; the given name stands for it from now on.

        >>> with puzzled.connect() as p:
        ...     p.define("flip", "2 2 2  0 - => 1 -  1 - => 0 -  - 0 => - 1  - 1 => - 0  GOAL 0 0")
        ...     p.explore("flip").levels[:]
        'psvn:b691c1c8d27fc438'
        (1, 2, 1)
        """
        data = text.encode() if isinstance(text, str) else text
        reply = Reply("OK")
        for at in range(0, max(len(data), 1), _PART):
            part = urllib.parse.quote(data[at:at + _PART], safe=_AS_IT_IS)
            reply = self.ask("DEFINE", name=name, format=format, at=at, more=at + _PART < len(data) or None, text=part)
        return reply.text("puzzle")

    def undefine(self, name: str) -> None:
        """Removes a definition of one's own; its tables stay."""
        self.ask("UNDEFINE", name)

    def definitions(self) -> list[Reply]:
        """Returns the definitions, one record each: name, format, puzzle, bytes, …"""
        return self.ask_list("DEFINITIONS")[1]

    # ---- lookups in stored tables ----

    # A text is an iterable of texts, too, for the type checker; the first two overloads come first for that.
    @overload
    def distance(self, puzzle: str, boards: str,  # type: ignore[misc]
                 goal: BoardLike | None = None) -> int: ...
    @overload
    def distance(self, puzzle: str, boards: numpy.ndarray[Any, Any],  # type: ignore[misc]
                 goal: BoardLike | None = None) -> numpy.ndarray[Any, Any]: ...
    @overload
    def distance(self, puzzle: str, boards: Iterable[BoardLike], goal: BoardLike | None = None) -> list[int]: ...
    def distance(self, puzzle: str, boards: Any, goal: BoardLike | None = None) -> Any:
        """Returns how far boards are from the goal, in moves; UNSOLVABLE (-1) or BEYOND (-2) where that is so.

        One text gives one number. A list or an iterator of boards gives a list. A numpy array of shape (N, cells) or
        (N, rows, columns) gives an array of N int16. Needs a stored exploration. Requests are sent ahead of replies.

        >>> with puzzled.connect() as p:
        ...     _ = p.explore("3x3")
        ...     p.distance("3x3", ["867254301", "123456780", "213456780"])
        [31, 0, -1]
        """
        if isinstance(boards, str):
            return next(self.iter_distance(puzzle, [boards], goal))
        if not hasattr(boards, "dtype"):
            return list(self.iter_distance(puzzle, boards, goal))
        import numpy
        return numpy.fromiter(self.iter_distance(puzzle, boards, goal), dtype=numpy.int16, count=len(boards))

    def iter_distance(self, puzzle: str, boards: Iterable[BoardLike],
                      goal: BoardLike | None = None) -> Iterator[int]:
        """Yields the distances of boards as they come; read it to its end before the next request."""
        head = f"DISTANCE {quoted(puzzle)} "
        tail = "" if goal is None else f" goal={quoted(board_text(goal))}"
        known: dict[str, int] = {}  # few distances, many boards: a reply is read once for each
        lines = (head + quoted(board_text(board)) + tail for board in boards)
        failed: Exception | None = None
        for index, line in enumerate(self.connection.pipeline(lines)):
            moves = known.get(line)
            if moves is None and failed is None:
                try:
                    moves = known[line] = _moves(line, index)
                except Exception as error:  # told behind the last reply, so that the connection stays in step
                    failed = error
            if failed is None and moves is not None:
                yield moves
        if failed is not None:
            raise failed

    def path(self, puzzle: str, start: BoardLike, goal: BoardLike | None = None) -> Solution:
        """Returns a shortest solution out of a stored table."""
        text = board_text(start)
        reply = self.ask("PATH", puzzle, text, goal=None if goal is None else board_text(goal))
        return Solution.of(reply, puzzle, text)

    def sample(self, puzzle: str, depth: int, count: int = 1, *, seed: int | None = None,
               goal: BoardLike | None = None) -> Boards:
        """Returns boards exactly `depth` moves away, at most 1,000; the same seed gives the same ones."""
        return self._boards("SAMPLE", puzzle, depth=depth, count=count, seed=seed,
                            goal=None if goal is None else board_text(goal))

    def deepest(self, puzzle: str, goal: BoardLike | None = None) -> Boards:
        """Returns the boards at the greatest distance, at most 1,000."""
        return self._boards("DEEPEST", puzzle, goal=None if goal is None else board_text(goal))

    def _boards(self, verb: str, puzzle: str, **keys: object) -> Boards:
        head, records = self.ask_list(verb, puzzle, **keys)
        return Boards(tuple(Board(record.text("board")) for record in records), head.integer("depth") or 0, head.fields)

    def tables(self) -> list[Reply]:
        """Returns the stored tables, one record each."""
        return self.ask_list("TABLES")[1]

    # ---- the daemon ----

    def version(self) -> str:
        """Returns the daemon's version."""
        return self.ask("VERSION").text("version")

    def stats(self) -> dict[str, str]:
        """Returns the daemon's figures as the protocol words them."""
        return dict(self.ask("STATS").fields)


def _number(job: Job | int) -> int:
    return job.id if isinstance(job, Job) else job


def connect(address: str | None = None, timeout: float | None = None) -> Client:
    """Connects to a daemon.

    `address` is the path of a Unix socket, or HOST:PORT. Without one: $PUZZLED_SOCKET, else where a daemon of this
    user or of the system listens. `timeout` limits each wait for the daemon, in seconds.
    """
    return Client(address, timeout)
