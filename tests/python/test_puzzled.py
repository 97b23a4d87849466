# SPDX-License-Identifier: MIT
"""The Python client against a real daemon. $PUZZLED_PROGRAM is the program; the doctests run against it, too."""

import ast
import asyncio
import collections
import csv
import doctest
import inspect
import itertools
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.dom.minidom

import networkx
import numpy
import pandas

import puzzled
import puzzled.aio
import puzzled.boards
import puzzled.client
import puzzled.job_verbs
import puzzled.lookup_verbs
import puzzled.pieces
import puzzled.results
import puzzled.wire

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"


def published_levels(name):
    """The states at each level of a puzzle, from the published counts."""
    with open(DATA / "levels" / f"{name}.csv", encoding="utf-8") as file:
        rows = [line.strip().split(",") for line in file if line[0].isdigit()]
    return [int(row[1]) for row in rows]


def plain_levels_by_lines(root, columns):
    """The states at each level by metric=multi: the blank goes any way along its row or column."""
    seen, level, counts = {root}, [root], []
    while level:
        counts.append(len(level))
        following = []
        for state in level:
            blank = state.index(0)
            row, column = divmod(blank, columns)
            lines = [range(row * columns, (row + 1) * columns), range(column, len(root), columns)]
            for cells in lines:
                others = [state[cell] for cell in cells if cell != blank]
                for place in range(len(cells)):
                    moved = bytearray(state)
                    for cell, tile in zip(cells, others[:place] + [0] + others[place:]):
                        moved[cell] = tile
                    if bytes(moved) not in seen:
                        seen.add(bytes(moved))
                        following.append(bytes(moved))
        level = following
    return counts


