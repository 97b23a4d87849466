# SPDX-License-Identifier: MIT
"""What the torture programs share: a puzzled of their own, a line client, and answers known beforehand."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time


class Daemon:
    """A puzzled in a temporary directory, which may be killed and started again on the same state."""

    def __init__(self, binary, *flags):
        self.binary = binary
        self.flags = flags
        self.directory = tempfile.mkdtemp(prefix="puzzled-torture-")
        self.socket = os.path.join(self.directory, "socket")
        self.state = os.path.join(self.directory, "state")
        self.log = open(os.path.join(self.directory, "log"), "ab")
        self.process = None
        self.wrapper = []  # a command that becomes puzzled, such as prlimit with its options
        self.enter = None  # what the new process does before it becomes puzzled

    def start(self, patience=120.0):
        self.process = subprocess.Popen(
            [*self.wrapper, self.binary, "--foreground", "--socket", self.socket, "--state-dir", self.state,
             "--explore-first", "0", *self.flags],
            stdout=self.log, stderr=self.log, preexec_fn=self.enter)
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError("puzzled ended at its start:\n" + self.tail())
            try:
                client = Client(self.socket, timeout=2)
                client.ask("PING")
                client.close()
                return
            except OSError:
                time.sleep(0.025)
        raise AssertionError("puzzled does not answer:\n" + self.tail())

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, patience=120):
        self.process.terminate()
        code = self.process.wait(patience)
        assert code == 0, f"puzzled ended with {code}:\n" + self.tail()

    def end(self, patience=120):
        """By SIGTERM, however it leaves."""
        self.process.terminate()
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()

    def tail(self):
        self.log.flush()
        with open(self.log.name, encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-20:])

    def remove(self):
        if self.process is not None and self.process.poll() is None:
            self.kill()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)


class HalfLine(ConnectionError):
    """The connection ended in the midst of a line."""


class Client:
    """One connection; ask() returns the reply's word and its fields."""

    def __init__(self, path, timeout=60):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.reader = self.socket.makefile("rb")

    def send(self, line):
        self.socket.sendall(line.encode() + b"\n")

    def line(self):
        line = self.reader.readline()
        if line and not line.endswith(b"\n"):
            raise HalfLine(f"half a line: {line!r}")
        if not line:
            raise ConnectionError("no line")
        return line.decode().rstrip("\n")

    def ask(self, line):
        self.send(line)
        return fields(self.line())

    def event(self):
        """A line of a WATCH."""
        line = self.line()
        if line.split(" ")[0] not in ("EVENT", "LOST", "ERR"):
            raise AssertionError(f"no event: {line}")
        return fields(line)

    def list(self, line):
        head = self.ask(line)
        if head[0] != "OK":
            return head, []
        records = []
        while (record := self.line()) != "END":
            records.append(fields("OK " + record)[1])
        return head, records

    def close(self):
        self.reader.close()
        self.socket.close()


def fields(line):
    """'OK a=1 b=2' as ('OK', {'a': '1', 'b': '2'}); an error's text stands under ''."""
    words = line.split(" ")
    if words[0] != "ERR" and '"' in line:
        words = re.findall(r'(?:[^ "]|"(?:[^"\\\\]|\\\\.)*")+', line)
        words = [re.sub(r'="(.*)"$', r"=\1", word) for word in words]
    if words[0] == "ERR":
        return "ERR", {"code": words[1], "": " ".join(words[2:])}
    return words[0], dict(word.split("=", 1) for word in words[1:] if "=" in word)


def distances_3x3():
    """The distance of every solvable 3x3 board, by the plain search that the articles teach."""
    neighbours = [[], [], [], [], [], [], [], [], []]
    for cell in range(9):
        row, column = divmod(cell, 3)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < 3 and 0 <= c < 3:
                neighbours[cell].append(r * 3 + c)
    goal = "123456780"
    found = {goal: 0}
    level = [goal]
    while level:
        following = []
        for board in level:
            blank = board.index("0")
            for cell in neighbours[blank]:
                tiles = list(board)
                tiles[blank], tiles[cell] = tiles[cell], "0"
                successor = "".join(tiles)
                if successor not in found:
                    found[successor] = found[board] + 1
                    following.append(successor)
        level = following
    return found
