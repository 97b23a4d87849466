# SPDX-License-Identifier: MIT
"""What the tests of puzzled-web share: the program on a port of its own, an HTTP client, and a proxy below a path."""

import http.client
import http.server
import json
import os
import subprocess
import threading
import time
import urllib.parse

import harness

BIN = os.environ["PUZZLED_BIN"]
POST = {"Content-Type": "application/json", "X-Puzzled": "1"}


class Web:
    """A puzzled-web of a daemon, which may be ended and started again."""

    def __init__(self, socket, *flags, pages="web/page"):
        self.process = subprocess.Popen(
            [os.path.join(BIN, "puzzled-web"), "--socket", socket, "--listen", "127.0.0.1:0",
             *(["--pages", pages] if pages else []), *flags],
            stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), "puzzled-web did not start"
        self.port = urllib.parse.urlsplit(self.url).port

    def request(self, method, path, body=None, headers=None):
        """Returns the response and its bytes; path is whole ("/api/v1/jobs")."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def get(self, path, /, **parameters):
        """Returns the status and the answer of a GET below /api/v1."""
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        response, text = self.request("GET", "/api/v1" + path + query)
        return response.status, json.loads(text)

    def await_room(self):
        """Returns once a request is no longer refused with 503: more than 128 at a time are."""
        end = time.monotonic() + 60
        while self.get("/jobs")[0] == 503:
            assert time.monotonic() < end, "puzzled-web stays busy"
            time.sleep(0.02)

    def post(self, path, body=None, headers=None):
        response, text = self.request("POST", "/api/v1" + path, json.dumps(body or {}), headers or POST)
        return response.status, json.loads(text)

    def explore(self, puzzle, **keys):
        """Explores to the end; returns the job."""
        job = self.post("/jobs", {"kind": "explore", "puzzle": puzzle, **keys})[1]["job"]
        while self.get(f"/jobs/{job}/wait", timeout="30s")[1]["state"] in ("queued", "running"):
            pass
        return job

    def events(self, job):
        """The whole stream of a job's events, as (name, value)."""
        _, text = self.request("GET", f"/api/v1/jobs/{job}/events")
        found = []
        for block in text.decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if "data" in fields:
                found.append((fields.get("event", "message"), json.loads(fields["data"])))
        return found

    def end(self):
        self.process.terminate()
        code = self.process.wait(20)
        self.process.stdout.close()
        assert code == 0, f"puzzled-web ended with {code}"


def start_daemon(*flags):
    daemon = harness.Daemon(os.path.join(BIN, "puzzled"), "--memory", "512M", *flags)
    daemon.start()
    return daemon


class Proxy:
    """Shows a puzzled-web below /puzzles/, as a reverse proxy does. Not for streams."""

    def __init__(self, web):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                if not self.path.startswith("/puzzles/"):
                    self.send_error(404)
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
                response, text = web.request(self.command, self.path.removeprefix("/puzzles"), body or None, headers)
                self.send_response(response.status)
                for name in ("Content-Type", "Content-Security-Policy", "Cache-Control"):
                    if response.getheader(name):
                        self.send_header(name, response.getheader(name))
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = pass_on

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/puzzles/"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
