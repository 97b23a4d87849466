# SPDX-License-Identifier: MIT
"""Twisty puzzles on the page: unfolded nets, turned by buttons and keys, by rules that the page has from their texts."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import web_parts
from page_parts import PageCase

SOLVED = "1,2,3,4,5,6,7,8.0,0,0,0,0,0,0,0/1,2,3,4,5,6,7,8,9,10,11,12.0,0,0,0,0,0,0,0,0,0,0,0"
# Turns of every kind, by the page's own steps; returns the board, its picture, and what the daemon is to be asked.
TURN = """const [puzzle, words, done] = arguments;
    import("./js/puzzles/kinds.js").then(async ({ kindOf }) => {
      const kind = kindOf(puzzle);
      await kind.enter(puzzle, true);
      let board = kind.start(puzzle);
      const all = kind.steps(puzzle, board).map((step) => step.word);
      for (const word of words ?? all) board = kind.steps(puzzle, board).find((step) => step.word === word).board;
      const { columns, rows, pieces } = kind.picture(puzzle, board);
      const round = (number) => Math.round(1000 * number);
      done([board, (words ?? all).join(" "), [round(columns), round(rows)],
        pieces.map(({ id, kind: look, rects: [{ x, y, w, h }] }) => [id, look, round(x), round(y), round(w), round(h)]).sort()]);
    });"""


def told(pieces):
    """The same of what the daemon's DRAW lists."""
    size, *words = pieces.split(" ")
    found = []
    for word in words:
        kind, name, box = word.split(":")
        x, y, *rest = map(float, box.split(","))
        found.append([name, kind, *(round(1000 * number) for number in (x, y, *(rest or (1, 1))))])
    return [round(1000 * float(number)) for number in size.split("x")], sorted(found)


