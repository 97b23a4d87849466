# SPDX-License-Identifier: MIT
"""
The model: what a client may conclude from the replies so far, and so which replies are impossible.

It knows no more than docs/protocol.md and docs/reliability.md promise. Requests of different clients overlap, so it
judges by moments: what was certain when a request was sent and still is when its reply comes must show in that reply.
"""

import pathlib
import re
import time

from truth import SIZES, slide
from world import ENDED, Violation

PROTOCOL = pathlib.Path(__file__).resolve().parents[2] / "docs" / "protocol.md"
CODES = set(re.findall(r"^\| `([a-z-]+)` \| (?:fatal|retry) ", PROTOCOL.read_text(encoding="utf-8"), re.MULTILINE))
WRITTEN_BEHIND = 1.5  # seconds after which a job that was answered at once is durable; the promise is one


# Spaces too large for truth.py, by published figures: states and depth.
WHOLE = {"2x5": (1814400, 55)}
LINE = (512, 511)  # the plugin's, whatever is wrong with it (tests/plugin/faulty.c)


class Job:
    """A number that a reply told, and all that was said of it."""

    def __init__(self, number, kind, puzzle, start, told, at_once):
        self.number, self.kind, self.puzzle, self.start = number, kind, puzzle, start
        self.told = told        # the moment
        self.since = time.monotonic()
        self.at_once = at_once
        self.forget_sent = None  # the moment of the first FORGET, if any
        self.forgotten = None    # the moment of its OK
        self.unsure = False      # a crash may have taken it back
        self.unlimited = False   # somebody was told that this job is theirs and had asked without time= and memory=
        self.raised = 0.0        # when that was told
        self.cluster = False     # it runs on ranks
        self.priority = -21      # the highest that anybody asked for and was told while it waited


