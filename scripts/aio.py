#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes python/puzzled/aio.py, the asyncio twin, from the methods of Client and its bases: one description for both.

    scripts/aio.py          writes the file
    scripts/aio.py --check  only says whether it is as it would be written
"""

import ast
import pathlib
import re
import sys
import textwrap

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "python" / "puzzled"
# Client and its bases.
FILES = ["asking.py", "job_verbs.py", "lookup_verbs.py", "client.py"]

HEAD = '''# SPDX-License-Identifier: MIT
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
'''

TAIL = '''

def connect(address: str | None = None, timeout: float | None = None) -> AsyncClient:
    """As puzzled.connect, for asyncio."""
    return AsyncClient(address, timeout)
'''


def wrapped(text, indent):
    """Returns a line, broken after commas at 120 columns."""
    text = re.sub(r"(?<!,) ", "\0", text)
    return textwrap.fill(text, 120, initial_indent=indent, subsequent_indent=indent + "        ",
                         break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def signature(function):
    """Returns the parameters as text, with blanks around the = of a default."""
    return re.sub(r"(: [^=,]+)=", r"\1 = ", ast.unparse(function.args))


def call_of(function):
    """Returns the arguments by which the twin passes on its own."""
    own = function.args
    words = [argument.arg for argument in own.args[1:]]
    words += ([f"*{own.vararg.arg}"] if own.vararg else []) + [f"{one.arg}={one.arg}" for one in own.kwonlyargs]
    words += [f"**{own.kwarg.arg}"] if own.kwarg else []
    return ", ".join(words)


def method(function):
    """Returns the twin of a method as text."""
    returns = ast.unparse(function.returns)
    head = f"def {function.name}({signature(function)}) -> "
    if any(ast.unparse(one) == "overload" for one in function.decorator_list):
        ignore = "  # type: ignore[misc]" if returns != "list[int]" else ""
        return f"    @overload\n    async {head}{returns}: ...{ignore}\n"
    about = f'        """As Client.{function.name}."""\n'
    if returns.startswith(("Iterator[", "Generator[")):
        value = ast.unparse(function.returns.slice.elts[0] if returns.startswith("Generator") else function.returns.slice)
        each = wrapped(f"return self._each(self._client.{function.name}({call_of(function)}))", " " * 8)
        return wrapped(f"{head}AsyncIterator[{value}]:", " " * 4) + "\n" + about + each + "\n"
    words = ", ".join([f"self._client.{function.name}", *filter(None, [call_of(function)])])
    return (wrapped(f"async {head}{returns}:", " " * 4) + "\n" + about
            + wrapped(f"return await self._call({words})", " " * 8) + "\n")


def class_in(name):
    """Returns the one class of a file."""
    tree = ast.parse((PACKAGE / name).read_text(encoding="utf-8"))
    [found] = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return found


def written():
    """Returns the file's text."""
    methods = [node for name in FILES for node in class_in(name).body
               if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.name not in ("close", "hang_up")]
    parts = []
    for number, node in enumerate(methods):
        follows = number > 0 and methods[number - 1].name == node.name
        parts.append(("" if follows else "\n") + method(node))
    return HEAD + "".join(parts) + TAIL


def main():
    path = PACKAGE / "aio.py"
    if "--check" in sys.argv:
        if path.read_text(encoding="utf-8") != written():
            sys.exit("python/puzzled/aio.py is not what scripts/aio.py writes from Client")
    else:
        path.write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    main()
