# SPDX-License-Identifier: MIT
"""One connection to a daemon. Not for several threads at once."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from types import TracebackType

from .errors import Unreachable
from .wire import Reply, clean, fields, parse

# Requests that are sent ahead of their replies, as two windows of this many. Two windows of requests and of replies fit
# into the buffers between client and daemon, so that neither waits for the other for good.
WINDOW = 256

# What is longer comes from no daemon: bytes of a line; records of a list and the bytes of all its lines.
LINE_MAX = 1 << 20
RECORDS_MAX = 1 << 20
LIST_BYTES_MAX = 64 << 20


def default_address() -> str:
    """Returns where a daemon of this user listens, else the system's, by the daemon's own rule."""
    system = "/run/puzzled/puzzled.sock"
    if os.geteuid() == 0:
        return system
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    own = f"{runtime}/puzzled.sock" if runtime else f"/tmp/puzzled-{os.geteuid()}/puzzled.sock"
    return own if os.path.exists(own) or not os.path.exists(system) else system


def _dial(address: str, timeout: float | None) -> socket.socket:
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal() and int(port) < 65536 and "/" not in address:
        return socket.create_connection((host.strip("[]"), int(port)), timeout)
    stream = socket.socket(socket.AF_UNIX)
    try:
        stream.settimeout(timeout)
        stream.connect(address)
    except OSError:
        stream.close()
        raise
    return stream


class Connection:
    """Sends lines and reads lines. `timeout` is in seconds for each wait, None for ever."""

    def __init__(self, address: str | None = None, timeout: float | None = None) -> None:
        self.timeout = timeout
        self.address = address if address is not None else os.environ.get("PUZZLED_SOCKET") or default_address()
        try:
            self._socket = _dial(self.address, timeout)
        except OSError as error:
            raise Unreachable(f"no puzzled answers at {self.address}: {error.strerror or error}") from error
        self._due = 0  # replies to requests that were sent
        self._reader = self._socket.makefile("rb", buffering=1 << 16)

    def close(self) -> None:
        """Hangs up. May be called twice."""
        self._reader.close()
        self._socket.close()

    def hang_up(self) -> None:
        """Hangs up from another thread: a wait for the daemon ends at once, and close() is still due."""
        with suppress(OSError):  # it is closed already
            self._socket.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def send(self, text: str) -> None:
        """Sends whole lines, their line ends included."""
        self._see_open()
        try:
            self._socket.sendall(text.encode())
        except OSError as error:
            raise Unreachable(f"the connection to {self.address} broke: {error.strerror or error}") from error

    def line(self) -> str:
        """Waits for the next line and returns it without its line end and without characters that steer a terminal."""
        self._see_open()
        try:
            line = self._reader.readline(LINE_MAX + 1)
        except OSError as error:
            raise Unreachable(f"the connection to {self.address} broke: {error.strerror or error}") from error
        if not line.endswith(b"\n"):
            raise self._lost(f"sent a line of more than {LINE_MAX} bytes" if len(line) > LINE_MAX
                             else "closed the connection")
        return clean(line[:-1])

    def _lost(self, what: str) -> Unreachable:
        """Hangs up, as what comes next cannot be told from what came; returns the error to be raised."""
        self.close()
        return Unreachable(f"the daemon at {self.address} {what}")

    def _see_open(self) -> None:
        if self._socket.fileno() < 0:
            raise Unreachable(f"the connection to {self.address} is closed")

    @contextmanager
    def _exchange(self) -> Iterator[None]:
        """Hangs up where replies are still due at the end: the next request would be answered by them."""
        if self._due > 0:
            self.close()
            raise Unreachable(f"the connection to {self.address} is closed: the answers to an earlier request were not read")
        try:
            yield
        finally:
            if self._due > 0:
                self.close()

    def ask(self, line: str) -> Reply:
        """Sends a request and returns its reply, which is one line."""
        with self._exchange():
            self._due = 1
            self.send(line + "\n")
            reply = self._reply()
            self._due = 0
        return parse(reply)

    def ask_list(self, line: str, see: Callable[[Reply], None] | None = None) -> tuple[Reply, list[Reply]]:
        """Sends a request whose reply is a list; returns its first line and its records.

        `see` may refuse the records by what the first line tells: the connection is closed where it raises.
        """
        with self._exchange():
            self._due = 1
            self.send(line + "\n")
            head = self._reply()
            if see is not None and head.startswith("OK "):
                see(parse(head))
            records = list(self._records()) if head.startswith("OK ") and "count" in fields(head) else []
            self._due = 0
        return parse(head), records

    def _reply(self) -> str:
        """Reads the first line of a reply; hangs up if it is none, such as the rest of a list that ask() asked for."""
        line = self.line()
        if not line.startswith(("OK ", "ERR ")):
            raise self._lost("sent a line that begins no reply: ask_list() reads lists, watch() events")
        return line

    def _records(self) -> Iterator[Reply]:
        """Reads the records of a list, and its end."""
        count = length = 0
        while (record := self.line()) != "END":
            count += 1
            length += len(record)
            if count > RECORDS_MAX or length > LIST_BYTES_MAX:
                raise self._lost("sent a list without an end: more than a million records, or than 64 MiB")
            yield parse(record)

    def pipeline(self, lines: Iterable[str]) -> Generator[str, None, None]:
        """Sends requests ahead and yields their replies in order, each one line, not taken apart.

        An iterator that ends while replies are due hangs up.
        """
        source = iter(lines)
        waiting: list[int] = []
        with self._exchange():
            while True:
                while len(waiting) < 2 and (batch := list(islice(source, WINDOW))):
                    self._due += len(batch)
                    self.send("\n".join(batch) + "\n")
                    waiting.append(len(batch))
                if not waiting:
                    return
                for _ in range(waiting.pop(0)):
                    line = self._reply()
                    self._due -= 1
                    yield line
