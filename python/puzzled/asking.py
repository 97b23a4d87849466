# SPDX-License-Identifier: MIT
"""The base of Client: its connection, and any request as it is."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from .connection import Connection
from .wire import Reply, request


class Asking:
    """Holds a connection and sends requests over it."""

    def __init__(self, address: str | None = None, timeout: float | None = None) -> None:
        self.connection = Connection(address, timeout)
        self._watching: Connection | None = None  # of watch(), while it waits for an event

    def close(self) -> None:
        """Hangs up. Running jobs go on."""
        self.connection.close()

    def hang_up(self) -> None:
        """Ends the call in which another thread waits for the daemon: it raises Unreachable. Running jobs go on."""
        (self._watching or self.connection).hang_up()

    def __enter__(self) -> Self:
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
