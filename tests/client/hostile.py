#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A hostile server against both clients: whatever it sends ends with one clear error, in bounded memory, and no
character of it steers a terminal.

  tests/client/hostile.py PUZZLECTL [PART OF A TEST'S NAME]
"""

import faulthandler
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import puzzled  # pylint: disable=wrong-import-position

PUZZLECTL = pathlib.Path(sys.argv.pop(1)).resolve()
MOST_MEMORY_KB = 1 << 20  # of a client; an unbounded one passes it within seconds
EVIL = "a\u202eb\u202a\u2066c\u2069\u200e\u200f\u061c\u2028\x1b[2Jd\x7f\u009b31m"
STEERING = set(map(chr, [*range(0x20), *range(0x7f, 0xa0), 0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f),
                         *range(0x2066, 0x206a)])) - {"\n"}


class Server:
    """Answers every request with the same bytes: those of `reply` (bytes, or a function of the request), then those of
    `endless` again and again until the client has had enough."""

    def __init__(self, reply, endless=b""):
        self.reply, self.endless = reply, endless
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "hostile.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client:
                self.answer(client)

    def answer(self, client):
        try:
            with client.makefile("rb") as lines:
                for line in lines:
                    client.sendall(self.reply(line) if callable(self.reply) else self.reply)
                    while self.endless:
                        client.sendall(self.endless)
                    if not callable(self.reply):
                        return
        except OSError:
            pass  # the client hung up, as it should

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(30)
        self.folder.cleanup()


def many(line, size=1 << 16):
    return line * (size // len(line))


class Hostile(unittest.TestCase):
    def puzzlectl(self, server, *words):
        """Runs puzzlectl and returns its exit status, output and errors; its memory is bounded."""
        ran = subprocess.run([PUZZLECTL, "--socket", server.path, *words], capture_output=True, timeout=120, check=False)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, MOST_MEMORY_KB)
        return ran.returncode, ran.stdout.decode(), ran.stderr.decode()

    def loses(self, server, words, reason):
        code, _, err = self.puzzlectl(server, *words)
        self.assertEqual((code, err.count("\n") <= 2), (3, True), err)
        self.assertIn(reason, err)

    def raises(self, server, ask, reason):
        with puzzled.connect(server.path, timeout=60) as client:
            with self.assertRaisesRegex(puzzled.Unreachable, reason):
                ask(client)

    def clean(self, text):
        self.assertEqual(STEERING & set(text), set(), text)


class Lists(Hostile):
    def test_a_list_of_short_records_without_an_end(self):
        with Server(b"OK count=1\n", many(b"x=1\n")) as server:
            self.loses(server, ["tables"], "a list without an end")
            self.raises(server, lambda client: client.tables(), "a list without an end")

    def test_a_list_of_long_records_without_an_end(self):
        with Server(b"OK count=1\n", many(b"a= " * 2000 + b"\n") + many(b"b=" + b"=" * 5000 + b"\n")) as server:
            self.loses(server, ["sample", "3x3", "4"], "a list without an end")
            self.raises(server, lambda client: client.sample("3x3", 4), "a list without an end")

    def test_a_list_whose_end_is_missing(self):
        with Server(b"OK count=1\nboard=1\n") as server:
            self.loses(server, ["sample", "3x3", "4"], "it hung up")
            self.raises(server, lambda client: client.sample("3x3", 4), "closed the connection")

    def test_pages_of_jobs_that_lead_back(self):
        page = b"OK count=1 more=yes\njob=7 state=done\nEND\n"
        with Server(lambda _: page) as server:
            self.loses(server, ["jobs"], "jobs without an end")
            self.raises(server, lambda client: list(client.jobs()), "jobs without an end")

    def test_pages_of_jobs_without_numbers(self):
        with Server(lambda _: b"OK count=1 more=yes\nstate=done\nEND\n") as server:
            self.raises(server, lambda client: list(client.jobs()), "jobs without an end")

    def test_pages_of_parts_that_never_come_to_the_total(self):
        def page(first, total):
            return f"OK count=1000 total={total}\n".encode() + b"".join(
                b"part=%d states=1 depth=0 board=x\n" % (first + i) for i in range(1000)) + b"END\n"
        lines = [lambda line: page(1, 2000),  # the second page begins again
                 lambda line: page(int(line.split(b"after=")[1]) + 1, 10**6 + int(line.split(b"after=")[1])),
                 lambda line: page(int(line.split(b"after=")[1]) + 1, 10**18)]
        for reply in lines:
            with Server(reply) as server:
                self.loses(server, ["parts", "2x2"], "parts without an end")


class Lines(Hostile):
    def test_a_line_without_an_end(self):
        with Server(b"OK ", b"x" * 65536) as server:
            self.loses(server, ["ping"], "a line of more than 1048576 bytes")
            self.raises(server, lambda client: client.version(), "a line of more than 1048576 bytes")

    def test_a_long_line_is_read_in_time(self):
        for line in (b"OK " + b"x" * 1000000, b"OK " + b'a="' * 300000, b"OK " + b"a=" * 500000):
            with Server(line + b"\n") as server:
                self.puzzlectl(server, "ping")
                with puzzled.connect(server.path, timeout=60) as client:
                    self.assertEqual(client.version(), "")

    def test_a_line_that_is_cut(self):
        with Server(b"OK version=1") as server:
            self.loses(server, ["ping"], "in the middle of a line")
            self.raises(server, lambda client: client.version(), "closed the connection")

    def test_numbers_that_are_none(self):
        for number in ("9" * 5000, "--5", "\u00b2", "1e999", "nan", "5_0", "\u0665"):
            line = f"OK job={number} moves={number} states={number} seconds={number}\n".encode()
            with Server(lambda _, line=line: line) as server:
                with puzzled.connect(server.path, timeout=60) as client:
                    self.assertEqual(client.submit_solve("3x3", "x").id, 0)
                    reply = client.ask("RESULT", 1)
                    self.assertEqual((reply.integer("moves"), reply.real("states")), (None, None), number)
                self.assertNotEqual(self.puzzlectl(server, "result", "1")[0], -11)


class Characters(Hostile):
    def test_no_character_of_a_reply_steers_the_terminal(self):
        value = EVIL.encode()
        reply = (b'OK job=4 kind=solve puzzle="' + value + b'" state=done solvable=yes moves=1 path="' + value
                 + b'" method=bfs start="' + value + b'" text="' + value + b'"\n')
        with Server(lambda _: reply) as server:
            for words in (["result", "4"], ["--json", "result", "4"], ["solve", "3x3", "123456780"]):
                code, out, err = self.puzzlectl(server, *words)
                self.clean(out + err)
                self.assertIn(code, (0, 6))
            with puzzled.connect(server.path, timeout=60) as client:
                for text in client.ask("RESULT", 4).fields.values():
                    self.clean(text)

    def test_neither_does_one_of_a_list(self):
        reply = b'OK count=1\nboard="' + EVIL.encode() + b'"\nEND\n'
        with Server(lambda _: reply) as server:
            _, out, err = self.puzzlectl(server, "sample", "klotski", "4")
            self.clean(out + err)
            with puzzled.connect(server.path, timeout=60) as client:
                self.clean(str(client.sample("klotski", 4)[0]))

    def test_neither_does_one_of_a_refusal(self):
        with Server(b"ERR bad-board fatal " + EVIL.encode() + b"\n") as server:
            _, out, err = self.puzzlectl(server, "solve", "3x3", "x")
            self.clean(out + err)
            self.assertIn("bad-board: a???b", err)
            with puzzled.connect(server.path, timeout=60) as client:
                with self.assertRaises(puzzled.BadBoard) as raised:
                    client.solve("3x3", "x")
                self.clean(str(raised.exception))

    def test_broken_utf8_is_no_trouble(self):
        with Server(b"OK version=\xff\xc3\xe2\x80 x=\xed\xa0\x80\n") as server:
            self.puzzlectl(server, "ping")
            with puzzled.connect(server.path, timeout=60) as client:
                self.clean(client.version())


if __name__ == "__main__":
    faulthandler.dump_traceback_later(240, exit=True)  # a regular expression that hangs cannot be interrupted
    unittest.main()
