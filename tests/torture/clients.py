#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Hostile and clumsy clients, all at once, while a polite one measures its own waiting: first without them, then
beside them.

    tests/torture/clients.py build/release/bin/puzzled --seconds 20 --idle 1000

The rest of the world: idle connections, a client that asks and never reads, one that writes a byte at a time,
half lines followed by a hang-up, lines of a megabyte, binary noise, floods of jobs, watchers that do not
read, samples of whole tables, lookups by the thousand. Afterwards the daemon must answer, hold no more memory than
the bound, and have kept every promise.
"""

import argparse
import functools
import multiprocessing
import os
import random
import resource
import socket
import time

from harness import Client, Daemon, distances_3x3


def ignore_ends(work):
    @functools.wraps(work)
    def wrapped(*arguments):
        try:
            work(*arguments)
        except OSError:
            pass
    return wrapped


def connect(path):
    plug = socket.socket(socket.AF_UNIX)
    plug.settimeout(5)
    plug.connect(path)
    return plug


@ignore_ends
def never_reads(path, until, rng):
    plug = connect(path)
    while time.monotonic() < until:
        plug.sendall(b"HELP\nSTATS\nJOBS\n" * 100)


@ignore_ends
def byte_by_byte(path, until, rng):
    plug = connect(path)
    while time.monotonic() < until:
        for byte in b"PING\n":
            plug.sendall(bytes([byte]))
            time.sleep(0.05)
        assert plug.recv(100).startswith(b"OK")


def hangs_up(path, until, rng):
    while time.monotonic() < until:
        try:
            plug = connect(path)
            plug.sendall(rng.choice([b"EXPLO", b"SOLVE 3x3 start=", b"PING\nDISTANCE 3x3 1,2", b"WAIT 1\n", b"\xff\x00"]))
            plug.close()
        except OSError:
            time.sleep(0.01)


def shouts(path, until, rng):
    """Lines of a megabyte: one error each, and the connection stays in step."""
    while time.monotonic() < until:
        try:
            plug = connect(path)
            plug.sendall(b"A" * (1 << 20) + b"\nPING\n")
            reader = plug.makefile("rb")
            first, second = reader.readline(), reader.readline()
            assert first.startswith(b"ERR bad-request"), first
            assert second.startswith(b"OK"), second
            plug.close()
        except OSError:
            time.sleep(0.01)


@ignore_ends
def noise(path, until, rng):
    while time.monotonic() < until:
        try:
            plug = connect(path)
            plug.sendall(rng.randbytes(rng.randrange(1, 20000)))
            plug.close()
        except OSError:
            time.sleep(0.01)


@ignore_ends
def flood(path, until, rng):
    client = Client(path)
    boards = ["867254301", "647850321", "123456780", "806547231"]
    while time.monotonic() < until:
        word, reply = client.ask(f"SOLVE 3x3 start={rng.choice(boards)} method=bfs")
        assert word == "OK" or reply["code"] in ("limit", "busy"), reply


@ignore_ends
def watches(path, until, rng):
    client = Client(path)
    word, reply = client.ask("EXPLORE 2x5 engine=striped keep=levels threads=1")
    plugs = [connect(path) for _ in range(100)]
    for plug in plugs:
        plug.sendall(f"WATCH {reply.get('job', 1)}\n".encode())
    while time.monotonic() < until:
        time.sleep(0.1)


@ignore_ends
def samples(path, until, rng):
    """What reads a whole table, on more connections than the daemon has threads for it."""
    plugs = [connect(path) for _ in range(8)]
    readers = [plug.makefile("rb") for plug in plugs]
    while time.monotonic() < until:
        for plug in plugs:
            plug.sendall(f"SAMPLE 3x3 depth={rng.randrange(15, 31)} count=200 seed={rng.randrange(9)}\n".encode())
        for reader in readers:
            while (line := reader.readline()) != b"END\n":
                assert line.startswith((b"OK", b"board=")), line


@ignore_ends
def asks_much(path, until, rng):
    """A thousand lookups in one go, on four connections."""
    plugs = [connect(path) for _ in range(4)]
    readers = [plug.makefile("rb") for plug in plugs]
    while time.monotonic() < until:
        for plug in plugs:
            plug.sendall(b"PATH 3x3 867254301\n" * 1000)
        for reader in readers:
            for _ in range(1000):
                assert reader.readline().startswith(b"OK moves=31")


@ignore_ends
def hoards(path, until, rng):
    """A hundred connections that ask as much as they can and take nothing."""
    plugs = [connect(path) for _ in range(100)]
    asked = {plug: b"PATH 3x3 867254301\n" * 1000 for plug in plugs}
    for plug in plugs:
        plug.setblocking(False)
    while time.monotonic() < until:
        for plug in plugs:
            try:
                sent = plug.send(asked[plug])
                asked[plug] = asked[plug][sent:] + asked[plug][:sent]
            except BlockingIOError:
                pass
        time.sleep(0.05)


CROWD = (never_reads, byte_by_byte, hangs_up, shouts, noise, flood, watches, samples, asks_much,
         hoards)


def misbehave(kind, path, until, seed):
    """In a process of its own, and politely scheduled: the machine is not what is to be put to the test."""
    os.nice(10)
    kind(path, until, random.Random(seed))


def ask_politely(client, distances, until, rng):
    """A distance every few milliseconds; returns how long each took, sorted."""
    boards = sorted(distances)
    waits = []
    while time.monotonic() < until:
        board = rng.choice(boards)
        asked = time.monotonic()
        word, reply = client.ask(f"DISTANCE 3x3 {board}")
        waits.append(time.monotonic() - asked)
        assert word == "OK" and int(reply["moves"]) == distances[board], (board, reply)
        time.sleep(0.002)
    return sorted(waits)


def before_others():
    """What the polite client waits for a processor is not the daemon's doing: where it may, it takes one at once."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        print("(not root: what the polite client itself waits for a processor is counted)")


