# SPDX-License-Identifier: MIT
"""What the page reads in a puzzle's name, in headless Chromium: goals, signs and letters mean there what they mean to the daemon."""

import unittest
import urllib.parse

from selenium.webdriver.common.keys import Keys

from page_parts import PageCase

HARD = "14,5,9,2,18/8,23,19,12,17/15,0,10,20,4/6,11,21,1,7/24,3,16,22,13"  # minutes of search
CAR_X = "rushhour:ooooHoBooEHoBXXEHoBooEooCoooDDCoFFFo"


class Names(PageCase):
    def kind(self, puzzle, what):
        """The value of an expression about kind and puzzle."""
        return self.browser.execute_async_script(f"""const [puzzle, done] = arguments;
            import("./js/puzzles/kinds.js").then(({{ kindOf }}) => {{ const kind = kindOf(puzzle); done({what}); }});""", puzzle)

    def setUp(self):
        self.open("")

    def test_a_car_that_leaves_has_any_letter(self):
        self.open(f"#/play?puzzle={CAR_X}")
        self.wait(lambda: self.find(".game .piece.chief"), "it is drawn")
        self.wait(lambda: self.text("#fewest").isdigit(), "and solved")
        self.check_console()

    def test_the_goal_of_a_sliding_puzzle_is_the_one_in_its_name(self):
        goal = "0,1,2/3,4,5/6,7,8"
        for name in ("goal:0:1:2:3:4:5:6:7:8", "goal:0:1:2/3:4:5/6:7:8", "wrap:yes,goal:012345678", "goal:x12/345/678,metric:multi"):
            puzzle = f"3x3,{name}"
            self.assertEqual(self.kind(puzzle, "[kind.start(puzzle), kind.goal(puzzle, kind.start(puzzle)), kind.edits]"), [goal, goal, "slide"], puzzle)
            self.assertEqual(self.kind(puzzle, f"[kind.solved(puzzle, '{goal}'), kind.solved(puzzle, '1,2,3/4,5,6/7,8,0'), kind.estimate(puzzle, '1,0,2/3,4,5/6,7,8')]"),
                             [True, False, 0], puzzle)
        for puzzle in ("0x3", "3x0", "3x3,goal:1:2:3"):
            self.assertIsNone(self.kind(puzzle, "kind.edits"), puzzle)
        self.open("#/play?puzzle=3x3,goal:0:1:2:3:4:5:6:7:8&board=1,0,2/3,4,5/6,7,8&analysis=0")
        self.wait(lambda: self.find(".game .piece"), "it is there")
        self.find(".game").send_keys(Keys.ARROW_LEFT)
        self.wait(lambda: "Solved. Moves made: 1" in self.text(".status"), "its goal is reached")
        self.check_console()

    def test_the_goal_of_a_board_with_walls_is_the_one_that_the_daemon_takes(self):
        for board, goal in (("1,2,3/4,#,6/7,0,9", "1,2,3/4,#,6/7,9,0"), ("1,2,3/4,#,5/6,0,7", "1,2,3/4,#,5/6,7,0")):
            nodes = self.web.get("/graph", puzzle="3x3", root=board, depth=1)[1]["nodes"]
            self.assertEqual([node["board"] for node in nodes if node["solved"]], [goal])
            self.assertEqual(self.kind("3x3", f"[kind.goal(puzzle, '{board}'), kind.solved(puzzle, '{goal}'), kind.estimate(puzzle, '{goal}')]"), [goal, True, 0])
        self.open(f"#/play?puzzle=3x3&board={urllib.parse.quote(board)}&analysis=0")
        self.wait(lambda: len(self.all(".aim .piece.tile")) == 7 and len(self.all(".aim .piece.wall")) == 1, "it is shown so")
        self.find(".game").send_keys("n")
        self.wait(lambda: "5%2F6%2C0%2C7" not in self.browser.current_url and len(self.all(".game .piece.wall")) == 1, "a new board has the wall, too")
        self.check_console()

    def test_klotski_is_solved_only_where_the_page_can_tell(self):
        board = "'AAB/AAC'"
        for goal, solved in (("A:0:0", True), ("A:0:1", False), ("A:0:0+B:1:2", False), ("B:0:0", False)):
            self.assertEqual(self.kind(f"klotski:AAB/AAC,goal:{goal}", f"kind.solved(puzzle, {board})"), solved, goal)

    def test_levels_that_the_page_cannot_read_are_the_daemons(self):
        self.assertEqual(self.kind("sokoban:#####/#@$.#/#####,metric:push", "kind.start(puzzle)"), "#####/#@$.#/#####")
        for level in ("5#/#@$.#/5#", "#####/#pbo#/#####"):
            self.assertIsNone(self.kind(f"sokoban:{level}", "kind.start(puzzle)"), level)
        self.open("#/play?puzzle=sokoban:5%23/%23@$.%23/5%23")
        self.wait(lambda: len(self.all(".game .piece.wall")) == 12 and self.text("#fewest") == "1", "it is drawn and solved")
        self.check_console()

    def test_the_first_row_of_a_level_begins_with_blanks(self):
        level = "  ####/###  ####/#     $ #/# #  #$ #/# . .#@ #/#########"
        self.open(f"#/play?puzzle=sokoban:{urllib.parse.quote(level)}")
        self.wait(lambda: self.text("#fewest") == "41", "it is solved")
        self.find(".other summary").click()
        self.find(".other form button").click()
        self.wait(lambda: self.text("#moves") == "0" and self.text("#fewest") == "41", "it is opened as it stands there")
        self.assertIn(urllib.parse.quote_plus(level).replace("%20", "+"), self.browser.current_url)
        self.check_console()

    def test_new_boards_of_hanoi_have_large_discs_elsewhere(self):
        board = ",".join(["1"] * 21)
        mixed = self.browser.execute_async_script("""const [board, done] = arguments;
            import("./js/parts/answers.js").then(({ walk }) => walk("hanoi:3,21", board)).then(done);""", board)
        self.assertNotEqual(mixed.split(",")[6:], board.split(",")[6:])

    def test_a_tile_of_link_up_may_be_a_zero(self):
        tiles = "kind.picture(puzzle, kind.start(puzzle)).pieces.length"
        for board, count in (("0A./A0B", 5), ("0A0/A0A", 3), ("0*A/A00", 5), ("AB/BA", 4)):
            self.assertEqual(self.kind(f"linkup:{board},from:0:1,to:1:0", tiles), count, board)

    def test_a_twisty_puzzle_with_some_moves_is_played_as_the_daemon_says(self):
        self.assertTrue(self.kind("cube2", "kind.local"))
        for puzzle in ("cube2,moves:U:R", "tws:skewb,moves:U"):
            self.assertIsNone(self.kind(puzzle, "kind.local"), puzzle)

    def test_the_focus_stays_in_the_list_of_moves(self):
        for puzzle in ("pancake:6", "cube2"):  # the daemon tells the moves of the first
            self.open(f"#/play?puzzle={puzzle}&analysis=0")
            self.wait(lambda: len(self.all(".game .moves button")) > 2, f"{puzzle} can be played")
            focused = lambda: self.browser.execute_script("return [...document.querySelectorAll('.game .moves button')].indexOf(document.activeElement)")
            self.browser.execute_script("document.querySelectorAll('.game .moves button')[1].focus()")
            for made in ("1", "2"):
                self.browser.switch_to.active_element.send_keys(Keys.ENTER)
                self.wait(lambda: self.text("#moves") == made or puzzle == "cube2", "a move")
                self.wait(lambda: focused() == 1, f"the second move of {puzzle} has the focus")
        self.check_console()

    def test_a_board_that_is_changed_keeps_the_goal_in_its_puzzles_name(self):
        self.open("#/play?puzzle=3x3,goal:0:1:2:3:4:5:6:7:8&board=1,0,2/3,4,5/6,7,8")
        self.wait(lambda: self.find('a[href^="#/edit?"]'), "it can be changed")
        self.browser.execute_script("location.hash = document.querySelector('a[href^=\"#/edit?\"]').hash")
        self.wait(lambda: "Fewest moves: 1." in self.text("#verdict"), "it is one move from there")
        self.assertIn("goal", self.browser.current_url)
        self.assertEqual(self.kind("pancake:4,goal:2:1:3:4", "kind.estimate(puzzle, '2,1,3,4')"), 0)
        self.check_console()

    def test_a_view_that_is_left_changes_no_address(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/0,7,8")
        self.wait(lambda: self.text("#distance") == "2", "it is measured")
        # A move and a link at once: what is remembered of the move comes after the link.
        self.browser.execute_script("location.hash = '#/graph?puzzle=2x2'; document.querySelector('.game').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));")
        self.wait(lambda: self.find("svg.graph"), "the next view")
        self.assertTrue(self.browser.current_url.endswith("#/graph?puzzle=2x2"), self.browser.current_url)
        self.check_console()

    def running(self, start):
        """The jobs that search from a board now."""
        jobs = self.web.get("/jobs", tools="yes", limit=1000)[1]["jobs"]
        return [job["job"] for job in jobs if job["state"] in ("queued", "running") and f"start={start}" in job["request"]]

    def searches(self, address):
        self.open(address)
        self.wait(lambda: self.find("#cancel-solve").is_displayed(), "it searches")

    def test_a_search_that_another_page_began_goes_on_and_is_begun_again(self):
        address = f"#/play?puzzle=5x5&board={HARD}&analysis=0"
        job = self.web.post("/jobs", {"kind": "solve", "puzzle": "5x5", "start": HARD, "time": "60s", "tool": "page"})[1]["job"]
        self.searches(address)
        self.browser.execute_script("location.hash = '#/home'")
        self.wait(lambda: len(self.all("#cards .card .board")) == 16, "the view is left")
        self.assertEqual(self.running(HARD), [job])
        self.searches(address)
        self.web.post(f"/jobs/{job}/cancel")
        self.wait(lambda: self.running(HARD) not in ([], [job]), "it is begun again")
        self.wait(lambda: self.find("#cancel-solve").is_displayed(), "and shown")
        self.find("#cancel-solve").click()
        self.wait(lambda: self.text(".status") == "The search was stopped." and self.running(HARD) == [], "who stops it has it stopped")
        self.check_console()

    def test_a_board_that_is_left_and_taken_up_again_is_searched_again(self):
        self.searches(f"#/play?puzzle=5x5&board={HARD}&analysis=1")
        game = self.find(".game")
        game.send_keys(Keys.ARROW_LEFT)
        other = self.find("input[name=board]").get_attribute("value")
        self.wait(lambda: self.running(other) and not self.running(HARD), "the next board is searched")
        game.send_keys("u")
        self.wait(lambda: self.running(HARD) and not self.running(other), "and the first again")
        self.assertEqual(self.text(".status"), "")
        self.find("#cancel-solve").click()
        self.wait(lambda: self.text(".status") == "The search was stopped.", "it is stopped")
        self.check_console()


if __name__ == "__main__":
    unittest.main()
