# SPDX-License-Identifier: MIT
"""Jobs: submitted, waited for, watched, listed; and what they found."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from time import sleep

from .asking import Asking
from .boards import Board, BoardLike, board_text, optional_text as _text
from .connection import Connection
from .errors import (BadBoard, BadPuzzle, BadRequest, Busy, Limit, NoTable, PuzzledError, TooLarge, Unreachable,
                     Unsupported)
from .results import Event, Exploration, Grade, Job, Levels, Solution
from .wire import Reply, parse, request, seconds_text

Size = int | str | None
"""An amount of memory or disk: bytes, or "8G"."""
Time = float | str | None
"""A duration: seconds, or "30s"."""

# What compare asks by, as puzzlectl does: method and partition.
_APPROACHES: list[tuple[str, str | None]] = [("table", None), ("idastar", None), ("idastar", "manhattan"), ("astar", None),
                                             ("bidirectional", None), ("bfs", None)]

# Jobs that solve_many keeps in flight. The daemon's default limit for one client is larger.
_IN_FLIGHT = 16

# Refusals of a board, or of all boards by a fault of the request.
_OF_REQUEST = (BadPuzzle, BadRequest, NoTable, Unsupported)

# Jobs in one reply, at most.
_PAGE = 1000


class JobVerbs(Asking):
    """The verbs about jobs as methods."""

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

    def figures(
            self, puzzle: str, *, root: BoardLike | None = None, goal: BoardLike | None = None, depth: int | None = None,
            engine: str | None = None, from_: str | None = None, memory: Size = None, time: Time = None,
            threads: int | None = None, priority: int | None = None, **own: object) -> Exploration:
        """Explores a puzzle, its moves counted: what a paper says of a space.

        >>> with puzzled.connect() as p:
        ...     found = p.figures("3x3")
        ...     found.states, sum(found.edges), found.depth, found.levels.median, round(found.levels.deviation, 3)
        (181440, 483840, 31, 22, 3.367)
        """
        return self.explore(puzzle, root=root, goal=goal, depth=depth, engine=engine, keep=None, from_=from_, edges=True,
                            parts=None, planes=None, disk=None, memory=memory, time=time, threads=threads, priority=priority,
                            cluster=None, **own)

    def estimate(
            self, puzzle: str, *, root: BoardLike | None = None, goal: BoardLike | None = None,
            depth: int | None = None, engine: str | None = None, keep: str | None = None, from_: str | None = None,
            edges: bool | None = None, parts: bool | None = None, planes: str | None = None, disk: Size = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            cluster: bool | None = None, **own: object) -> Reply:
        """Returns what an exploration would take: states, bytes, engine, planes, …

        >>> with puzzled.connect() as p:
        ...     p.estimate("3x4").integer("states")
        239500800
        """
        return self.ask("EXPLORE", puzzle, root=_text(root), goal=_text(goal), depth=depth, engine=engine, keep=keep,
                        from_=from_, edges=edges, parts=parts, planes=planes, disk=disk, memory=memory,
                        time=seconds_text(time), threads=threads, priority=priority, cluster=cluster, estimate=True, **own)

    def exploration(self, job: Job | int) -> Exploration:
        """Returns the result of an exploration that has ended, stopped ones included."""
        reply = self.result(job)
        return Exploration.of(reply, self.levels(reply.integer("job") or 0))

    def submit_solve(
            self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
            method: str | None = None, partition: str | None = None, order: str | None = None, cache: bool | None = None,
            weight: float | str | None = None, all: bool | None = None, count: int | None = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            **own: object) -> Job:
        """Submits a board to solve and returns at once. `own` are keys that only this puzzle knows: metric="push"."""
        return Job.of(self.ask("SOLVE", puzzle, start=_text(start), goal=_text(goal), method=method, partition=partition,
                               order=order, cache=cache, weight=weight, all=all, count=count, memory=memory,
                               time=seconds_text(time), threads=threads, priority=priority, **own))

    def solve(
            self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
            method: str | None = None, partition: str | None = None, order: str | None = None, cache: bool | None = None,
            weight: float | str | None = None, all: bool | None = None, count: int | None = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            **own: object) -> Solution:
        """Returns a shortest solution; an unsolvable board is an answer, not an error.

        >>> with puzzled.connect() as p:
        ...     found = p.solve("3x3", "867254301", method="idastar")
        ...     found.moves, found.method, found.expanded > 0
        (31, 'idastar', True)
        """
        job = self.wait(self.submit_solve(
            puzzle, start, goal=goal, method=method, partition=partition, order=order, cache=cache, weight=weight, all=all,
            count=count, memory=memory, time=time, threads=threads, priority=priority, **own))
        return Solution.of(self.result(job), puzzle, "" if start is None else board_text(start), job)

    def compare(
            self, puzzle: str, start: BoardLike | None = None, *, bounds: str | Iterable[str] = (), goal: BoardLike | None = None,
            order: str | None = None, cache: bool | None = None, weight: float | str | None = None, memory: Size = None,
            time: Time = "60s", threads: int | None = None, priority: int | None = None, **own: object) -> list[Solution]:
        """Solves a board by every method that fits, or by IDA* and A* with each of the bounds, or with one.

        Raises the error of a bound that both refuse.

        >>> with puzzled.connect() as p:
        ...     [(way.method, way.moves) for way in p.compare("3x3", "867254301", bounds=["manhattan"])]
        [('idastar', 31), ('astar', 31)]
        """
        rounds: list[list[tuple[str, str | None]]] = [
            [("idastar", bound), ("astar", bound)] for bound in ([bounds] if isinstance(bounds, str) else bounds)]
        found: dict[tuple[str, str], Solution] = {}
        for ways in rounds or [_APPROACHES]:
            refusals: list[PuzzledError] = []
            for method, bound in ways:
                try:
                    way = self.solve(puzzle, start, goal=goal, method=method, partition=bound, order=order, cache=cache,
                                     weight=weight, all=None, count=None, memory=memory, time=time, threads=threads,
                                     priority=priority, **own)
                except (BadRequest, NoTable, TooLarge, Unsupported) as error:
                    refusals.append(error)
                    continue
                found.setdefault((way.method, way.fields.get("partition", "")), way)
            if len(refusals) == len(ways):
                raise refusals[-1]
        return list(found.values())

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
            partition: str | None = None, order: str | None = None, cache: bool | None = None,
            weight: float | str | None = None, memory: Size = None, time: Time = None, threads: int | None = None,
            priority: int | None = None, **own: object) -> Iterator[Solution]:
        """Yields a shortest solution for each board, in their order. The daemon solves several beside each other.

        A board that is refused has its error in its solution; the others follow. What may be wrong with the whole request
        is raised where it comes before a board that is taken.
        """
        waiting: deque[tuple[Job | PuzzledError, str]] = deque()
        taken = False

        def first() -> Solution:
            job, text = waiting.popleft()
            if isinstance(job, _OF_REQUEST) and not taken:
                raise job
            return self._finish(puzzle, job, text)

        for board in boards:
            text = board_text(board)
            if len(waiting) >= _IN_FLIGHT:
                yield first()
            while True:
                try:
                    waiting.append((self.submit_solve(
                        puzzle, text, goal=goal, method=method, partition=partition, order=order, cache=cache, weight=weight,
                        all=None, count=None, memory=memory, time=time, threads=threads, priority=priority, **own), text))
                    taken = True
                    break
                except (BadBoard, TooLarge, *_OF_REQUEST) as error:
                    waiting.append((error, text))
                    break
                except (Busy, Limit):
                    if waiting:
                        yield first()
                    else:
                        sleep(0.1)
        while waiting:
            yield first()

    def _finish(self, puzzle: str, job: Job | PuzzledError, start: str) -> Solution:
        if isinstance(job, PuzzledError):
            return Solution(puzzle, None, -1, "", start, error=job)
        return Solution.of(self.result(self.wait(job)), puzzle, start, job)

    def wait(self, job: Job | int, timeout: float | str | None = None) -> Job:
        """Waits until the job has ended, or for `timeout` seconds; returns it with the state of that moment."""
        if isinstance(job, Job) and job.ended:
            return job
        return Job.of(self.ask("WAIT", _number(job), timeout=seconds_text(timeout)))

    def watch(self, job: Job | int) -> Generator[Event, None, None]:
        """Yields events until the job has ended, on a connection of its own. Leaving the loop early is fine."""
        with Connection(self.connection.address, self.connection.timeout) as connection:
            connection.ask(request("WATCH", _number(job)))
            lost = 0
            while True:
                self._watching = connection
                try:
                    reply = parse(connection.line())
                finally:
                    self._watching = None
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
            raise PuzzledError.of(reply.text("error"), reply.text("text"))
        if reply.text("state") == "cancelled":
            raise PuzzledError.of("cancelled", f"job {_number(job)} was cancelled")
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
        return Levels((record.integer("states") or 0 for record in records),
                      [record.integer("level") or 0 for record in records])

    def examples(self, job: Job | int, count: int = 1) -> list[list[Board]]:
        """Returns up to `count` boards of each level, at most 16, where the job keeps them."""
        _, records = self.ask_list("LEVELS", _number(job), examples=count)
        return [[Board(board) for board in record.text("example").split()] for record in records]

    def status(self, job: Job | int) -> Job:
        """Returns the job as it stands now; its progress is in `fields`."""
        return Job.of(self.ask("STATUS", _number(job)))

    def jobs(self, state: str | None = None, *, after: int | None = None, before: int | None = None,
             limit: int | None = None, tools: bool | None = None) -> Iterator[Job]:
        """Yields all jobs by ascending number, or those in one state; with `tools` also those of tools on their way.

        With `after` those behind a job, with `before` those before one, the latest first; at most `limit`.
        """
        down = before is not None
        while limit is None or limit > 0:
            most = None if limit is None else min(limit, _PAGE)
            head, records = self.ask_list("JOBS", state=state, after=after, before=before, limit=most, tools=tools)
            yield from map(Job.of, records)
            if not records or not head.flag("more"):
                return
            last = records[-1].integer("job")
            bound = before if down else after
            if last is None or (bound is not None and (last >= bound if down else last <= bound)):
                raise Unreachable("jobs without an end: a page leads back to those before it")
            after, before = (after, last) if down else (last, before)
            limit = None if limit is None else limit - len(records)

    def cancel(self, job: Job | int) -> Job:
        """Cancels a job and returns it once it has stopped."""
        return Job.of(self.ask("CANCEL", _number(job)))

    def forget(self, job: Job | int) -> None:
        """Deletes an ended job, its results and its table."""
        self.ask("FORGET", _number(job))


def _number(job: Job | int) -> int:
    return job.id if isinstance(job, Job) else job
