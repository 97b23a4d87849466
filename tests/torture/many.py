#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Very many clients: some only hold their connection, the others work. Every reply must be right or in the contract.

    tests/torture/many.py build/release/bin/puzzled --idle 10000 --clients 1000 --seconds 600

A client that works asks for one thing after the other and thinks for a moment in between. What it may be told is
written beside what it asks. A process of its own asks for distances all the while and measures how long it waits, before the
others come and while they are there.
"""

import argparse
import asyncio
import collections
import multiprocessing
import os
import random
import resource
import time

from harness import Client, Daemon, distances_3x3, fields

# An exploration and its published number of states.
EXPLORATIONS = {"2x2": 12, "2x3": 360, "2x4": 20160, "3x3": 181440, "jugs:3,5": None, "1x5": 5}
SUBMIT = ("limit", "busy")


def memory_of(pid, what):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(what)) / 1024


def connect(path):
    """Without waiting in the kernel; when the backlog is full, again a moment later."""
    for _ in range(60000):
        try:
            return Client(path)
        except BlockingIOError:
            time.sleep(0.001)
    raise AssertionError("the backlog stays full")


class Worker:
    """One connection and what it asks. Fails the whole run by an AssertionError."""

    def __init__(self, number, shared):
        self.rng = random.Random(number)
        self.shared = shared
        self.reader = self.writer = None

    async def line(self):
        line = await self.reader.readline()
        assert line.endswith(b"\n"), f"the connection was closed behind {line}"
        return line.decode().rstrip("\n")

    async def ask(self, line, allowed=()):
        self.writer.write(line.encode() + b"\n")
        text = await self.line()
        word, reply = fields(text)
        self.shared.replies[line.split()[0][:8] + (" " + reply["code"] if word == "ERR" else "")] += 1
        assert word == "OK" or (word == "ERR" and reply["code"] in allowed), (line, text)
        return word, reply

    async def list(self, line, allowed=()):
        word, head = await self.ask(line, allowed)
        if word != "OK":
            return 0
        count = 0
        while await self.line() != "END":
            count += 1
        assert count == int(head["count"]), (line, head, count)
        return count

    async def distance(self):
        board = self.rng.choice(self.shared.boards)
        verb = self.rng.choice(("DISTANCE", "PATH"))
        _, reply = await self.ask(f"{verb} 3x3 {board}")
        moves = self.shared.distances[board]
        assert int(reply["moves"]) == moves and len(reply.get("path", "")) in ((0,) if verb == "DISTANCE" else (moves,))

    async def explore(self):
        puzzle, states = self.rng.choice(list(EXPLORATIONS.items()))
        engine = self.rng.choice(("", " engine=striped")) if puzzle != "1x5" else ""
        word, reply = await self.ask(f"EXPLORE {puzzle}{engine} depth={self.rng.randrange(3, 60)}", SUBMIT)
        if word == "OK":
            await self.follow(int(reply["job"]), states)

    async def solve(self):
        board = self.rng.choice(self.shared.boards)
        method = self.rng.choice(("auto", "bfs", "bidirectional", "astar", "idastar"))
        word, reply = await self.ask(f"SOLVE 3x3 start={board} method={method}", SUBMIT)
        if word != "OK":
            return
        job = reply["job"]
        word, reply = await self.ask(f"WAIT {job} timeout=60", ("no-such-job",))
        if word == "OK" and reply["state"] == "done":
            word, reply = await self.ask(f"RESULT {job}", ("no-such-job",))
            assert word == "ERR" or int(reply["moves"]) == self.shared.distances[board], (board, reply)

    async def follow(self, job, states):
        """WATCH or WAIT, then RESULT; another client may have cancelled or forgotten it meanwhile."""
        if self.rng.random() < 0.3:
            word, _ = await self.ask(f"WATCH {job}", ("no-such-job",))
            while word == "OK":
                event = await self.line()
                if event.startswith("EVENT") and fields(event)[1]["state"] not in ("queued", "running"):
                    break
                assert event.startswith(("EVENT", "LOST")), event
        else:
            await self.ask(f"WAIT {job} timeout=60", ("no-such-job",))
        word, reply = await self.ask(f"RESULT {job}", ("no-such-job", "not-finished"))
        if word == "OK" and reply["state"] == "done" and reply["complete"] == "yes" and states is not None:
            assert int(reply["states"]) == states, reply
        if self.rng.random() < 0.2:
            await self.ask(f"FORGET {job}", ("no-such-job", "not-finished"))

    async def lists(self):
        await self.list(self.rng.choice(("JOBS limit=20", "JOBS state=done limit=5", "TABLES", "HELP", "DEEPEST 3x3",
                                         "PUZZLES", f"SAMPLE 3x3 depth={self.rng.randrange(32)} count=5")))

    async def nonsense(self):
        line, code = self.rng.choice((
            ("SOLVE 3x3 start=112345678", "bad-board"), ("EXPLORE 99x99", "too-large"), ("EXPLORE moonwalk:3", "bad-puzzle"), ("XYZZY", "bad-request"),
            ("DISTANCE 3x4 1,2,3,4/5,6,7,8/9,10,11,0", "no-table"), ("STATUS 999999999", "no-such-job"),
            ("A" * 5000, "bad-request"), ("SOLVE 3x3 start=867254301 colour=red", "bad-request")))
        word, reply = await self.ask(line, (code,))
        assert word == "ERR", (line, reply)

    async def cancel(self):
        job = self.rng.randrange(1, 500)
        await self.ask(f"CANCEL {job}", ("no-such-job",))
        await self.ask(f"STATUS {job}", ("no-such-job",))

    async def work(self, path, until):
        self.reader, self.writer = await asyncio.open_unix_connection(sock=connect(path).socket, limit=1 << 20)
        kinds = (self.distance, self.explore, self.solve, self.lists, self.nonsense, self.cancel)
        while time.monotonic() < until:
            await self.rng.choices(kinds, weights=(10, 2, 4, 2, 1, 1))[0]()
            await asyncio.sleep(self.rng.random() * self.shared.think)
        await self.ask("QUIT")
        self.writer.close()


class Shared:
    def __init__(self, distances, think):
        self.distances = {board: moves for board, moves in distances.items() if board != "123456780"}
        self.boards = sorted(self.distances)
        self.replies = collections.Counter()
        self.think = think


async def work_all(arguments, path, shared):
    until = time.monotonic() + arguments.seconds
    await asyncio.gather(*(Worker(number, shared).work(path, until) for number in range(arguments.clients)))


def probe(path, distances, until, pipe):
    """The polite client: a distance every few milliseconds."""
    client, boards, waits = Client(path), sorted(distances), []
    rng = random.Random(1)
    while time.monotonic() < until.value:
        board = rng.choice(boards)
        asked = time.monotonic()
        _, reply = client.ask(f"DISTANCE 3x3 {board}")
        waits.append(time.monotonic() - asked)
        assert int(reply["moves"]) == distances[board], (board, reply)
        time.sleep(0.003)
    waits.sort()
    pipe.send((len(waits), waits[len(waits) // 2], waits[len(waits) * 99 // 100], waits[-1]))


class Probe:
    def __init__(self, path, distances):
        self.until = multiprocessing.Value("d", float("inf"))
        self.pipe, end = multiprocessing.Pipe(False)
        self.process = multiprocessing.Process(target=probe, args=(path, distances, self.until, end))
        self.process.start()

    def end(self, when):
        self.until.value = 0.0
        self.process.join(30)
        assert self.process.exitcode == 0, "the polite client failed"
        count, median, late, worst = self.pipe.recv()
        print(f"{when}: {count} distances asked for, median {median * 1000:.2f} ms, p99 {late * 1000:.2f} ms, "
              f"worst {worst * 1000:.1f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("puzzled")
    parser.add_argument("--idle", type=int, default=10000, help="connections that are only held")
    parser.add_argument("--clients", type=int, default=1000, help="connections that work")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=1.0, help="seconds between two requests of a client, at most")
    parser.add_argument("--each", type=float, default=16, help="KiB that an idle connection may take")
    parser.add_argument("--bound", type=float, default=300, help="MiB that the daemon may hold at its peak")
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    distances = distances_3x3()
    daemon = Daemon(arguments.puzzled, "--log-level", "warning", "--memory", "200M")
    config = os.path.join(daemon.directory, "conf")
    with open(config, "w", encoding="ascii") as file:
        file.write(f"[limits]\nconnections = {arguments.idle + arguments.clients + 10}\n")
    daemon.flags += ("--config", config)
    try:
        daemon.start()
        pid = daemon.process.pid
        client = Client(daemon.socket)
        job = client.ask("EXPLORE 3x3")[1]["job"]
        assert client.ask(f"WAIT {job} timeout=60")[1]["state"] == "done"
        table = client.list("TABLES")[1][0]["table"]
        alone = Probe(daemon.socket, distances)
        time.sleep(min(10.0, arguments.seconds))
        alone.end("alone")
        before = memory_of(pid, "VmRSS")
        idle = [connect(daemon.socket) for _ in range(arguments.idle)]
        for _ in range(1000):  # the last ones may still wait to be accepted
            held = int(client.ask("STATS")[1]["connections"])
            if held == arguments.idle + 1:
                break
            time.sleep(0.01)
        assert held == arguments.idle + 1, held
        each = (memory_of(pid, "VmRSS") - before) * 1024 / max(1, arguments.idle)
        print(f"{arguments.idle} connections held, {each:.1f} KiB each", flush=True)
        assert arguments.idle < 1000 or each <= arguments.each, "more than the bound"
        crowded = Probe(daemon.socket, distances)
        shared = Shared(distances, arguments.think)
        asyncio.run(work_all(arguments, daemon.socket, shared))
        crowded.end(f"beside {arguments.clients} clients at work and {arguments.idle} idle ones")
        for connection in idle[:: max(1, len(idle) // 100)]:
            assert connection.ask("PING")[0] == "OK"
        peak = memory_of(pid, "VmHWM")
        assert peak <= arguments.bound, f"peak memory of {peak:.0f} MiB"
        for connection in idle:
            connection.close()
        assert client.list("FSCK")[1] == [], table
        client.close()
        daemon.stop()
        total = sum(shared.replies.values())
        print(f"{total} replies in {arguments.seconds:.0f} s, peak memory {peak:.0f} MiB; all in the contract:")
        print("  " + ", ".join(f"{what} {count}" for what, count in sorted(shared.replies.items())))
    finally:
        daemon.remove()


if __name__ == "__main__":
    main()
