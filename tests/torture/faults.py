#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Fails every kind of system call in turn, once and from then on, under the same short session.

    tests/torture/faults.py build/release/bin/puzzled build/release/lib/libfaults.so --points 30

For each point: the daemon either refuses to start and says why, or it stays up; every reply is an answer that
is right or one clear ERR; after a fault that comes once, the next job is right; after a restart without
faults, all that was acknowledged is there.
"""

import argparse
import os
import random
import subprocess

from harness import Client, Daemon

KINDS = ("malloc", "write", "sync", "mmap", "thread", "accept")
# request, and what a right answer holds
SESSION = (
    ("EXPLORE 2x3", None),
    ("WAIT 1 timeout=30", None),
    ("DISTANCE 2x3 4,5,0/1,2,3", ("moves", "21")),
    ("SOLVE 3x3 start=867254301 method=bidirectional", None),
    ("EXPLORE 2x4 engine=striped", None),
    ("WAIT 3 timeout=30", None),
    ("DISTANCE 2x4 0,7,2,1/4,3,6,5", ("moves", "36")),
    ("SAMPLE 2x3 depth=5 count=3", None),
    ("STATS", None),
)


class Broken(AssertionError):
    pass


def session(daemon, nobody_answers=False):
    """
    Runs it on a connection for each request, for any of them may be refused. Returns the OKs. When accepting
    fails for good, a client waits in the backlog for ever: that is so, and the session ends there.
    """
    answered = 0
    for line, expected in SESSION:
        try:
            client = Client(daemon.socket, timeout=1 if nobody_answers else 40)
            word, reply = client.ask(line)
            client.close()
        except TimeoutError:
            if nobody_answers:
                return answered
            raise Broken(f"{line}: no answer") from None
        except OSError:
            if daemon.process.poll() is not None:
                raise Broken(f"puzzled ended ({daemon.process.returncode}) at {line}:\n" + daemon.tail()) from None
            continue  # the connection itself was refused or closed
        if word == "OK":
            answered += 1
            if expected and reply.get("solvable", "yes") == "yes" and reply.get(expected[0]) != expected[1]:
                raise Broken(f"{line}: {reply}")
        elif not reply[""].strip():
            raise Broken(f"an error without a word: {line}")
    return answered


def next_job_is_right(daemon):
    client = Client(daemon.socket, timeout=40)
    word, reply = client.ask("SOLVE 3x3 start=123456708")
    if word == "ERR" and reply[""].startswith("retry"):  # the call that fails may come only now
        word, reply = client.ask("SOLVE 3x3 start=123456708")
    assert word == "OK", reply
    job = reply["job"]
    assert client.ask(f"WAIT {job} timeout=30")[1]["state"] == "done"
    result = client.ask(f"RESULT {job}")[1]
    assert result["moves"] == "1" and result["path"] == "R", result
    client.close()


def run(arguments, kind, point, forever):
    daemon = Daemon(arguments.puzzled, "--log-level", "warning", "--threads", "2")
    environment = {"LD_PRELOAD": os.path.abspath(arguments.library), "FAULT_CALL": kind, "FAULT_AT": str(point)}
    if forever:
        environment["FAULT_FOREVER"] = "1"
    os.environ.update(environment)
    try:
        never_accepts = kind == "accept" and forever
        # it may be up and have no memory for any connection: the session sees to it that it says so
        never_welcomes = never_accepts or (kind == "malloc" and forever)
        try:
            daemon.start(patience=3 if never_welcomes else 10)
        except AssertionError:
            code = daemon.process.poll()
            if code in (-6, -7, -11) or (code is None and not never_welcomes):
                raise
            assert code is None or daemon.tail().strip(), "puzzled refused to start without a word"
            if code is not None:
                return "refused"
        finally:
            for key in environment:
                os.environ.pop(key, None)
        session(daemon, nobody_answers=never_accepts)
        if not forever:
            next_job_is_right(daemon)
        end = daemon.end if arguments.gently else daemon.kill
        end()
        daemon.start()
        next_job_is_right(daemon)
        daemon.stop()
        return "survived"
    finally:
        daemon.remove()


def count_calls(arguments):
    daemon = Daemon(arguments.puzzled, "--log-level", "warning", "--threads", "2")
    path = os.path.join(daemon.directory, "counts")
    environment = {"LD_PRELOAD": os.path.abspath(arguments.library), "FAULT_COUNT": path}
    os.environ.update(environment)
    try:
        daemon.start()
        assert session(daemon) == len(SESSION), daemon.tail()
        daemon.stop()
        with open(path, encoding="ascii") as lines:
            return {word: int(number) for word, number in (line.split() for line in lines)}
    finally:
        for key in environment:
            os.environ.pop(key, None)
        daemon.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("puzzled")
    parser.add_argument("library")
    parser.add_argument("--points", type=int, default=30, help="of each kind, spread over all calls")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gently", action="store_true", help="end it by SIGTERM where it is usually killed")
    parser.add_argument("--kind", choices=KINDS, help="only this one")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    counts = count_calls(arguments)
    failures = 0
    for kind in KINDS:
        if arguments.kind not in (None, kind):
            continue
        total = counts[kind]
        points = range(1, total + 1)
        if total > arguments.points:
            points = sorted(rng.sample(points, arguments.points))
        ends = {"survived": 0, "refused": 0}
        for point in points:
            for forever in (False, True):
                try:
                    ends[run(arguments, kind, point, forever)] += 1
                except (AssertionError, OSError, subprocess.TimeoutExpired) as failure:
                    failures += 1
                    print(f"{kind} {point}{' and ever after' if forever else ''}: {failure}")
        print(f"{kind}: {total} calls, {len(points)} points: {ends['survived']} survived, "
              f"{ends['refused']} refused to start with a reason")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
