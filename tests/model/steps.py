# SPDX-License-Identifier: MIT
"""
Steps of a run, as lists that JSON can hold, so that a run can be kept and played again:

    ["send", client, line]      sends a request; {job:K} stands for the number that submission K was told (its
                                reply is waited for)
    ["send", client, line, K]   sends submission K
    ["collect", client]         waits for all replies to that client; null: to all
    ["hang-up", client]
    ["kill"] ["stop"]           ends the daemon by SIGKILL or SIGTERM and starts it again
    ["configure", {…}]          changes the configuration, by SIGHUP
    ["faults", call, at]        restarts it with the Nth call of a kind failing; ["faults"] without
    ["flood", first, clients, requests]   that many clients of one user send solves that take some time
    ["turns", client, line, K, most]   sends, and waits: at most so many replies go to users other than the client's
    ["rate", client, requests]  asks PING over a new connection each time; requests-per-second must hold
    ["reckon"]                  asks for all that must be there
"""

import os
import random
import re
import signal
import time

from model import Model, table_name
from outside import Outside
from truth import SIZES, slide
from world import USERS, Violation, World

CLIENTS = 6
FLOOD = 100  # first client of a flood


class Player(Outside):
    """Plays steps over a fresh daemon and holds every reply against the model."""

    def __init__(self, program, faults_library, config, ignore=()):
        self.model = Model()
        self.world = World(program, faults_library, self._judge, self.model.lost)
        self.world.config = dict(config)
        self.model.configured(config)
        self.ignore = set(ignore)
        self.submitters = {}   # submission -> client
        self.to_others = None  # while turns are counted: (user, replies to others so far)

    def play(self, steps):
        """Raises the Violation that was met. Always ends the daemon."""
        try:
            self._start()
            for step in steps:
                getattr(self, "_" + step[0].replace("-", "_"))(*step[1:])
                self.world.pump(0)
            self._collect(None)
            self._reckon()
            self._end_web()
        finally:
            if self.web is not None:
                self.web.process.kill()
            self.world.remove()

    def _judge(self, request):
        if self.to_others is not None and USERS[request.client % len(USERS)] != self.to_others[0]:
            self.to_others[1] += 1
        try:
            self.model.judge(request)
        except Violation as violation:
            if violation.check not in self.ignore:
                raise

    # ---- steps ----

    def _start(self):
        if not self.world.start():
            if not self.world.environment:
                raise Violation("start", "the daemon ended at its start\n" + self.world.log_tail())
            self.world.environment = {}  # it may refuse to start while calls fail; it must not once they do not
            if not self.world.start():
                raise Violation("start", "the daemon ended at its start\n" + self.world.log_tail())

    def _send(self, client, line, label=None):
        if not self.world.alive():
            self._start()
        self._prepare(client, line, label, lambda filled: self.world.send(client, filled))

    def _ask(self, client, line):
        """Sends, and waits for the reply."""
        request = self._prepare(client, line, None, lambda filled: self.world.send(client, filled))
        self._collect(client)
        return request

    def _prepare(self, client, line, label, send):
        """Sends a line whose numbers of jobs are filled in, and notes what the model must know of it."""
        wanted = re.search(r"\{job:(\d+)\}", line)
        job = self._number(int(wanted.group(1))) if wanted else None
        request = send(re.sub(r"\{job:\d+\}", str(job), line))
        if request is None:
            return None
        words = line.split()
        size = words[1].removeprefix("slide:") if len(words) > 1 else None
        record = self.model.jobs.get(job)
        context = request.context
        context["job"] = job
        context["size"] = size if re.fullmatch(r"\d+x\d+|faulty(:[a-z]+)?", size or "") else None
        if request.verb in ("DISTANCE", "PATH"):
            context["start"] = words[2]
        if request.verb == "LEVELS":
            context["size"] = record.puzzle if record is not None and record.puzzle in SIZES else None
        if request.verb in ("PIN", "UNPIN"):
            context["table"] = line.partition(" ")[2].strip('"')
        context["submission"] = label
        if label is not None:
            self.submitters[label] = client
        self.model.sent(request)
        return request

    def _number(self, label):
        """The number that a submission was told, 0 without one. Waits for a reply that is on its way."""
        if label not in self.model.submissions and label in self.submitters:
            self._collect(self.submitters[label])
        return self.model.submissions.get(label, 0)

    def _collect(self, client):
        self.world.collect(list(self.world.links) if client is None else [client])

    def _hang_up(self, client):
        self.world.drop(client)

    def _end(self, how):
        if self.world.alive():
            if how == signal.SIGKILL:
                self.model.killed()
            self.world.end(how)
        self._start()

    def _kill(self):
        self._end(signal.SIGKILL)

    def _stop(self):
        self._end(signal.SIGTERM)

    def _configure(self, config):
        self.world.config.update(config)
        self.model.configured(config)
        self.world.write_config()
        if self.world.alive():
            self.world.process.send_signal(signal.SIGHUP)

    def _faults(self, call=None, at=0):
        if not os.path.exists(self.world.faults_library):
            return
        self.world.environment = {"FAULT_CALL": call, "FAULT_AT": str(at)} if call else {}
        self.model.faulty = self.model.faulty or call is not None
        self._kill()

    def _flood(self, first, clients, requests):
        for index in range(clients * requests):
            self._send(FLOOD + first + len(USERS) * (index % clients), f"SOLVE 2x5 start={walk(index, first)} method=bfs")

    def _turns(self, client, line, label, most):
        if os.geteuid() != 0:
            return  # all clients are one user then
        self.to_others = [USERS[client % len(USERS)], 0]
        self._send(client, line, label)
        self._collect(client)
        replies, self.to_others = self.to_others[1], None
        if replies > most and "turns" not in self.ignore:
            raise Violation("turns", f"{line!r} waited while {replies} replies went to another user, {most} are allowed")

    def _rate(self, client, requests):
        rate = int(self.world.config.get("limits.requests-per-second", 0))
        started = time.monotonic()
        answered = 0
        for _ in range(requests):
            self.world.drop(client)
            request = self.world.send(client, "PING")
            self._collect(client)
            answered += request is not None and request.word == "OK"
        allowed = rate * (time.monotonic() - started + 2) if rate else requests
        if answered > allowed and "rate" not in self.ignore:
            raise Violation("rate", f"{answered} requests were served at {rate} a second")

    def _reckon(self):
        if not self.world.alive():
            self._start()
        for line in ("JOBS limit=1000", "TABLES", "FSCK"):
            self._send(0, line)
        for number in sorted(self.model.jobs)[-40:]:
            self.model.submissions[-number] = number
            for verb in ("STATUS", "RESULT"):
                request = self.world.send(0, f"{verb} {number}")
                if request is not None:
                    request.context["job"] = number
        for size in SIZES:
            board = slide(size).text(slide(size).boards[-1])
            self._send(0, f"DISTANCE {size} {board}")
        self._collect(0)


