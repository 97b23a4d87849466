# SPDX-License-Identifier: MIT
"""The verbs of the protocol as methods. One client is one connection: give each thread its own."""

from __future__ import annotations

import urllib.parse
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from time import sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

from .boards import Board, BoardLike, board_rows, board_text, optional_text as _text
from .connection import Connection
from .errors import Busy, ErrorCodes, Limit, Unreachable
from .results import Boards, Event, Exploration, Frame, Frames, Grade, Job, Layout, Levels, Puzzle, Solution
from .wire import Reply, moves_of, parse, quoted, request, seconds_text

if TYPE_CHECKING:
    import networkx
    import numpy

Size = int | str | None
"""An amount of memory or disk: bytes, or "8G"."""
Time = float | str | None
"""A duration: seconds, or "30s"."""

# Bytes of a definition in one request, and those besides letters and digits that stand there as they are.
_PART = 1200
_AS_IT_IS = " !#$&'()*+,-./:;<=>?@[]^_`{|}~"

# Jobs that solve_many keeps in flight. The daemon's default limit for one client is larger.
_IN_FLIGHT = 16


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

    def submit_explore(
            self, puzzle: str, *, root: BoardLike | None = None, goal: BoardLike | None = None,
            depth: int | None = None, engine: str | None = None, keep: str | None = None, from_: str | None = None,
            edges: bool | None = None, parts: bool | None = None, planes: str | None = None, disk: Size = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            cluster: bool | None = None, **own: object) -> Job:
        """Submits an exploration and returns at once. `own` are keys that only this puzzle knows: metric="step"."""
        return Job.of(self.ask("EXPLORE", puzzle, root=_text(root), goal=_text(goal), depth=depth, engine=engine, keep=keep,
                               from_=from_, edges=edges, parts=parts, planes=planes, disk=disk, memory=memory,
                               time=seconds_text(time), threads=threads, priority=priority, cluster=cluster, **own))

    def explore(
            self, puzzle: str, *, root: BoardLike | None = None, goal: BoardLike | None = None,
            depth: int | None = None, engine: str | None = None, keep: str | None = None, from_: str | None = None,
            edges: bool | None = None, parts: bool | None = None, planes: str | None = None, disk: Size = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            cluster: bool | None = None, **own: object) -> Exploration:
        """Explores a puzzle, waits for the end, and returns what was found.

        >>> with puzzled.connect() as p:
        ...     p.explore("2x3").levels[:5]
        (1, 2, 3, 5, 6)
        """
        return self.exploration(self.wait(self.submit_explore(
            puzzle, root=root, goal=goal, depth=depth, engine=engine, keep=keep, from_=from_, edges=edges, parts=parts,
            planes=planes, disk=disk, memory=memory, time=time, threads=threads, priority=priority, cluster=cluster, **own)))

    def exploration(self, job: Job | int) -> Exploration:
        """Returns the result of an exploration that has ended, stopped ones included."""
        reply = self.result(job)
        return Exploration.of(reply, self.levels(reply.integer("job") or 0))

    def submit_solve(
            self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
            method: str | None = None, partition: str | None = None, all: bool | None = None, count: int | None = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            **own: object) -> Job:
        """Submits a board to solve and returns at once. `own` are keys that only this puzzle knows: metric="push"."""
        return Job.of(self.ask("SOLVE", puzzle, start=_text(start), goal=_text(goal), method=method, partition=partition,
                               all=all, count=count, memory=memory, time=seconds_text(time), threads=threads,
                               priority=priority, **own))

    def solve(
            self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
            method: str | None = None, partition: str | None = None, all: bool | None = None, count: int | None = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            **own: object) -> Solution:
        """Returns a shortest solution; an unsolvable board is an answer, not an error.

        >>> with puzzled.connect() as p:
        ...     found = p.solve("3x3", "867254301", method="idastar")
        ...     found.moves, found.method, found.expanded > 0
        (31, 'idastar', True)
        """
        job = self.wait(self.submit_solve(
            puzzle, start, goal=goal, method=method, partition=partition, all=all, count=count, memory=memory, time=time,
            threads=threads, priority=priority, **own))
        return Solution.of(self.result(job), puzzle, "" if start is None else board_text(start), job)

    def submit_grade(
            self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None, memory: Size = None,
            time: Time = None, threads: int | None = None, priority: int | None = None, **own: object) -> Job:
        """Submits a board to grade and returns at once. `own` are keys that only this puzzle knows: metric="push"."""
        return Job.of(self.ask("GRADE", puzzle, start=_text(start), goal=_text(goal), memory=memory, time=seconds_text(time),
                               threads=threads, priority=priority, **own))

    def grade(
            self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None, memory: Size = None,
            time: Time = None, threads: int | None = None, priority: int | None = None, **own: object) -> Grade:
        """Returns how hard a board is.

        >>> with puzzled.connect() as p:
        ...     grade = p.grade("3x3", "867254301")
        ...     grade.solution.moves, grade.solution.solutions, grade.wrong_turns
        (31, 40, 48)
        """
        job = self.wait(self.submit_grade(puzzle, start, goal=goal, memory=memory, time=time, threads=threads,
                                          priority=priority, **own))
        reply = self.result(job)
        return Grade.of(reply, Solution.of(reply, puzzle, "" if start is None else board_text(start), job))

    def solve_many(
            self, puzzle: str, boards: Iterable[BoardLike], *, goal: BoardLike | None = None, method: str | None = None,
            partition: str | None = None, memory: Size = None, time: Time = None, threads: int | None = None,
            priority: int | None = None, **own: object) -> Iterator[Solution]:
        """Yields a shortest solution for each board, in their order. The daemon solves several beside each other."""
        waiting: deque[tuple[Job, str]] = deque()
        for board in boards:
            text = board_text(board)
            if len(waiting) >= _IN_FLIGHT:
                yield self._finish(puzzle, *waiting.popleft())
            while True:
                try:
                    waiting.append((self.submit_solve(
                        puzzle, text, goal=goal, method=method, partition=partition, all=None, count=None, memory=memory,
                        time=time, threads=threads, priority=priority, **own), text))
                    break
                except (Busy, Limit):
                    if waiting:
                        yield self._finish(puzzle, *waiting.popleft())
                    else:
                        sleep(0.1)
        while waiting:
            yield self._finish(puzzle, *waiting.popleft())

    def _finish(self, puzzle: str, job: Job, start: str) -> Solution:
        return Solution.of(self.result(self.wait(job)), puzzle, start, job)

    def wait(self, job: Job | int, timeout: float | str | None = None) -> Job:
        """Waits until the job has ended, or for `timeout` seconds; returns it with the state of that moment."""
        if isinstance(job, Job) and job.ended:
            return job
        return Job.of(self.ask("WAIT", _number(job), timeout=seconds_text(timeout)))

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

    def levels(self, job: Job | int | str) -> Levels:
        """Returns the states at each level that a job has found so far; of a puzzle ("3x3"), all of them.

        A puzzle that was not explored yet is explored first.

        >>> with puzzled.connect() as p:
        ...     p.levels("2x2")
        Levels([1, 2, 2, 2, 2, 2, 1])
        """
        if isinstance(job, str):
            return self.explore(job).levels
        _, records = self.ask_list("LEVELS", _number(job))
        return Levels(record.integer("states") or 0 for record in records)

    def status(self, job: Job | int) -> Job:
        """Returns the job as it stands now; its progress is in `fields`."""
        return Job.of(self.ask("STATUS", _number(job)))

    def jobs(self, state: str | None = None, *, tools: bool | None = None) -> Iterator[Job]:
        """Yields all jobs by ascending number, or those in one state; with tools also those of tools on their way."""
        after: int | None = None
        while True:
            head, records = self.ask_list("JOBS", state=state, after=after, tools=tools)
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
        (N, rows, columns) gives an array of N int16. Needs a stored exploration. Requests are sent ahead of replies.

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
        return numpy.fromiter(told, dtype=numpy.int16, count=len(boards))

    def iter_distance(self, puzzle: str, boards: Iterable[BoardLike], goal: BoardLike | None = None, *,
                      root: BoardLike | None = None, from_: str | None = None) -> Iterator[int]:
        """Yields the distances of boards as they come; read it to its end before the next request."""
        head = f"DISTANCE {quoted(puzzle)} "
        keys = {"goal": _text(goal), "root": _text(root), "from": from_}
        tail = "".join(f" {key}={quoted(value)}" for key, value in keys.items() if value is not None)
        known: dict[str, int] = {}  # few distances, many boards: a reply is read once for each
        lines = (head + quoted(board_text(board)) + tail for board in boards)
        failed: Exception | None = None
        for index, line in enumerate(self.connection.pipeline(lines)):
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
                from_: str | None = None) -> Boards:
        """Returns the boards at the greatest distance, at most 1,000."""
        return self._boards("DEEPEST", puzzle, goal=_text(goal), root=_text(root), from_=from_)

    def _boards(self, verb: str, puzzle: str, **keys: object) -> Boards:
        head, records = self.ask_list(verb, puzzle, **keys)
        return Boards(tuple(Board(record.text("board")) for record in records), head.integer("depth") or 0, head.fields)

    def tables(self) -> list[Reply]:
        """Returns the stored tables, one record each."""
        return self.ask_list("TABLES")[1]

    def parts(self, puzzle: str, limit: int | None = None, *, goal: BoardLike | None = None, root: BoardLike | None = None,
              from_: str | None = None, after: int | None = None) -> list[Reply]:
        """Returns the connected parts of a space that was explored with parts=True, the largest first.

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
        """Returns every distance of an explored sliding puzzle of up to 11 cells, as uint8. Needs numpy.

        A row for each cell of the blank; column r is the solvable one of the two boards whose tiles, in row order, have the
        lexicographic ranks 2r and 2r+1. 255: not reached. examples/python/dataset.py makes the boards.

        >>> with puzzled.connect() as p:
        ...     _ = p.explore("3x3")
        ...     p.export("3x3").shape, p.export("3x3").max()
        ((9, 20160), 31)
        """
        import numpy
        head, records = self.ask_list("EXPORT", puzzle, goal=_text(goal))
        distances = bytes.fromhex("".join(record.text("distances") for record in records))
        cells = sum(map(len, board_rows(head.text("goal"))))
        return numpy.frombuffer(distances, dtype=numpy.uint8).reshape(cells, -1)

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


def _number(job: Job | int) -> int:
    return job.id if isinstance(job, Job) else job


def connect(address: str | None = None, timeout: float | None = None) -> Client:
    """Connects to a daemon.

    `address` is the path of a Unix socket, or HOST:PORT. Without one: $PUZZLED_SOCKET, else where a daemon of this
    user or of the system listens. `timeout` limits each wait for the daemon, in seconds.
    """
    return Client(address, timeout)
