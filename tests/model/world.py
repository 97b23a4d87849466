# SPDX-License-Identifier: MIT
"""A real daemon and its clients. Steps go in one after the other; replies are read as they come, in one order."""

import collections
import os
import selectors
import shutil
import signal
import socket
import subprocess
import tempfile
import time

LISTS = {"LEVELS", "JOBS", "SAMPLE", "DEEPEST", "TABLES", "FSCK", "HELP", "PUZZLES", "METRICS"}
ENDED = {"done", "stopped", "failed", "cancelled"}
PATIENCE = 120.0  # seconds until a reply that does not come is a fault
# Users that clients connect as where the tester is root: turns and limits go by user.
USERS = (0, 65534, 65533)


class Violation(Exception):
    """Something that must not be. `check` is its name, the same for every run that meets it."""

    def __init__(self, check, text):
        super().__init__(f"{check}: {text}")
        self.check = check


def fields(line):
    """The key=value words of a line; quotes are taken off, escapes are left."""
    found, rest = {}, line
    while rest:
        rest = rest.lstrip(" ")
        key, equals, behind = rest.partition("=")
        if not equals:
            break
        if " " in key:
            rest = rest.partition(" ")[2]
            continue
        if behind.startswith('"'):
            end = 1
            while end < len(behind) and behind[end] != '"':
                end += 2 if behind[end] == "\\" else 1
            found[key], rest = behind[1:end], behind[end + 1:]
        else:
            found[key], _, rest = behind.partition(" ")
    return found


class Request:
    """One line on its way, and later its reply: `word` OK or ERR, `fields`, `records` of a list."""

    def __init__(self, number, line, client):
        self.number, self.line, self.client = number, line, client
        self.verb = line.split(" ", 1)[0].upper() if line.strip() else ""
        self.keys = fields(line.partition(" ")[2])
        self.tag = f"t{number}"
        self.sent = self.came = None  # moments, from World.moment
        self.word, self.code, self.fields, self.records = None, None, {}, []
        self.context = {}


class Link:
    """One connection, and the requests on it that have no reply yet."""

    def __init__(self, stream):
        self.socket = stream
        self.out = b""
        self.inbox = b""
        self.waiting = collections.deque()
        self.watching = False
        self.quits = False  # QUIT was sent: what is behind it gets no reply


def connect_as(path, user):
    """Connects as another user, in a child that hands the connection back."""
    if os.geteuid() != 0 or user == 0:
        stream = socket.socket(socket.AF_UNIX)
        stream.connect(path)
        return stream
    mine, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            os.setuid(user)
            stream = socket.socket(socket.AF_UNIX)
            stream.connect(path)
            socket.send_fds(theirs, [b"x"], [stream.fileno()])
        finally:
            os._exit(0)
    theirs.close()
    _, handles, _, _ = socket.recv_fds(mine, 1, 1)
    os.waitpid(child, 0)
    mine.close()
    if not handles:
        raise ConnectionRefusedError(path)
    return socket.socket(fileno=handles[0])