def walk(number, seed):
    """A 2x5 board that can be solved: its own for each number."""
    generator = random.Random(seed * 1000003 + number)
    board = [*range(1, 10), 0]
    for _ in range(300):
        blank = board.index(0)
        row, column = divmod(blank, 5)
        r, c = generator.choice([(1 - row, column), (row, max(column - 1, 0)), (row, min(column + 1, 4))])
        board[blank], board[r * 5 + c] = board[r * 5 + c], board[blank]
    return ",".join(map(str, board[:5])) + "/" + ",".join(map(str, board[5:]))


# ---- making steps ----

class Maker:
    """Makes the steps of one run from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = []
        self.submissions = 0

    def config(self):
        """The configuration that the run begins with."""
        choose = self.random.random
        config = {}
        if choose() < 0.2:
            config["limits.kept-jobs"] = self.random.choice([2, 5, 20])
        if choose() < 0.15:
            config["store.size"] = self.random.choice(["4M", "16M", "40M"])
        if choose() < 0.15:
            config["limits.queued-jobs-per-client"] = self.random.choice([1, 3])
        if choose() < 0.1:
            config["limits.requests-per-second"] = 20
        if choose() < 0.2:
            config["store.checkpoint-interval"] = "50ms"
        if choose() < 0.3:
            config["cluster.launch"] = "mpiexec -n 2 {program} --memory 256M"
        return config

    def make(self, count):
        patterns = [
            (30, self._requests), (6, self._same_then_kill), (6, self._at_once_then_kill), (4, self._fsck_beside),
            (5, self._pinned), (6, self._joined), (1, self._turns), (4, self._restart), (3, self._configure),
            (2, self._rate), (2, self._faults), (4, self._reckon), (3, self._priorities), (3, self._hang_up),
            (5, self._web), (3, self._move), (2, self._disk), (4, self._plugin), (2, self._cluster),
        ]
        weights = [weight for weight, _ in patterns]
        while len(self.steps) < count:
            self.random.choices(patterns, weights)[0][1]()
        return self.steps

    def _client(self):
        return self.random.randrange(CLIENTS)

    def _send(self, client, line):
        self._submit(["send", client, line])

    def _submit(self, step):
        """Adds a step whose last word is a line; one that makes a job gets a number."""
        if step[-1].startswith(("EXPLORE ", "SOLVE ")):
            step.append(self.submissions)
            self.submissions += 1
        self.steps.append(step)

    def _board(self, size):
        puzzle = slide(size)
        board = list(self.random.choice(puzzle.boards))
        if self.random.random() < 0.15:  # the half that cannot be solved
            a, b = [index for index, tile in enumerate(board) if tile][:2]
            board[a], board[b] = board[b], board[a]
        return puzzle.text(tuple(board))

    def _job(self):
        return "{job:%d}" % self.random.randrange(max(self.submissions, 1))

    def _size(self):
        return self.random.choice(SIZES)

    def _maybe(self, chance, text):
        return text if self.random.random() < chance else ""

    def _explore_line(self):
        pick = self.random.choice
        return (f"EXPLORE {self._size()}" + self._maybe(0.2, f" depth={self.random.randrange(40)}")
                + self._maybe(0.15, f" time={pick(['1ms', '20ms', '5s'])}") + self._maybe(0.1, f" memory={pick(['1M', '64M'])}")
                + self._maybe(0.2, f" threads={pick([1, 2, 8])}") + self._maybe(0.3, f" engine={pick(['striped', 'dense'])}")
                + self._maybe(0.3, f" keep={pick(['table', 'levels'])}")
                + self._maybe(0.2, f" priority={self.random.randrange(-20, 20)}") + self._maybe(0.05, " estimate=yes"))

    def _solve_line(self, size=None):
        size = size or self._size()
        pick = self.random.choice
        return (f"SOLVE {size} start={self._board(size)}"
                + self._maybe(0.6, f" method={pick(['bfs', 'bidirectional', 'astar', 'idastar', 'table'])}")
                + self._maybe(0.1, f" time={pick(['1ms', '5s'])}") + self._maybe(0.1, f" threads={pick([1, 2])}"))

    def _line(self):
        pick, size = self.random.choice, self._size()
        kinds = [
            (14, self._explore_line), (14, self._solve_line), (4, lambda: f"STATUS {self._job()}"),
            (6, lambda: f"RESULT {self._job()}"), (4, lambda: f"WAIT {self._job()} timeout={pick(['0', '50ms', '60s'])}"),
            (2, lambda: f"WATCH {self._job()}"), (3, lambda: f"CANCEL {self._job()}"), (4, lambda: f"FORGET {self._job()}"),
            (3, lambda: f"LEVELS {self._job()} examples={pick([1, 4])}"), (2, lambda: "JOBS"),
            (2, lambda: f"JOBS state={pick(['done', 'queued', 'failed'])} limit=5"),
            (6, lambda: f"DISTANCE {size} {self._board(size)}"), (4, lambda: f"PATH {size} {self._board(size)}"),
            (3, lambda: f"SAMPLE {size} depth={self.random.randrange(25)} count=5 seed=3"), (2, lambda: f"DEEPEST {size}"),
            (2, lambda: "TABLES"), (2, lambda: f'PIN "{table_name(size)}"'), (1, lambda: f'UNPIN "{table_name(size)}"'),
            (2, lambda: "FSCK"), (1, lambda: pick(["PING", "VERSION", "HELP", "PUZZLES", "STATS", "METRICS", "QUIT"])),
            (1, lambda: pick(["", "NONSENSE", "EXPLORE", "EXPLORE 3x", "SOLVE 3x3 start=1", "STATUS x", "JOBS state=runing",
                              "DISTANCE 3x3 1,2", "WAIT 99999999", "EXPLORE 3x3 depth=-1", "PIN nothing"])),
        ]
        return self.random.choices(kinds, [weight for weight, _ in kinds])[0][1]()

    # ---- patterns ----

    def _requests(self):
        for _ in range(self.random.randrange(1, 6)):
            self._send(self._client(), self._line())
        if self.random.random() < 0.5:
            self.steps.append(["collect", self.random.choice([None, self._client()])])

    def _same_then_kill(self):
        self.steps.append(["collect", None])
        line = self.random.choice([self._explore_line, self._solve_line])()
        a, b = self.random.sample(range(CLIENTS), 2)
        self._send(a, line)
        self._send(b, line)
        self.steps += [["collect", b], ["kill"], ["reckon"]]

    def _at_once_then_kill(self):
        self.steps.append(["collect", None])
        client = self._client()
        self._send(client, self._solve_line("2x3"))
        self.steps += [["collect", client], ["kill"]]
        self._send(client, self._solve_line("2x4"))
        self.steps += [["collect", client], ["reckon"]]

    def _fsck_beside(self):
        for _ in range(12):
            self._send(1, self._solve_line("2x4"))
            self.steps += [["collect", 1], ["send", 1, "FORGET {job:%d}" % (self.submissions - 1)]]
            self.steps.append(["send", 2, "FSCK"])
        self.steps.append(["collect", None])

    def _pinned(self):
        size = self._size()
        self._send(0, f"EXPLORE {size}")
        job = "{job:%d}" % (self.submissions - 1)
        self.steps += [["send", 0, f"WAIT {job} timeout=60s"], ["send", 0, f"RESULT {job}"],
                       ["send", 0, f'PIN "{table_name(size)}"'], ["collect", 0]]
        for _ in range(self.random.randrange(8)):
            self._send(1, self._solve_line("2x3"))
        for other in self.random.sample(SIZES, 2):
            self._send(1, f"EXPLORE {other}")
        self.steps += [["collect", 1], ["send", 2, "TABLES"], ["send", 2, f"DISTANCE {size} {self._board(size)}"]]

    def _joined(self):
        depth = self.random.choice([18, 20])
        line = f"EXPLORE 4x4 engine=striped keep=levels depth={depth}"
        self._send(1, line + self.random.choice([" time=20ms", " time=100ms", " memory=2M"]))
        self._send(2, line)
        job = "{job:%d}" % (self.submissions - 1)
        self.steps += [["collect", 2], ["send", 2, f"WAIT {job} timeout=60s"], ["send", 2, f"RESULT {job}"], ["collect", 2]]

    def _priorities(self):
        for depth in (19, 18):
            self._send(1, f"EXPLORE 4x4 engine=striped keep=levels depth={depth} priority=5")
        line = f"EXPLORE 4x4 engine=striped keep=levels depth={self.random.randrange(10, 17)} priority="
        self._send(1, line + "-3")
        self._send(0, line + str(self.random.randrange(0, 19)))
        self.steps += [["send", 0, "STATUS {job:%d}" % (self.submissions - 1)], ["collect", 0]]

    def _turns(self):
        first = self.random.choice([1, 2])
        self.steps += [["collect", None], ["flood", first, 30, 1]]
        self.steps += [["turns", 0, self._solve_line("3x3"), self.submissions, 12], ["collect", None]]
        self.submissions += 1

    def _restart(self):
        self.steps += [[self.random.choice(["kill", "stop"])], ["reckon"]]

    def _configure(self):
        self.steps.append(["configure", self.random.choice([
            {"limits.kept-jobs": 3}, {"limits.queued-jobs": 10}, {"log.level": "debug"}, {"limits.requests-per-second": 0}])])

    def _rate(self):
        self.steps += [["collect", None], ["configure", {"limits.requests-per-second": 10}], ["kill"], ["rate", 4, 100],
                       ["configure", {"limits.requests-per-second": 0}], ["kill"]]

    def _faults(self):
        call = self.random.choice(["malloc", "write", "sync", "mmap", "thread"])
        self.steps.append(["faults", call, self.random.randrange(1, 2000 if call == "malloc" else 60)])
        self._requests()
        self.steps += [["faults"], ["reckon"]]

    def _reckon(self):
        self.steps += [["collect", None], ["reckon"]]

    def _hang_up(self):
        client = self._client()
        self._send(client, self._line())
        self.steps.append(["hang-up", client])

    def _web(self):
        for _ in range(self.random.randrange(1, 5)):
            size = self._size()
            line = self.random.choice([
                lambda: f"DISTANCE {size} {self._board(size)}", lambda: f"PATH {size} {self._board(size)}",
                lambda: f"STATUS {self._job()}", lambda: f"RESULT {self._job()}", lambda: f"CANCEL {self._job()}",
                lambda: f"FORGET {self._job()}", lambda: f"EXPLORE {size} depth={self.random.randrange(40)} threads=2",
                lambda: f"SOLVE {size} start={self._board(size)} method={self.random.choice(['bfs', 'astar'])}"])()
            self._submit(["web", line])
            if self.random.random() < 0.3:
                self._send(self._client(), self._line())

    def _move(self):
        for size in self.random.sample(SIZES, 2):
            self._send(1, self.random.choice([f"EXPLORE {size}", self._solve_line(size)]))
        self.steps += [["send", 1, "WAIT {job:%d} timeout=60s" % (self.submissions - 1)], ["collect", 1],
                       ["move", self.random.randrange(10000)], ["reckon"]]

    def _disk(self):
        """Stopped by its disk or by an end of the daemon, a job on disk goes on and ends as if it had not been."""
        line = "EXPLORE 2x5 planes=disk keep=levels"
        self._send(1, line + self.random.choice([" disk=300K", " time=100ms", ""]))
        ends = [["kill"], ["stop"], ["send", 1, "WAIT {job:%d} timeout=60s" % (self.submissions - 1)]]
        self.steps += [["send", 2, "WAIT {job:%d} timeout=100ms" % (self.submissions - 1)], ["collect", 2],
                       self.random.choice(ends)]
        self._send(2, line)
        job = "{job:%d}" % (self.submissions - 1)
        self.steps += [["send", 2, f"WAIT {job} timeout=60s"], ["send", 2, f"RESULT {job}"], ["collect", 2]]

    def _plugin(self):
        fault = self.random.choice(["", "", ":many", ":rank", ":unrank", ":count", ":oneway", ":bound"])
        self._send(1, f"EXPLORE faulty{fault}" + self._maybe(0.5, f" engine={self.random.choice(['striped', 'ranked'])}")
                   + self._maybe(0.5, " keep=levels") + self._maybe(0.2, " threads=2"))
        job = "{job:%d}" % (self.submissions - 1)
        self.steps += [["send", 1, f"WAIT {job} timeout=60s"], ["send", 1, f"RESULT {job}"],
                       ["send", 2, "SAMPLE faulty depth=9 count=2"], ["collect", 1]]

    def _cluster(self):
        self._send(1, f"EXPLORE {self._size()} cluster=yes keep=levels" + self._maybe(0.3, " depth=9"))
        job = "{job:%d}" % (self.submissions - 1)
        self.steps.append(self.random.choice([["kill"], ["stop"], ["send", 2, f"CANCEL {job}"], ["collect", 1]]))
        self.steps += [["send", 1, f"WAIT {job} timeout=60s"], ["send", 1, f"RESULT {job}"], ["collect", 1]]