class WithDaemon(unittest.TestCase):
    """One private daemon for all tests of a class, a client for each."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = puzzled.daemon()
        cls.addClassCleanup(cls.daemon.close)

    def setUp(self):
        self.p = self.daemon.connect(timeout=120)
        self.addCleanup(self.p.close)


class Explorations(WithDaemon):
    def test_levels_are_the_published_ones(self):
        for size in ("3x3", "2x5"):
            found = self.p.explore(size)
            self.assertEqual(found.levels, published_levels(size))
            self.assertEqual(found.states, sum(found.levels))
            self.assertEqual(found.depth, found.levels.depth)
            self.assertTrue(found.complete)

    def test_levels_by_moves_of_several_tiles_are_those_of_a_plain_search(self):
        for blank in (4, 7, 8):
            tiles = iter(range(1, 9))
            root = bytes(0 if cell == blank else next(tiles) for cell in range(9))
            text = "/".join(",".join(map(str, root[row:row + 3])) for row in (0, 3, 6))
            found = self.p.explore("3x3", root=text, metric="multi")
            self.assertEqual((found.levels, found.depth), (plain_levels_by_lines(root, 3), 24))

    def test_the_same_question_is_the_same_job(self):
        first = self.p.explore("2x4")
        again = self.p.submit_explore("2x4")
        self.assertEqual((again.id, again.cached), (first.job.id, True))

    def test_an_exploration_with_a_limit_says_that_it_is_not_complete(self):
        found = self.p.explore("4x4", depth=10)
        self.assertFalse(found.complete)
        self.assertEqual(found.depth, 10)

    def test_a_time_that_is_short_or_has_passed_is_a_limit(self):
        for time in (0.0001, 0, -2.5):
            job = self.p.submit_explore("4x4", depth=12, time=time)
            self.assertIn("time=1ms", self.p.status(job).fields["request"])
            self.p.wait(job)

    def test_watch_tells_the_end_of_a_job(self):
        job = self.p.submit_explore("2x6", keep="levels")
        events = list(self.p.watch(job))
        self.assertEqual(events[-1].state, "done")
        self.assertEqual(self.p.exploration(job).states, 239500800)

    def test_watch_waits_no_longer_than_its_client(self):
        none = unittest.mock.patch("puzzled.job_verbs.Connection", side_effect=puzzled.Unreachable("nobody"))
        with self.daemon.connect(timeout=77) as p, none as made, self.assertRaises(puzzled.Unreachable):
            next(p.watch(1))
        self.assertEqual(made.call_args.args, (self.daemon.address, 77))

    def test_levels_are_a_series_and_a_picture(self):
        levels = self.p.explore("3x3").levels
        series = levels.to_pandas()
        self.assertIsInstance(series, pandas.Series)
        self.assertEqual(series.sum(), 181440)
        self.assertEqual(series.idxmax(), levels.widest)
        for log in (False, True):
            picture = xml.dom.minidom.parseString(levels.to_svg(log=log))
            self.assertEqual(len(picture.getElementsByTagName("rect")), 32)

    def test_levels_of_a_job_that_found_nothing_have_an_empty_picture_and_no_figures(self):
        found = puzzled.Exploration(puzzled.Job(1, "stopped"), "slide:3x3", False, 0, 0, puzzled.Levels([]), 0.0)
        for log in (False, True):
            picture = xml.dom.minidom.parseString(found.levels.to_svg(log=log))
            self.assertEqual(len(picture.getElementsByTagName("rect")), 0)
        self.assertEqual(found._repr_svg_(), found.levels.to_svg())
        for name in ("depth", "widest", "mean", "deviation", "median"):
            with self.assertRaisesRegex(ValueError, "no state has been found"):
                getattr(found.levels, name)
        with self.assertRaisesRegex(ValueError, "no state has been found"):
            _ = found.branching
        self.assertEqual(len(found.levels.to_pandas()), 0)

    def test_levels_of_costs_say_which_costs_they_are(self):
        self.p.define("gaps", text="1 3 0 => 1 COST 999999 1 => 2 COST 7 GOAL 2", format="psvn")
        found = self.p.explore("gaps", root="0")
        self.assertEqual((found.levels, found.levels.distances), ([1, 1, 1], (0, 999999, 1000006)))
        self.assertEqual((found.depth, found.levels.depth, found.levels.to_pandas()[999999]), (1000006, 1000006, 1))
        self.assertEqual(self.p.distance("gaps", "2", root="0", from_="root"), 1000006)
        self.assertEqual(self.p.distance("gaps", numpy.array([[2], [1]]), root="0", from_="root").tolist(), [1000006, 999999])

    def test_levels_and_results_are_typed_values_and_arrays(self):
        levels = self.p.levels("3x3")
        self.assertEqual(levels, published_levels("3x3"))
        self.assertEqual(numpy.array(levels).sum(), 181440)
        frame = pandas.DataFrame(levels, columns=["states"])
        self.assertEqual((frame.shape, frame["states"].idxmax()), ((32, 1), levels.widest))
        found = self.p.explore("2x3", edges=True, threads=1, time=60, memory="64M")
        self.assertEqual((found.engine, sum(found.edges), sum(found.states_by_moves)), ("striped", 840, 360))
        solution = self.p.solve("3x3", "8,6,7/2,5,4/3,0,1", method="idastar", time=30.5)
        self.assertGreater(solution.expanded, 0)
        self.assertGreaterEqual(solution.generated, solution.expanded)
        self.assertIsInstance(solution.seconds, float)
        self.assertEqual(self.p.solve("3x3", "8,6,7/2,5,4/3,0,1", all=True).solutions, 40)

    def test_an_answer_by_a_weight_says_how_good_it_is_and_answers_no_other_question(self):
        board = "8,6,7/2,5,4/3,0,1"
        weighted = self.p.solve("3x3", board, method="astar", weight=5)
        self.assertEqual((weighted.moves, weighted.bound, weighted.at_least), (43, 5, 23))
        shortest = self.p.solve("3x3", board, method="astar")
        self.assertEqual((shortest.moves, shortest.bound, shortest.at_least), (31, 1, None))
        named = self.p.solve("3x3", board, method="idastar", partition="manhattan", order="ULRD", cache=False, threads=1)
        self.assertEqual((named.moves, named.generated), (31, 24014))

    def test_figures_and_comparisons_are_values_and_arrays(self):
        found = self.p.figures("3x3")
        self.assertEqual((found.states, sum(found.edges), found.levels.median), (181440, 483840, 22))
        self.assertEqual((round(found.levels.mean, 3), round(found.levels.deviation, 3)), (21.972, 3.367))
        self.assertAlmostEqual(found.branching, 2.6667, 4)
        ways = self.p.compare("3x3", "867254301")
        self.assertEqual({way.moves for way in ways}, {31})
        self.assertLessEqual({"table", "idastar", "astar", "bidirectional"}, {way.method for way in ways})
        iterations = next(way for way in ways if way.method == "idastar").iterations
        self.assertEqual((iterations[0].bound, iterations[-1].bound), (21, 31))
        with self.assertRaises(puzzled.BadBoard):
            self.p.compare("3x3", "123")

    def test_a_bound_that_is_none_is_an_error_of_a_comparison_and_a_text_is_one_bound(self):
        with self.assertRaisesRegex(puzzled.BadRequest, "nosuch"):
            self.p.compare("3x3", "867254301", bounds=["manhattan", "nosuch"])
        self.assertEqual([way.method for way in self.p.compare("3x3", "867254301", bounds="manhattan")], ["idastar", "astar"])

    def test_puzzles_and_layouts_are_listed(self):
        self.assertLessEqual({"slide", "klotski", "sokoban", "jugs"}, {puzzle.name for puzzle in self.p.puzzles()})
        layouts = {layout.name: layout for layout in self.p.layouts("klotski")}
        self.assertEqual((layouts["klotski:横刀立马"].moves, layouts["klotski:横刀立马"].single_steps), (81, 116))

    def test_bounds_of_a_board_are_below_its_distance(self):
        bounds = self.p.heuristic("3x3", [[8, 6, 7], [2, 5, 4], [3, 0, 1]])
        self.assertEqual(bounds["manhattan"], 21)
        self.assertTrue(all(21 <= bound <= 31 for bound in bounds.values()))

    def test_a_grade_agrees_with_distances_along_the_graph(self):
        level = "####/#-.#/#--###/#*@--#/#--$-#/#--###/####"  # Microban 1
        grade = self.p.grade("sokoban", level)
        graph = self.p.graph(grade.solution.puzzle, root=grade.solution.start)
        goals = [board for board, data in graph.nodes(data=True) if data["solved"]]
        distance = networkx.multi_source_dijkstra_path_length(graph.reverse(), goals)
        self.assertEqual((grade.positions, grade.dead), (len(graph), len(graph) - len(distance)))
        frames = self.p.draw(grade.solution.puzzle, grade.solution.start, grade.solution.path)
        turns = [(frame.board, there) for frame in frames[:-1] for there in graph[frame.board]]
        self.assertEqual(grade.dead_turns, sum(there not in distance for _, there in turns))
        self.assertEqual(grade.wrong_turns, sum(distance.get(there) != distance[board] - 1 for board, there in turns))
        self.assertAlmostEqual(grade.branching, len(turns) / grade.solution.moves, places=4)
        self.assertEqual((grade.other_metric, grade.other_moves, grade.must_move), ("move", 33, 2))
        bounds = [self.pushes_of_lone_boxes(frame.board) for frame in frames]
        self.assertEqual(grade.counterintuitive, sum(after > before for before, after in itertools.pairwise(bounds)))

    def pushes_of_lone_boxes(self, board):
        """The fewest pushes of all boxes of a level, each alone, to goals of their own."""
        boxes, goals = ([at for at, cell in enumerate(board) if cell in kinds] for kinds in ("$*", ".*+"))
        lone = {}
        for box, goal in itertools.product(boxes, goals):
            cells = [{"$": "-", "*": "-", ".": "-", "+": "@"}.get(cell, cell) for cell in board]
            cells[goal] = "+" if cells[goal] == "@" else "."
            cells[box] = "*" if box == goal else "$"
            solution = self.p.solve("sokoban", "".join(cells))
            lone[box, goal] = solution.moves if solution.solvable else 10**6
        return min(sum(map(lone.get, zip(boxes, order))) for order in itertools.permutations(goals))

    def test_jobs_of_tools_are_listed_if_they_are_asked_for(self):
        job = self.p.submit_grade("3x3", "123456078", tool="test")
        self.assertNotIn(job.id, {one.id for one in self.p.jobs()})
        self.assertIn(job.id, {one.id for one in self.p.jobs(tools=True)})

    def test_jobs_are_listed_from_either_end_and_no_more_than_asked_for(self):
        made = [self.p.submit_explore("2x3", depth=depth).id for depth in range(1, 5)]
        self.assertEqual([job.id for job in self.p.jobs(after=made[0] - 1, limit=3)], made[:3])
        self.assertEqual([job.id for job in self.p.jobs(before=made[3] + 1, limit=3)], made[:0:-1])
        self.assertEqual(list(self.p.jobs(after=made[3], limit=3)), [])

    def test_values_can_be_hashed(self):
        found, grade = self.p.explore("3x3"), self.p.grade("3x3", "867254301")
        values = [found, found.job, grade, grade.solution, self.p.deepest("3x3"), *self.p.watch(found.job)]
        self.assertEqual(len(set(values + values)), len(values))
        self.assertEqual({self.p.status(found.job), self.p.status(found.job.id)}, {self.p.status(found.job)})

    def test_an_estimate_and_examples_are_told(self):
        told = self.p.estimate("3x3", keep="levels")
        self.assertEqual((told.integer("states"), told.text("engine")), (181440, "dense"))
        examples = self.p.examples(self.p.explore("3x3").job, 2)
        self.assertEqual([len(boards) for boards in examples], [1] + 31 * [2])
        self.assertEqual({board.text for board in examples[31]}, {"8,6,7/2,5,4/3,0,1", "6,4,7/8,5,0/3,2,1"})

    def test_a_table_tells_how_many_entries_have_each_value(self):
        job = self.p.explore("3x3").job.id
        name = next(one.text("table") for one in self.p.tables() if one.integer("job") == job)
        [table] = self.p.tables(name, histogram=True)
        self.assertEqual([int(word) for word in table.text("entries").split()], published_levels("3x3"))

    def test_boards_without_a_solution_are_told(self):
        level = "####/#-.#/#--###/#*@--#/#--$-#/#--###/####"  # Microban 1
        start = self.p.solve("sokoban", level)
        puzzle = self.p.explore(start.puzzle, root=start.start, from_="goals").puzzle
        dead = self.p.deepest(puzzle, from_="goals", dead=3)
        self.assertEqual(len(dead), 3)
        for board in dead:
            self.assertFalse(self.p.solve(puzzle, board, method="bfs").solvable)

    def test_a_graph_has_the_states_and_moves_of_a_space(self):
        graph = self.p.graph("3x3", depth=3)
        self.assertEqual([sum(level == data["level"] for _, data in graph.nodes(data=True)) for level in range(4)], [1, 2, 4, 8])
        self.assertEqual(graph["1,2,3/4,5,6/7,8,0"]["1,2,3/4,5,0/7,8,6"]["move"], "U")

    def test_exported_distances_are_those_of_the_levels(self):
        self.p.explore("3x3")
        distances = self.p.export("3x3")
        self.assertEqual((distances.shape, distances.dtype), ((9, 20160), numpy.uint8))
        self.assertEqual(numpy.bincount(distances.reshape(-1)).tolist(), published_levels("3x3"))
        levels = self.p.explore("3x3", metric="multi").levels
        self.assertEqual(numpy.bincount(self.p.export("3x3,metric:multi").reshape(-1)).tolist(), list(levels))
        levels = self.p.explore("pancake:6").levels
        self.assertEqual(numpy.bincount(self.p.export("pancake:6")).tolist(), list(levels))

    def test_every_board_can_be_drawn(self):
        for puzzle, board, path in (("jugs:3,5", "0,0", "fill:2,pour:2>1"), ("3x3", "1,2,3/4,5,6/7,0,8", "R")):
            frames = self.p.draw(puzzle, board, path, goal="4" if puzzle.startswith("jugs") else None)
            picture = xml.dom.minidom.parseString(frames._repr_svg_())
            self.assertEqual(len(frames), 3 - (puzzle == "3x3"))
            self.assertGreater(len(picture.getElementsByTagName("text")), len(frames))

    def test_boards_are_told_in_pieces_in_the_colours_of_the_page(self):
        frame = self.p.draw("klotski:AAN/OA@/#P@,goal:A:1:1", "AAN/OA@/#P@")[0]
        chief = next(piece for piece in frame.picture.pieces if piece.kind == "chief")
        self.assertEqual((frame.picture.columns, frame.picture.rows, chief.id), (3, 3, "A"))
        self.assertEqual(chief.rectangles, ((0, 0, 1, 1), (1, 0, 1, 1), (1, 1, 1, 1)))
        line = self.p.draw("linkup:AA,from:0:0,to:0:1,border:no", "AA", "0,0>0,1")[1].picture.pieces[-1]
        self.assertEqual((line.kind, line.text), ("line", ""))
        style = (ROOT / "web/page/pieces.css").read_text(encoding="utf-8")
        named = {**dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", style)), **dict(re.findall(r"var\(--(\w+), (#[0-9a-f]{6})\)", style))}
        for drawn_by_the_page in ("frame", "wheel", "lamp"):
            del named[drawn_by_the_page]
        named["line"] = named["home"]  # the line of link-up; style.css has the colour of borders
        self.assertEqual({**puzzled.pieces._FILL, **puzzled.pieces._STICKER, "grey": puzzled.pieces._LINE, "tile": puzzled.pieces._TILE, "floor": puzzled.pieces._FLOOR, "ink": puzzled.pieces._INK, "tile-ink": "#ffffff"}, named)


class Dataset(WithDaemon):
    def test_states_values_and_best_moves_agree_with_the_tables(self):
        sys.path.insert(0, str(ROOT / "examples" / "python"))
        self.addCleanup(sys.path.pop, 0)
        import dataset
        states, values, best = dataset.dataset(self.p, 2, 3)
        self.assertEqual((states.shape, best.shape), ((360, 6), (360, 4)))
        self.assertEqual(self.p.distance("2x3", states).tolist(), values.tolist())
        for state, value, row in zip(states, values, best, strict=True):
            self.assertEqual(row.any(), value > 0)
            text = "/".join(",".join(map(str, cells)) for cells in state.reshape(2, 3))
            for letter in ("UDLR"[move] for move in range(4) if row[move]):
                self.assertEqual(self.p.distance("2x3", puzzled.boards.sliding_frames(text, letter)[-1]), value - 1)


class Distances(WithDaemon):
    def setUp(self):
        super().setUp()
        self.p.explore("3x3")

    def test_worked_examples_have_their_published_lengths(self):
        with open(DATA / "princeton_8puzzle.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        rows = [row for row in rows if row["n"] == "3"]
        self.assertGreater(len(rows), 10)
        moves = [-1 if row["optimal"] == "unsolvable" else int(row["optimal"]) for row in rows]
        self.assertEqual(self.p.distance("3x3", (row["board"] for row in rows)), moves)

    def test_every_way_to_give_a_board_is_the_same_board(self):
        rows = [[8, 6, 7], [2, 5, 4], [3, 0, 1]]
        flat = [cell for row in rows for cell in row]
        given = ["867254301", "8,6,7/2,5,4/3,0,1", "8 6 7 2 5 4 3 0 1", rows, flat, tuple(flat), numpy.array(rows)]
        self.assertEqual(self.p.distance("3x3", given), [31] * len(given))

    def test_a_whole_level_count_comes_out_of_an_array_of_all_boards(self):
        generator = numpy.random.default_rng(5)
        boards = numpy.array([generator.permutation(9) for _ in range(20000)])
        distances = self.p.distance("3x3", boards)
        self.assertEqual((distances.dtype, distances.shape), (numpy.int64, (20000,)))
        parity = [sum(a > b for i, a in enumerate(row) for b in row[i + 1:]) % 2
                  for row in ([cell for cell in board if cell] for board in boards.tolist())]
        self.assertTrue(((distances == puzzled.UNSOLVABLE) == (numpy.array(parity) == 1)).all())
        self.assertEqual(self.p.distance("3x3", boards.reshape(-1, 3, 3)).tolist(), distances.tolist())
        self.assertEqual(self.p.distance("3x3", iter(boards.tolist())), distances.tolist())

    def test_a_bad_board_among_many_is_named_and_the_connection_stays_in_step(self):
        boards = ["867254301"] * 1000
        boards[700] = "1234"
        with self.assertRaises(puzzled.BadBoard) as caught:
            self.p.distance("3x3", boards)
        self.assertEqual(caught.exception.index, 700)
        self.assertEqual(self.p.distance("3x3", "867254301"), 31)

    def test_what_lies_beyond_a_bounded_exploration_is_told_apart(self):
        self.p.explore("2x6", depth=4)
        self.assertEqual(self.p.distance("2x6", ["1,2,3,4,5,0/7,8,9,10,11,6", "0,11,10,9,8,7/6,5,4,3,2,1"]),
                         [1, puzzled.BEYOND])

    def test_lookups_ask_the_exploration_of_a_root(self):
        root = "1,2,3/4,0,5"
        self.assertEqual(self.p.distance("2x3", root, root=root), 0)
        self.assertEqual(self.p.distance("2x3", ["1,2,3/4,5,0"], root=root), [1])
        self.assertEqual(self.p.distance("2x3", root, root=root, from_="goals"), 1)
        self.assertEqual(self.p.path("2x3", "1,2,3/4,5,0", root=root).moves, 1)
        board = self.p.sample("2x3", 3, root=root)[0]
        self.assertEqual(self.p.distance("2x3", board, root=root), 3)
        self.assertEqual(self.p.distance("2x3", self.p.deepest("2x3", root=root)[0], root=root), 21)
        self.assertEqual(self.p.solve("2x3", board).start, board.text)

    def test_parts_of_the_exploration_that_began_at_a_board(self):
        self.p.explore("pancake:4", root="2,1,3,4", parts=True)
        with self.assertRaises(puzzled.NoTable):
            self.p.parts("pancake:4")
        parts = self.p.parts("pancake:4", root="2,1,3,4")
        self.assertEqual([part.integer("states") for part in parts], [24])
        self.assertEqual(self.p.parts("pancake:4", root="2,1,3,4", after=1), [])

    def test_samples_lie_at_the_depth_that_was_asked_for(self):
        boards = self.p.sample("3x3", 20, 50, seed=3)
        self.assertEqual(len(boards), 50)
        self.assertEqual(self.p.distance("3x3", [board.text for board in boards]), [20] * 50)
        self.assertEqual(boards, self.p.sample("3x3", 20, 50, seed=3))
        self.assertEqual({board.text for board in self.p.deepest("3x3")},
                         {"8,6,7/2,5,4/3,0,1", "6,4,7/8,5,0/3,2,1"})


class Solutions(WithDaemon):
    def test_a_solution_leads_from_start_to_goal(self):
        for solution in (self.p.solve("3x3", "8,6,7/2,5,4/3,0,1"), self.p.solve("3x3", [[8, 6, 7], [2, 5, 4], [3, 0, 1]])):
            self.assertEqual(solution.moves, 31)
            self.assertEqual(len(solution.steps), 31)
            boards = solution.boards()
            self.assertEqual((len(boards), boards[-1].text), (32, "1,2,3/4,5,6/7,8,0"))
            xml.dom.minidom.parseString(solution._repr_svg_())

    def test_a_solution_by_moves_of_several_tiles_has_its_boards(self):
        solution = self.p.solve("3x3", "8,6,7/2,5,4/3,0,1", metric="multi")
        boards = solution.boards()
        self.assertEqual((solution.moves, len(solution.steps), boards[-1].text), (20, 20, "1,2,3/4,5,6/7,8,0"))
        self.assertEqual(len(boards), 21)
        self.assertEqual(self.p.distance("3x3,metric:multi", boards), list(range(20, -1, -1)))
        self.assertEqual(self.p.path("3x3,metric:multi", boards[0]).moves, 20)
        grade = self.p.grade("3x3", boards[0], metric="multi")
        self.assertEqual((grade.solution.moves, grade.other_metric, grade.other_moves), (20, "single", 31))

    def test_a_solution_on_a_torus_has_its_boards(self):
        solution = self.p.solve("3x3", "0,2,3/4,5,6/7,8,1", goal="1,2,3/4,5,6/7,8,0", wrap="yes")
        self.assertEqual((solution.moves, solution.boards()[-1].text), (len(solution.steps), "1,2,3/4,5,6/7,8,0"))
        self.assertGreater(solution.moves, 0)

    def test_a_text_is_no_sliding_puzzle_whatever_its_name(self):
        solution = puzzled.Solution("slide3x3", True, 2, "ab,cd", "0/1")
        self.assertEqual((solution.steps, solution.is_sliding), (["ab", "cd"], False))
        self.assertTrue(puzzled.Solution("slide:3x3,wrap:yes", True, 1, "U", "").is_sliding)

    def test_an_unsolvable_board_is_an_answer(self):
        solution = self.p.solve("3x3", "2,1,3/4,5,6/7,8,0")
        self.assertEqual((solution.solvable, solution.moves, solution.steps), (False, -1, []))

    def test_other_puzzles_tell_their_moves_as_words(self):
        solution = self.p.solve("jugs:3,5", goal="4")
        self.assertEqual((solution.moves, len(solution.steps)), (6, 6))
        with self.assertRaises(ValueError):
            solution.boards()

    def test_a_text_of_several_requests_is_a_puzzle_like_any_other(self):
        text = "# comment: 100 % \"new\"\n" * 200 + "3 2 2 2\n" + "".join(
            f"{'- ' * i}{a}{' -' * (2 - i)} => {'- ' * i}{1 - a}{' -' * (2 - i)}\n" for i in range(3) for a in (0, 1))
        puzzle = self.p.define("switches", text)
        self.assertEqual(self.p.define("switches", text.replace("comment", "remark")), puzzle)
        self.assertEqual(tuple(self.p.explore("switches", root="0,0,0").levels), (1, 3, 3, 1))
        self.assertIn("switches", [record.text("name") for record in self.p.definitions()])
        with self.assertRaises(puzzled.PuzzledError):
            self.p.define("switches", "1 2\n0 = 1")
        self.p.undefine("switches")
        self.assertNotIn("switches", [record.text("name") for record in self.p.definitions()])

    def test_what_the_daemon_remarks_on_a_text_is_a_warning(self):
        text = "1 3\nx => 1\nGOAL 0"
        with self.assertWarnsRegex(UserWarning, "'x' is no value") as caught:
            puzzle = self.p.define("remarkable", text)
        self.assertEqual((caught.filename, puzzle[:5]), (__file__, "psvn:"))
        with self.assertRaisesRegex(puzzled.BadPuzzle, "'x' is no value"):
            self.p.define("refused", text, strict=True)

    def test_many_boards_keep_their_order(self):
        self.p.explore("3x3")
        boards = [board.text for depth in range(1, 32, 3) for board in self.p.sample("3x3", depth, 4, seed=depth)]
        solutions = list(self.p.solve_many("3x3", boards, method="bidirectional"))
        self.assertEqual([solution.moves for solution in solutions], self.p.distance("3x3", boards))
        self.assertEqual([solution.start for solution in solutions], boards)

    def test_a_bad_board_among_many_is_one_error(self):
        solutions = list(self.p.solve_many("3x3", ["123456780", "1234", "123456708"]))
        self.assertEqual([solution.moves for solution in solutions], [0, -1, 1])
        self.assertEqual([type(solution.error) for solution in solutions], [type(None), puzzled.BadBoard, type(None)])

    def test_any_refusal_of_a_board_stands_in_its_place_and_that_of_the_request_is_raised(self):
        board = self.p.layouts("klotski")[0].board
        for boards in (["zzz", board], [board, "zzz"]):  # blocks without a goal: bad-request
            solutions = list(self.p.solve_many("klotski", boards))
            self.assertEqual([type(solution.error) for solution in solutions],
                             [puzzled.BadRequest if one == "zzz" else type(None) for one in boards])
        for kind, keys in ((puzzled.BadRequest, {"method": "idastr"}), (puzzled.NoTable, {"method": "table"})):
            with self.assertRaises(kind):
                next(self.p.solve_many("3x4", ["1,2,3,4/5,6,7,8/9,10,0,11"] * 20, **keys))

    def test_boards_are_texts_of_several_lines_and_lists_of_rows(self):
        level = "; One\r\n\r\n    #####\r\n    #@$.#\r\n    #####\r\n"
        rows = [line.strip() for line in level.splitlines()[2:]]
        for start in [level, rows, [list(row) for row in rows], "\ufeff" + "\n".join(rows)]:
            self.assertEqual(self.p.solve("sokoban", start).lurd, "R")
        self.assertEqual(self.p.solve("3x3", "1 2 3\n4 5 6\n7 0 8\n").moves, 1)
        self.assertEqual(self.p.solve("3x3", "[[1, 2, 3],\n [4, 5, 6],\n [7, 0, 8]]".replace("\n", "")).moves, 1)
        self.assertEqual(self.p.solve("pancake:3", [2, 0, 1]).moves, self.p.solve("pancake:3", [3, 1, 2]).moves)


    def test_boards_in_lines_are_read_as_puzzlectl_reads_them(self):
        puzzlectl = str(pathlib.Path(os.environ["PUZZLED_PROGRAM"]).with_name("puzzlectl"))
        kinds = {"sok": "sokoban", "klotski": "klotski", "rush": "rushhour", "npuzzle42": "3x3", "tiles": "4x4"}
        outcomes = collections.Counter()
        for path in sorted((DATA / "cases").iterdir()):
            puzzle = kinds.get(path.name.split("_")[0])
            if puzzle is None or path.suffix == ".expected" or "time_limit" in path.name:
                continue
            text = path.read_bytes().decode()
            run = subprocess.run([puzzlectl, "--socket", self.daemon.address, "-j", "solve", puzzle, "start=" + text + "\n"],
                                 capture_output=True, text=True)
            try:
                ours = self.p.solve(puzzle, text + "\n").moves
            except puzzled.PuzzledError as error:
                ours = str(error)
            with self.subTest(path.name):
                if isinstance(ours, int):
                    self.assertEqual(ours, json.loads(run.stdout)["moves"])
                else:  # words that cannot be read at all are told outside of JSON
                    self.assertIn(ours.split(": ", 1)[-1], run.stdout + run.stderr)
                outcomes[type(ours)] += 1
        self.assertGreater(min(outcomes.values()), 4)


class Failures(WithDaemon):
    def test_each_refusal_is_an_exception_of_its_code(self):
        for kind, call in (
                (puzzled.BadPuzzle, lambda: self.p.explore("3x")),
                (puzzled.BadBoard, lambda: self.p.solve("3x3", "1")),
                (puzzled.BadRequest, lambda: self.p.explore("3x3", depht=3)),
                (puzzled.NoSuchJob, lambda: self.p.status(4711)),
                (puzzled.NoTable, lambda: self.p.distance("3x4", "1,2,3,4/5,6,7,8/9,10,11,0"))):
            with self.assertRaises(kind) as caught:
                call()
            self.assertEqual(caught.exception.code, kind.code)
            self.assertFalse(caught.exception.retry)

    def test_a_line_end_in_a_request_is_refused_here(self):
        for ask in (lambda: self.p.ask("PING\nPING"), lambda: self.p.distance("3x3\nPING", "867254301"),
                    lambda: self.p.distance("3x3", [["8 6 7\n", "2 5 4\n", "3 0 1"]])):
            with self.assertRaises(ValueError):
                ask()
            self.assertEqual(self.p.ask("PING").text("pong"), "yes")

    def test_half_a_character_in_a_request_is_refused_here(self):
        for ask in (lambda: self.p.ask("PING", tag="\udc80"), lambda: self.p.solve("3x3\ud800", "867254301"),
                    lambda: self.p.distance("3x3", "8\udc80"), lambda: self.p.distance("3x3", ["867254301", "8\udc80"]),
                    lambda: self.p.define("x", "\ud800")):
            with self.assertRaises(ValueError):
                ask()
            self.assertEqual(self.p.ask("PING").text("pong"), "yes")

    def test_a_reply_of_one_line_is_a_list_without_records(self):
        self.assertEqual(self.p.ask_list("PING")[1], [])

    def test_only_the_space_of_ascii_ends_a_value(self):
        tag = "a\u3000b\u00a0c"
        self.assertEqual(self.p.ask("PING", tag=tag).text("tag"), tag)

    def test_nobody_at_the_address_is_unreachable(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            for nobody in ("/nonexistent/puzzled.sock", f"127.0.0.1:{65536 + listener.getsockname()[1]}"):
                with self.assertRaises(puzzled.Unreachable):
                    puzzled.connect(nobody)

    def test_a_daemon_that_is_gone_is_unreachable(self):
        daemon = puzzled.daemon()
        client = daemon.connect()
        daemon.close()
        with self.assertRaises(puzzled.Unreachable):
            client.version()
        client.close()

    def test_a_client_whose_answer_was_not_read_hangs_up(self):
        def broken():
            yield from ["867254301"] * 300
            raise KeyError("a source of boards breaks")

        def interrupted(p):
            with unittest.mock.patch.object(p.connection, "line", side_effect=KeyboardInterrupt):
                p.wait(p.jobs().__next__())

        def left_early(p):
            asked = p.iter_distance("3x3", ["867254301", "123456780"])
            next(asked)
            p.distance("3x3", "123456780")  # while the iterator still lives

        def list_half_read(p):
            p.ask("HELP", "PING")
            p.distance("3x3", "123456780")

        self.p.explore("3x3")
        for error, leave in ((KeyError, lambda p: p.distance("3x3", broken())), (KeyboardInterrupt, interrupted),
                             (puzzled.Unreachable, left_early), (puzzled.Unreachable, list_half_read)):
            with self.daemon.connect(timeout=120) as p:
                with self.assertRaises(error):
                    leave(p)
                with self.assertRaises(puzzled.Unreachable):
                    p.distance("3x3", "123456780")

    def test_a_cancelled_job_raises_and_a_forgotten_one_is_gone(self):
        job = self.p.submit_explore("4x4", engine="striped", keep="levels", memory="1G")
        self.assertEqual(self.p.cancel(job).state, "cancelled")
        with self.assertRaises(puzzled.Cancelled):
            self.p.result(job)
        self.assertIn(job.id, [other.id for other in self.p.jobs(state="cancelled")])
        self.p.forget(job)
        with self.assertRaises(puzzled.NoSuchJob):
            self.p.status(job)


class Servers(unittest.TestCase):
    """A server that only tells one line."""

    def test_an_export_that_is_too_large_is_refused_by_its_first_line(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            with puzzled.connect(f"127.0.0.1:{listener.getsockname()[1]}", timeout=20) as p, listener.accept()[0] as server:
                server.sendall(b"OK count=58473 states=239500800 goal=1,2,3,4/5,6,7,8/9,10,11,0\n")
                with self.assertRaisesRegex(puzzled.TooLarge, "puzzlectl export"):
                    p.export("3x4")
                with self.assertRaises(puzzled.Unreachable):
                    p.version()


class Vocabulary(WithDaemon):
    # The methods of verbs that are not named as the verb is.
    METHODS = {"EXPLORE": ("submit_explore", "explore", "estimate"), "SOLVE": ("submit_solve", "solve", "solve_many"),
               "GRADE": ("submit_grade", "grade"), "DISTANCE": ("distance", "iter_distance")}
    # Verbs that are requests of ask() and ask_list() only, or of nobody here (docs/python.md).
    ASKED = {"PDB", "FSCK", "PING", "HELP", "METRICS", "QUIT"}
    # Keys that are no parameter, and why.
    APART = {("EXPLORE", "start"): "the same as root", ("GRAPH", "start"): "the same as root",
             ("SOLVE", "root"): "the same as start", ("GRADE", "root"): "the same as start",
             ("EXPLORE", "estimate"): "estimate() sends it", ("LEVELS", "examples"): "examples() sends it",
             ("DRAW", "pieces"): "draw() always asks for them", ("EXPORT", "boards"): "puzzlectl export asks for them",
             ("DEFINE", "at"): "define() cuts the text itself", ("DEFINE", "more"): "define() cuts the text itself",
             **{(verb, key): "of programs, which pass it as a key of their own" for key in ("tool", "visitor") for verb in ("EXPLORE", "SOLVE", "GRADE")}}
    # Of many boards at once neither all solutions nor their list is asked for.
    NOT_OF = {("solve_many", "all"), ("solve_many", "count")}

    def test_every_key_of_a_verb_is_a_parameter_of_its_methods_and_none_is_invented(self):
        seen = set()
        for record in self.p.ask_list("HELP")[1]:
            verb = record.text("verb")
            if verb in self.ASKED:
                continue
            keys = set(re.findall(r"(\w+)=", record.text("takes")))
            words = set(re.sub(r"\S+=\S+", "", record.text("takes")).translate(str.maketrans("", "", "[]")).split())
            apart = {key for one, key in self.APART if one == verb}
            seen |= {(verb, key) for key in apart & keys}
            for name in self.METHODS.get(verb, (verb.lower(),)):
                rest = {"self", "own", "job", "boards", "start"} | words
                told = {word.rstrip("_") for word in inspect.signature(getattr(puzzled.Client, name)).parameters}
                wanted = keys - apart - {key for one, key in self.NOT_OF if one == name}
                self.assertEqual(told - rest, wanted - rest, name)
        self.assertEqual(seen, set(self.APART))


class WithoutWith(unittest.TestCase):
    def test_a_daemon_without_with_ends_with_the_interpreter_and_leaves_nothing(self):
        script = ("import puzzled\nd = puzzled.daemon()\nassert d.connect().explore('2x2').states == 12\n"
                  "print(d._process.pid, d._directory)")
        environment = dict(os.environ, PYTHONPATH=str(ROOT / "python"))
        ended = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True,
                               timeout=120)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        pid, directory = ended.stdout.split()
        self.assertFalse(os.path.exists(directory))
        self.assertFalse(os.path.exists(f"/proc/{pid}"))


    def test_a_program_that_is_no_daemon_is_told_and_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as directory, unittest.mock.patch("tempfile.tempdir", directory):
            for program, kind, words in (("/bin/false", puzzled.Unreachable, "/bin/false ended with status 1"),
                                         ("/nonexistent", FileNotFoundError, "/nonexistent")):
                with self.assertRaisesRegex(kind, words):
                    puzzled.daemon(program)
                self.assertEqual(os.listdir(directory), [])


class Asynchronous(WithDaemon):
    def test_the_twin_gives_the_same_answers(self):
        async def ask():
            async with puzzled.aio.connect(self.daemon.address) as p:
                found = await p.explore("3x3")
                events = [event async for event in p.watch(found.job)]
                solution = await p.solve("3x3", "867254301")
                many = [found.moves async for found in p.solve_many("3x3", ["867254301", "123456708"])]
                jobs = [job.id async for job in p.jobs()]
                self.assertEqual((many, await p.levels("2x2"), len(jobs) > 1), ([31, 1], (1, 2, 2, 2, 2, 2, 1), True))
                return found.states, events[-1].state, solution.moves, await p.distance("3x3", ["867254301"])

        self.assertEqual(asyncio.run(ask()), (181440, "done", 31, [31]))

    def test_a_cancelled_call_hangs_up_and_holds_nobody(self):
        job = self.p.submit_explore("4x4", engine="striped", keep="levels", memory="1G")
        self.addCleanup(self.p.cancel, job)

        async def ask():
            async with puzzled.aio.connect(self.daemon.address) as p:
                waiting = asyncio.create_task(p.wait(job))
                await asyncio.sleep(0)
                while p._pool._work_queue.qsize() > 0:  # until its thread has begun
                    await asyncio.sleep(0)
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting
                with self.assertRaises(puzzled.Unreachable):
                    await p.version()

        asyncio.run(asyncio.wait_for(ask(), 60))
        self.assertEqual(self.p.status(job).state, "running")

    def test_a_cancelled_call_that_has_not_begun_leaves_the_connection(self):
        job = self.p.submit_explore("4x4", engine="striped", keep="levels", memory="1G")

        async def ask():
            async with puzzled.aio.connect(self.daemon.address) as p:
                first = asyncio.create_task(p.wait(job))
                second = asyncio.create_task(p.version())
                await asyncio.sleep(0)
                second.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await second
                self.p.cancel(job)
                return (await first).state, await p.version()

        self.assertEqual(asyncio.run(asyncio.wait_for(ask(), 60)), ("cancelled", self.p.version()))

    def test_a_cancelled_watch_leaves_the_connection(self):
        running = self.p.submit_explore("4x4", engine="striped", keep="levels", memory="1G", threads=1)
        self.addCleanup(self.p.cancel, running)

        async def ask():
            async with puzzled.aio.connect(self.daemon.address) as p:
                begun = asyncio.Event()

                async def watch():
                    async for _ in p.watch(running):
                        begun.set()

                watching = asyncio.create_task(watch())
                await begun.wait()
                watching.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await watching
                return await p.version()

        self.assertEqual(asyncio.run(asyncio.wait_for(ask(), 60)), self.p.version())

    def test_the_twin_is_what_is_written_from_the_client(self):
        ended = subprocess.run([sys.executable, ROOT / "scripts" / "aio.py", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))


class Documents(unittest.TestCase):
    def test_a_private_daemon_leaves_nothing_behind(self):
        daemon = puzzled.daemon()
        directory = os.path.dirname(daemon.address)
        with daemon as p:
            self.assertTrue(p.version())
            self.assertTrue(os.path.exists(directory))
        self.assertFalse(os.path.exists(directory))

    def test_scripts_of_the_examples_run(self):
        environment = dict(os.environ, PYTHONPATH=str(ROOT / "python"))
        for script in sorted((ROOT / "examples" / "python").glob("*.py")):
            brief = ["--brief"] * ("--brief" in script.read_text(encoding="utf-8"))
            ended = subprocess.run([sys.executable, script, *brief], env=environment, capture_output=True, text=True,
                                   timeout=600, check=False)
            self.assertEqual(ended.returncode, 0, f"{script.name}: {ended.stderr}")
            self.assertTrue(ended.stdout.strip(), script.name)

    def test_the_notebook_runs_and_its_values_have_pictures(self):
        notebook = json.loads((ROOT / "examples" / "python" / "eight_puzzle.ipynb").read_text(encoding="utf-8"))
        names = {}
        pictures = 0
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            *lines, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(lines, []), "notebook", "exec"), names)
            if isinstance(last, ast.Expr):
                shown = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
                pictures += hasattr(shown, "_repr_svg_")
            else:
                exec(compile(ast.Module([last], []), "notebook", "exec"), names)
        self.assertEqual(pictures, 4)


def load_tests(loader, tests, pattern):
    """Adds the doctests, which connect to a daemon by $PUZZLED_SOCKET."""
    daemon = None

    def begin(_):
        nonlocal daemon
        daemon = puzzled.daemon()
        os.environ["PUZZLED_SOCKET"] = daemon.address

    def end(_):
        daemon.close()
        del os.environ["PUZZLED_SOCKET"]

    for module in (puzzled, puzzled.wire, puzzled.boards, puzzled.pieces, puzzled.results, puzzled.job_verbs,
                   puzzled.lookup_verbs, puzzled.client):
        tests.addTests(doctest.DocTestSuite(module, extraglobs={"puzzled": puzzled}, setUp=begin, tearDown=end))
    return tests


if __name__ == "__main__":
    unittest.main()
