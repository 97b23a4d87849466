#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Runs programs of tests one after the other, and stops and continues a random process of theirs (the test, the daemon, the
client) again and again, as a busy machine does. A test that takes for granted that something is over, or is not, after some
time fails here, and now and then elsewhere.

    tests/torture/pauses.py --seed 1 build/release/bin/daemon_test_*
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

BETWEEN = (0.002, 0.01, 0.05)  # seconds that all run
PAUSE = (0.005, 0.05, 0.3)     # seconds that one does not


def family(pid):
    """The process and its descendants."""
    found = [pid]
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", encoding="ascii") as children:
                for child in children.read().split():
                    found += family(int(child))
    except OSError:
        pass  # it has ended meanwhile
    return found


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def run(words, rng, limit, output):
    """The exit status; None when it took too long."""
    until = time.monotonic() + limit
    with subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT) as process:
        while process.poll() is None and time.monotonic() < until:
            time.sleep(rng.choice(BETWEEN))
            chosen = rng.choice(family(process.pid))
            send(chosen, signal.SIGSTOP)
            time.sleep(rng.choice(PAUSE))
            send(chosen, signal.SIGCONT)
        if process.poll() is not None:
            return process.returncode
        for pid in family(process.pid):
            send(pid, signal.SIGKILL)
        return None


def main():
    parser = argparse.ArgumentParser(description="Runs tests while their processes are paused at random.")
    parser.add_argument("program", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600, help="seconds for each program")
    arguments = parser.parse_args()
    bad = 0
    for program in arguments.program:
        with tempfile.TemporaryFile("w+") as output:
            began = time.monotonic()
            status = run([program], random.Random(arguments.seed), arguments.limit, output)
            taken = time.monotonic() - began
            if status == 0:
                print(f"{os.path.basename(program)}: well, {taken:.0f} s", flush=True)
                continue
            bad += 1
            output.seek(0)
            print(f"{os.path.basename(program)}: " + ("took too long" if status is None else f"status {status}"))
            print(output.read(), flush=True)
    print(f"{len(arguments.program)} programs, {bad} of them not well")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
