#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Plays many clients over a real daemon, from a seed: every verb and key, kills, restarts, small databases, failing calls, other
settings. Every reply is held against a plain model (model.py). A run that fails is shrunk to the shortest sequence that
still fails and written as a file that tests/model/replay plays.

    tests/model/run.py build/release/bin/puzzled [--seed N] [--seconds S] [--faults build/release/lib/libfaults.so]
"""

import argparse
import json
import os
import sys
import time

from steps import Maker, Player
from world import Violation


def play(arguments, run):
    """Returns the Violation that a run meets, or None, and how many replies were judged."""
    player = Player(arguments.program, arguments.faults, run["config"], arguments.ignore)
    try:
        player.play(run["steps"])
    except Violation as violation:
        violation.transcript = list(player.world.transcript)
        return violation, player.model.checked
    return None, player.model.checked


def still_fails(arguments, run, check):
    for _ in range(arguments.tries):
        violation, _ = play(arguments, run)
        if violation is not None and violation.check == check:
            return True
    return False


def shrink(arguments, run, check):
    """Leaves out halves, then quarters … down to single steps, as long as the same check fails (Zeller's ddmin)."""
    until = time.monotonic() + arguments.shrink
    steps, parts = run["steps"], 2
    while len(steps) > 1 and time.monotonic() < until:
        size = max(len(steps) // parts, 1)
        for begin in range(0, len(steps), size):
            rest = steps[:begin] + steps[begin + size:]
            if time.monotonic() < until and still_fails(arguments, {**run, "steps": rest}, check):
                steps, parts = rest, max(parts - 1, 2)
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(steps))
    return {**run, "steps": steps}


def main():
    parser = argparse.ArgumentParser(description="A model-based tester of puzzled.")
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=None, help="the first run's seed; each run adds one")
    parser.add_argument("--seconds", type=float, default=120, help="begin no further run after so long")
    parser.add_argument("--steps", type=int, default=80, help="steps of a run")
    parser.add_argument("--faults", default="", help="libfaults.so, to make calls fail")
    parser.add_argument("--ignore", action="append", default=[], metavar="CHECK", help="go on past this kind of violation")
    parser.add_argument("--shrink", type=float, default=120, help="seconds to spend on shrinking")
    parser.add_argument("--tries", type=int, default=3, help="times that a shrunk run is played before it counts as well")
    parser.add_argument("--save", default=".", help="where a failing run is written")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 1000000
    started, runs, checked = time.monotonic(), 0, 0
    while time.monotonic() - started < arguments.seconds:
        maker = Maker(seed)
        run = {"seed": seed, "config": maker.config(), "steps": maker.make(arguments.steps)}
        violation, replies = play(arguments, run)
        runs, checked = runs + 1, checked + replies
        if violation is not None:
            print(f"seed {seed}: {violation}", *violation.transcript, sep="\n    ", flush=True)
            small = shrink(arguments, {**run, "check": violation.check}, violation.check)
            path = os.path.join(arguments.save, f"{violation.check}-{seed}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(json.dumps(small, ensure_ascii=False).replace("], [", "],\n  [") + "\n")
            print(f"{len(run['steps'])} steps were shrunk to {len(small['steps'])}: {path}")
            return 1
        seed += 1
    print(f"{runs} checks, {checked} replies, seeds {seed - runs} to {seed - 1}: nothing that must not be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
