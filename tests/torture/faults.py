#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Fails every kind of system call in turn, once and from then on, under the same short session.

    tests/torture/faults.py build/release/bin/puzzled build/release/lib/libfaults.so --points 30

For each point: the daemon either refuses to start and says why, or it stays up; every reply is whole, and an answer
that is right or one clear ERR; after a fault that comes once, the next job is right; after a restart without
faults, all that was acknowledged is there. The faults come in a daemon's first life, which begins with an empty directory, or
in its second one, which finds jobs of the first, done and queued, and is told to stop at its end.
"""

import argparse
import os
import random
import shutil
import socket
import subprocess
import tempfile

from harness import Client, Daemon, HalfLine

KINDS = ("malloc", "write", "sync", "mmap", "thread", "accept", "open", "read", "length", "name")
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
    ("DEEPEST 2x5", {"count": "2", "depth": "55", "total": "2"}),
    # answered at once, from the table; the result is long
    ("SOLVE 2x5 start=0,9,3,7,1/5,4,8,2,6", {}),
    ("RESULT {job}", {"moves": "55", "solvable": "yes"}),
    ("SOLVE klotski:横刀立马", {}),
    ("WAIT {job} timeout=30", {}),
    ("RESULT {job}", {"moves": "81", "solvable": "yes"}),
    # in scratch space, by each engine that has one
    ("EXPLORE 2x5 depth=8 keep=levels planes=disk", {}),
    ("WAIT {job} timeout=30", {}),
    ("RESULT {job}", {"states": "184", "depth": "8"}),
    ("EXPLORE pancake:8 planes=disk", {}),
    ("WAIT {job} timeout=30", {}),
    ("RESULT {job}", {"states": "40320", "depth": "9", "complete": "yes"}),
    ("EXPLORE 4x4 engine=striped depth=15 planes=disk", {}),
    ("WAIT {job} timeout=30", {}),
    ("RESULT {job}", {"states": "122707", "depth": "15"}),
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
# What the daemon says before it knows the request.
CONNECTION_ERRORS = ("retry no memory for a connection", "retry no memory for the request",
                     "retry too many connections, by [limits] connections")


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


def check(line, word, reply, expected, strict):
    verb, tag = line.split()[0], line.split()[-1]
    if word != "OK":
        tag_stands = tag in reply[""].split() or reply[""] in CONNECTION_ERRORS
        if not tag_stands or len(reply[""].split()) < 3:
            raise Broken(f"an error without its tag, or without a word: {line}: {reply}")
    elif "tag=" + reply.get("tag", "") != tag:
        raise Broken(f"no tag: {line}: {reply}")
    elif verb in ("WAIT", "CANCEL") and reply["state"] not in ENDED:
        raise Broken(f"answered too early: {line}: {reply}")
    elif strict and verb == "RESULT" and reply["state"] != "done":
        raise Broken(f"still not done: {line}: {reply}")
    elif verb == "RESULT" and reply["state"] == "failed":
        if reply.get("text", '""') == '""':
            raise Broken(f"a failure without a reason: {line}: {reply}")
    elif reply.get("state", "done") == "done" and reply.get("solvable", "yes") != "unknown":
        wrong = [key for key, value in expected.items() if reply.get(key) != value]
        if wrong:
            raise Broken(f"{line}: {reply}")


def session(daemon, nobody_answers=False, lines=SESSION, strict=False):
    """
    Runs it on a connection for each request, for any of them may be refused. Returns the OKs. When accepting
    fails for good, a client waits in the backlog for ever: that is so, and the session ends there.
    """
    answered = 0
    job = None
    for number, (template, expected) in enumerate(lines):
        if "{job}" in template and job is None:
            continue
        line = template.format(job=job) + f" tag=t{number}"
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
        except HalfLine as half:
            raise Broken(f"{line}: {half}") from None
        except OSError:
            if daemon.process.poll() is not None:
                raise Broken(f"puzzled ended ({daemon.process.returncode}) at {line}:\n" + daemon.tail()) from None
            continue  # the connection itself was refused or closed
        check(line, word, reply, expected, strict)
        answered += word == "OK"
        job = reply.get("job", job)
    return answered


def scrape(daemon):
    """The metrics by HTTP are whole, or refused."""
    reply = b""
    try:
        with socket.socket(socket.AF_UNIX) as http:
            http.settimeout(20)
            http.connect(daemon.metrics)
            http.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
            reply = b"".join(iter(lambda: http.recv(1 << 16), b""))
    except TimeoutError:
        raise Broken("no metrics") from None
    except OSError:
        pass
    head, _, body = reply.partition(b"\r\n\r\n")
    if reply and (not head.startswith(b"HTTP/1.1 200") or f"Content-Length: {len(body)}".encode() not in head):
        raise Broken(f"metrics: {head!r}, {len(body)} bytes")
    return reply


def next_job_is_right(daemon):
    client = Client(daemon.socket, timeout=40)
    try:
        word, reply = client.ask("SOLVE 3x3 start=123456708")
        assert word == "OK", reply
        job = reply["job"]
        word, reply = client.ask(f"WAIT {job} timeout=30")
        assert word == "OK" and reply["state"] == "done", reply
        word, reply = client.ask(f"RESULT {job}")
        assert word == "OK" and reply["moves"] == "1" and reply["path"] == "R", reply
    finally:
        client.close()


# ---- lives ----


def daemon_of(arguments, state=None):
    daemon = Daemon(arguments.puzzled, "--log-level", "warning", "--threads", "2")
    daemon.metrics = os.path.join(daemon.directory, "metrics")
    config = os.path.join(daemon.directory, "puzzled.conf")
    with open(config, "w", encoding="ascii") as file:
        file.write(f"[daemon]\nmetrics-listen = {daemon.metrics}\n")
    daemon.flags += ("--config", config)
    if state:
        shutil.copytree(state, daemon.state)
    return daemon


def start_with(daemon, environment, patience=120.0):
    os.environ.update(environment)
    try:
        daemon.start(patience)
    finally:
        for key in environment:
            os.environ.pop(key, None)


# Of the jobs that a life leaves to the next one: what their results hold. The last two had not begun.
LEFT = (
    ("EXPLORE 2x3", {"states": "360", "depth": "21", "complete": "yes"}),
    ("SOLVE 3x3 start=867254301 method=bidirectional", {"moves": "31", "solvable": "yes"}),
    ("SOLVE klotski:横刀立马", {"moves": "81", "solvable": "yes"}),
    ("EXPLORE 4x4 depth=16 keep=levels", {"depth": "16"}),
    ("EXPLORE 2x5", {"states": "1814400", "depth": "55", "complete": "yes"}),
)


def leave_jobs(arguments):
    """A state directory with jobs that are done and some that are queued."""
    daemon = daemon_of(arguments)
    directory = tempfile.mkdtemp(prefix="puzzled-torture-state-")
    try:
        daemon.start()
        client = Client(daemon.socket, timeout=40)
        for job, (line, _) in enumerate(LEFT, 1):
            word, reply = client.ask(line)
            assert word == "OK" and reply["job"] == str(job), reply
            if job + 2 <= len(LEFT):
                client.ask(f"WAIT {job}")
        daemon.kill()
        shutil.copytree(daemon.state, directory, dirs_exist_ok=True)
        return directory
    finally:
        daemon.remove()


def second_session():
    lines = []
    for job, (_, expected) in enumerate(LEFT, 1):
        lines += [(f"WAIT {job} timeout=30", {}), (f"RESULT {job}", expected)]
    return (*lines, ("DISTANCE 2x3 4,5,0/1,2,3", {"moves": "21"}), ("JOBS", {"count": str(len(LEFT))}), ("FSCK", {"count": "0"}))


def all_left_is_right(daemon):
    """Jobs may have failed, with a reason, but none is missing, and what is done is right."""
    assert session(daemon, lines=second_session()) == len(second_session()), "a job is missing"


def all_can_be_asked(daemon):
    """Whatever went wrong before: each question gets its answer."""
    assert session(daemon, strict=True) == len(SESSION), daemon.tail()


def run(arguments, life, kind, point, forever):
    daemon = daemon_of(arguments, life.state)
    environment = {"LD_PRELOAD": os.path.abspath(arguments.library), "FAULT_CALL": kind, "FAULT_AT": str(point)}
    if forever:
        environment["FAULT_FOREVER"] = "1"
    try:
        never_accepts = kind == "accept" and forever
        # it may be up and have no memory for any connection: the session sees to it that it says so
        never_welcomes = never_accepts or (kind == "malloc" and forever)
        refused = False
        try:
            start_with(daemon, environment, patience=3 if never_welcomes else 120)
        except AssertionError:
            code = daemon.process.poll()
            if code in (-6, -7, -11) or (code is None and not never_welcomes):
                raise
            assert code is None or daemon.tail().strip(), "puzzled refused to start without a word"
            refused = code is not None
        if not refused:
            life.go(daemon, never_accepts, forever)
        daemon.start()
        if life.state:
            all_left_is_right(daemon)
        all_can_be_asked(daemon)
        daemon.stop()
        return "refused" if refused else "survived"
    finally:
        daemon.remove()


class FirstLife:
    name, state = "first life", None

    def __init__(self, gently):
        self.gently = gently

    def go(self, daemon, never_accepts, forever):
        session(daemon, nobody_answers=never_accepts)
        if not never_accepts:
            scrape(daemon)
        if not forever:
            try:
                next_job_is_right(daemon)
            except (AssertionError, ConnectionError):  # the call that fails may come only now
                next_job_is_right(daemon)
        (daemon.end if self.gently else daemon.kill)()

    @staticmethod
    def count(daemon):
        all_can_be_asked(daemon)
        assert scrape(daemon).startswith(b"HTTP/1.1 200")


class SecondLife:
    name = "second life"

    def __init__(self, state):
        self.state = state

    @staticmethod
    def go(daemon, never_accepts, forever):
        session(daemon, nobody_answers=never_accepts, lines=second_session())
        if forever:
            daemon.end()  # with what code it ends without memory nobody has promised
        else:
            daemon.stop()

    @staticmethod
    def count(daemon):
        all_left_is_right(daemon)


def count_calls(arguments, life):
    daemon = daemon_of(arguments, life.state)
    path = os.path.join(daemon.directory, "counts")
    try:
        start_with(daemon, {"LD_PRELOAD": os.path.abspath(arguments.library), "FAULT_COUNT": path})
        life.count(daemon)
        daemon.stop()
        with open(path, encoding="ascii") as lines:
            return {word: int(number) for word, number in (line.split() for line in lines)}
    finally:
        daemon.remove()


def fail_each(arguments, life, kind, points):
    """How often it survived and refused to start; and how often it did something else."""
    ends = {"survived": 0, "refused": 0, "broken": 0}
    for point in points:
        for forever in (False, True):
            try:
                ends[run(arguments, life, kind, point, forever)] += 1
            except (AssertionError, OSError, subprocess.TimeoutExpired) as failure:
                ends["broken"] += 1
                print(f"{life.name}, {kind} {point}{' and ever after' if forever else ''}: {failure}", flush=True)
    return ends


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("puzzled")
    parser.add_argument("library")
    parser.add_argument("--points", type=int, default=30, help="of each kind, spread over all calls")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gently", action="store_true", help="end the first life by SIGTERM, too")
    parser.add_argument("--kind", choices=KINDS, help="only this one")
    parser.add_argument("--life", choices=("first", "second"), help="only this one")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    state = leave_jobs(arguments)
    broken = 0
    try:
        for life in (FirstLife(arguments.gently), SecondLife(state)):
            if arguments.life not in (None, life.name.split()[0]):
                continue
            counts = count_calls(arguments, life)
            for kind in KINDS if arguments.kind is None else (arguments.kind,):
                total = counts[kind]
                points = sorted(rng.sample(range(1, total + 1), min(total, arguments.points)))
                ends = fail_each(arguments, life, kind, points)
                broken += ends["broken"]
                print(f"{life.name}, {kind}: {total} calls, {len(points)} points: {ends['survived']} survived, "
                      f"{ends['refused']} refused to start with a reason, {ends['broken']} went wrong", flush=True)
    finally:
        shutil.rmtree(state, ignore_errors=True)
    raise SystemExit(1 if broken else 0)


if __name__ == "__main__":
    main()
