# SPDX-License-Identifier: MIT
"""The client for asyncio. Each call runs on a thread of its own connection, one call at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import ParamSpec, TypeVar

from .boards import BoardLike
from .client import Client
from .results import Boards, Event, Exploration, Job, Solution

_P = ParamSpec("_P")
_T = TypeVar("_T")


class AsyncClient:
    """The methods of Client as coroutines; `async with puzzled.aio.connect() as p:` makes one."""

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
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(function, *args, **kwargs))

    async def explore(self, puzzle: str, *, root: BoardLike | None = None, **keys: object) -> Exploration:
        """As Client.explore."""
        return await self._call(self._client.explore, puzzle, root=root, **keys)

    async def solve(self, puzzle: str, start: BoardLike | None = None, *, goal: BoardLike | None = None,
                    **keys: object) -> Solution:
        """As Client.solve."""
        return await self._call(self._client.solve, puzzle, start, goal=goal, **keys)

    async def distance(self, puzzle: str, boards: Iterable[BoardLike], goal: BoardLike | None = None) -> list[int]:
        """As Client.distance, for many boards."""
        return await self._call(lambda: list(self._client.iter_distance(puzzle, boards, goal)))

    async def sample(self, puzzle: str, depth: int, count: int = 1, *, seed: int | None = None) -> Boards:
        """As Client.sample."""
        return await self._call(self._client.sample, puzzle, depth, count, seed=seed)

    async def watch(self, job: Job | int) -> AsyncIterator[Event]:
        """As Client.watch. While it waits for an event, no other call of this client begins."""
        events = self._client.watch(job)
        try:
            while (event := await self._call(lambda: next(events, None))) is not None:
                yield event
        finally:
            await self._call(events.close)


def connect(address: str | None = None, timeout: float | None = None) -> AsyncClient:
    """As puzzled.connect, for asyncio."""
    return AsyncClient(address, timeout)
