# SPDX-License-Identifier: MIT
# Written by scripts/aio.py from the classes that make up Client: change those, and run it again.
"""The client for asyncio. Each call runs on a thread of its own connection, one call at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from .boards import Board, BoardLike
from .client import Client, Size, Time
from .results import Boards, Event, Exploration, Frames, Grade, Job, Layout, Levels, Puzzle, Solution
from .wire import Reply

if TYPE_CHECKING:
    import networkx
    import numpy

_P = ParamSpec("_P")
_T = TypeVar("_T")


class AsyncClient:
    """The methods of Client as coroutines, its iterators as asynchronous ones.

    `async with puzzled.aio.connect() as p:` makes one. While one waits for a value, no other call of this client begins.
    A call that is cancelled while it waits hangs up.
    """

    def __init__(self, address: str | None = None, timeout: float | None = None) -> None:
        self._make = partial(Client, address, timeout)
        self._pool = ThreadPoolExecutor(1, "puzzled")

    async def __aenter__(self) -> AsyncClient:
        self._client = await self._call(self._make)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self._call(self._client.close)
        self._pool.shutdown(wait=False)

    async def _call(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        call = self._pool.submit(function, *args, **kwargs)
        try:
            return await asyncio.wrap_future(call)
        except asyncio.CancelledError:
            if not call.cancel() and not call.done() and hasattr(self, "_client"):
                self._client.hang_up()  # the thread waits for an answer that nobody wants
            raise

    async def _each(self, values: Iterator[_T]) -> AsyncIterator[_T]:
        """Yields the values, each made on the thread; ends the iterator there if the loop is left early."""
        nothing = object()
        try:
            while (value := await self._call(lambda: next(values, nothing))) is not nothing:
                yield value  # type: ignore[misc]
        finally:
            await self._call(getattr(values, "close", lambda: None))

    async def ask(self, verb: str, *arguments: object, **keys: object) -> Reply:
        """As Client.ask."""
        return await self._call(self._client.ask, verb, *arguments, **keys)

    async def ask_list(self, verb: str, *arguments: object, **keys: object) -> tuple[Reply, list[Reply]]:
        """As Client.ask_list."""
        return await self._call(self._client.ask_list, verb, *arguments, **keys)

    async def submit_explore(self, puzzle: str, *, root: BoardLike | None = None, goal: BoardLike | None = None,
            depth: int | None = None, engine: str | None = None, keep: str | None = None, from_: str | None = None,
            edges: bool | None = None, parts: bool | None = None, planes: str | None = None, disk: Size = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            cluster: bool | None = None, **own: object) -> Job:
        """As Client.submit_explore."""
        return await self._call(self._client.submit_explore, puzzle, root=root, goal=goal, depth=depth, engine=engine,
                keep=keep, from_=from_, edges=edges, parts=parts, planes=planes, disk=disk, memory=memory, time=time,
                threads=threads, priority=priority, cluster=cluster, **own)

    async def explore(self, puzzle: str, *, root: BoardLike | None = None, goal: BoardLike | None = None,
            depth: int | None = None, engine: str | None = None, keep: str | None = None, from_: str | None = None,
            edges: bool | None = None, parts: bool | None = None, planes: str | None = None, disk: Size = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            cluster: bool | None = None, **own: object) -> Exploration:
        """As Client.explore."""
        return await self._call(self._client.explore, puzzle, root=root, goal=goal, depth=depth, engine=engine,
                keep=keep, from_=from_, edges=edges, parts=parts, planes=planes, disk=disk, memory=memory, time=time,
                threads=threads, priority=priority, cluster=cluster, **own)

    async def figures(self, puzzle: str, *, root: BoardLike | None = None, goal: BoardLike | None = None,
            depth: int | None = None, engine: str | None = None, from_: str | None = None, memory: Size = None,
            time: Time = None, threads: int | None = None, priority: int | None = None, **own: object) -> Exploration:
        """As Client.figures."""
        return await self._call(self._client.figures, puzzle, root=root, goal=goal, depth=depth, engine=engine,
                from_=from_, memory=memory, time=time, threads=threads, priority=priority, **own)

    async def estimate(self, puzzle: str, *, root: BoardLike | None = None, goal: BoardLike | None = None,
            depth: int | None = None, engine: str | None = None, keep: str | None = None, from_: str | None = None,
            edges: bool | None = None, parts: bool | None = None, planes: str | None = None, disk: Size = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            cluster: bool | None = None, **own: object) -> Reply:
        """As Client.estimate."""
        return await self._call(self._client.estimate, puzzle, root=root, goal=goal, depth=depth, engine=engine,
                keep=keep, from_=from_, edges=edges, parts=parts, planes=planes, disk=disk, memory=memory, time=time,
                threads=threads, priority=priority, cluster=cluster, **own)

    async def exploration(self, job: Job | int) -> Exploration:
        """As Client.exploration."""
        return await self._call(self._client.exploration, job)

    async def submit_solve(self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
            method: str | None = None, partition: str | None = None, order: str | None = None,
            cache: bool | None = None, weight: float | str | None = None, all: bool | None = None,
            count: int | None = None, memory: Size = None, time: Time = None, threads: int | None = None,
            priority: int | None = None, **own: object) -> Job:
        """As Client.submit_solve."""
        return await self._call(self._client.submit_solve, puzzle, start, goal=goal, method=method, partition=partition,
                order=order, cache=cache, weight=weight, all=all, count=count, memory=memory, time=time,
                threads=threads, priority=priority, **own)

    async def solve(self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
            method: str | None = None, partition: str | None = None, order: str | None = None,
            cache: bool | None = None, weight: float | str | None = None, all: bool | None = None,
            count: int | None = None, memory: Size = None, time: Time = None, threads: int | None = None,
            priority: int | None = None, **own: object) -> Solution:
        """As Client.solve."""
        return await self._call(self._client.solve, puzzle, start, goal=goal, method=method, partition=partition,
                order=order, cache=cache, weight=weight, all=all, count=count, memory=memory, time=time,
                threads=threads, priority=priority, **own)

    async def compare(self, puzzle: str, start: BoardLike | None = None, *, bounds: str | Iterable[str] = (),
            goal: BoardLike | None = None, order: str | None = None, cache: bool | None = None,
            weight: float | str | None = None, memory: Size = None, time: Time = '60s', threads: int | None = None,
            priority: int | None = None, **own: object) -> list[Solution]:
        """As Client.compare."""
        return await self._call(self._client.compare, puzzle, start, bounds=bounds, goal=goal, order=order, cache=cache,
                weight=weight, memory=memory, time=time, threads=threads, priority=priority, **own)

    async def submit_grade(self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            **own: object) -> Job:
        """As Client.submit_grade."""
        return await self._call(self._client.submit_grade, puzzle, start, goal=goal, memory=memory, time=time,
                threads=threads, priority=priority, **own)

    async def grade(self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
            memory: Size = None, time: Time = None, threads: int | None = None, priority: int | None = None,
            **own: object) -> Grade:
        """As Client.grade."""
        return await self._call(self._client.grade, puzzle, start, goal=goal, memory=memory, time=time, threads=threads,
                priority=priority, **own)

    def solve_many(self, puzzle: str, boards: Iterable[BoardLike], *, goal: BoardLike | None = None,
            method: str | None = None, partition: str | None = None, order: str | None = None,
            cache: bool | None = None, weight: float | str | None = None, memory: Size = None, time: Time = None,
            threads: int | None = None, priority: int | None = None, **own: object) -> AsyncIterator[Solution]:
        """As Client.solve_many."""
        return self._each(self._client.solve_many(puzzle, boards, goal=goal, method=method, partition=partition,
                order=order, cache=cache, weight=weight, memory=memory, time=time, threads=threads, priority=priority,
                **own))

    async def wait(self, job: Job | int, timeout: float | str | None = None) -> Job:
        """As Client.wait."""
        return await self._call(self._client.wait, job, timeout)

    def watch(self, job: Job | int) -> AsyncIterator[Event]:
        """As Client.watch."""
        return self._each(self._client.watch(job))

    async def result(self, job: Job | int) -> Reply:
        """As Client.result."""
        return await self._call(self._client.result, job)

    async def levels(self, job: Job | int | str) -> Levels:
        """As Client.levels."""
        return await self._call(self._client.levels, job)

    async def examples(self, job: Job | int, count: int = 1) -> list[list[Board]]:
        """As Client.examples."""
        return await self._call(self._client.examples, job, count)

    async def status(self, job: Job | int) -> Job:
        """As Client.status."""
        return await self._call(self._client.status, job)

    def jobs(self, state: str | None = None, *, after: int | None = None, before: int | None = None,
            limit: int | None = None, tools: bool | None = None) -> AsyncIterator[Job]:
        """As Client.jobs."""
        return self._each(self._client.jobs(state, after=after, before=before, limit=limit, tools=tools))

    async def cancel(self, job: Job | int) -> Job:
        """As Client.cancel."""
        return await self._call(self._client.cancel, job)

    async def forget(self, job: Job | int) -> None:
        """As Client.forget."""
        return await self._call(self._client.forget, job)

    @overload
    async def distance(self, puzzle: str, boards: str | Board, goal: BoardLike | None = None, *, root: BoardLike | None = None, from_: str | None = None) -> int: ...  # type: ignore[misc]
    @overload
    async def distance(self, puzzle: str, boards: numpy.ndarray[Any, Any], goal: BoardLike | None = None, *, root: BoardLike | None = None, from_: str | None = None) -> numpy.ndarray[Any, Any]: ...  # type: ignore[misc]
    @overload
    async def distance(self, puzzle: str, boards: Iterable[BoardLike], goal: BoardLike | None = None, *, root: BoardLike | None = None, from_: str | None = None) -> list[int]: ...
    async def distance(self, puzzle: str, boards: Any, goal: BoardLike | None = None, *, root: BoardLike | None = None,
            from_: str | None = None) -> Any:
        """As Client.distance."""
        return await self._call(self._client.distance, puzzle, boards, goal, root=root, from_=from_)

    def iter_distance(self, puzzle: str, boards: Iterable[BoardLike], goal: BoardLike | None = None, *,
            root: BoardLike | None = None, from_: str | None = None) -> AsyncIterator[int]:
        """As Client.iter_distance."""
        return self._each(self._client.iter_distance(puzzle, boards, goal, root=root, from_=from_))

    async def path(self, puzzle: str, start: BoardLike, goal: BoardLike | None = None, *, root: BoardLike | None = None,
            from_: str | None = None) -> Solution:
        """As Client.path."""
        return await self._call(self._client.path, puzzle, start, goal, root=root, from_=from_)

    async def sample(self, puzzle: str, depth: int, count: int = 1, *, seed: int | None = None,
            goal: BoardLike | None = None, root: BoardLike | None = None, from_: str | None = None) -> Boards:
        """As Client.sample."""
        return await self._call(self._client.sample, puzzle, depth, count, seed=seed, goal=goal, root=root, from_=from_)

    async def deepest(self, puzzle: str, goal: BoardLike | None = None, *, root: BoardLike | None = None,
            from_: str | None = None, dead: int | None = None) -> Boards:
        """As Client.deepest."""
        return await self._call(self._client.deepest, puzzle, goal, root=root, from_=from_, dead=dead)

    async def tables(self, table: str | None = None, *, histogram: bool | None = None) -> list[Reply]:
        """As Client.tables."""
        return await self._call(self._client.tables, table, histogram=histogram)

    async def parts(self, puzzle: str, limit: int | None = None, *, goal: BoardLike | None = None,
            root: BoardLike | None = None, from_: str | None = None, after: int | None = None) -> list[Reply]:
        """As Client.parts."""
        return await self._call(self._client.parts, puzzle, limit, goal=goal, root=root, from_=from_, after=after)

    async def pin(self, table: str) -> None:
        """As Client.pin."""
        return await self._call(self._client.pin, table)

    async def unpin(self, table: str) -> None:
        """As Client.unpin."""
        return await self._call(self._client.unpin, table)

    async def export(self, puzzle: str, goal: BoardLike | None = None) -> numpy.ndarray[Any, Any]:
        """As Client.export."""
        return await self._call(self._client.export, puzzle, goal)

    async def define(self, name: str, text: str | bytes, format: str = 'psvn', *, strict: bool | None = None) -> str:
        """As Client.define."""
        return await self._call(self._client.define, name, text, format, strict=strict)

    async def undefine(self, name: str) -> None:
        """As Client.undefine."""
        return await self._call(self._client.undefine, name)

    async def definitions(self) -> list[Reply]:
        """As Client.definitions."""
        return await self._call(self._client.definitions)

    async def puzzles(self) -> list[Puzzle]:
        """As Client.puzzles."""
        return await self._call(self._client.puzzles)

    async def layouts(self, puzzle: str) -> list[Layout]:
        """As Client.layouts."""
        return await self._call(self._client.layouts, puzzle)

    async def heuristic(self, puzzle: str, board: BoardLike, goal: BoardLike | None = None) -> dict[str, int | None]:
        """As Client.heuristic."""
        return await self._call(self._client.heuristic, puzzle, board, goal)

    async def draw(self, puzzle: str, board: BoardLike, path: str = '', *, goal: BoardLike | None = None,
            **own: object) -> Frames:
        """As Client.draw."""
        return await self._call(self._client.draw, puzzle, board, path, goal=goal, **own)

    async def graph(self, puzzle: str, *, root: BoardLike | None = None, depth: int | None = None,
            goal: BoardLike | None = None, most: int | None = None, **own: object) -> networkx.DiGraph[str]:
        """As Client.graph."""
        return await self._call(self._client.graph, puzzle, root=root, depth=depth, goal=goal, most=most, **own)

    async def version(self) -> str:
        """As Client.version."""
        return await self._call(self._client.version)

    async def stats(self) -> dict[str, str]:
        """As Client.stats."""
        return await self._call(self._client.stats)


def connect(address: str | None = None, timeout: float | None = None) -> AsyncClient:
    """As puzzled.connect, for asyncio."""
    return AsyncClient(address, timeout)
