# SPDX-License-Identifier: MIT
"""
Steps that come from elsewhere than the socket, added to those of steps.py:

    ["web", line]  ["web", line, K]   sends a request as "send" does, but over puzzled-web
    ["move", at]          dumps the jobs that are done, and imports them into an empty database, which then serves;
                          before that, a copy of the dump whose byte `at` (in ten thousandths) is changed must be refused
"""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.parse

from model import WRITTEN_BEHIND
from world import PATIENCE, Violation

PAGES = pathlib.Path(__file__).resolve().parents[2] / "web" / "page"
# Codes of puzzled-web's own: it could not ask the daemon.
WEB_CODES = {"busy", "unreachable", "connection-lost", "timeout"}
JOB_VERBS = {"STATUS": ("GET", ""), "RESULT": ("GET", "/result"), "CANCEL": ("POST", "/cancel"), "FORGET": ("POST", "/forget")}


class Web:
    """A puzzled-web beside the daemon, which outlives it."""

    def __init__(self, program, socket):
        self.process = subprocess.Popen([program, "--socket", socket, "--listen", "127.0.0.1:0", "--pages", str(PAGES)],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = urllib.parse.urlsplit(self.process.stdout.readline().strip()).port

    def ask(self, line):
        """Returns the answer of a request, as JSON."""
        method, path, body = route(line)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, "/api/v1" + path, body, {"Content-Type": "application/json", "X-Puzzled": "1"})
            return json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
            raise Violation("web", f"{line!r} over puzzled-web: {error!r}") from None
        finally:
            connection.close()

    def end(self):
        self.process.terminate()
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        if code != 0:
            raise Violation("web", f"puzzled-web ended with {code}")


def route(line):
    """Returns the method, the path and the body of a line."""
    verb, *words = line.split()
    keys = dict(word.split("=", 1) for word in words if "=" in word)
    if verb in JOB_VERBS:
        method, behind = JOB_VERBS[verb]
        return method, f"/jobs/{words[0]}{behind}", "{}" if method == "POST" else None
    if verb in ("EXPLORE", "SOLVE"):
        numbers = {key: int(keys[key]) for key in ("depth", "threads", "priority") if key in keys}
        return "POST", "/jobs", json.dumps({"kind": verb.lower(), "puzzle": words[0], **keys, **numbers})
    return "GET", f"/{verb.lower()}?" + urllib.parse.urlencode({"puzzle": words[0], "start": words[1], **keys}), None


def as_text(value):
    """A JSON value as the protocol writes it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


class Outside:
    """What a Player does beside the socket. Uses its world, its model and its _prepare."""

    web = None

    def _web(self, line, label=None):
        if not self.world.alive():
            self._start()
        if self.web is None:
            self.web = Web(self.world.beside("puzzled-web"), self.world.path)
        request = self._prepare(0, line, label, lambda filled: self.world.note(0, filled))
        answer = self.web.ask(request.line)
        error = answer.get("error") if isinstance(answer.get("error"), dict) else None
        if error is not None and error["code"] in WEB_CODES:
            if self.world.alive() and not self.model.faulty:
                raise Violation("web", f"{request.line!r}: {error}")
            return
        request.word = "OK" if error is None else "ERR"
        request.code = error["code"] if error is not None else None
        request.fields = {key: as_text(value) for key, value in (error or answer).items()}
        self.world.answered(request, json.dumps(answer, ensure_ascii=False))
        self._judge(request)

    def _task(self, *words):
        """Runs the daemon's program for a task of its own; returns its exit status and what it said."""
        config = os.path.join(self.world.directory, "conf")
        done = subprocess.run([self.world.program, "--config", config, "--state-dir", self.world.state,
                               "--plugin-directory", self.world.plugins, *words],
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.returncode, done.stderr + done.stdout

    def _move(self, at):
        if self.world.environment or self.model.faulty:
            return
        self._collect(None)
        if not self.world.alive():
            self._start()
        listed = self._ask(0, "JOBS state=done limit=1000")
        # What a plugin that breaks its promises explored may contradict itself: an import may rightly refuse it.
        numbers = [record["job"] for record in listed.records
                   if record["kind"] in ("explore", "solve") and not record["puzzle"].startswith("faulty:")][-4:]
        if not numbers:
            return
        dump = os.path.join(self.world.directory, "dump")
        time.sleep(WRITTEN_BEHIND)  # a task reads what is durable
        code, said = self._task("--dump", dump, *numbers)
        if code != 0 and self.model.prunes and "there is no job" in said:
            return  # another job ended meanwhile, and one of these made room for it
        if code != 0:
            raise Violation("dump", f"jobs {numbers}: {said}")
        self.world.end(signal.SIGTERM)
        self._must_be_refused(dump, at)
        before = {record["job"]: record for record in listed.records if record["job"] in numbers}
        self.world.new_state()
        code, said = self._task("--import", dump)
        os.remove(dump)
        if code != 0:
            raise Violation("import", f"its own dump of {before}: {said}")
        self.model.moved()
        self._start()
        self._hold_imported(before)

    def _must_be_refused(self, dump, at):
        with open(dump, "rb") as file:
            content = bytearray(file.read())
        content[len(content) * at // 10000] ^= 1 << at % 8
        changed = dump + ".changed"
        with open(changed, "wb") as file:
            file.write(content)
        code, said = self._task("--import", changed)
        os.remove(changed)
        if code == 0 or not said.strip():
            raise Violation("import", f"a dump with byte {len(content) * at // 10000} changed: status {code}, {said}")

    def _hold_imported(self, before):
        """The jobs are those that were dumped, but for questions that another one of them answers."""
        came = self._ask(0, "JOBS limit=1000").records
        told = {(record["kind"], record["puzzle"], record.get("states"), record.get("moves")) for record in before.values()}
        for record in came:
            if (record["kind"], record["puzzle"], record.get("states"), record.get("moves")) not in told:
                raise Violation("import", f"a job that was not dumped: {record}")
            self.model.imported(record)
        if not came:
            raise Violation("import", f"none of {before} came")

    def _end_web(self):
        if self.web is not None:
            self.web.end()
            self.web = None