class Model:
    def __init__(self):
        self.jobs = {}
        self.submissions = {}  # number of the submission -> job number
        self.pinned = {}       # table -> moment of the PIN's reply; gone once anything may have taken it
        self.removing = {}     # requests on their way that may take tables, by what they may take
        self.whole = {}        # size -> moment since which a whole table is certain
        self.prunes = False    # kept-jobs is small: ended jobs may go
        self.evicts = False    # the database is small: tables may go
        self.faulty = False    # calls are made to fail
        self.kills = 0
        self.checked = 0

    # ---- what happens to the daemon ----

    def killed(self):
        self.kills += 1
        now = time.monotonic()
        for job in self.jobs.values():
            if job.at_once and now - job.since < WRITTEN_BEHIND:
                job.unsure = True
            if now - job.raised < WRITTEN_BEHIND:
                job.priority = -21  # the priority that a job was raised to is written behind

    def moved(self):
        """Another database is served from now on."""
        self.jobs, self.submissions, self.pinned, self.removing, self.whole = {}, {}, {}, {}, {}

    def imported(self, record):
        """A job that an import brought must stay like any other."""
        words = record["request"].split()
        start = next((word.removeprefix("start=") for word in words if word.startswith("start=")), "")
        puzzle = words[1].removeprefix("slide:")
        job = self.jobs[int(record["job"])] = Job(int(record["job"]), record["kind"], puzzle, start, 0, False)

    def configured(self, config):
        self.prunes = self.prunes or "limits.kept-jobs" in config
        self.evicts = self.evicts or "store.size" in config

    # ---- requests ----

    def sent(self, request):
        """Notes what a request may change from now on."""
        if request.verb == "FORGET":
            job = self.jobs.get(request.context.get("job"))
            self._remove(request, [size for size in SIZES if job is None or job.puzzle == size])
            if job is not None and job.forget_sent is None:
                job.forget_sent = request.sent
        elif request.verb == "UNPIN":
            self.pinned.pop(request.context["table"], None)
            self._remove(request, [])

    def _remove(self, request, sizes):
        self.removing[request.number] = request
        for size in sizes:
            self.whole.pop(size, None)
            self.pinned.pop(table_name(size), None)

    def lost(self, request):
        """No reply came: whatever it asked for may have happened, or happens later."""

    def judge(self, request):
        self.checked += 1
        self.removing.pop(request.number, None)
        if request.word == "ERR":
            self._judge_error(request)
            return
        judge = getattr(self, "_" + request.verb.lower(), None)
        if judge is not None:
            judge(request)

    def _judge_error(self, request):
        code = request.code
        if code not in CODES:
            raise Violation("codes", f"{request.line!r}: no such code: {code}")
        if code == "internal" and not self.faulty:
            raise Violation("internal", f"{request.line!r}: {request.fields}")
        job = self.jobs.get(request.context.get("job"))
        if code == "no-such-job" and job is not None and self._must_be(job, request):
            raise Violation("lost-job", f"{request.line!r}: job {job.number} ({job.kind} {job.puzzle} {job.start}) is gone")
        size = request.context.get("size")
        if code == "no-table" and self._has_whole(size, request):
            raise Violation("lost-table", f"{request.line!r}: the whole table of {size} is gone")
        if code == "storage" and not self.faulty:
            raise Violation("storage", f"{request.line!r}")

    def _must_be(self, job, request):
        return (job.told < request.sent and job.forget_sent is None and not job.unsure and not self.prunes
                and not self.faulty)

    def _has_whole(self, size, request):
        return size in self.whole and self.whole[size] < request.sent and not (self.evicts or self.prunes or self.faulty)

    # ---- submissions ----

    def _explore(self, request):
        if request.keys.get("estimate") == "yes":
            return
        self._submitted(request, "explore", request.context["size"], "")

    def _solve(self, request):
        self._submitted(request, "solve", request.context["size"], request.keys["start"])
        self._moves(request)

    def _submitted(self, request, kind, size, start):
        number, state = int(request.fields["job"]), request.fields["state"]
        if request.context["submission"] is not None:
            self.submissions[request.context["submission"]] = number
        at_once = state == "done"
        job = self.jobs.get(number)
        if job is None:
            job = self.jobs[number] = Job(number, kind, size, start, request.came, at_once)
        elif (job.kind, job.puzzle, job.start) != (kind, size, start):
            raise Violation("number-twice", f"{request.line!r} got the number {number} of {job.kind} {job.puzzle} {job.start}")
        elif request.fields["cached"] == "no" and job.told < request.sent:
            raise Violation("number-twice", f"{request.line!r} is a new job with the number {number}, which was told before")
        if not at_once:
            job.at_once = False
        job.cluster |= "cluster" in request.keys
        if state not in ENDED:
            priority = int(request.keys.get("priority", 0))
            if priority > job.priority:
                job.priority, job.raised = priority, time.monotonic()
            if not {"time", "memory"} & request.keys.keys():
                job.unlimited = True

    # ---- the life of a job ----

    def _same_job(self, request, record):
        job = self.jobs.get(int(record["job"]))
        if job is None or "kind" not in record:
            return
        sizes = {job.puzzle, f"slide:{job.puzzle}", "slide:" + "x".join(reversed(job.puzzle.split("x")))}
        if record["kind"] != job.kind or record["puzzle"] not in sizes:
            raise Violation("number-twice", f"job {job.number} was {job.kind} {job.puzzle} and is {record}")
        if job.forgotten is not None and job.forgotten < request.sent:
            raise Violation("forgotten", f"job {job.number} came back: {record}")

    def _status(self, request):
        self._same_job(request, request.fields)
        job = self.jobs.get(int(request.fields["job"]))
        if job is not None and request.fields["state"] == "queued" and job.told < request.sent:
            if int(request.fields["priority"]) < job.priority:
                raise Violation("priority", f"job {job.number} waits with {request.fields['priority']}, not {job.priority}")

    def _jobs(self, request):
        numbers = [int(record["job"]) for record in request.records]
        if numbers != sorted(set(numbers)):
            raise Violation("jobs", f"not in ascending order: {numbers}")
        for record in request.records:
            self._same_job(request, record)
        if request.fields.get("more") == "yes" or request.keys:
            return
        for job in self.jobs.values():
            if job.number not in numbers and self._must_be(job, request):
                raise Violation("lost-job", f"job {job.number} is not in JOBS")

    def _forget(self, request):
        job = self.jobs.get(request.context.get("job"))
        if job is not None:
            job.forgotten = request.came

    def _cancel(self, request):
        if request.fields["state"] not in ENDED:
            raise Violation("cancel", f"{request.line!r} left the job {request.fields['state']}")

    def _result(self, request):
        self._same_job(request, request.fields)
        job = self.jobs.get(int(request.fields["job"]))
        state = request.fields["state"]
        if job is None or state not in ENDED:
            return
        if state == "stopped" and job.unlimited and request.fields.get("reason") in ("time", "memory"):
            raise Violation("others-limit", f"job {job.number} was asked for without limits and stopped: {request.fields}")
        # A job that ran at two kills has failed: one of those may have been its fault.
        blamed = request.fields.get("text") == "the daemon ended twice while it ran"
        # A plugin that breaks a promise is found out; ranks end with the daemon.
        blamed |= request.fields.get("error") == "bad-puzzle" and ":" in job.puzzle
        blamed |= job.cluster and self.kills > 0
        if state == "failed" and not self.faulty and not blamed and request.fields.get("error") not in ("storage-full", "memory"):
            raise Violation("failed", f"job {job.number}: {request.fields}")
        whole = LINE if job.puzzle.startswith("faulty") else WHOLE.get(job.puzzle)
        if job.kind == "explore" and whole is not None and request.fields.get("complete") == "yes":
            if (int(request.fields["states"]), int(request.fields["depth"])) != whole:
                raise Violation("answer", f"job {job.number}: {request.fields}")
        if job.puzzle not in SIZES:
            return
        if job.kind == "solve" and state == "done":
            self._moves(request, slide(job.puzzle), job.start)
        elif job.kind == "explore" and state in ("done", "stopped"):
            self._explored(job, request)

    def _explored(self, job, request):
        levels = slide(job.puzzle).levels
        states, depth = int(request.fields["states"]), int(request.fields["depth"])
        if states != sum(levels[:depth + 1]):
            raise Violation("answer", f"job {job.number}: {states} states to depth {depth}")
        whole = depth == len(levels) - 1
        if request.fields["complete"] == "yes" and not whole:
            raise Violation("answer", f"job {job.number} says complete at depth {depth} of {len(levels) - 1}")
        kept = request.fields.get("keep") == "table" and request.fields.get("table", "") != "evicted"
        if whole and request.fields["complete"] == "yes" and kept and job.forget_sent is None and not self.removing:
            self.whole.setdefault(job.puzzle, request.came)

    def _levels(self, request):
        size = request.context.get("size")
        if size is None:
            return
        counts = [int(record["states"]) for record in request.records]
        if counts != slide(size).levels[:len(counts)]:
            raise Violation("answer", f"{request.line!r}: {counts}")

    # ---- answers ----

    def _moves(self, request, puzzle=None, start=None):
        """Holds moves= and path= against the truth."""
        if "moves" not in request.fields:
            return
        if puzzle is None and request.context["size"] not in SIZES:
            return
        puzzle = puzzle or slide(request.context["size"])
        start = start or request.context.get("start") or request.keys["start"]
        moves, right = int(request.fields["moves"]), puzzle.moves(start)
        if moves != right:
            raise Violation("answer", f"{request.line!r}: {moves} moves, not {right}")
        if "path" in request.fields and moves >= 0:
            path = request.fields["path"]
            if len(path) != moves or not puzzle.leads_to_goal(start, path):
                raise Violation("answer", f"{request.line!r}: {path} does not lead to the goal in {moves} moves")

    def _distance(self, request):
        self._moves(request)
        if request.fields.get("solvable") == "unknown" and self._has_whole(request.context["size"], request):
            raise Violation("lost-table", f"{request.line!r}: unknown, where the whole table is")

    _path = _distance

    def _sample(self, request):
        if request.context["size"] not in SIZES:
            return
        puzzle = slide(request.context["size"])
        for record in request.records:
            if puzzle.moves(record["board"]) != int(request.keys["depth"]):
                raise Violation("answer", f"{request.line!r}: {record}")

    def _deepest(self, request):
        puzzle = slide(request.context["size"])
        for record in request.records:
            if puzzle.moves(record["board"]) != int(request.fields["depth"]):
                raise Violation("answer", f"{request.line!r}: {record}")

    # ---- the store ----

    def _fsck(self, request):
        if request.records and not self.faulty:
            raise Violation("fsck", f"a healthy database is accused: {request.records[:3]}")

    def _pin(self, request):
        if not self.removing:
            self.pinned[request.context["table"]] = request.came

    def _tables(self, request):
        there = {record["table"]: record for record in request.records}
        for table, moment in self.pinned.items():
            if moment < request.sent and not self.faulty and there.get(table, {}).get("pinned") != "yes":
                raise Violation("lost-pin", f"{table} was pinned and is not in TABLES")


def table_name(size):
    return f"slide:{size} root={slide(size).text(slide(size).goal)}"
