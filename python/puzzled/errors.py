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

    def __init__(self, text: str, *, code: str | None = None, retry: bool = False, index: int | None = None) -> None:
        super().__init__(text if index is None else f"board {index}: {text}")
        self.code = code if code is not None else type(self).code
        self.retry = retry
        self.index = index


class BadRequest(PuzzledError):
    """The request itself cannot be read: verb, key, value."""

    code = "bad-request"


class BadPuzzle(PuzzledError):
    """There is no such puzzle, or no such size of it."""

    code = "bad-puzzle"


class BadBoard(PuzzledError):
    """A board that cannot be."""

    code = "bad-board"


class TooLarge(PuzzledError):
    """More than the packing or the memory can hold; known before the start."""

    code = "too-large"


class Unsupported(PuzzledError):
    """A sound request that this puzzle or build does not offer."""

    code = "unsupported"


class Denied(PuzzledError):
    """The job or the definition is another user's."""

    code = "denied"


class NoSuchJob(PuzzledError):
    """The number was never given out, or the job is forgotten."""

    code = "no-such-job"


class NoTable(PuzzledError):
    """No stored exploration covers the question; explore first."""

    code = "no-table"


class NotFinished(PuzzledError):
    """The job still waits or runs."""

    code = "not-finished"


class Busy(PuzzledError):
    """The queue is full, or the thing is in use."""

    code = "busy"


class Limit(PuzzledError):
    """A limit of the daemon, such as requests a second."""

    code = "limit"


class OutOfMemory(PuzzledError):
    """The daemon's memory has run out."""

    code = "memory"


class Storage(PuzzledError):
    """The database is damaged or unreadable."""

    code = "storage"


class StorageFull(PuzzledError):
    """The database or its disk has no room."""

    code = "storage-full"


class Cancelled(PuzzledError):
    """Somebody cancelled the job."""

    code = "cancelled"


class ShuttingDown(PuzzledError):
    """The daemon is stopping."""

    code = "shutting-down"


class Internal(PuzzledError):
    """A fault of the daemon's own."""

    code = "internal"


class Unreachable(PuzzledError, ConnectionError):
    """No daemon answers at the address, or the connection broke."""

    code = "unreachable"


class ErrorCodes:
    """Finds the class for a code; an unknown code is a plain PuzzledError."""

    _by_code: ClassVar[dict[str, type[PuzzledError]]] = {
        kind.code: kind
        for kind in (
            BadRequest, BadPuzzle, BadBoard, TooLarge, Unsupported, Denied, NoSuchJob, NoTable, NotFinished, Busy, Limit,
            OutOfMemory, Storage, StorageFull, Cancelled, ShuttingDown, Internal,
        )
    }

    @classmethod
    def make(cls, code: str, text: str, *, retry: bool = False, index: int | None = None) -> PuzzledError:
        """Returns the exception for a code, ready to be raised."""
        return cls._by_code.get(code, PuzzledError)(text, code=code, retry=retry, index=index)
