#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Kills puzzled at random moments while it explores a puzzle whose planes, levels or runs are on disk, and holds the end
against the published numbers.

    tests/torture/scratch.py build/release/bin/puzzled --puzzle 2x7 --kills 20 --seed 1
    tests/torture/scratch.py build/release/bin/puzzled --puzzle 3x4 --engine striped --memory 100M --planes auto

Promises that are checked:
  * the job goes on by itself after every start, and ends with the right numbers of states and levels;
  * nothing that a kill leaves is taken for damage;
  * with keep=table, boards that are farthest away are looked up at the right distance;
  * the scratch space is empty in the end.
"""

import argparse
import os
import random
import time

from harness import Client, Daemon

# The published number of states and greatest distance.
PUZZLES = {"2x6": (239500800, 80), "3x4": (239500800, 53), "2x7": (43589145600, 108), "3x5": (653837184000, 84),
           "pancake:11": (39916800, 13), "pancake:12": (479001600, 14)}


def ask(daemon, line):
    client = Client(daemon.socket, timeout=600)
    try:
        return client.ask(line)
    finally:
        client.close()


def ended(daemon):
    return ask(daemon, "STATUS 1")[1]["state"] not in ("queued", "running")


def saves(daemon):
    """Returns how many checkpoints the log tells of, over all lives."""
    with open(daemon.log.name, encoding="utf-8") as log:
        return log.read().count("event=checkpoint-saved")


def run_until_killed(daemon, seconds):
    """Kills the daemon after so many seconds, and when it has left a checkpoint. Returns true if the job ended
    before."""
    until = time.monotonic() + seconds
    before = saves(daemon)
    while time.monotonic() < until or saves(daemon) == before:
        if ended(daemon):
            return True
        time.sleep(min(0.1, max(0.01, until - time.monotonic())))
    daemon.kill()
    return False


def check_end(daemon, puzzle, keep):
    states, depth = PUZZLES[puzzle]
    while not ended(daemon):
        time.sleep(0.2)
    word, result = ask(daemon, "RESULT 1")
    assert word == "OK" and result["state"] == "done" and result["planes"] == "disk", result
    assert int(result["states"]) == states and int(result["depth"]) == depth, result
    if keep == "table":
        client = Client(daemon.socket, timeout=600)
        deepest = client.list(f"DEEPEST {puzzle}")[1]
        client.close()
        assert deepest, "no deepest board"
        for board in deepest[:16]:
            reply = ask(daemon, f"DISTANCE {puzzle} {board['board']}")
            assert int(reply[1]["moves"]) == depth, reply
    assert not os.listdir(os.path.join(daemon.state, "scratch")), "scratch space is left"


def set_interval(daemon):
    """Lets short lives leave checkpoints: a job that has ended the daemon twice without one is given up."""
    config = os.path.join(daemon.directory, "puzzled.conf")
    with open(config, "w", encoding="ascii") as file:
        file.write("[store]\ncheckpoint-interval = 200ms\ncheckpoint-share = 0\n")
    daemon.flags += ("--config", config)


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--puzzle", choices=PUZZLES, default="2x6")
    parser.add_argument("--keep", choices=("levels", "table"), default="levels")
    parser.add_argument("--engine", choices=("auto", "dense", "ranked", "striped"), default="auto")
    parser.add_argument("--planes", choices=("auto", "disk"), default="disk", help="auto: on disk when memory is full")
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0, help="the longest that a life lasts")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    daemon = Daemon(arguments.binary)
    set_interval(daemon)
    kills = 0
    try:
        daemon.start()
        reply = ask(daemon, f"EXPLORE {arguments.puzzle} engine={arguments.engine} planes={arguments.planes} "
                            f"keep={arguments.keep} memory={arguments.memory}")
        assert reply[0] == "OK", reply
        while kills < arguments.kills and not run_until_killed(daemon, rng.random() * arguments.seconds):
            kills += 1
            daemon.start()
        check_end(daemon, arguments.puzzle, arguments.keep)
        daemon.stop()
        with open(daemon.log.name, encoding="utf-8") as log:
            text = log.read()
        assert "checkpoint-refused" not in text, "what a kill left was called damaged"
        print(f"{kills} kills, {text.count('event=job-resumed')} resumed; {arguments.puzzle} is right")
    except BaseException:
        print(daemon.tail())
        raise
    finally:
        daemon.remove()


if __name__ == "__main__":
    main()
