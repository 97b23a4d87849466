#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
What the machine does to puzzled: clocks that jump, descriptors and threads used up, a state directory that is
read-only, on a disk that is not mounted, in use, or damaged.

    tests/torture/surroundings.py build/release/bin/puzzled build/release/lib/libfaults.so

Each case says what it needs (mounts need root) and is skipped aloud without it.
"""

import argparse
import mmap
import os
import shutil
import struct
import subprocess
import threading
import time

from harness import Client, Daemon, fields

ENDLESS = "14,5,9,2,18/8,23,19,12,17/15,0,10,20,4/6,11,21,1,7/24,3,16,22,13"  # Korf's first 24-puzzle: hours
YEARS = 365 * 24 * 3600
KINDS = ("malloc", "write", "sync", "mmap", "thread", "accept")  # of libfaults, in its order


class Control:
    """The page that libfaults reads while puzzled runs; a context in whose body daemons are started with it."""

    def __init__(self, arguments, directory):
        path = os.path.join(directory, "control")
        with open(path, "wb") as file:
            file.write(bytes(mmap.PAGESIZE))
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        self.environment = {"LD_PRELOAD": os.path.abspath(arguments.library), "FAULT_CONTROL": path}

    def __enter__(self):
        os.environ.update(self.environment)
        return self

    def __exit__(self, *_):
        for key in self.environment:
            os.environ.pop(key, None)

    def wall_clock(self, seconds):
        self.map[0:8] = struct.pack("=q", int(seconds))

    def failing(self, *kinds):
        self.map[8:16] = struct.pack("=q", sum(1 << KINDS.index(kind) for kind in kinds))


def explore(client, line, state="done"):
    word, reply = client.ask(line)
    assert word == "OK", (line, reply)
    if reply["state"] != "done":
        reply.update(client.ask(f"WAIT {reply['job']} timeout=60")[1])
    assert reply["state"] == state, (line, reply)
    return reply


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def log_of(daemon):
    daemon.log.flush()
    with open(daemon.log.name, encoding="utf-8", errors="replace") as log:
        return log.read()


def refuses(daemon, *texts, status=2):
    """It must not start, and say why, without a crash."""
    before = len(log_of(daemon))
    try:
        daemon.start()
    except AssertionError:
        pass
    else:
        raise AssertionError(f"puzzled started; expected: {texts}")
    assert daemon.process.poll() == status, f"ended with {daemon.process.poll()}"
    said = log_of(daemon)[before:]
    for text in texts:
        assert text in said, f"'{text}' is not in: {said}"
    return said


# ---- clocks ----

def written_behind(daemon):
    """What was answered at once is on the disk soon: within a second, or later if the disk is slow. Leaves the daemon killed."""
    patience = 1.2
    while True:
        answered = Client(daemon.socket).ask("SOLVE 3x3 start=867254301 method=bidirectional")[1]
        time.sleep(patience)
        daemon.kill()
        daemon.start()
        word, reply = Client(daemon.socket).ask(f"STATUS {answered['job']}")
        daemon.kill()
        if word == "OK":
            assert reply["state"] == "done", reply
            return
        patience *= 2
        assert patience < 100, "what was answered at once is never written"
        daemon.start()


def clocks_that_jump(arguments):
    """Every timeout rests on the monotonic clock: no jump of the other one ends, delays or forgets anything."""
    daemon = Daemon(arguments.puzzled, "--log-level", "warning", "--threads", "2")
    ended = threading.Event()

    def jump(control):
        for turn in range(10**6):
            control.wall_clock((0, 10 * YEARS, -10 * YEARS, 3600, -3600)[turn % 5])
            if ended.wait(0.02):
                return

    try:
        with Control(arguments, daemon.directory) as control:
            daemon.start()
            jumper = threading.Thread(target=jump, args=(control,))
            jumper.start()
            try:
                client, quiet = Client(daemon.socket), Client(daemon.socket)
                assert explore(client, "EXPLORE 2x5 engine=striped")["job"] == "1"
                assert client.ask("RESULT 1")[1]["states"] == "1814400"
                # Searches with more threads than processors: their first thread waits for work again and again.
                job = client.ask(f"SOLVE 5x5 start={ENDLESS} method=idastar threads=8")[1]["job"]
                word, reply = client.ask(f"WAIT {job} timeout=1")
                assert word == "OK" and reply["state"] == "running", reply
                assert client.ask(f"CANCEL {job}")[0] == "OK"
                assert client.ask(f"WAIT {job} timeout=30")[1]["state"] == "cancelled"
                stopped = explore(client, "EXPLORE 3x4 engine=striped keep=levels time=1", state="stopped")
                assert client.ask(f"RESULT {stopped['job']}")[1]["reason"] == "time", client.ask(f"RESULT {stopped['job']}")
                assert quiet.ask("PING")[0] == "OK", "an idle connection was closed"
                written_behind(daemon)
            finally:
                ended.set()
                jumper.join()
            control.wall_clock(-10 * YEARS)
            daemon.start()
            client = Client(daemon.socket)
            # A table that went away is made again, whatever the clock said when its job ended.
            control.wall_clock(10 * YEARS)
            explore(client, "EXPLORE 3x3 depth=5")
            whole = explore(client, "EXPLORE 3x3")
            assert client.ask(f"FORGET {whole['job']}")[0] == "OK"
            control.wall_clock(0)
            assert client.ask("DISTANCE 3x3 123456078")[0] == "ERR"
            assert explore(client, "EXPLORE 3x3 depth=5")["cached"] == "no"
            assert client.ask("DISTANCE 3x3 123456078")[1]["moves"] == "2"
            daemon.stop()
    finally:
        daemon.remove()


# ---- what a system has only so many of ----

def descriptors_used_up(arguments):
    """The daemon neither spins nor ends, serves those whom it has, and the others as soon as it can."""
    daemon = Daemon(arguments.puzzled, "--log-level", "info", "--threads", "2")
    daemon.wrapper = ["prlimit", "--nofile=64:64"]
    try:
        daemon.start()
        first = Client(daemon.socket)
        assert first.ask("PING")[0] == "OK"
        crowd = [Client(daemon.socket, timeout=20) for _ in range(200)]  # most of them wait in the backlog
        for client in crowd:
            client.send("PING")
        explore(first, "EXPLORE 3x3")
        assert first.ask("DISTANCE 3x3 867254301")[1]["moves"] == "31"
        before = processor_seconds(daemon.process.pid)
        time.sleep(2)
        used = processor_seconds(daemon.process.pid) - before
        assert used < 0.5, f"used {used} s of a processor in 2 s of waiting"
        log = log_of(daemon)
        assert log.count("event=accept-failed") == 1 and "Too many open files" in log, log
        for client in crowd:  # each that leaves makes room for the next
            assert fields(client.line())[0] == "OK"
            client.close()
        late = Client(daemon.socket)
        assert late.ask("PING")[0] == "OK"
        while "event=accepting-again" not in log_of(daemon):  # it has to be well for a while
            time.sleep(0.2)
            Client(daemon.socket).close()
        assert log_of(daemon).count("event=accept-failed") == 1, log_of(daemon)
        explore(late, "EXPLORE 2x4")
        daemon.stop()
    finally:
        daemon.remove()


def a_full_process_table(arguments):
    """Jobs that get no thread fail with the reason, or go on with fewer; afterwards all is as before."""
    daemon = Daemon(arguments.puzzled, "--log-level", "warning", "--threads", "4")
    try:
        with Control(arguments, daemon.directory) as control:
            daemon.start()
            client = Client(daemon.socket)
            explore(client, "EXPLORE 2x4")
            control.failing("thread")
            for line in ("EXPLORE 3x3 engine=dense", "EXPLORE 2x5 engine=striped", "EXPLORE jugs:3,5",
                         "SOLVE 4x4 start=1,2,3,4/5,6,7,8/9,10,0,12/13,14,11,15 method=idastar",
                         "SOLVE 3x3 start=867254301 method=bfs"):
                word, reply = client.ask(line)
                if word == "OK" and reply["state"] != "done":
                    job = reply["job"]
                    word, reply = client.ask(f"WAIT {job} timeout=60")
                    assert reply["state"] in ("done", "failed"), (line, reply)
                    if reply["state"] == "failed":
                        client.send(f"RESULT {job}")
                        result = client.line()
                        assert "Resource temporarily unavailable" in result, (line, result)
                elif word == "ERR":
                    assert reply[""].strip(), line
            assert client.ask("DISTANCE 2x4 0,7,2,1/4,3,6,5")[1]["moves"] == "36"
            assert Client(daemon.socket).ask("PING")[0] == "OK"
            control.failing()
            explore(client, "EXPLORE 3x3 engine=dense")
            assert client.ask("DISTANCE 3x3 867254301")[1]["moves"] == "31"
            control.failing("thread")
            daemon.stop()
            refuses(daemon, "Resource temporarily unavailable", status=1)
            control.failing()
            daemon.start()
            daemon.stop()
    finally:
        daemon.remove()


# ---- the state directory ----

def mounted(*words):
    return subprocess.run(["mount", *words], stderr=subprocess.DEVNULL, check=False).returncode == 0


def a_read_only_state_directory(arguments):
    daemon = Daemon(arguments.puzzled, "--log-level", "warning")
    try:
        daemon.start()
        explore(Client(daemon.socket), "EXPLORE 2x3")
        daemon.stop()
        if not (mounted("--bind", daemon.state, daemon.state) and mounted("-o", "remount,bind,ro", daemon.state)):
            subprocess.run(["umount", daemon.state], stderr=subprocess.DEVNULL, check=False)
            return "mounting is not allowed here"
        try:
            refuses(daemon, daemon.state, "Read-only file system")
        finally:
            subprocess.run(["umount", daemon.state], check=True)
        daemon.start()
        assert Client(daemon.socket).ask("DISTANCE 2x3 4,5,0/1,2,3")[1]["moves"] == "21"
        daemon.stop()
    finally:
        daemon.remove()
    return None


def a_disk_that_is_not_mounted(arguments):
    """Nothing is made in the place where it will appear."""
    daemon = Daemon(arguments.puzzled, "--log-level", "warning")
    try:
        daemon.state = os.path.join(daemon.directory, "disk", "puzzled", "state")
        os.mkdir(os.path.join(daemon.directory, "disk"))
        refuses(daemon, daemon.state, "mount its disk")
        assert os.listdir(os.path.join(daemon.directory, "disk")) == []
    finally:
        daemon.remove()


def a_state_directory_in_use(arguments):
    daemon, other = (Daemon(arguments.puzzled, "--log-level", "warning") for _ in range(2))
    try:
        daemon.start()
        kept, other.state = other.state, daemon.state
        refuses(other, f"{daemon.state} is in use by process {daemon.process.pid}")
        client = Client(daemon.socket)
        explore(client, "EXPLORE 3x3")
        assert client.list("FSCK")[1] == []
        daemon.kill()  # the lock goes with its owner
        other.start()
        other.stop()
        other.state = kept
    finally:
        daemon.remove()
        other.remove()


def pages_that_are_damaged(arguments):
    """LMDB cannot read its own trees: the daemon names the page and what to do, and what it says works."""
    daemon = Daemon(arguments.puzzled, "--log-level", "warning")
    try:
        daemon.start()
        client = Client(daemon.socket)
        explore(client, "EXPLORE 3x3")
        explore(client, "SOLVE 3x3 start=867254301")
        daemon.stop()
        data = os.path.join(daemon.state, "data.mdb")
        copy = os.path.join(daemon.directory, "copy.mdb")
        shutil.copy(data, copy)
        with open(data, "rb") as file:
            whole = file.read()
        size = os.sysconf("SC_PAGESIZE")
        trees = [at for at in range(2 * size, len(whole), size) if struct.unpack_from("=H", whole, at + 10)[0] in (1, 2)]
        refused = 0
        for page in trees:  # one after the other; some are free
            with open(data, "r+b") as file:
                file.seek(page + 12)
                file.write(b"\xff\xff")
            try:
                daemon.start()
            except AssertionError:
                refused += 1
                said = daemon.tail()
                assert daemon.process.poll() == 2, said
                for text in (data, f"page {page // size}", "restore it from a copy", "move it away"):
                    assert text in said, said
            else:
                daemon.kill()
            shutil.copy(copy, data)
        assert refused > 0
        with open(data, "r+b") as file:
            file.write(bytes(2 * size))
        refuses(daemon, data, "restore it from a copy")
        os.rename(data, data + ".damaged")
        daemon.start()
        client = Client(daemon.socket)
        assert client.list("JOBS")[1] == []
        explore(client, "EXPLORE 2x3")
        daemon.stop()
        shutil.copy(copy, data)
        daemon.start()
        assert len(Client(daemon.socket).list("JOBS")[1]) == 2
        assert Client(daemon.socket).ask("DISTANCE 3x3 867254301")[1]["moves"] == "31"
        daemon.stop()
        return None
    finally:
        daemon.remove()


def a_copy_while_it_runs(arguments):
    """mdb_copy beside the daemon, as docs/reliability.md says."""
    daemon, other = (Daemon(arguments.puzzled, "--log-level", "warning") for _ in range(2))
    try:
        daemon.start()
        client = Client(daemon.socket)
        explore(client, "EXPLORE 3x3")
        running = client.ask("EXPLORE 5x5 engine=striped keep=levels depth=40")[1]["job"]
        if shutil.which("mdb_copy") is None:
            return "no mdb_copy (package lmdb-utils) here"
        os.mkdir(other.state)
        subprocess.run(["mdb_copy", "-c", daemon.state, other.state], check=True)
        assert client.ask(f"CANCEL {running}")[0] == "OK"
        daemon.stop()
        other.start()
        client = Client(other.socket)
        assert client.ask("DISTANCE 3x3 867254301")[1]["moves"] == "31"
        assert client.list("FSCK")[1] == []
        assert client.ask(f"CANCEL {running}")[0] == "OK"  # it was running in the copy, so it runs again
        other.stop()
        return None
    finally:
        daemon.remove()
        other.remove()


CASES = (clocks_that_jump, descriptors_used_up, a_full_process_table, a_read_only_state_directory,
         a_disk_that_is_not_mounted, a_state_directory_in_use, pages_that_are_damaged, a_copy_while_it_runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("puzzled")
    parser.add_argument("library")
    parser.add_argument("--only", choices=[case.__name__ for case in CASES])
    arguments = parser.parse_args()
    for case in CASES:
        if arguments.only in (None, case.__name__):
            skipped = case(arguments)
            print(f"{case.__name__}: " + (f"SKIP: {skipped}" if skipped else "as it should be"), flush=True)


if __name__ == "__main__":
    main()