def told(waits):
    return (f"{len(waits)} answers, median {waits[len(waits) // 2] * 1000:.2f} ms, "
            f"p99 {waits[len(waits) * 99 // 100] * 1000:.2f} ms, worst {waits[-1] * 1000:.1f} ms")


def loop_waits(pid):
    """Seconds that the loop thread was ready to run and had no processor, and how often it ran."""
    with open(f"/proc/{pid}/task/{pid}/schedstat", encoding="ascii") as file:
        _, waited, times = file.read().split()
    return int(waited) / 1e9, int(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("puzzled")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--idle", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[kind.__name__ for kind in CROWD], help="this one alone")
    parser.add_argument("--bound", type=int, default=200, help="MiB that the daemon may hold at its peak")
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20000), hard))
    distances = distances_3x3()
    daemon = Daemon(arguments.puzzled, "--log-level", "error", "--memory", "100M")
    try:
        daemon.start()
        polite = Client(daemon.socket)
        job = polite.ask("EXPLORE 3x3")[1]["job"]
        assert polite.ask(f"WAIT {job} timeout=60")[1]["state"] == "done"
        idle = [connect(daemon.socket) for _ in range(arguments.idle)]
        rng = random.Random(arguments.seed)
        print("alone: " + told(ask_politely(polite, distances, time.monotonic() + arguments.seconds / 3, rng)))
        before_others()
        until = time.monotonic() + arguments.seconds
        waited_before, times_before = loop_waits(daemon.process.pid)
        crowd = [multiprocessing.Process(target=misbehave, args=(kind, daemon.socket, until, rng.random()))
                 for kind in CROWD if arguments.only in (None, kind.__name__)]
        for process in crowd:
            process.start()
        waits = ask_politely(polite, distances, until, rng)
        waited, times = loop_waits(daemon.process.pid)
        for process in crowd:
            process.join(300)
            assert process.exitcode == 0, f"{process.name} ended with {process.exitcode}"
        assert polite.ask("PING")[0] == "OK"
        with open(f"/proc/{daemon.process.pid}/status", encoding="ascii") as status:
            peak = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
        assert peak <= arguments.bound, f"peak memory of {peak} MiB"
        del idle
        daemon.stop()
        print("beside them: " + told(waits))
        times = max(1, times - times_before)
        print(f"the daemon's loop ran {times} times and waited {(waited - waited_before) / times * 1000:.2f} ms for a processor "
              f"each time; peak memory {peak} MiB")
    finally:
        daemon.remove()


if __name__ == "__main__":
    main()
