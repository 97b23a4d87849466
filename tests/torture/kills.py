#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Kills puzzled at random moments under a client that submits, cancels, forgets and asks, and holds what is there
afterwards against what was acknowledged.

    tests/torture/kills.py build/release/bin/puzzled --kills 200 --seed 1

Promises that are checked after every start:
  * a job whose OK was not state=done at once is there, unless it was forgotten (durable before its OK);
  * a job answered at once is there if its OK is older than a second (--behind);
  * a job whose forgetting was acknowledged is gone;
  * every number in every answer is right, and at the end every job that is there ends with the right numbers;
  * the database opens, nothing is found damaged, and no file is left over.
"""

import argparse
import os
import random
import threading
import time

from harness import Client, Daemon, distances_3x3

# Whole puzzles with their published number of states and greatest distance.
EXPLORATIONS = {
    "2x2": (12, 6), "2x3": (360, 21), "3x2": (360, 21), "2x4": (20160, 36), "3x3": (181440, 31),
    "2x5": (1814400, 55), "1x5": (5, 4), "3x4": (239500800, 53),
}


class Model:
    """What the client was told, and when."""

    def __init__(self, distances, behind):
        self.distances = distances
        self.behind = behind
        self.boards = sorted(distances)
        self.jobs = {}       # id -> (kind, puzzle, board, time of the OK, durable at the OK)
        self.forgotten = set()
        self.unsure = set()  # a FORGET was sent and not answered
        self.answers = 0


def check_result(model, job, result):
    kind, puzzle, board = model.jobs[job][:3]
    if result.get("state") != "done":
        return
    model.answers += 1
    if kind == "explore":
        states, depth = EXPLORATIONS[puzzle]
        assert int(result["states"]) == states and int(result["depth"]) == depth, (job, puzzle, result)
    else:
        moves = model.distances.get(board, -1)
        assert int(result["moves"]) == moves, (job, board, moves, result)
        assert len(result.get("path", "")) == max(moves, 0), (job, board, result)


def submit(model, client, rng):
    if rng.random() < 0.5:
        puzzle = rng.choices(list(EXPLORATIONS), weights=[4, 4, 4, 4, 4, 2, 4, 1])[0]
        kind, board, line = "explore", "", f"EXPLORE {puzzle}"
    else:
        board = rng.choice(model.boards)
        if rng.random() < 0.2:
            tiles = list(board)
            a, b = [i for i in range(9) if tiles[i] != "0"][:2]
            tiles[a], tiles[b] = tiles[b], tiles[a]  # the other half: unsolvable
            board = "".join(tiles)
        method = rng.choice(["auto", "bfs", "bidirectional"])
        kind, puzzle, line = "solve", "3x3", f"SOLVE 3x3 start={board} method={method}"
    word, reply = client.ask(line)
    assert word == "OK", (line, reply)
    job = int(reply["job"])
    if job in model.jobs:
        return
    at_once = reply["state"] == "done"
    model.jobs[job] = (kind, puzzle, board, time.monotonic(), not at_once)


def ask(model, client, rng):
    if not model.jobs:
        return
    job = rng.choice(list(model.jobs))
    choice = rng.random()
    if choice < 0.15:
        model.unsure.add(job)
        word, reply = client.ask(f"FORGET {job}")
        model.unsure.discard(job)
        if word == "OK":
            model.jobs.pop(job, None)
            model.forgotten.add(job)
    elif choice < 0.25:
        client.ask(f"CANCEL {job}")
    elif choice < 0.6:
        word, reply = client.ask(f"RESULT {job}")
        if word == "OK":
            check_result(model, job, reply)
    else:
        board = rng.choice(model.boards)
        word, reply = client.ask(f"DISTANCE 3x3 {board}")
        if word == "OK":
            model.answers += 1
            assert int(reply["moves"]) == model.distances[board], (board, reply)
        else:
            assert reply["code"] == "no-table", (board, reply)


def work(model, path, rng, failures):
    """Submits and asks until the connection breaks, which is how a kill looks from here."""
    try:
        client = Client(path)
        while True:
            if rng.random() < 0.5:
                submit(model, client, rng)
            else:
                ask(model, client, rng)
    except OSError:
        pass
    except Exception as failure:  # reported by the main thread
        failures.append(failure)


def check_after_start(model, daemon, killed_at):
    client = Client(daemon.socket)
    there = {}
    after = 0
    while True:
        head, records = client.list(f"JOBS after={after} limit=100")
        assert head[0] == "OK", head
        if not records:
            break
        for record in records:
            there[int(record["job"])] = record
        after = max(there)
    for job in sorted(model.unsure):
        if job not in there:
            model.jobs.pop(job, None)
    model.unsure.clear()
    for job in list(model.jobs):
        kind, puzzle, board, told, durable = model.jobs[job]
        if job in there:
            model.jobs[job] = (kind, puzzle, board, told, True)  # it was read from the disk
            check_result(model, job, client.ask(f"RESULT {job}")[1])
        else:
            assert not durable and killed_at - told < model.behind, f"job {job} ({puzzle} {board}) is lost"
            del model.jobs[job]
    back = model.forgotten & set(there)
    assert not back, f"forgotten jobs are back: {back}"
    client.close()


def finish(model, daemon):
    """Lets every job end and checks its numbers; then the files."""
    client = Client(daemon.socket, timeout=600)
    for job in sorted(model.jobs):
        word, reply = client.ask(f"WAIT {job} timeout=300")
        assert word == "OK", (job, reply)
        result = client.ask(f"RESULT {job}")[1]
        blamed = "the daemon ended twice while it ran" in result.get("text", "")
        assert reply["state"] in ("done", "cancelled") or blamed, (job, result, model.jobs[job])
        check_result(model, job, client.ask(f"RESULT {job}")[1])
    client.close()
    daemon.stop()
    left = set(os.listdir(daemon.state)) - {"data.mdb", "lock.mdb", "owner", "scratch"}
    left.update(os.listdir(os.path.join(daemon.state, "scratch")))
    assert not left, f"files left over: {left}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("puzzled")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=2.0, help="seconds of life between kills, at most")
    parser.add_argument("--behind", type=float, default=1.2,
                        help="seconds after which a job that was answered at once must be stored: more on a slow disk")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    model = Model(distances_3x3(), arguments.behind)
    daemon = Daemon(arguments.puzzled, "--log-level", "warning")
    killed_at = 0.0
    try:
        for kill in range(arguments.kills):
            daemon.start()
            check_after_start(model, daemon, killed_at)
            failures = []
            worker = threading.Thread(
                target=work, args=(model, daemon.socket, random.Random(rng.random()), failures))
            worker.start()
            time.sleep(rng.random() ** 2 * arguments.longest)
            daemon.kill()
            killed_at = time.monotonic()
            worker.join()
            assert not failures, failures[0]
        daemon.start()
        check_after_start(model, daemon, killed_at)
        finish(model, daemon)
        print(f"{arguments.kills} kills: {len(model.jobs)} jobs kept, {len(model.forgotten)} forgotten, "
              f"{model.answers} answers right (seed {arguments.seed})")
    finally:
        daemon.remove()


if __name__ == "__main__":
    main()
