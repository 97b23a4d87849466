# SPDX-License-Identifier: MIT
"""Hostile and slow clients, read-only mode, and what a page elsewhere may do."""

import contextlib
import json
import os
import re
import resource
import socket
import subprocess
import time
import unittest

import harness
import web_parts

HARD = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"  # minutes of search
JOB = json.dumps({"kind": "explore", "puzzle": "2x2"})


class Safety(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = web_parts.start_daemon()
        cls.web = web_parts.Web(cls.daemon.socket)

    @classmethod
    def tearDownClass(cls):
        cls.web.end()
        cls.daemon.stop()
        cls.daemon.remove()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.web.port), timeout=30)

    def raw(self, request):
        """Sends bytes; returns the first that come back, none where it hangs up without a word."""
        with self.connect() as connection:
            with contextlib.suppress(ConnectionError):
                connection.sendall(request)
            with contextlib.suppress(ConnectionError):
                return connection.recv(64)
        return b""

    def test_a_page_elsewhere_cannot_start_jobs(self):
        jobs = self.web.get("/jobs")[1]["count"]
        for headers in [{}, {"Content-Type": "text/plain", "X-Puzzled": "1"}]:
            response, text = self.web.request("POST", "/api/v1/jobs", JOB, headers)
            self.assertEqual((response.status, json.loads(text)["error"]["code"]), (415, "bad-type"), headers)
        bad = [{"Content-Type": "application/json"},
               {**web_parts.POST, "Host": "rebound.example"}, {**web_parts.POST, "Origin": "https://evil.example"},
               {**web_parts.POST, "Origin": "null"}, {**web_parts.POST, "Sec-Fetch-Site": "cross-site"}]
        for headers in bad:
            response, text = self.web.request("POST", "/api/v1/jobs", JOB, headers)
            self.assertEqual((response.status, json.loads(text)["error"]["code"]), (403, "denied"), headers)
        self.assertEqual(self.web.get("/jobs")[1]["count"], jobs)
        self.assertIsNone(self.web.request("OPTIONS", "/api/v1/jobs")[0].getheader("Access-Control-Allow-Origin"))

    def test_every_answer_keeps_the_page_to_itself(self):
        for path in ["/", "/js/main.js", "/api/v1/version", "/nothing"]:
            response, _ = self.web.request("GET", path)
            policy = response.getheader("Content-Security-Policy")
            self.assertIn("default-src 'none'", policy, path)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(response.getheader("X-Content-Type-Options"), "nosniff")

    def test_only_named_sites_show_the_page_in_a_frame(self):
        self.assertIn("frame-ancestors 'none'", self.web.request("GET", "/")[0].getheader("Content-Security-Policy"))
        web = web_parts.Web(self.daemon.socket, "--frame", "https://school.example", "--frame", "http://localhost:8000")
        self.addCleanup(web.end)
        policy = web.request("GET", "/")[0].getheader("Content-Security-Policy")
        self.assertTrue(policy.endswith("frame-ancestors https://school.example http://localhost:8000"), policy)
        for bad in ("school.example", "https://a.example/path", "https://a;script-src", "https://" + "a" * 200):
            refused = subprocess.run([os.path.join(web_parts.BIN, "puzzled-web"), "--frame", bad], capture_output=True, text=True)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("--frame wants", refused.stderr)

    def test_a_class_without_memory_to_search_is_refused(self):
        refused = subprocess.run([os.path.join(web_parts.BIN, "puzzled-web"), "--class", "10s,256"], capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("1M of memory or more", refused.stderr)

    def test_started_from_a_build_the_page_is_found(self):
        web = web_parts.Web(self.daemon.socket, pages=None)
        self.addCleanup(web.end)
        self.assertIn(b"js/main.js", web.request("GET", "/")[1])

    def test_no_path_leads_out_of_the_page(self):
        for path in ["/../CMakeLists.txt", "/%2e%2e/CMakeLists.txt", "//etc/passwd", "/js/../../route.c", "/js", "/.git/config"]:
            self.assertEqual(self.web.request("GET", path)[0].status, 404, path)

    def test_what_is_too_large_is_refused(self):
        chunks = b"".join(b"10000\r\n" + b"x" * 0x10000 + b"\r\n" for _ in range(40)) + b"0\r\n\r\n"
        head = b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Puzzled: 1\r\n"
        self.assertIn(b" 413 ", self.raw(head + b"Content-Length: 3000000\r\n\r\n"))
        self.assertIn(b" 413 ", self.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks))
        long = b"GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100000 + b"\r\n\r\n"
        self.assertRegex(self.raw(long), rb"^(HTTP/1.1 4|$)")
        self.assertEqual(self.web.get("/distance", puzzle="3x3", start="1" * 5000)[0], 400)
        self.assertEqual(self.web.get("/version")[0], 200)

    def test_many_parameters_are_refused_at_once(self):
        for count in [65, 400, 2000]:
            query = "&".join(f"a{number}=1" for number in range(count))
            self.assertIn(b" 400 ", self.raw(f"GET /api/v1/distance?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()), count)

    def test_two_lengths_of_one_body_are_refused(self):
        head = b"POST /api/v1/distance HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Puzzled: 1\r\n"
        body = b'{"puzzle": "2x2", "start": "1,2/3,0"}'
        chunked = b"Transfer-Encoding: chunked\r\n\r\n" + b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        self.assertRegex(self.raw(head + chunked), b" (200|404) ")
        for other in [b"Content-Length: %d\r\n" % len(body), b"Transfer-Encoding: identity\r\n"]:
            self.assertIn(b" 400 ", self.raw(head + other + chunked), other)

    def test_nonsense_leaves_it_well(self):
        for request in [b"", b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\n\r\n",
                        b"GET /api/v1/jobs?state=%ff%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Puzzled: 1\r\n"
                        b"Content-Length: 9\r\n\r\n[[[[[[[[["]:
            with self.connect() as connection, contextlib.suppress(ConnectionError):
                connection.sendall(request)
        self.assertEqual(self.web.get("/version")[0], 200)

    def test_thousands_of_slow_clients_do_not_stop_the_others(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
        beginnings = [b"GET / HT", b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Puzzled: 1\r\n"
                      b"Content-Length: 100\r\n\r\n{", b"GET /js/base/texts.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 9, b""]
        with contextlib.ExitStack() as slow:
            for number in range(2500):  # more than it keeps
                connection = slow.enter_context(self.connect())
                with contextlib.suppress(ConnectionError):
                    connection.sendall(beginnings[number % len(beginnings)])
                if number % 100 == 0:
                    self.assertEqual(self.web.get("/version")[0], 200)
            for _ in range(50):
                self.assertEqual(self.web.get("/version")[0], 200)
                self.assertEqual(self.web.request("GET", "/")[0].status, 200)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def memory(self, field):
        """Returns a field of the process's status in MiB."""
        with open(f"/proc/{self.web.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(field)) // 1024

    def test_slow_readers_of_large_answers_get_503_beyond_a_bound_and_memory_returns(self):
        request = b"GET /api/v1/graph?puzzle=2x4&most=20160 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        before, connections = self.memory("VmRSS"), []
        with contextlib.ExitStack() as slow:
            for _ in range(100):
                connection = slow.enter_context(socket.socket())
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.connect(("127.0.0.1", self.web.port))
                connection.sendall(request)
                connections.append(connection)
            statuses = [connection.recv(12)[-3:] for connection in connections]  # and no more of it
            self.assertLess(self.memory("VmHWM"), before + 160)
        self.assertIn(b"503", statuses)
        self.assertGreater(statuses.count(b"200"), 10)
        end = time.monotonic() + 60
        while self.memory("VmRSS") > before + 24:
            self.assertLess(time.monotonic(), end, f"{self.memory('VmRSS')} MiB of {before} are kept")
            time.sleep(0.1)
        with self.connect() as connection:
            connection.sendall(request)
            self.assertIn(b" 200 ", connection.recv(64))

    def test_what_a_client_that_hung_up_asked_for_is_given_up(self):
        connections = lambda: self.web.get("/stats")[1]["connections"]
        job = self.web.post("/jobs", {"kind": "solve", "puzzle": "5x5", "start": HARD})[1]["job"]
        quiet = connections()
        with contextlib.ExitStack() as waiting:
            for _ in range(20):
                connection = waiting.enter_context(self.connect())
                connection.sendall(f"GET /api/v1/jobs/{job}/wait HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            while connections() < quiet + 20:
                time.sleep(0.02)
        while connections() > quiet:  # long before the search ends
            time.sleep(0.02)
        self.assertEqual(self.web.get(f"/jobs/{job}")[1]["state"], "running")
        self.web.post(f"/jobs/{job}/cancel")

    def test_a_request_that_can_be_read_in_two_ways_is_refused(self):
        for request in [b"GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example\r\n\r\n",
                        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
                        b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Puzzled: 1\r\n"
                        b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
                        b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        b"GET /api/v1/jobs?state=done%00x HTTP/1.1\r\nHost: localhost\r\n\r\n"]:
            self.assertIn(b" 400 ", self.raw(request), request)
        for host in [b"localhost:80x", b"localhost:80:80", b"[::1]x", b"localhost:123456", b"rebound.example"]:
            for path in [b"/", b"/api/v1/version"]:
                self.assertIn(b" 403 ", self.raw(b"GET " + path + b" HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"), host)
        self.assertEqual(self.web.get("/version")[0], 200)

    def test_a_body_that_ends_early_is_given_up_at_once(self):
        head = b"POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Puzzled: 1\r\n"
        for body in [b'Content-Length: 20\r\n\r\n{"kind"', b'Transfer-Encoding: chunked\r\n\r\n7\r\n{"kind"', b'Transfer-Encoding: chunked\r\n\r\n7\r\n{"ki']:
            with self.connect() as connection:
                connection.settimeout(20)  # a body that does not come on is waited for longer
                connection.sendall(head + body)
                connection.shutdown(socket.SHUT_WR)
                self.assertEqual(connection.recv(64), b"", body)

    def test_a_client_that_hangs_up_leaves_nothing_behind(self):
        job = self.web.explore("2x2")
        for _ in range(300):
            with self.connect() as connection:
                connection.sendall(f"GET /api/v1/jobs/{job}/wait HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.web.await_room()
        self.assertEqual(self.web.events(job)[-1][1]["state"], "done")


class ReadOnly(unittest.TestCase):
    connect, raw = Safety.connect, Safety.raw

    def setUp(self):
        self.daemon = web_parts.start_daemon()
        owner = web_parts.Web(self.daemon.socket)
        self.job = owner.explore("2x2")
        self.table = owner.get("/tables")[1]["tables"][0]["table"]
        owner.end()

    def tearDown(self):
        self.web.end()
        self.daemon.stop()
        self.daemon.remove()

    def test_nothing_changes_in_read_only_mode(self):
        self.web = web_parts.Web(self.daemon.socket, "--read-only", "--rate", "0")
        self.assertTrue(self.web.get("/page")[1]["read_only"])
        for path, body in [("/jobs", {"kind": "solve", "puzzle": "2x2", "start": "1,0/3,2"}), (f"/jobs/{self.job}/forget", {}),
                           (f"/jobs/{self.job}/cancel", {}), ("/tables/pin", {"table": self.table})]:
            status, answer = self.web.post(path, body)
            self.assertEqual((status, answer["error"]["code"]), (403, "denied"), path)
        boards = ["1,0/3,2"] * 1000
        self.assertEqual(self.web.post("/distance", {"puzzle": "2x2", "starts": boards})[0], 200)
        self.assertEqual(self.web.post("/distance", {"puzzle": "2x2", "starts": boards + boards[:1]})[0], 413)
        self.assertEqual(self.web.get("/jobs")[1]["count"], 1)

    def test_a_class_searches_within_limits_and_stops_only_its_own(self):
        self.web = web_parts.Web(self.daemon.socket, "--class", "2s,64M", "--rate", "0", "--behind-proxy")
        post = lambda address, path, body=None: (lambda found: (found[0].status, json.loads(found[1])))(self.web.request(
            "POST", "/api/v1" + path, json.dumps(body or {}), {**web_parts.POST, "X-Forwarded-For": address}))
        rest = "/15,11,10,14/3,7,2,5/4,8,6,1"
        board = "0,12,9,13" + rest
        requests = []
        for row, keys in (("0,12,9,13", {}), ("12,0,9,13", {"time": "1h", "memory": "8G"}), ("12,9,0,13", {"time": "1s", "memory": "32M"}),
                          ("12,9,13,0", {"time": 3600})):
            board = row + rest
            status, answer = post("203.0.113.1", "/jobs", {"kind": "solve", "puzzle": "4x4", "start": board, **keys})
            self.assertEqual(status, 201, answer)
            requests.append(self.web.get(f"/jobs/{answer['job']}")[1]["request"])
        for request, limits in zip(requests, ("time=2s memory=64M", "time=2s memory=64M", "time=1s memory=32M", "time=2s memory=64M")):
            for word in limits.split():
                self.assertIn(word, request)
        self.assertEqual(post("203.0.113.1", "/jobs", {"kind": "solve", "puzzle": "4x4", "start": board, "time": "soon"})[0], 400)
        self.assertEqual(post("203.0.113.2", f"/jobs/{answer['job']}/cancel")[0], 403)
        self.assertEqual(post("203.0.113.1", f"/jobs/{answer['job']}/cancel")[0], 200)
        for path, body in [(f"/jobs/{self.job}/cancel", {}), (f"/jobs/{self.job}/forget", {}), ("/tables/pin", {"table": self.table})]:
            self.assertEqual(post("203.0.113.1", path, body)[0], 403, path)
        self.assertEqual(post("203.0.113.2", f"/jobs/{answer['job']}/forget")[0], 403)
        self.assertEqual(post("203.0.113.1", f"/jobs/{answer['job']}/forget")[0], 200)
        starts = [row + rest for row in ("9,12,0,13", "9,0,12,13")]
        _, many = post("203.0.113.3", "/jobs", {"kind": "solve", "puzzle": "4x4", "starts": starts})
        for answer in many["answers"]:
            self.assertEqual(post("203.0.113.2", f"/jobs/{answer['job']}/cancel")[0], 403)
            self.assertEqual(post("203.0.113.3", f"/jobs/{answer['job']}/cancel")[0], 200)

    def visitor(self, forwarded):
        """A browser: it keeps the cookie that the page gives. Returns what POSTs."""
        response, _ = self.web.request("GET", "/", None, {"X-Forwarded-For": forwarded})
        cookie = re.fullmatch(r"(puzzled-visitor=[0-9a-f]{32}); Path=/; HttpOnly; SameSite=Lax", response.getheader("Set-Cookie"))[1]
        self.assertIsNone(self.web.request("GET", "/", None, {"Cookie": cookie})[0].getheader("Set-Cookie"))

        def post(path, body=None):
            response, text = self.web.request("POST", "/api/v1" + path, json.dumps(body or {}),
                                              {**web_parts.POST, "X-Forwarded-For": forwarded, "Cookie": f"a=b; {cookie}"})
            return response.status, json.loads(text)
        name = json.loads(self.web.request("GET", "/api/v1/page", None, {"X-Forwarded-For": forwarded, "Cookie": cookie})[1])["visitor"]
        return post, name

    def test_visitors_of_one_school_are_told_apart_by_cookies_and_in_the_jobs(self):
        self.web = web_parts.Web(self.daemon.socket, "--class", "20s,64M", "--rate", "0", "--behind-proxy")
        (one, first), (two, second) = self.visitor("203.0.113.1"), self.visitor("203.0.113.1")
        job = {}
        for number, post in ((1, one), (2, two)):
            row = "0,12,9,13" if number == 1 else "12,0,9,13"
            status, job[number] = post("/jobs", {"kind": "solve", "puzzle": "4x4", "start": row + "/15,11,10,14/3,7,2,5/4,8,6,1", "visitor": "root"})
            self.assertEqual(status, 201, job[number])
        names = [re.search(r" visitor=([0-9a-f]{8})$", found["request"])[1] for found in self.web.get("/jobs")[1]["jobs"] if found["kind"] == "solve"]
        self.assertEqual(names, [first, second])
        self.assertNotEqual(first, second)
        wide = "sokoban:" + "/".join(["#" * 30, "#@$" + " " * 25 + ".#", *["#" + " " * 28 + "#"] * 6, "#" * 30])
        self.assertIn(one("/jobs", {"kind": "solve", "puzzle": wide})[0], (200, 201))
        self.assertRegex(self.web.get("/jobs")[1]["jobs"][-1]["request"], f"^SOLVE .*sokoban:.*….* visitor={first}\"?$")
        self.assertEqual(two(f"/jobs/{job[1]['job']}/cancel")[0], 403)
        self.assertEqual(two(f"/jobs/{job[2]['job']}/cancel")[0], 200)
        self.assertEqual(one(f"/jobs/{job[1]['job']}/cancel")[0], 200)

    def test_one_client_that_waits_leaves_places_at_the_daemon_to_the_others(self):
        owner = web_parts.Web(self.daemon.socket)
        self.addCleanup(owner.end)
        job = owner.post("/jobs", {"kind": "solve", "puzzle": "5x5", "start": HARD})[1]["job"]
        self.web = web_parts.Web(self.daemon.socket, "--public", "--rate", "0", "--behind-proxy")
        head = lambda path, address: f"GET /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {address}\r\n\r\n".encode()
        status = lambda address: self.raw(head("/version", address))[9:12]
        with contextlib.ExitStack() as waiting:
            for _ in range(132):
                waiting.enter_context(self.connect()).sendall(head(f"/jobs/{job}/wait?timeout=110s", "203.0.113.1"))
            while status("203.0.113.1") != b"429":
                time.sleep(0.02)
            self.assertEqual(status("203.0.113.2"), b"200")
        while status("203.0.113.1") != b"200":
            time.sleep(0.02)
        owner.post(f"/jobs/{job}/cancel")

    def test_the_header_of_a_proxy_is_believed_only_where_it_is_configured(self):
        for flags, told_apart in (((), False), (("--behind-proxy",), True)):
            self.web = web_parts.Web(self.daemon.socket, "--class", "20s,64M", "--rate", "0", *flags)
            post = lambda address, path, body=None: self.web.request("POST", "/api/v1" + path, json.dumps(body or {}), {**web_parts.POST, "X-Forwarded-For": address})
            board = ("0,12,9,13" if told_apart else "12,0,9,13") + "/15,11,10,14/3,7,2,5/4,8,6,1"
            job = json.loads(post("203.0.113.1", "/jobs", {"kind": "solve", "puzzle": "4x4", "start": board})[1])["job"]
            self.assertEqual(post("203.0.113.2", f"/jobs/{job}/cancel")[0].status, 403 if told_apart else 200)
            self.web.end()
        self.web = web_parts.Web(self.daemon.socket)

    def test_a_public_one_is_read_by_every_page_and_its_lasting_answers_are_kept(self):
        self.web = web_parts.Web(self.daemon.socket, "--public", "--rate", "0")
        elsewhere = {"Origin": "https://a.example", "Sec-Fetch-Site": "cross-site"}
        get = lambda path, headers: self.web.request("GET", path, None, {**elsewhere, **headers})
        lasting = "/api/v1/distance?puzzle=2x2&start=0,3/2,1"
        response, text = get(lasting, {})
        tag = response.getheader("ETag")
        self.assertEqual((response.status, json.loads(text)["moves"]), (200, 6))
        self.assertEqual(response.getheader("Access-Control-Allow-Origin"), "*")
        self.assertEqual(response.getheader("Cross-Origin-Resource-Policy"), "cross-origin")
        self.assertEqual(response.getheader("Cache-Control"), "public, max-age=86400")
        again, nothing = get(lasting, {"If-None-Match": f'"other", {tag}'})
        self.assertEqual((again.status, nothing, again.getheader("ETag")), (304, b"", tag))
        self.assertEqual([get(path, {"If-None-Match": "*"})[0].status for path in (lasting, "/", "/api/v1/version")], [304, 304, 200])
        other, _ = get("/api/v1/distance?puzzle=2x2&start=1,2/0,3", {"If-None-Match": tag})
        self.assertEqual(other.status, 200)
        harness.Client(self.daemon.socket).ask("DEFINE name=bits format=psvn text=\"DOMAIN b 2%0A0 1%0A2%0Ab b%0A0 - => 1 -%0A- 0 => - 1%0AGOAL 1 1%0A\"")
        drawn = "/api/v1/draw?puzzle=bits&board=0,0"
        self.assertEqual(get(drawn, {})[0].status, 200)
        for path in ["/api/v1/jobs", "/api/v1/stats", "/api/v1/distance?puzzle=nothing&start=1", f"/api/v1/jobs/{self.job}", drawn]:
            changing, _ = get(path, {})
            self.assertEqual((changing.getheader("Cache-Control"), changing.getheader("ETag")), ("no-store", None), path)
            self.assertEqual(changing.getheader("Access-Control-Allow-Origin"), "*", path)
        for path in ["/api/v1/jobs", "/api/v1/distance"]:  # a POST from elsewhere stays refused, also where it changes nothing
            response, _ = self.web.request("POST", path, JOB, {**web_parts.POST, **elsewhere})
            self.assertEqual((response.status, self.web.request("OPTIONS", path, None, elsewhere)[0].status), (403, 405), path)
        self.assertEqual(get("/api/v1/jobs", {"Host": "rebound.example"})[0].status, 403)
        self.assertEqual(get("/", {})[0].getheader("Cross-Origin-Resource-Policy"), "same-origin")

    def test_each_client_behind_a_proxy_has_its_own_rate(self):
        self.web = web_parts.Web(self.daemon.socket, "--read-only", "--rate", "2", "--behind-proxy")
        ask = lambda address: self.web.request("GET", "/api/v1/version", None, {"X-Forwarded-For": address})[0].status
        got = [ask("203.0.113.1") for _ in range(40)]
        self.assertEqual(got[:6], [200] * 6)
        self.assertIn(429, got)
        self.assertEqual(ask("203.0.113.2"), 200)
        # The client wrote the first line, the proxy the second.
        twice = lambda number: self.raw(f"GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.{number}\r\n"
                                        "X-Forwarded-For: 203.0.113.1\r\n\r\n".encode())
        self.assertIn(b" 429 ", b"".join(twice(number) for number in range(10, 50)))


if __name__ == "__main__":
    unittest.main()