class World:
    """The daemon in a directory of its own. `judge(request)` is called for each reply as it comes."""

    def __init__(self, program, faults_library, judge, lost):
        self.program, self.faults_library = program, faults_library
        self.judge, self.lost = judge, lost
        self.directory = tempfile.mkdtemp(prefix="puzzled-model-")
        os.chmod(self.directory, 0o755)
        self.path = os.path.join(self.directory, "socket")
        self.state = os.path.join(self.directory, "state")
        self.plugins = os.path.join(self.directory, "plugins")
        os.mkdir(self.plugins, 0o755)
        plugin = os.path.join(os.path.dirname(program), "..", "tests", "plugin", "faulty", "faulty.so")
        if os.path.exists(plugin):
            os.chmod(shutil.copy(plugin, self.plugins), 0o755)
        self.config = {}
        self.environment = {}
        self.links = {}
        self.transcript = collections.deque(maxlen=60)  # the last lines, both ways
        self.moment = 0
        self.number = 0
        self.process = None
        self.selector = selectors.DefaultSelector()
        self.log = open(os.path.join(self.directory, "log"), "ab")

    # ---- the daemon ----

    def write_config(self):
        sections = collections.defaultdict(list)
        for name, value in {"daemon.socket-mode": "0666", **self.config}.items():
            section, key = name.split(".")
            if section == "cluster" and not (shutil.which("mpiexec") and os.path.exists(self.beside("puzzled-ranks"))):
                continue
            sections[section].append(f"{key} = {value}")
        with open(os.path.join(self.directory, "conf"), "w", encoding="utf-8") as file:
            for section, lines in sections.items():
                file.write(f"[{section}]\n" + "\n".join(lines) + "\n")

    def start(self):
        """Starts the daemon; False if it ended at once, as it may when calls are made to fail."""
        self.write_config()
        command = [self.program, "--foreground", "--config", os.path.join(self.directory, "conf"), "--socket", self.path,
                   "--state-dir", self.state, "--memory", "512M", "--threads", "2",
                   "--explore-first", "0", "--plugin-directory", self.plugins]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           OMPI_MCA_rmaps_base_oversubscribe="1", TMPDIR=self.directory, **self.environment)
        if self.environment:
            environment["LD_PRELOAD"] = self.faults_library
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=environment)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.process.poll() is not None:
                return False
            try:
                connect_as(self.path, 0).close()
                return True
            except OSError:
                time.sleep(0.005)
        raise Violation("start", "the daemon neither runs nor ends")

    def end(self, how):
        """By SIGKILL or SIGTERM; every connection is gone afterwards."""
        self.process.send_signal(how)
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Violation("stop", f"the daemon did not end within {PATIENCE:g} s") from None
        if how == signal.SIGTERM and code != 0 and not self.environment:
            raise Violation("stop", f"the daemon ended with {code}")
        for client in list(self.links):
            self.drop(client)

    def new_state(self):
        """Puts the database away; the next start finds none."""
        shutil.rmtree(self.state)

    def beside(self, name):
        """The path of another program of the build."""
        return os.path.join(os.path.dirname(self.program), name)

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def remove(self):
        if self.alive():
            self.process.kill()
            self.process.wait()
        for client in list(self.links):
            self.drop(client)
        self.selector.close()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def log_tail(self):
        self.log.flush()
        with open(self.log.name, encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-12:])

    # ---- clients ----

    def link(self, client):
        if client not in self.links:
            stream = connect_as(self.path, USERS[client % len(USERS)])
            stream.setblocking(False)
            self.links[client] = Link(stream)
            self.selector.register(stream, selectors.EVENT_READ, client)
        return self.links[client]

    def drop(self, client):
        """Hangs up; what had no reply is told as lost."""
        link = self.links.pop(client, None)
        if link is None:
            return
        self.selector.unregister(link.socket)
        link.socket.close()
        for request in link.waiting:
            self.lost(request)

    def note(self, client, line):
        """Makes the request of a line that goes another way than through `send`."""
        self.number += 1
        request = Request(self.number, line, client)
        self.transcript.append(f"{client} > {line}")
        self.moment += 1
        request.sent = self.moment
        return request

    def answered(self, request, text):
        self.transcript.append(f"{request.client} < {text[:200]}")
        self.moment += 1
        request.came = self.moment

    def send(self, client, line):
        try:
            link = self.link(client)
        except OSError as error:
            if self.environment or not self.alive():
                return None
            raise Violation("connect", f"no connection: {error}\n{self.log_tail()}") from None
        if link.quits:
            self.drop(client)
            return self.send(client, line)
        self.number += 1
        request = Request(self.number, line, client)
        self.transcript.append(f"{client} > {line} tag={request.tag}")
        self.moment += 1
        request.sent = self.moment
        link.quits = request.verb == "QUIT"
        link.waiting.append(request)
        link.out += (line + f" tag={request.tag}\n").encode() if line.strip() else b"\n"
        self._flush(client, link)
        return request

    def _flush(self, client, link):
        while link.out:
            try:
                sent = link.socket.send(link.out)
            except BlockingIOError:
                break
            except OSError:
                self._broken(client)
                return
            link.out = link.out[sent:]
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if link.out else 0)
        self.selector.modify(link.socket, events, client)

    def _broken(self, client):
        """The daemon hung up. Only QUIT, its end and calls that are made to fail are reasons."""
        link = self.links[client]
        unanswered = [request.line for request in link.waiting]
        self.drop(client)
        if unanswered and not link.quits and self.alive() and not self.environment:
            time.sleep(0.05)
            if self.alive():
                raise Violation("hang-up", f"the daemon closed a connection that waited for {unanswered[0]!r}")

    def pump(self, seconds):
        """Reads what has come; waits for so long at most if nothing has."""
        for key, events in self.selector.select(seconds):
            client = key.data
            link = self.links.get(client)
            if link is None:
                continue
            if events & selectors.EVENT_WRITE:
                self._flush(client, link)
            if client in self.links and events & selectors.EVENT_READ:
                self._read(client, link)

    def _read(self, client, link):
        try:
            data = link.socket.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._broken(client)
            return
        link.inbox += data
        while client in self.links and b"\n" in link.inbox:
            line, _, link.inbox = link.inbox.partition(b"\n")
            self._line(client, link, line.decode("utf-8"))

    def _line(self, client, link, line):
        self.transcript.append(f"{client} < {line[:200]}")
        if not link.waiting:
            raise Violation("replies", f"a line that nobody asked for: {line!r}")
        request = link.waiting[0]
        word, _, rest = line.partition(" ")
        if request.word is None or word == "ERR":
            if word not in ("OK", "ERR"):
                raise Violation("replies", f"{request.line!r} was answered by {line!r}")
            request.word, request.fields = word, fields(rest)
            if word == "ERR":
                request.code = rest.split(" ")[0]
            if request.line.strip() and request.fields.get("tag", request.tag) != request.tag:
                raise Violation("replies", f"{request.line!r} got the reply of another request: {line!r}")
            if word == "OK" and request.verb in LISTS:
                return
            if word == "OK" and request.verb == "WATCH":
                link.watching = True
                return
        elif request.verb == "WATCH":
            if word not in ("EVENT", "LOST"):
                raise Violation("replies", f"among events: {line!r}")
            if fields(rest).get("state") not in ENDED:
                return
            request.fields["state"] = fields(rest)["state"]
        elif line != "END":
            request.records.append(fields(line))
            return
        link.watching = False
        link.waiting.popleft()
        self.moment += 1
        request.came = self.moment
        self.judge(request)

    def collect(self, clients):
        """Reads until these clients have all their replies."""
        until = time.monotonic() + PATIENCE
        while any(client in self.links and self.links[client].waiting for client in clients):
            if time.monotonic() > until:
                late = [request.line for client in clients if client in self.links
                        for request in self.links[client].waiting]
                raise Violation("no-reply", f"no reply within {PATIENCE:g} s: {late[:3]}")
            self.pump(0.5)
            if not self.alive():
                if not self.environment:
                    raise Violation("died", f"the daemon ended by itself with {self.process.poll()}\n{self.log_tail()}")
                return
