# SPDX-License-Identifier: MIT
"""One exception for each error code of the protocol (docs/protocol.md), all of them PuzzledError."""

from __future__ import annotations

from typing import ClassVar


class PuzzledError(Exception):
    """The daemon refused a request, or a job failed.

    `code` is the protocol's stable word, `retry` is true if the same request may succeed later, and `index` is the
    position of the board in a request for many boards, else None.
    """

    code: str = "internal"
    _kinds: ClassVar[dict[str, type[PuzzledError]]] = {}

    def __init_subclass__(cls, *, code: str | None = None) -> None:
        if code is not None:
            cls.code = code
            cls._kinds[code] = cls

    def __init__(self, text: str, *, code: str | None = None, retry: bool = False, index: int | None = None) -> None:
        super().__init__(text if index is None else f"board {index}: {text}")
        self.code = code if code is not None else type(self).code
        self.retry = retry
        self.index = index

    @classmethod
    def of(cls, code: str, text: str, *, retry: bool = False, index: int | None = None) -> PuzzledError:
        """Returns the exception for a code, ready to be raised; for an unknown code a plain PuzzledError."""
        return cls._kinds.get(code, PuzzledError)(text, code=code, retry=retry, index=index)


class BadRequest(PuzzledError, code="bad-request"):
    """The request itself cannot be read: verb, key, value."""


class BadPuzzle(PuzzledError, code="bad-puzzle"):
    """There is no such puzzle, or no such size of it."""


class BadBoard(PuzzledError, code="bad-board"):
    """A board that cannot be."""


class TooLarge(PuzzledError, code="too-large"):
    """More than the packing or the memory can hold; known before the start."""


class Unsupported(PuzzledError, code="unsupported"):
    """A sound request that this puzzle or build does not offer."""


class Denied(PuzzledError, code="denied"):
    """The job or the definition is another user's."""


class NoSuchJob(PuzzledError, code="no-such-job"):
    """The number was never given out, or the job is forgotten."""


class NoTable(PuzzledError, code="no-table"):
    """No stored exploration covers the question; explore first."""


class NotFinished(PuzzledError, code="not-finished"):
    """The job still waits or runs."""


class Busy(PuzzledError, code="busy"):
    """The queue is full, or the thing is in use."""


class Limit(PuzzledError, code="limit"):
    """A limit of the daemon, such as requests a second."""


class OutOfMemory(PuzzledError, code="memory"):
    """The daemon's memory has run out."""


class Storage(PuzzledError, code="storage"):
    """The database is damaged or unreadable."""


class StorageFull(PuzzledError, code="storage-full"):
    """The database or its disk has no room."""


class Cancelled(PuzzledError, code="cancelled"):
    """Somebody cancelled the job."""


class ShuttingDown(PuzzledError, code="shutting-down"):
    """The daemon is stopping."""


class Internal(PuzzledError, code="internal"):
    """A fault of the daemon's own."""


class Unreachable(PuzzledError, ConnectionError, code="unreachable"):
    """No daemon answers at the address, or the connection broke."""
