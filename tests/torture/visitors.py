#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Hostile visitors of puzzled-web, from a seed, until the time is over.

    tests/torture/visitors.py build/release/bin --seconds 3600 --seed 7

Four threads send good, changed and half requests, hang up, and read the answers in pieces of any size; another holds
crowds of slow readers of large answers. Meanwhile a polite visitor must be answered within --patience seconds. Each
whole answer must be well-formed HTTP with a status that the API knows, and afterwards the memory must be given back.
Each thread draws from a seed of its own; the order in which the server meets them is not repeated.
"""

import argparse
import collections
import contextlib
import http.client
import json
import os
import random
import resource
import socket
import sys
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../web"))

KNOWN = {200, 201, 202, 204, 304, 400, 403, 404, 405, 408, 409, 410, 411, 413, 414, 415, 417, 422, 429, 431, 500, 501, 502, 503, 504, 505, 507}
LARGE = b"GET /api/v1/graph?puzzle=2x4&most=20160 HTTP/1.1\r\nHost: localhost\r\n\r\n"
PATHS = ["/", "/js/main.js", "/nothing", *("/api/v1" + path for path in (
    "/page", "/version", "/stats", "/puzzles", "/jobs", "/jobs/1", "/jobs/1/result", "/jobs/1/levels", "/jobs/1/events",
    "/jobs/99999999999999999999", "/distance?puzzle=2x3&start=1,0,2/3,4,5", "/path?puzzle=2x2&start=1,0/3,2",
    "/sample?puzzle=2x3&depth=4&count=10", "/deepest?puzzle=2x3", "/export?puzzle=2x2", "/draw?puzzle=2x2&start=1,0/3,2",
    "/heuristic?puzzle=3x3", "/graph?puzzle=2x3", "/tables", "/openapi.json"))]
BODIES = [{}, [], {"kind": "explore", "puzzle": "2x2"}, {"kind": "solve", "puzzle": "3x3", "start": "8 7 6 5 4 3 2 1 0"},
          {"puzzle": "2x2", "starts": ["1,0/3,2"] * 50}, {"puzzle": "pancake:99", "start": "1"}, {"table": "x"}]
PIECES = [b"\r\n", b"\0", b"%00", b"%", b"?", b"&", b"=", b"/../", b"Host: localhost\r\n", b"Content-Length: 5\r\n",
          b"Content-Length: -1\r\n", b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n", b"\xff\xfe", b"[" * 40,
          b"Connection: close\r\n", b"ffffffffffffffff\r\n", b"x" * 5000, b"18446744073709551616", b"HEAD ", b"\n"]


def good_request(draw):
    """Returns a request that is whole."""
    if draw.random() < 0.6:
        return f"{draw.choice(['GET'] * 8 + ['HEAD', 'PUT'])} {draw.choice(PATHS)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    path = draw.choice(["/jobs", "/distance", "/path", "/jobs/1/cancel", "/tables/pin"])
    body = json.dumps(draw.choice(BODIES)).encode()
    return (f"POST /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Puzzled: 1\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def changed(draw, request):
    """Returns the request with pieces put in, erased, doubled and other bytes."""
    request = bytearray(request)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(request) + 1)
        end = min(len(request), at + draw.randint(0, 12))
        how = draw.randrange(4)
        if how == 0:
            request[at:at] = draw.choice(PIECES)
        elif how == 1:
            del request[at:end]
        elif how == 2:
            request[at:at] = request[at:end]
        elif at < len(request):
            request[at] = draw.randrange(256)
    return bytes(request)


class Tester:
    def __init__(self, web, arguments):
        self.web, self.arguments = web, arguments
        self.end = time.monotonic() + arguments.seconds
        self.faults, self.counts, self.longest = [], collections.Counter(), 0.0
        self.lock = threading.Lock()

    def going(self):
        return time.monotonic() < self.end and not self.faults and self.web.process.poll() is None

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def connect(self, received=0):
        connection = socket.socket()
        if received:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, received)
        connection.settimeout(5)
        connection.connect(("127.0.0.1", self.web.port))
        return connection

    def read(self, connection, request):
        """Reads one answer; one that is cut off or does not come proves nothing, one that is malformed is a fault."""
        response = http.client.HTTPResponse(connection, method="HEAD" if request.startswith(b"HEAD ") else "GET")
        try:
            response.begin()
            if response.getheader("Content-Type") == "text/event-stream":
                response.read(64)
            else:
                text = response.read()
                if response.getheader("Content-Type") == "application/json" and text:
                    json.loads(text)
            if response.status not in KNOWN:
                raise ValueError(f"status {response.status}")
            self.count(response.status)
        except (OSError, http.client.IncompleteRead, http.client.RemoteDisconnected):
            self.count("no whole answer")
        except (http.client.HTTPException, ValueError) as error:
            self.faults.append(f"{request!r}: {error!r}")
        finally:
            response.close()

    def visit(self, number):
        draw = random.Random(f"{self.arguments.seed}/{number}")
        while self.going():
            request = good_request(draw)
            if draw.random() < 0.7:
                request = changed(draw, request)
            how = draw.random()
            with contextlib.suppress(OSError), self.connect() as connection:
                if how < 0.15:  # half of it, and gone
                    connection.sendall(request[:draw.randrange(len(request) + 1)])
                    self.count("half requests")
                    continue
                for at in range(0, len(request), step := draw.choice([7, 100, 1 << 20, 1 << 20])):
                    connection.sendall(request[at:at + step])
                if how < 0.3:
                    self.count("hang-ups")
                    continue
                connection.shutdown(socket.SHUT_WR) if how < 0.35 else connection.settimeout(1)
                self.read(connection, request)

    def crowd(self):
        """Slow readers, up to 100 at a time."""
        draw = random.Random(f"{self.arguments.seed}/crowd")
        while self.going():
            with contextlib.ExitStack() as slow:
                readers = []
                for _ in range(draw.randint(1, 100)):
                    with contextlib.suppress(OSError):
                        readers.append(slow.enter_context(self.connect(4096)))
                        readers[-1].sendall(LARGE)
                        self.count("slow readers")
                for _ in range(draw.randint(0, 20)):
                    for reader in readers:
                        reader.settimeout(0.001)
                        with contextlib.suppress(OSError):
                            reader.recv(draw.randint(1, 4096))
                    time.sleep(0.05)

    def polite(self):
        """Is answered in time; 503 is an answer."""
        while self.going():
            began = time.monotonic()
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.web.port, timeout=self.arguments.patience)
                connection.request("GET", "/api/v1/version")
                status = connection.getresponse().status
                connection.close()
                if status not in (200, 503):
                    self.faults.append(f"the polite visitor got {status}")
                self.count("polite requests")
            except (OSError, http.client.HTTPException) as error:
                self.faults.append(f"the polite visitor waited {time.monotonic() - began:.1f} s: {error!r}")
            self.longest = max(self.longest, time.monotonic() - began)
            time.sleep(0.05)

    def memory(self):
        with open(f"/proc/{self.web.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) // 1024

    def await_memory(self, bound):
        end = time.monotonic() + 60
        while (now := self.memory()) > bound and time.monotonic() < end:
            time.sleep(0.2)
        if now > bound:
            self.faults.append(f"{now} MiB are kept, more than {bound}")
        return now

    def run(self):
        work = [threading.Thread(target=self.visit, args=(number,)) for number in range(4)]
        work += [threading.Thread(target=self.crowd), threading.Thread(target=self.polite)]
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        if self.web.process.poll() is not None:
            self.faults.append(f"puzzled-web ended with {self.web.process.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", help="where puzzled and puzzled-web were built")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=5, help="seconds that a polite visitor may wait")
    parser.add_argument("--kept", type=int, default=24, help="MiB that it may hold afterwards beyond what it held before")
    arguments = parser.parse_args()
    os.environ["PUZZLED_BIN"] = os.path.realpath(arguments.bin)
    import web_parts  # it reads PUZZLED_BIN
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    print(f"seed {arguments.seed}", flush=True)
    daemon = web_parts.start_daemon()
    web = web_parts.Web(daemon.socket, "--rate", "0")
    try:
        web.explore("2x3")
        tester = Tester(web, arguments)
        before = tester.memory()
        tester.run()
        after = tester.await_memory(before + arguments.kept) if web.process.poll() is None else 0
        print(f"{dict(sorted(tester.counts.items(), key=str))}; the polite visitor waited at most {tester.longest:.2f} s; "
              f"{before} MiB before, {after} after; seed {arguments.seed}")
        if web.process.poll() is None:
            web.end()
        daemon.stop()
    finally:
        if web.process.poll() is None:
            web.process.kill()
        daemon.remove()
    for fault in tester.faults:
        print("FAULT", fault)
    sys.exit(1 if tester.faults else 0)


if __name__ == "__main__":
    main()
