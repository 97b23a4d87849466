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
# A request, and what the reply holds if it is no error and the job, where there is one, is done. {job} is the job of the
# last submission: what asks for it is left out when there is none.
SESSION = (
    ("EXPLORE 2x3", {}),
    ("WATCH {job}", {}),
    ("RESULT {job}", {"states": "360", "depth": "21", "complete": "yes"}),
    ("LEVELS {job} examples=2", {}),
    ("DISTANCE 2x3 4,5,0/1,2,3", {"moves": "21"}),
    ("SOLVE 3x3 start=867254301 method=bidirectional", {}),
    ("WAIT {job} timeout=30", {}),
    ("RESULT {job}", {"moves": "31", "solvable": "yes"}),
    ("EXPLORE 2x4 engine=striped", {}),
    ("WAIT {job} timeout=30", {}),
    ("STATUS {job}", {"kind": "explore"}),
    ("RESULT {job}", {"states": "20160", "depth": "36", "complete": "yes"}),
    ("DISTANCE 2x4 0,7,2,1/4,3,6,5", {"moves": "36"}),
    ("PATH 2x4 0,7,2,1/4,3,6,5", {"moves": "36"}),
    ("EXPLORE 2x5 engine=dense", {}),
    ("WAIT {job} timeout=30", {}),
    ("RESULT {job}", {"states": "1814400", "depth": "55", "complete": "yes"}),
    ("DEEPEST 2x5", {"count": "2", "depth": "55"}),
    # answered at once, from the table; the result is long
    ("SOLVE 2x5 start=0,9,3,7,1/5,4,8,2,6", {}),
    ("RESULT {job}", {"moves": "55", "solvable": "yes"}),
    ("SOLVE klotski:横刀立马", {}),
    ("WAIT {job} timeout=30", {}),
    ("RESULT {job}", {"moves": "81", "solvable": "yes"}),
    ("EXPLORE 3x4 keep=levels", {}),
    ("CANCEL {job}", {}),
    ("FORGET {job}", {"forgotten": "yes"}),
    ("SAMPLE 2x3 depth=5 count=3", {"count": "3"}),
    ("JOBS", {}),
    ("TABLES", {}),
    ("PUZZLES", {}),
    ("FSCK", {"count": "0"}),
    ("METRICS", {}),
    ("STATS", {}),
)
LISTS = ("LEVELS", "DEEPEST", "SAMPLE", "JOBS", "TABLES", "PUZZLES", "FSCK", "METRICS")
ENDED = ("done", "stopped", "failed", "cancelled")


class Broken(AssertionError):
    pass


def ask(client, line):
    """The head of the reply; a list and a stream are read to their ends."""
    verb = line.split()[0]
    if verb in LISTS:
        (word, reply), records = client.list(line)
        if word == "OK" and int(reply["count"]) != len(records):
            raise Broken(f"{line}: {len(records)} records of {reply['count']}")
        return word, reply
    word, reply = client.ask(line)
    last = verb != "WATCH" or word != "OK"
    while not last:
        kind, event = client.event()
        last = kind == "ERR" or event.get("state") in ENDED
    return word, reply


def check(line, word, reply, expected):
    if word != "OK":
        if not reply[""].strip():
            raise Broken(f"an error without a word: {line}")
    elif reply.get("state", "done") == "failed" and "RESULT" in line:
        if not reply.get("text"):
            raise Broken(f"a failure without a reason: {line}: {reply}")
    elif reply.get("state", "done") == "done" and reply.get("solvable", "yes") != "unknown":
        wrong = [key for key, value in expected.items() if reply.get(key) != value]
        if wrong:
            raise Broken(f"{line}: {reply}")


def session(daemon, nobody_answers=False):
    """
    Runs it on a connection for each request, for any of them may be refused. Returns the OKs. When accepting
    fails for good, a client waits in the backlog for ever: that is so, and the session ends there.
    """
    answered = 0
    job = None
    for template, expected in SESSION:
        if "{job}" in template and job is None:
            continue
        line = template.format(job=job)
        if line.split()[0] in ("EXPLORE", "SOLVE"):
            job = None
        try:
            client = Client(daemon.socket, timeout=1 if nobody_answers else 40)
            word, reply = ask(client, line)
            client.close()
        except TimeoutError:
            if nobody_answers:
                return answered
            raise Broken(f"{line}: no answer") from None
        except OSError:
            if daemon.process.poll() is not None:
                raise Broken(f"puzzled ended ({daemon.process.returncode}) at {line}:\n" + daemon.tail()) from None
            continue  # the connection itself was refused or closed
        check(line, word, reply, expected)
        answered += word == "OK"
        job = reply.get("job", job)
    return answered


def next_job_is_right(daemon):
    client = Client(daemon.socket, timeout=40)
    try:
        word, reply = client.ask("SOLVE 3x3 start=123456708")
        assert word == "OK", reply
        job = reply["job"]
        assert client.ask(f"WAIT {job} timeout=30")[1]["state"] == "done"
        result = client.ask(f"RESULT {job}")[1]
        assert result["moves"] == "1" and result["path"] == "R", result
    finally:
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
            try:
                next_job_is_right(daemon)
            except (AssertionError, ConnectionError):  # the call that fails may come only now
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
                    print(f"{kind} {point}{' and ever after' if forever else ''}: {failure}", flush=True)
        print(f"{kind}: {total} calls, {len(points)} points: {ends['survived']} survived, "
              f"{ends['refused']} refused to start with a reason")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
