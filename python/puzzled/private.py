# SPDX-License-Identifier: MIT
"""A daemon of one's own, for scripts, tests and notebooks on a machine without the service."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
import time
from types import TracebackType

from .client import Client
from .errors import Unreachable


class PrivateDaemon:
    """A puzzled in a temporary directory; made by `daemon()`. Ends, and removes its directory, with its `with`, else with the
    interpreter, unless a signal kills that."""

    def __init__(self, program: str | None = None, *flags: str) -> None:
        found = program or os.environ.get("PUZZLED_PROGRAM") or shutil.which("puzzled", path=_search_path())
        if found is None:
            raise FileNotFoundError("puzzled is not installed; name the program, or set PUZZLED_PROGRAM")
        self._program = found
        self._directory = tempfile.mkdtemp(prefix="puzzled-")
        self.address = os.path.join(self._directory, "socket")
        state = os.path.join(self._directory, "state")
        try:
            self._process = subprocess.Popen(
                [found, "--foreground", "--log-level", "warning", "--socket", self.address, "--state-dir", state, *flags],
                stdin=subprocess.DEVNULL)
        except BaseException:
            shutil.rmtree(self._directory, ignore_errors=True)
            raise
        self._owner = os.getpid()
        atexit.register(self._at_exit)
        try:
            self._await()
        except BaseException:
            self.close()
            raise

    def _await(self, patience: float = 30.0) -> None:
        until = time.monotonic() + patience
        while time.monotonic() < until:
            try:
                self.connect().close()
                return
            except Unreachable as error:
                status = self._process.poll()
                if status is not None:
                    how = f"with status {status}" if status >= 0 else f"by signal {-status}"
                    raise Unreachable(f"{self._program} ended {how} before it answered") from error
                time.sleep(0.02)
        raise Unreachable(f"the private puzzled does not answer within {patience:g} s")

    def connect(self, timeout: float | None = None) -> Client:
        """Returns a new client of this daemon."""
        return Client(self.address, timeout)

    def _at_exit(self) -> None:
        if os.getpid() == self._owner:  # a forked child leaves the daemon to its parent
            self.close()

    def close(self) -> None:
        """Ends the daemon and removes all that it stored."""
        atexit.unregister(self._at_exit)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._directory, ignore_errors=True)

    def __enter__(self) -> Client:
        self._client = self.connect()
        return self._client

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._client.close()
        self.close()


def _search_path() -> str:
    return os.environ.get("PATH", os.defpath) + ":/usr/sbin:/usr/local/sbin"


def daemon(program: str | None = None, *flags: str) -> PrivateDaemon:
    """Starts a private daemon; `with puzzled.daemon() as p:` gives a client of it and ends it afterwards.

    `program` is the path of puzzled; without it $PUZZLED_PROGRAM, else the one that is installed. `flags` are further
    ones of puzzled(8), such as "--memory", "2G".
    """
    return PrivateDaemon(program, *flags)
