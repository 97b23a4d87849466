#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Runs explorations that do not fit their memory= in a control group of memory= plus 150 MB, in which the kernel ends
whatever takes more, and holds their levels against the published ones.

    tests/torture/memory.py build/release/bin/puzzled
    tests/torture/memory.py build/release/bin/puzzled --beside 80

Promises that are checked:
  * a job takes no more than its memory= and what the daemon needs beside it, whatever it has on disk: planes of the dense
    engine, levels of the striped one that has moved there by itself, with their table, and runs of the ranked one;
  * what the group's limit leaves to the page cache is enough.

It needs the right to make a control group. Where it has none it says so ("SKIP: why") and succeeds.
"""

import argparse
import os
import sys
import time

from harness import Client, Daemon

MEGA = 1 << 20
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")

# What is asked, memory= in MB, the engine, and the published levels.
# In memory the planes of 2x7 take 6 GB, the states of 4x4 to depth 23 200 MB, and those of pancake:12 135.
CASES = (
    ("EXPLORE 2x7 depth=34 keep=levels planes=disk", 300, "dense", "levels/2x7-first-levels.csv"),
    ("EXPLORE 4x4 depth=23 engine=striped", 30, "striped", "levels/4x4-first-levels.csv"),
    ("EXPLORE pancake:12 keep=levels time=10s", 10, "ranked", "pancake_levels.csv 12"),
)


class Refused(Exception):
    """This machine lets nobody make such a group."""


class Group:
    """A control group with a limit of memory, of either version; without swap, where that can be said."""

    def __init__(self):
        unified = "/sys/fs/cgroup"
        with open("/proc/self/cgroup", encoding="ascii") as file:
            own = [line.strip().split(":", 2) for line in file]
        self.old = any("memory" in controllers.split(",") for _, controllers, _ in own)
        parent = os.path.join(unified, "memory") if self.old else unified
        self.path = os.path.join(parent, f"puzzled-memory-{os.getpid()}")
        try:
            if not self.old:
                self._write(os.path.join(parent, "cgroup.subtree_control"), "+memory")
            os.mkdir(self.path)
        except OSError as failure:
            raise Refused(f"no control group of memory can be made: {failure}") from failure

    @staticmethod
    def _write(path, text):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)

    def limit(self, limit):
        try:
            if self.old:
                self._write(os.path.join(self.path, "memory.limit_in_bytes"), str(limit))
            else:
                self._write(os.path.join(self.path, "memory.max"), str(limit))
        except OSError as failure:
            raise Refused(f"the control group takes no limit: {failure}") from failure
        try:
            swap = "memory.memsw.limit_in_bytes" if self.old else "memory.swap.max"
            self._write(os.path.join(self.path, swap), str(limit) if self.old else "0")
        except OSError:
            pass  # there is no swap to account for

    def enter(self):
        self._write(os.path.join(self.path, "cgroup.procs"), str(os.getpid()))

    def own_bytes(self):
        """Memory that is no page cache."""
        with open(os.path.join(self.path, "memory.stat"), encoding="ascii") as file:
            figures = dict(line.split() for line in file)
        return int(figures["total_rss" if self.old else "anon"])

    def remove(self):
        for _ in range(100):
            try:
                os.rmdir(self.path)
                return
            except OSError:  # its last process is still leaving
                time.sleep(0.05)


def published(name):
    """The states of each level, by a file of published counts: a line a level, or a line a puzzle that is named behind it."""
    path, _, row = name.partition(" ")
    with open(os.path.join(DATA, path), encoding="utf-8") as file:
        lines = [line.strip().split(",") for line in file if line[0].isdigit()]
    if row:
        return [int(count) for line in lines if line[0] == row for count in line[1:]]
    return [int(line[1]) for line in lines]


def run_case(binary, group, case, beside):
    question, memory, engine, name = case
    group.limit((memory + beside) * MEGA)
    daemon = Daemon(binary, "--memory", "1G")
    daemon.enter = group.enter
    most = 0
    began = time.monotonic()
    try:
        daemon.start()
        client = Client(daemon.socket, timeout=600)
        word, reply = client.ask(f"{question} memory={memory}M")
        assert word == "OK", reply
        while client.ask(f"STATUS {reply['job']}")[1]["state"] in ("queued", "running"):
            most = max(most, group.own_bytes())
            time.sleep(0.02)
        result = client.ask(f"RESULT {reply['job']}")[1]
        assert result["state"] == "done" or result["reason"] == "time", result
        assert result["engine"] == engine and result["planes"] == "disk", result
        levels = [int(level["states"]) for level in client.list(f"LEVELS {reply['job']}")[1]]
        known = published(name)
        shared = min(len(levels), len(known))
        assert shared > 5 and levels[:shared] == known[:shared], (levels, known)
        client.close()
        daemon.stop()
    except BaseException:
        print(daemon.tail())
        raise
    finally:
        daemon.remove()
    print(f"{question} memory={memory}M: {most / MEGA:.0f} MB at most, in a group of {memory + beside} MB, "
          f"{time.monotonic() - began:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("puzzled")
    parser.add_argument("--beside", type=int, default=150, help="MB of the group beside memory=")
    arguments = parser.parse_args()
    try:
        group = Group()
    except Refused as refused:
        print(f"SKIP: {refused}")
        return
    try:
        for case in CASES:
            run_case(arguments.puzzled, group, case, arguments.beside)
    except Refused as refused:
        print(f"SKIP: {refused}")
    finally:
        group.remove()


if __name__ == "__main__":
    sys.exit(main())
