# SPDX-License-Identifier: MIT
"""The API: every operation answers as its own description says, with the daemon's answers and codes."""

import http.client
import json
import os
import pathlib
import re
import subprocess
import threading
import unittest

import harness
import schema
import web_parts

HARDEST = "8,6,7/2,5,4/3,0,1"
GOAL = "1,2,3/4,5,6/7,8,0"


class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = web_parts.start_daemon()
        cls.web = web_parts.Web(cls.daemon.socket)
        cls.explored = cls.web.explore("3x3")

    @classmethod
    def tearDownClass(cls):
        cls.web.end()
        cls.daemon.stop()
        cls.daemon.remove()

    @staticmethod
    def plain_calls(document):
        """As calls(): those of each operation that needs no argument."""
        return [("get", path.removeprefix("/api/v1"), path.removeprefix("/api/v1"), {})
                for path, item in document["paths"].items()
                if "get" in item and not any(one["required"] for one in item["get"]["parameters"])]

    def calls(self):
        """(method, path of the description, path, arguments) of at least one call of every operation that needs an argument."""
        job = self.explored
        solved = self.web.post("/jobs", {"kind": "solve", "puzzle": "3x3", "start": HARDEST})[1]["job"]
        graded = self.web.post("/jobs", {"kind": "grade", "puzzle": "3x3", "start": HARDEST})[1]["job"]
        self.web.get(f"/jobs/{graded}/wait")
        spare = self.web.explore("2x2")
        table = self.web.get("/tables")[1]["tables"][0]["table"]
        look = {"puzzle": "3x3", "start": HARDEST}
        self.web.explore("pancake:4", parts=True)
        many = {"puzzle": "3x3", "starts": [HARDEST, GOAL, "bad"]}
        return [
            ("get", "/jobs", "/jobs", {"before": 100, "limit": 5}),
            ("post", "/jobs", "/jobs", {"kind": "explore", "puzzle": "3x3"}),
            ("post", "/jobs", "/jobs", {"kind": "explore", "puzzle": "3x3", "estimate": True}),
            ("post", "/jobs", "/jobs", {"kind": "explore", "puzzle": "klotski:横刀立马", "estimate": True}),
            ("post", "/jobs", "/jobs", {"kind": "solve", "puzzle": "3x3", "starts": [HARDEST, [[1, 2, 3], [4, 5, 6], [7, 8, 0]]]}),
            ("get", "/jobs/{job}", f"/jobs/{job}", {}),
            ("get", "/jobs/{job}/result", f"/jobs/{job}/result", {}),
            ("get", "/jobs/{job}/result", f"/jobs/{solved}/result", {}),
            ("get", "/jobs/{job}/result", f"/jobs/{graded}/result", {}),
            ("get", "/jobs", "/jobs", {"tools": "yes"}),
            ("get", "/jobs/{job}/levels", f"/jobs/{job}/levels", {"examples": 2}),
            ("get", "/jobs/{job}/wait", f"/jobs/{job}/wait", {"timeout": "1s"}),
            ("post", "/jobs/{job}/cancel", f"/jobs/{job}/cancel", {}),
            ("post", "/jobs/{job}/forget", f"/jobs/{spare}/forget", {}),
            ("get", "/distance", "/distance", look), ("post", "/distance", "/distance", many),
            ("get", "/path", "/path", look), ("post", "/path", "/path", many),
            ("get", "/sample", "/sample", {"puzzle": "3x3", "depth": 20, "count": 3, "seed": 7}),
            ("get", "/deepest", "/deepest", {"puzzle": "3x3"}),
            ("get", "/parts", "/parts", {"puzzle": "pancake:4", "limit": 5}),
            ("get", "/export", "/export", {"puzzle": "3x3"}),
            ("get", "/draw", "/draw", {"puzzle": "3x3", "board": "1,2,3/4,5,6/7,0,8", "path": "R"}),
            ("get", "/heuristic", "/heuristic", {"puzzle": "3x3", "board": HARDEST}),
            ("get", "/graph", "/graph", {"puzzle": "2x2", "depth": 2}),
            ("get", "/puzzles", "/puzzles", {"puzzle": "klotski"}),
            ("post", "/boards", "/boards", {"puzzle": "sokoban", "text": "; One\n#####\n#@$.#\n#####\n\n####?\n#@$.#\n"}),
            ("get", "/tables", "/tables", {"table": table, "histogram": "yes"}),
            ("post", "/definitions", "/definitions", {"name": "turned", "format": "tws", "text": "Set A 3 1%0AMove T%0AA%0A2 3 1%0AEnd%0A"}),
            ("post", "/tables/pin", "/tables/pin", {"table": table}),
            ("post", "/tables/unpin", "/tables/unpin", {"table": table}),
        ]

    def test_every_operation_answers_as_it_is_described(self):
        document = self.web.get("/openapi.json")[1]
        called = {("get", "/api/v1/jobs/{job}/events")}  # a stream: see below
        for method, described, path, arguments in self.plain_calls(document) + self.calls():
            called.add((method, "/api/v1" + described))
            status, answer = self.web.get(path, **arguments) if method == "get" else self.web.post(path, arguments)
            self.assertIn(status, (200, 201), (path, answer))
            if path == "/openapi.json":
                continue
            operation = document["paths"]["/api/v1" + described][method]
            content = operation["responses"][str(status)]["content"]["application/json"]["schema"]
            self.assertEqual(schema.faults(document, content, answer), [], (path, answer))
        operations = {(method, path) for path, item in document["paths"].items() for method in item}
        self.assertEqual(called, operations)

    def test_boards_stand_in_lines_and_lists_and_a_bad_one_is_one_error(self):
        starts = ["123456780", "1 2 3\n4 5 6\n7 0 8\n", "1 2 3\n4 5\n", None, "a\u0001b", [1, 2, 3, 4, 5, 6, 0, 7, 8]]
        answers = self.web.post("/distance", {"puzzle": "3x3", "starts": starts})[1]["answers"]
        self.assertEqual([answer.get("moves", "error" in answer) for answer in answers], [0, 1, True, True, True, 2])
        self.assertIn("line 2: this row has not as many cells", answers[2]["error"]["text"])
        self.assertEqual(len(self.web.post("/distance", {"puzzle": "3x3", "starts": [None]})[1]["answers"]), 1)
        boards = self.web.post("/boards", {"puzzle": "klotski", "text": "Daisy\nAA.\nBC.\n\nAA\nBCD\n"})[1]["boards"]
        self.assertEqual([(board["board"], board["title"]) for board in boards], [("AA./BC.", "Daisy"), ("AA /BCD", "")])
        self.assertIn("line 5: this row has 2 cells, the widest has 3", boards[1]["error"]["text"])
        boards = self.web.post("/boards", {"puzzle": "推箱子", "text": "; 第一关\n#####\n#@$.#\n#####\n"})[1]["boards"]
        self.assertEqual([(board["board"], board["title"]) for board in boards], [("#####/#@$.#/#####", "第一关")])
        self.assertEqual(self.web.post("/boards", {"puzzle": "klotski", "text": "A\x00"})[0], 400)

    def test_a_refusal_says_why_also_where_its_text_is_cut_within_a_character(self):
        for name in ("k" + "é" * 60, "é" * 60):
            status, answer = self.web.post("/jobs", {"kind": name, "puzzle": "2x2"})
            self.assertEqual((status, answer["error"]["code"]), (400, "bad-request"))

    def test_a_text_has_as_many_boards_as_a_list_may_have(self):
        most = self.web.get("/page")[1]["starts_max"]
        status, answer = self.web.post("/boards", {"puzzle": "3x3", "text": "1\n" * most})
        self.assertEqual((status, len(answer["boards"])), (200, most))
        status, answer = self.web.post("/boards", {"puzzle": "3x3", "text": "1\n" * 690000})
        self.assertEqual((status, answer["error"]["code"]), (413, "too-large"))

    def solved(self, puzzle, start, goal=None):
        """Returns the moves; None for a refusal."""
        answer = self.web.post("/jobs", {"kind": "solve", "puzzle": puzzle, "start": start, **({"goal": goal} if goal else {})})[1]
        if "job" in answer:
            self.web.get(f"/jobs/{answer['job']}/wait", timeout="60s")
            answer = self.web.get(f"/jobs/{answer['job']}/result")[1]
        return answer.get("moves")

    def test_files_as_people_have_them_are_answered_as_puzzlectl_answers_them(self):
        kinds = {"sok": "sokoban", "klotski": "klotski", "rush": "rushhour", "npuzzle42": "3x3", "tiles": "3x3"}
        seen = 0
        for path in sorted(pathlib.Path("tests/data/cases").iterdir()):
            puzzle = kinds.get(path.name.split("_")[0])
            if puzzle is None or path.suffix == ".expected" or "time_limit" in path.name:
                continue
            text = path.read_bytes().decode()
            run = subprocess.run([os.path.join(web_parts.BIN, "puzzlectl"), "--socket", self.daemon.socket, "-j", "solve", puzzle, "-"],
                                 input=text, capture_output=True, text=True)
            told = [json.loads(line).get("moves") for line in run.stdout.splitlines()]
            boards = self.web.post("/boards", {"puzzle": puzzle, "text": text})[1]["boards"]
            with self.subTest(path.name):
                self.assertEqual(told, [None if "error" in board else
                                        self.solved(puzzle, board["board"].split("/"), board.get("goal")) for board in boards])
                self.assertEqual(told[0] if len(told) == 1 else None, self.solved(puzzle, text))
                seen += len(told)
        self.assertGreater(seen, 25)

    def test_the_description_passes_the_rules_of_redoclys_lint(self):
        document = self.web.get("/openapi.json")[1]
        self.assertTrue(document["servers"] and document["info"]["license"]["identifier"])
        self.assertEqual(document["security"], [])
        operations = [one for item in document["paths"].values() for one in item.values()]
        names = [operation["operationId"] for operation in operations]
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertRegex(name, "^[a-z]+$")
        for operation in operations:
            self.assertTrue(operation["summary"])
            self.assertLessEqual({"200", "4XX"}, operation["responses"].keys())
            for response in operation["responses"].values():
                for content in response.get("content", {}).values():
                    named = content["schema"].get("anyOf", [content["schema"]])
                    self.assertTrue(all("$ref" in one for one in named) or operation["operationId"] == "description")
        text = self.web.request("GET", "/api/v1/openapi.json")[1].decode()
        for reference in re.findall(r'"#/([^"]+)"', text):
            target = document
            for name in reference.split("/"):
                target = target[name]

    def test_a_job_that_is_made_is_201_with_its_place_and_one_that_is_known_200(self):
        for status, body in [(201, {"kind": "explore", "puzzle": "2x3", "depth": 7}), (200, {"kind": "explore", "puzzle": "2x3", "depth": 7})]:
            response, text = self.web.request("POST", "/api/v1/jobs", json.dumps(body), web_parts.POST)
            self.assertEqual((response.status, response.getheader("Location")), (status, f"jobs/{json.loads(text)['job']}"))
        response, _ = self.web.request("POST", "/api/v1/jobs", json.dumps({**body, "estimate": True}), web_parts.POST)
        self.assertEqual((response.status, response.getheader("Location")), (200, None))

    def test_a_wrong_method_is_told_the_right_ones_and_head_is_get_without_its_body(self):
        for method, path, allow in [("PUT", "/api/v1/jobs", "GET, HEAD, POST"), ("GET", "/api/v1/tables/pin", "POST"),
                                    ("POST", "/api/v1/version", "GET, HEAD"), ("HEAD", "/api/v1/jobs/1/events", "GET"),
                                    ("DELETE", "/", "GET, HEAD"), ("OPTIONS", "/api/v1/path", "GET, HEAD, POST")]:
            response, _ = self.web.request(method, path)
            self.assertEqual((response.status, response.getheader("Allow")), (405, allow), path)
        for path in ["/api/v1/version", "/api/v1/openapi.json", f"/api/v1/jobs/{self.explored}"]:
            (head, nothing), (get, text) = self.web.request("HEAD", path), self.web.request("GET", path)
            self.assertEqual((head.status, nothing, get.status), (200, b"", 200), path)
            self.assertEqual(int(head.getheader("Content-Length")), len(text))

    def test_what_is_taken_is_described(self):
        document = self.web.get("/openapi.json")[1]
        for method, described, _, arguments in self.calls():
            operation = document["paths"]["/api/v1" + described][method]
            names = {one["name"] for one in operation["parameters"]}
            if method == "post":
                names |= operation["requestBody"]["content"]["application/json"]["schema"]["properties"].keys()
            self.assertLessEqual(arguments.keys(), names, described)

    def test_each_key_that_a_verb_takes_is_described_with_its_route(self):
        # Operations whose names are not their verb's, with what only this API takes.
        others = {"submit": ("EXPLORE SOLVE GRADE PDB", {"kind", "starts"}), "events": ("WATCH", set()),
                  "distances": ("DISTANCE", {"starts"}), "paths": ("PATH", {"starts"})}
        client = harness.Client(self.daemon.socket)
        self.addCleanup(client.close)
        takes = {record["verb"]: re.findall(r"(?:^| )\[?(\w+)", record["takes"]) for record in client.list("HELP")[1]}
        for item in self.web.get("/openapi.json")[1]["paths"].values():
            for operation in item.values():
                if operation["operationId"] in ("page", "description", "boards"):
                    continue
                verbs, ours = others.get(operation["operationId"], (operation["operationId"].upper(), set()))
                body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
                told = {one["name"] for one in operation["parameters"]} - {"X-Puzzled"} | body.get("schema", {}).get("properties", {}).keys()
                wanted = {"job" if word == "id" else word for verb in verbs.split() for word in takes[verb]}
                self.assertEqual(told, wanted | ours, operation["operationId"])

    def test_the_levels_of_the_8_puzzle_are_the_published_ones(self):
        levels = self.web.get(f"/jobs/{self.explored}/levels")[1]["levels"]
        self.assertEqual(len(levels), 32)
        self.assertEqual(sum(level["states"] for level in levels), 181440)
        self.assertEqual([level["states"] for level in levels[-3:]], [760, 221, 2])

    def test_the_exported_distances_are_those_of_the_levels(self):
        answer = self.web.get("/export", puzzle="3x3")[1]
        digits = "".join(record["distances"] for record in answer["records"])
        found = bytes.fromhex(digits)
        self.assertEqual((len(found), answer["states"]), (181440, 181440))
        self.assertEqual([found.count(moves) for moves in (0, 1, 30, 31)], [1, 2, 221, 2])

    def test_the_parts_of_a_space_are_listed(self):
        self.web.explore("pancake:4", parts=True)
        answer = self.web.get("/parts", puzzle="pancake:4")[1]
        self.assertEqual((answer["total"], [part["states"] for part in answer["parts"]]), (1, [24]))

    def test_a_board_is_graded_by_a_job(self):
        job = self.web.post("/jobs", {"kind": "grade", "puzzle": "3x3", "start": HARDEST, "tool": "test"})[1]["job"]
        self.web.get(f"/jobs/{job}/wait")
        grade = self.web.get(f"/jobs/{job}/result")[1]
        self.assertEqual([grade[key] for key in ("moves", "solutions", "branching", "wrong_turns", "dead")], [31, 40, 2.7097, 48, 0])

    def test_an_answer_by_a_weight_is_typed_and_answers_no_other_question(self):
        def solve(**keys):
            job = self.web.post("/jobs", {"kind": "solve", "puzzle": "3x3", "start": HARDEST, "method": "astar", **keys})[1]["job"]
            self.web.get(f"/jobs/{job}/wait")
            return self.web.get(f"/jobs/{job}/result")[1]
        told = ("moves", "optimal", "bound", "at_least")
        self.assertEqual([solve(weight=5)[key] for key in told], [43, False, 5, 23])
        shortest = solve()
        self.assertEqual([shortest.get(key) for key in told], [31, None, None, None])
        named = solve(method="idastar", partition="manhattan", order="ULRD", cache=False, threads=1)
        self.assertEqual((named["moves"], named["partition"], named["generated"]), (31, "manhattan", 24014))

    def test_ten_thousand_boards_are_one_request(self):
        boards = [one["board"] for one in self.web.get("/sample", puzzle="3x3", depth=25, count=1000)[1]["boards"]]
        status, answer = self.web.post("/distance", {"puzzle": "3x3", "starts": boards * 10})
        self.assertEqual(status, 200)
        self.assertEqual({one["moves"] for one in answer["answers"]}, {25})
        self.assertEqual(len(answer["answers"]), 10000)
        self.assertEqual(self.web.post("/distance", {"puzzle": "3x3", "starts": boards * 11})[0], 413)

    def test_an_error_has_the_daemons_code(self):
        for path, arguments, status, code in [
                ("/jobs/999", {}, 404, "no-such-job"), ("/distance", {"puzzle": "nothing", "start": "1"}, 400, "bad-puzzle"),
                ("/distance", {"puzzle": "3x3", "start": "1"}, 400, "bad-board"),
                ("/distance", {"puzzle": "2x4", "start": "1,2,3,4/5,6,7,0"}, 404, "no-table"),
                ("/distance", {"puzzle": "3x3"}, 400, "bad-request"), ("/version", {"x": "1"}, 400, "bad-request"),
                ("/jobs", {"state": "asleep"}, 400, "bad-request"), ("/nothing", {}, 404, "not-found"),
                ("/jobs/1/cancel", {}, 405, "bad-method")]:
            got, answer = self.web.get(path, **arguments)
            self.assertEqual((got, answer["error"]["code"]), (status, code), path)

    def test_a_missing_table_is_told_with_what_it_would_take(self):
        error = self.web.get("/distance", puzzle="3x4", start="0,8,6,9/11,7,10,1/4,3,2,5")[1]["error"]
        self.assertEqual((error["code"], error["states"], error["engine"]), ("no-table", 239500800, "dense"))
        estimate = self.web.post("/jobs", {"kind": "explore", "puzzle": "3x4", "estimate": True})[1]
        self.assertEqual(error["table_bytes"], estimate["table_bytes"])
        self.assertAlmostEqual(error["needs_bytes"] / estimate["bytes"], 1, delta=0.05)  # threads have memory of their own
        self.assertTrue(error["text"].startswith("no table covers this"))
        many = self.web.post("/distance", {"puzzle": "3x4", "starts": ["0,8,6,9/11,7,10,1/4,3,2,5"]})[1]["answers"]
        self.assertEqual(many[0]["error"], error)

    def test_chinese_names_are_understood(self):
        self.assertEqual(self.web.get("/distance", puzzle="数字华容道：3×3", start=HARDEST)[1]["moves"], 31)
        self.assertEqual(self.web.get("/puzzles", puzzle="华容道")[1]["count"], 60)

    def test_pieces_of_a_drawing_are_described_as_texts(self):
        document = self.web.get("/openapi.json")[1]
        described = document["paths"]["/api/v1/draw"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        status, answer = self.web.get("/draw", puzzle="2x2", board="1,2/0,3", pieces="yes")
        self.assertEqual((status, schema.faults(document, described, answer)), (200, []))
        self.assertIn(" tile:", answer["frames"][0]["pieces"])

    def test_an_unsolvable_board_is_an_answer(self):
        answer = self.web.get("/distance", puzzle="3x3", start="2,1,3/4,5,6/7,8,0")
        self.assertEqual((answer[0], answer[1]["moves"], answer[1]["solvable"]), (200, -1, "no"))

    def test_a_job_is_watched_to_its_end(self):
        document = self.web.get("/openapi.json")[1]
        described = document["paths"]["/api/v1/jobs/{job}/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]["schema"]
        job = self.web.post("/jobs", {"kind": "explore", "puzzle": "3x4", "keep": "levels"})[1]["job"]
        events = self.web.events(job)
        self.assertEqual(events[-1][1]["state"], "done")
        for name, value in events:
            self.assertIn(name, ("message", "lost"))
            self.assertEqual(schema.faults(document, described, value), [])
        self.assertEqual(self.web.request("GET", "/api/v1/jobs/999/events")[0].status, 404)

    def test_eight_clients_get_the_same_answers_at_a_time(self):
        wanted = self.web.get("/path", puzzle="3x3", start=HARDEST)
        answers = []
        threads = [threading.Thread(target=lambda: answers.extend(self.web.get("/path", puzzle="3x3", start=HARDEST) for _ in range(25)))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [wanted] * 200)

    def test_a_connection_serves_one_request_after_the_other(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.web.port, timeout=10)
        for path in ["/", "/api/v1/version", "/nothing", "/api/v1/jobs/999", "/style.css"] * 3:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            self.assertNotEqual(response.getheader("Connection"), "close", path)
        connection.close()

    def test_the_docs_name_every_path_but_those_named_as_their_verb(self):
        with open("docs/web.md", encoding="utf-8") as page:
            written = set(re.findall(r"`(GET|POST) (/[^` ]*)`", page.read())) - {("GET", "/{verb}")}
        with open("protocol/vocabulary.inc", encoding="utf-8") as vocabulary:
            verbs = {("GET", f"/{verb.lower()}") for verb in re.findall(r"^VERB\((\w+),", vocabulary.read(), re.M)}
        document = self.web.get("/openapi.json")[1]
        there = {(method.upper(), path.removeprefix("/api/v1")) for path, item in document["paths"].items() for method in item}
        self.assertLessEqual(written, there)
        self.assertLessEqual(there - written, verbs)


class Restarted(unittest.TestCase):
    def test_a_daemon_that_is_killed_and_comes_back_is_asked_again(self):
        daemon = web_parts.start_daemon()
        web = web_parts.Web(daemon.socket)
        job = web.explore("3x3")
        daemon.kill()
        status, answer = web.get("/version")
        self.assertEqual((status, answer["error"]["code"], answer["error"]["retry"]), (503, "unreachable", True))
        self.assertEqual(web.request("GET", "/")[0].status, 200)
        daemon.start()
        self.assertEqual(web.get(f"/jobs/{job}/result")[1]["states"], 181440)
        web.end()
        daemon.stop()
        daemon.remove()


if __name__ == "__main__":
    unittest.main()