class Twisty(PageCase):
    def board(self):
        return self.find("input[name=board]").get_attribute("value")

    def test_the_page_turns_and_draws_as_the_daemon_does(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        for puzzle in ("cube2", "cube3", "pyraminx", "skewb", "dino"):
            board, words, size, pieces = self.browser.execute_async_script(TURN, puzzle, None)
            for asked in (board, words):
                status, reply = self.web.get("/draw", puzzle=puzzle, board=asked, pieces="yes")
                self.assertEqual(status, 200, reply)
                self.assertEqual(reply["frames"][0]["board"], board, puzzle)
                there = told(reply["frames"][0]["pieces"])
                self.assertEqual(there[0], size, puzzle)
                self.assertEqual([one[:2] + one[4:] for one in there[1]], [one[:2] + one[4:] for one in pieces], puzzle)
                for one, other in zip(there[1], pieces):  # the daemon writes five digits
                    self.assertTrue(all(abs(a - b) <= 1 for a, b in zip(one[2:4], other[2:4])), (puzzle, one, other))
        self.check_console()

    def test_a_cube_turns_by_buttons_and_letters_and_counts_turns_of_one_side_as_one(self):
        self.open(f"#/play?puzzle=cube3&board={SOLVED}")
        self.wait(lambda: len(self.all(".game .piece.sticker")) == 54 and len(self.all(".game .moves button")) == 18, "stickers and buttons")
        white = self.browser.execute_script("return [...document.querySelectorAll('.game .piece.white')].map((one) => one.style.transform).sort().join()")
        self.find(".game").send_keys("r")
        self.wait(lambda: self.text("#moves") == "1", "a turn")
        self.assertNotEqual(white, self.browser.execute_script("return [...document.querySelectorAll('.game .piece.white')].map((one) => one.style.transform).sort().join()"))
        self.find(".game").send_keys("ru")
        self.wait(lambda: self.text("#moves") == "2", "R R is R2, one turn")
        ActionChains(self.browser).move_to_element([one for one in self.all(".moves button") if one.text == "U'"][0]).click().perform()
        self.find(".game").send_keys("R")
        self.wait(lambda: self.text("#moves") == "3", "U U' are turns of one side, R' another")
        self.find(".game").send_keys("R")
        self.wait(lambda: self.board() == SOLVED and self.text(".status").startswith("Solved."), "and undone with Shift")
        self.find(".game").send_keys(Keys.CONTROL, "z")
        self.wait(lambda: self.board() != SOLVED, "Ctrl+Z undoes")
        self.check_console()

    def test_a_near_board_has_a_target_a_hint_and_a_solution_that_plays(self):
        board = self.web.get("/draw", puzzle="cube3", board="R U F2")
        if board[0] != 200:  # this test runs alone: the page defines it
            self.open("#/play?puzzle=cube3")
            self.wait(lambda: len(self.all(".game .piece.sticker")) == 54, "the cube")
            board = self.web.get("/draw", puzzle="cube3", board="R U F2")
        self.open(f"#/play?puzzle=cube3&board={board[1]['frames'][0]['board']}")
        self.wait(lambda: self.text("#fewest") == "3" and self.text("#distance") == "3", "solved in the background")
        self.find("#hint").click()
        self.wait(lambda: self.text(".status") == "Best: F2" and self.text(".moves .hinted") == "F2", "the best turn")
        self.find("#solve").click()
        slider = self.wait(lambda: self.find(".player input[type=range]"), "the solution")
        self.assertEqual(slider.get_attribute("max"), "3")
        slider.send_keys(Keys.END)
        self.wait(lambda: self.board() == SOLVED, "it ends at the solved cube")
        self.check_console()

    def test_quarter_turns_count_each(self):
        self.open("#/play?puzzle=cube2,metric:quarter")
        self.wait(lambda: len(self.all(".game .moves button")) == 12, "no half turns")
        self.find(".game").send_keys("uu")
        self.wait(lambda: self.text("#moves") == "2", "two quarters")
        self.check_console()

    def test_numbers_and_shift_turn_what_has_no_letter(self):
        self.open("#/play?puzzle=pyraminx&board=1,2,3,4.0,0,0,0/1,2,3,4.0,0,0,0/1,2,3,4,5,6.0,0,0,0,0,0")
        self.wait(lambda: len(self.all(".game .piece.sticker")) == 36 and len(self.all(".game .piece.up")) == 15, "triangles")
        self.find(".game").send_keys("5")
        self.wait(lambda: self.board().startswith("1,2,3,4.1,0,0,0/"), "the tip u")
        self.find(".game").send_keys(Keys.SHIFT, "5")
        self.wait(lambda: self.board().startswith("1,2,3,4.0,0,0,0/"), "and back")
        self.find(".game").send_keys(Keys.NULL, "u")
        self.wait(lambda: self.board().startswith("1,4,2,3."), "the letter is the layer's")
        self.check_console()

    def test_a_job_has_its_definitions_name_and_boards_are_played_by_it(self):
        self.open("#/play?puzzle=cube2")
        self.wait(lambda: self.find(".game .piece.sticker"), "it is defined")
        job = self.web.explore("cube2", depth=2)
        self.open("#/jobs")
        self.wait(lambda: self.text(f'tr[data-job="{job}"] .name') == "cube2", "the list")
        self.open(f"#/jobs/{job}")
        self.wait(lambda: self.text(".panel h2") == f"Job {job}: explore cube2", "its page")
        board = self.wait(lambda: self.find(".gallery a"), "a board of its last level")
        self.browser.execute_script("arguments[0].click()", board)
        self.wait(lambda: self.text("h1") == "2×2×2 cube" and self.find(".game .moves.turns"), "it is played as any board of the cube")
        self.check_console()

    def test_a_phone_shows_net_and_buttons_in_chinese(self):
        self.narrow()
        self.speak("zh")
        self.open("#/play?puzzle=skewb")
        self.wait(lambda: len(self.all(".game .moves button")) == 16 and self.text("h1") == "斜转魔方", "the skewb")
        self.assertEqual(len(self.all(".game .piece.diamond")), 6)
        self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390)
        for one in self.all(".game .moves button"):
            self.assertLessEqual(one.rect["x"] + one.rect["width"], 390, one.text)
        self.check_console()

    def test_where_nothing_may_be_defined_it_is_played_without_hints(self):
        daemon = web_parts.start_daemon()
        self.addCleanup(daemon.remove)
        self.addCleanup(daemon.stop)
        for mode in (["--read-only"], ["--class", "10s,64M"]):
            web = web_parts.Web(daemon.socket, *mode)
            self.addCleanup(web.end)
            self.open("#/play?puzzle=dino&board=1,2,3,4,5,6,7,8,9,10,11,12&analysis=1", web.url)
            self.wait(lambda: len(self.all(".game .piece.sticker")) == 24, "the dino cube")
            self.find(".game").send_keys("1")
            self.wait(lambda: self.text("#moves") == "1", "turned")
            self.wait(lambda: self.text("#distance") == "unknown" and self.text(".remark") == "", "no hint, and no error")
            self.assertFalse(self.find("#hint").is_displayed())
            self.check_console()
