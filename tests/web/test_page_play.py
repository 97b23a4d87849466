# SPDX-License-Identifier: MIT
"""Play in headless Chromium: fingers, keys, words, the solution on the board, and what is said where nothing can be told."""

import os
import struct
import subprocess
import tempfile
import unittest
import urllib.parse
import zlib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import web_parts
from page_parts import PageCase


def png(side):
    """A grey picture as a file's bytes."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + bytes([row % 256] * side) for row in range(side))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Play(PageCase):
    def play(self, board, puzzle="3x3"):
        self.open(f"#/play?puzzle={puzzle}&board={board}")
        self.wait(lambda: self.text("#distance") not in ("", "…"), "the distance is shown")

    def test_tiles_follow_the_finger_and_a_row_slides_together(self):
        self.play("1,2,3/4,5,6/0,7,8")
        tile = self.find('.game [data-piece="8-1"]')
        width = tile.size["width"]
        place = lambda piece: self.find(f'.game [data-piece="{piece}"]').location["x"]
        before = {piece: place(piece) for piece in ("7-1", "8-1", "6-1")}
        ActionChains(self.browser).click_and_hold(tile).move_by_offset(-int(width * 0.3), 0).perform()
        for piece in ("7-1", "8-1"):
            self.assertAlmostEqual(before[piece] - place(piece), width * 0.3, delta=width * 0.15, msg=f"{piece} follows")
        self.assertEqual(place("6-1"), before["6-1"])
        self.assertEqual(self.text("#moves"), "0")
        ActionChains(self.browser).move_by_offset(-int(width * 0.4), 0).release().perform()
        self.wait(lambda: self.text("#moves") == "2" and self.text("#distance") == "0", "both tiles have gone one cell")
        self.play("1,2,3/4,5,6/0,7,8")
        self.find('.game [data-piece="8-1"]').click()
        self.wait(lambda: self.text("#moves") == "2", "a click does the same")
        self.check_console()

    def test_what_counts_as_one_move_is_undone_as_one(self):
        for metric, left in (("multi", "0"), ("single", "1")):
            self.play("1,2,3/4,5,6/0,7,8", f"3x3,metric:{metric}")
            self.find('.game [data-piece="8-1"]').click()
            self.wait(lambda: "Solved" in self.text(".status"), "a row has slid")
            self.find(".game").send_keys("u")
            self.wait(lambda: self.text("#moves") == left, metric)
        self.check_console()

    def test_only_the_first_finger_and_the_main_button_move_tiles(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        tile = self.wait(lambda: self.find('.game [data-piece="8-1"]'), "a tile beside the blank")
        ActionChains(self.browser).context_click(tile).perform()
        at = tile.rect
        x, y, cell = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2, at["width"]
        touch = lambda type, *points: self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": type, "touchPoints": [
            {"id": number, "x": px, "y": py} for number, px, py in points]})
        touch("touchStart", (1, x, y))
        touch("touchStart", (1, x, y), (2, x - cell, y - cell))
        touch("touchMove", (1, x, y), (2, x - 2 * cell, y - cell))
        self.assertEqual(self.text("#moves"), "0")
        touch("touchEnd")
        self.wait(lambda: self.text("#moves") == "1", "the first finger is let go on the tile")
        self.check_console()

    def test_tab_goes_from_the_board_to_its_blocks_or_to_what_comes_next(self):
        after = lambda: self.browser.execute_script("return document.activeElement.dataset.piece ?? document.activeElement.id")
        for puzzle, then in (("3x3", ["analysis", "metric"]), ("klotski:横刀立马", ["H", "A"])):
            self.open(f"#/play?puzzle={puzzle}")
            self.wait(lambda: self.browser.execute_script("return document.activeElement.className") == "game", "the board has the keys")
            stops = []
            for _ in then:
                ActionChains(self.browser).send_keys(Keys.TAB).perform()
                stops.append(after())
            self.assertEqual(stops, then)
        self.browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.browser.execute_script("return document.activeElement.getAttribute('aria-pressed')"), "true")
        self.check_console()

    def test_keys_pressed_before_the_daemon_has_told_the_moves_are_made_in_their_order(self):
        self.open("#/play?puzzle=pancake:5&board=3,2,1,4,5")
        self.wait(lambda: len(self.all(".moves button")) == 4, "the moves are told")
        self.find(".game").send_keys("2", "3", "u", "4", "1")
        self.wait(lambda: self.text("#moves") == "3", "four moves, one of them undone")
        self.assertEqual(self.find("input[name=board]").get_attribute("value"), "4,5,3,2,1")
        self.check_console()

    def test_a_drag_ends_where_a_key_changes_the_board(self):
        self.play("1,2,3/4,5,6/7,0,8")
        tile = self.find('.game [data-piece="8-1"]')
        ActionChains(self.browser).click_and_hold(tile).move_by_offset(-int(tile.size["width"] * 0.6), 0).send_keys(Keys.ARROW_UP).release().perform()
        self.assertEqual((self.text("#moves"), self.find("input[name=board]").get_attribute("value")), ("1", "1,2,3/4,0,6/7,5,8"))
        self.check_console()

    def test_the_keys_come_back_to_the_board_from_a_button_that_goes(self):
        focused = lambda: self.browser.execute_script("return document.activeElement.className")
        self.play("1,2,3/4,5,6/7,0,8")
        self.find(".game").send_keys(Keys.ARROW_UP)
        for button in ("undo", "redo"):
            self.find(f"#{button}").send_keys(Keys.ENTER)
            self.wait(lambda: focused() == "game", f"{button} can do no more")
        self.find("#solve").click()
        self.wait(lambda: self.find(".player"), "the solution")
        self.all(".player button")[-1].send_keys(Keys.ENTER)
        self.wait(lambda: focused() == "game", "it is closed")
        self.check_console()

    def test_keys_undo_redo_and_take_a_new_board(self):
        self.play("1,2,3/4,5,6/7,0,8")
        game = self.find(".game")
        game.send_keys(Keys.ARROW_LEFT)
        self.wait(lambda: self.text("#distance") == "2" and self.text("#moves") == "1", "a move away from the goal")
        self.assertEqual(self.text("#detour"), "2 more than needed")
        game.send_keys("u")
        self.wait(lambda: self.text("#distance") == "1" and self.text("#moves") == "0", "U undoes it")
        game.send_keys("r")
        self.wait(lambda: self.text("#moves") == "1", "R makes it again")
        game.send_keys("n")
        self.wait(lambda: self.text("#moves") == "0" and self.text("#distance") not in ("1", "2", "…"), "N scrambles")
        self.check_console()

    def test_a_move_counts_where_the_browser_takes_no_more_changes_of_the_address(self):
        self.play("1,2,3/4,5,6/7,0,8")
        self.browser.execute_script("history.replaceState = () => { throw new DOMException('more than 100 per 30 seconds', 'SecurityError'); }")
        self.find(".game").send_keys(Keys.ARROW_LEFT)
        self.wait(lambda: self.text("#distance") == "2" and self.text("#moves") == "1", "the move is made")
        self.check_console()

    def test_each_move_says_on_its_piece_how_far_it_leads(self):
        self.play("1,2,3/4,5,6/7,0,8")
        marks = lambda: sorted((one.text, "nearer" in one.get_attribute("class")) for one in self.all(".game .marks text"))
        self.wait(lambda: marks() == [("0", True), ("2", False), ("2", False)], "the tiles 8, 5 and 7")
        tile, mark = (self.find(one).rect for one in ('.game [data-piece="8-1"]', ".marks .nearer"))
        self.assertTrue(tile["x"] <= mark["x"] < tile["x"] + tile["width"] / 2, "at the left side of tile 8")
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: self.text("#distance") == "0" and marks() == [], "a solved board has none")
        self.check_console()

    def test_how_far_a_move_leads_covers_no_letter(self):
        self.open("#/play?puzzle=klotski:横刀立马&board=HAAI/HAAI/JBBK/JNOK/P@Q@")
        self.web.explore("klotski:横刀立马,metric:move", **{"from": "goals"})
        self.browser.refresh()
        self.wait(lambda: len(self.all(".marks text")) > 3, "the words")
        covered = """const box = (one) => one.getBoundingClientRect();
            const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
            const [words, letters] = [".marks text", ".piece .tag"].map((one) => [...document.querySelectorAll(".game " + one)]);
            return words.filter((word) => letters.some((letter) => meet(box(word), box(letter)))).map((word) => word.textContent);"""
        self.wait(lambda: self.browser.execute_script(covered) == [], "all letters can be read")
        self.check_console()

    def test_a_scramble_beyond_the_farthest_board_says_how_far_they_are(self):
        self.play("1,2,3/4,5,6/7,0,8")
        self.find("input[name=depth]").clear()
        self.find("input[name=depth]").send_keys("40")
        self.find("#scramble").click()
        self.wait(lambda: self.text(".status") == "No board is 40 moves away.", "no table is said to be missing")
        self.assertEqual(self.text("#distance"), "1")
        self.check_console()

    def test_a_distance_that_the_table_does_not_reach_is_not_offered(self):
        depth = lambda: self.find("input[name=depth]")
        label = lambda: self.find("form:has(input[name=depth]) .field span").text
        self.play("1,2,3/4,5,6/7,0,8")
        self.wait(lambda: label() == "Scramble to distance (at most 31)", "the farthest boards of 3x3")
        self.assertEqual((depth().get_attribute("value"), depth().get_attribute("max")), ("20", "31"))
        self.web.explore("pancake:4")
        self.play("3,2,1,4", "pancake:4")
        self.wait(lambda: label() == "Scramble to distance (at most 4)", "the farthest stacks of 4 pancakes")
        self.assertEqual(depth().get_attribute("value"), "4")
        self.find("#scramble").click()
        self.wait(lambda: self.text("#distance") == "4", "one of the three that take 4 flips")
        self.web.explore("2x5", depth=2)
        self.play("1,2,3,4,5/6,7,0,8,9", "2x5")
        self.wait(lambda: {one.text for one in self.all(".each button")} == {"7 →: then ? to go", "8 ←: then 1 to go", "3 ↓: then ? to go"}, "nor said")
        self.check_console()

    def test_hints_and_moves_are_told_in_the_words_of_the_puzzle(self):
        self.play("1,2,3/4,5,6/7,0,8")
        self.find("#hint").click()
        self.wait(lambda: self.text(".status") == "Best: tile 8 left", "the tile and its way")
        said = lambda: self.browser.execute_script("return document.querySelector('.spoken').textContent")
        self.find(".game").send_keys(Keys.ARROW_UP)
        self.wait(lambda: said() == "tile 5 down. 2 to go.", "a move is announced")
        self.find(".game").send_keys("u")
        self.wait(lambda: said() == "Undone: tile 5 down. 1 to go.", "and that it is undone")
        self.find(".game").send_keys("r")
        self.wait(lambda: said() == "tile 5 down. 2 to go.", "and made again")
        self.find(".game").send_keys("n")
        self.wait(lambda: said().startswith("Board of 3×3 sliding puzzle: ") and said().endswith(" to go."), "and a new board")
        self.open("#/play?puzzle=jugs:3,5,goal:4&board=0,0")
        self.wait(lambda: self.text("#distance") == "6", "it is solved")
        self.find(".game").send_keys("2")
        self.wait(lambda: said() == "Fill 2. 5 to go.", "what a button does, too")
        self.open("#/play?puzzle=klotski:横刀立马")
        block = self.wait(lambda: self.find('.game [data-piece="P"]'), "a block")
        self.assertEqual(block.get_attribute("aria-label"), "the small block at row 5, column 1")
        self.assertEqual(self.find('.game [data-piece="A"]').get_attribute("aria-label"), "the chief block at row 1, column 2")
        self.wait(lambda: self.find(".piece.exit"), "the cells that the chief block is to reach are marked")
        self.check_console()

    def test_a_solution_plays_on_the_board_and_goes_when_the_board_changes(self):
        self.play("8,6,7/2,5,4/3,0,1")
        self.find("#solve").click()
        slider = self.wait(lambda: self.find(".player input[type=range]"), "the solution")
        slider.send_keys(Keys.END)
        self.wait(lambda: self.text("#distance") == "0", "the board itself is solved")
        self.assertEqual(len(self.all(".board:not(.small)")), 1)
        self.find("select[name=speed]").send_keys("4")
        slider.send_keys(Keys.HOME)
        self.find("#play-solution").click()
        self.wait(lambda: int(self.find(".player input[type=range]").get_attribute("value")) > 2, "it plays")
        self.find(".game").send_keys("h")
        self.find("#play-solution").click()
        self.find(".game").send_keys(Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
        self.wait(lambda: self.browser.execute_script("return document.querySelector('.player') === null"), "the solution has gone")
        self.check_console()

    def test_the_language_keeps_the_moves_that_were_made(self):
        self.play("1,2,3/4,5,6/7,0,8")
        self.find(".game").send_keys(Keys.ARROW_LEFT)
        self.wait(lambda: self.text("#moves") == "1", "a move")
        self.find("#language").click()
        self.wait(lambda: self.text("#undo") == "撤销", "Chinese")
        self.assertEqual(self.text("#moves"), "1")
        self.find("#undo").click()
        self.wait(lambda: self.text("#distance") == "1" and self.text("#moves") == "0", "it can still be undone")
        self.find("#hint").click()
        self.wait(lambda: self.text(".status") == "最佳：方块 8 向左", "a hint in Chinese")
        self.find("#language").click()
        self.check_console()

    def test_a_link_is_copied_also_where_the_browser_gives_no_clipboard(self):
        for row, given in (("0,7,8", True), ("7,0,8", False)):
            self.play(f"1,2,3/4,5,6/{row}")
            if not given:  # by plain HTTP from another machine
                self.browser.execute_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
            self.find("#share").click()
            self.wait(lambda: self.text(".status") == "The link to this board is copied.", "it says so")
            self.find(".other summary").click()
            field = self.find("input[name=board]")
            field.clear()
            field.send_keys(Keys.CONTROL, "v")
            self.assertEqual(field.get_attribute("value"), self.browser.current_url)
        self.check_console()

    def test_an_own_picture_stands_on_the_tiles_and_a_board_is_saved_as_one(self):
        self.play("1,2,3/4,5,6/7,0,8")
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            file.write(png(90))
            file.flush()
            self.browser.execute_script("document.querySelector('input[type=file]').hidden = false")
            self.find("input[type=file]").send_keys(file.name)
            self.wait(lambda: len(self.all(".piece image")) == 8, "a part on each tile")
        self.find("#own-picture").click()
        self.wait(lambda: self.browser.execute_script("return document.querySelectorAll('.piece image').length") == 0, "numbers again")
        self.browser.execute_script("HTMLAnchorElement.prototype.click = function () { window.saved = [this.download, this.href.slice(0, 22), this.href.length]; }")
        self.find("#save-picture").click()
        name, kind, length = self.wait(lambda: self.browser.execute_script("return window.saved"), "a file is saved")
        self.assertEqual((name, kind), ("3x3-1-2-3-4-5-6-7-0-8.png", "data:image/png;base64,"))
        self.assertGreater(length, 4000)
        self.check_console()

    def test_puzzles_with_buttons_have_pictures_and_words_of_their_own(self):
        for puzzle, board, pieces, best in (("hanoi:3,3", "1,3,3", 6, "Best: the disc from peg 1 to peg 3"), ("pancake:4", "3,2,1,4", 4, "Best: flip the upper 3"),
                                            ("topspin:6,3", "1,4,3,2,5,6", 6, "Best: turn 4 3 2")):
            self.web.explore(puzzle)
            self.open(f"#/play?puzzle={puzzle}&board={board}")
            self.wait(lambda: self.text("#distance") == "1", f"{puzzle} is measured")
            self.assertEqual(len(self.all(".game .piece")), pieces)
            self.find("#hint").click()
            self.wait(lambda: self.text(".status") == best, best)
        self.check_console()

    def test_the_page_and_the_daemon_draw_the_same_pieces(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        compare = """const [puzzle, board, found, done] = arguments;
            Promise.all([import("./js/puzzles/kinds.js"), import("./js/board/pieces.js")]).then(([{ kindOf }, { read }]) => {
              const plain = ({ columns, rows, pieces }) => [columns, rows, pieces.map(({ id, kind, text, rects }) => (
                [id, kind, text, rects.map(({ x, y, w, h }) => [x, y, w, h].map((number) => Math.round(1000 * number))).sort()]))
                .sort((one, two) => (one[0] < two[0] ? -1 : 1))];
              const kind = kindOf(puzzle);
              done([plain(kind.picture(kind.asked(puzzle), board)), plain(read(found))]);
            });"""
        for puzzle, board in (("3x3", "8,6,7/2,5,4/3,0,1"), ("2x3", "1,#,1/2,0,2"), ("klotski:横刀立马", "HAAI/HAAI/JBBK/JNOK/P@@Q"),
                              ("klotski:AAN/OA@/#P@,goal:A:1:1", "AAN/OA@/#P@"),
                              ("rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"),
                              ("sokoban:#######/#  .  #/# *#$ #/#  @  #/#######", "#######/#--.--#/#-*#$-#/#--@--#/#######"), ("jugs:3,5,goal:4", "0,2"),
                              ("linkup:AB./.BA,from:0:0,to:1:2,border:yes", "AB./.BA"), ("linkup:AB./.BA,from:0:0,to:1:2,border:no", "AB./.BA")):
            status, reply = self.web.get("/draw", puzzle=puzzle, board=board, pieces="yes",
                                         **({"goal": "1,#,1/2,2,0"} if puzzle == "2x3" else {}))
            self.assertEqual(status, 200, reply)
            own, told = self.browser.execute_async_script(compare, puzzle, reply["frames"][0]["board"], reply["frames"][0]["pieces"])
            self.assertEqual(own, told, puzzle)
        self.check_console()

    def test_the_line_of_link_up_is_drawn(self):
        self.open("#/play?puzzle=linkup:BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC,from:4:2,to:4:5,border:yes")
        self.wait(lambda: len(self.all(".game .piece.tile")) == 24 and len(self.all(".game .piece.chief")) == 2, "the tiles, and the two to be joined")
        self.find("#solve").click()
        slider = self.wait(lambda: self.find(".player input[type=range]"), "the solution")
        self.assertEqual(self.text(".player h2"), "The line with the fewest turns")
        slider.send_keys(Keys.END)
        line = self.wait(lambda: self.find(".game .piece.line"), "the line")
        self.assertEqual(len(line.find_elements("css selector", ".shape")), 3)
        self.check_console()

    def test_two_tiles_of_link_up_are_joined_by_a_line_that_is_drawn(self):
        self.open("#/play?puzzle=linkup:BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC,from:4:2,to:4:5,border:yes&analysis=0")
        self.wait(lambda: self.text("#fewest") == "2" and self.text(".numbers dt") == "Turns", "the target")
        game = self.find(".game")
        game.send_keys(Keys.ARROW_LEFT, Keys.ARROW_UP)
        self.assertEqual(self.all(".game .piece.line"), [], "no line goes over tiles")
        game.send_keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.wait(lambda: len(self.all(".game .piece.line .shape")) == 2 and self.text("#moves") == "1", "down and to the right")
        game.send_keys(Keys.ARROW_LEFT)
        game.send_keys("u", "u")
        self.wait(lambda: len(self.all(".game .piece.line .shape")) == 2, "a step back, and both undone")
        cell = self.find('.game [data-piece="4.2"]').size["width"] / 0.92  # a tile has a gap around it
        ActionChains(self.browser).click_and_hold(self.find('.game [data-piece="4.5"]')).move_by_offset(0, int(cell * 1.1)) \
            .move_by_offset(-int(cell * 3.2), 0).move_by_offset(0, -int(cell * 1.1)).release().perform()
        self.wait(lambda: self.text(".status") == "Joined. Turns made: 2 (the fewest were 2)", "a finger draws it from the other tile")
        self.assertEqual(len(self.all(".game .piece.line .shape")), 3)
        self.find("#next-board").click()
        self.wait(lambda: len(self.all(".game .piece.tile, .game .piece.chief")) == 24, "two tiles fewer")
        self.wait(lambda: self.text("#fewest") in ("0", "1", "2") and self.text("#moves") == "0", "the next two can be joined")
        self.check_console()

    def test_after_an_easy_board_comes_a_harder_one_of_its_kind(self):
        for job in self.web.get("/jobs", limit=1000, tools="yes")[1]["jobs"]:  # a table of another test would give a board of the same puzzle
            if job["puzzle"].startswith("jugs:3,5,goal:4"):
                self.web.post(f"/jobs/{job['job']}/forget")
        self.open("#/play?puzzle=jugs:3,5,goal:4&analysis=0")
        self.wait(lambda: self.text("#fewest") == "6", "the target")
        game = self.find(".game")
        for made, label in enumerate(["Fill 2", "Pour 2 into 1", "Empty 1", "Pour 2 into 1", "Fill 2", "Pour 2 into 1"]):
            self.wait(lambda: self.text("#moves") == str(made), "the move before")
            game.send_keys(self.wait(lambda: [one.text for one in self.all(".moves button") if one.text.endswith(label)], label)[0][0])
        self.find("#next-board").click()
        self.wait(lambda: "jugs:3,5,8" in urllib.parse.unquote(self.browser.current_url) and self.text("#fewest") == "7", "the next one")
        self.assertEqual(self.text(".aim strong"), "any, 4, 4")
        self.open("#/play?puzzle=jugs:3,5,goal:sum:4&analysis=0")
        self.wait(lambda: self.text(".aim strong") == "4 litres in all", "the goal of all jugs together")
        self.check_console()

    def test_the_frame_of_a_rush_hour_board_is_open_at_its_exit(self):
        for puzzle, gates in (("rushhour:BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo", 1), ("klotski:横刀立马", 1), ("3x3", 0)):
            self.open(f"#/play?puzzle={puzzle}")
            self.wait(lambda: self.find(".game .piece"), puzzle)
            self.assertEqual(len(self.browser.execute_script("return [...document.querySelectorAll('.game .gate')]")), gates)
            if gates:
                self.assertFalse(self.find(".game .piece.exit").is_displayed())
        self.open("#/play?puzzle=rushhour:BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo")
        gate, chief = (self.wait(lambda: self.find(one), one).rect for one in (".game .gate", ".game .chief .shape"))
        self.assertTrue(abs(gate["y"] + gate["height"] / 2 - chief["y"] - chief["height"] / 2) < 2 < gate["x"] - chief["x"], "in the lane of the red car")

    def test_a_page_that_may_not_search_offers_best_moves_only_where_a_table_tells_them(self):
        web = web_parts.Web(self.daemon.socket, "--read-only", "--rate", "0")
        self.addCleanup(web.end)
        for puzzle, board, told in (("4x4", "1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15", False), ("3x3", "1,2,3/4,5,6/7,0,8", True)):
            self.open(f"#/play?puzzle={puzzle}&board={board}&analysis=1", web.url)
            self.wait(lambda: self.text("#distance") == ("1" if told else "unknown"), "it is looked up")
            self.assertEqual(self.find("#hint").is_displayed(), told, puzzle)
            self.find(".game").send_keys("h")
            self.wait(lambda: self.text(".status") == ("Best: tile 8 left" if told else ""), "H, too")
            self.assertEqual(self.text(".remark"), "")
        self.check_console()
        self.browser.get("about:blank")

    def test_hints_and_solutions_are_gone_on_a_solved_board(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        self.wait(lambda: self.find("#hint").is_displayed() and self.find(".marks text"), "a hint, and distances on the tiles")
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: "the fewest were 1" in self.text(".status"), "it is solved")
        self.find(".game").send_keys("h")
        self.assertIn("the fewest were 1", self.text(".status"))
        self.browser.implicitly_wait(0)
        self.addCleanup(self.browser.implicitly_wait, 10)
        self.assertEqual([one.is_displayed() for one in self.all("#hint, #solve")] + self.all(".marks text"), [False, False])
        self.find("#undo").click()
        self.wait(lambda: self.find("#hint").is_displayed(), "and there again")

    def test_pieces_look_like_what_they_are_and_generals_have_names_in_both_languages(self):
        for puzzle, looks in (("rushhour:BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo", {".wheel": 8, ".glass": 8, ".tag": 8}), ("jugs:3,5,goal:4", {".jug path.shape": 2}),
                              ("sokoban:%23%23%23%23%23/%23@$.%23/%23%23%23%23%23", {".box .drawn": 1, ".player .ink": 1})):
            self.open(f"#/play?puzzle={puzzle}")
            self.wait(lambda: self.find(".game .piece"), puzzle)
            self.assertEqual({look: len(self.all(f".game .piece{look if look[1:4] in ('jug', 'box', 'pla') else ' ' + look}")) for look in looks}, looks)
        names = lambda: {name.text for name in self.all(".game .caption")}
        self.open("#/play?puzzle=klotski:横刀立马")
        self.wait(lambda: {"Guan", "Zhang", "Cao", "Soldier"} <= names(), "in English")
        self.speak("zh")
        self.open("#/play?puzzle=klotski:横刀立马")
        self.wait(lambda: names() == {"曹操", "关羽", "张飞", "赵云", "马超", "黄忠", "兵"}, "in Chinese")
        self.check_console()

    def test_best_moves_are_told_without_a_table_where_the_daemon_has_the_rules(self):
        self.open("#/play?puzzle=pancake:14&board=3,2,1,4,5,6,7,8,9,10,11,12,13,14&analysis=1")
        self.wait(lambda: self.text("#distance") == "1", "a search tells the distance")
        self.wait(lambda: [one.text for one in self.all(".each button")] == ["3: then 0 to go"], "the move in the list")
        self.find("#hint").click()
        self.wait(lambda: self.text(".status") == "Best: flip the upper 3", "in words")
        self.assertEqual([one.text for one in self.all(".moves .hinted")], ["2. 3"])
        self.check_console()

    def test_where_a_table_tells_costs_moves_are_searched_once(self):
        self.puzzlectl("define", "definitions/slide3x3costs.psvn")
        self.addCleanup(self.puzzlectl, "undefine", "slide3x3costs")
        self.web.explore("slide3x3costs")
        self.open("#/play?puzzle=slide3x3costs&board=1,2,3,4,B,6,7,5,8&analysis=1")
        self.wait(lambda: self.text("#distance") == "2", "two moves, which cost three")
        asked = "return performance.getEntriesByType('resource').filter((one) => one.name.includes('/distance')).length"
        self.wait(lambda: self.find(".each button"), "the best move")
        self.assertLess(self.browser.execute_script(asked), 4)
        self.assertEqual(self.text(".remark"), "")  # and no exploration is offered again
        self.open("#/sheet?puzzle=slide3x3costs")
        self.wait(lambda: "moves of psvn have costs" in self.text(".status"), "no sheet has their solutions, and why")
        self.check_console()

    def puzzlectl(self, *words):
        subprocess.run([os.path.join(web_parts.BIN, "puzzlectl"), "--socket", self.daemon.socket, *words], check=True, capture_output=True)

    def test_a_puzzle_that_is_a_text_is_drawn_in_pieces(self):
        self.puzzlectl("define", "definitions/lights4x4.psvn")
        self.addCleanup(self.puzzlectl, "undefine", "lights4x4")
        self.open("#/play?puzzle=lights4x4&board=0,1,0,0,1,1,1,0,0,1,0,0,0,0,0,0")
        self.wait(lambda: len(self.all(".game .piece.cell")) == 16, "a cell for each lamp")
        self.open("")
        self.wait(lambda: len(self.all('.card[href*="lights4x4"] .board .piece.cell')) == 16, "and on its card")
        self.open("#/play?puzzle=lights4x4")
        board = lambda: self.find("input[name=board]").get_attribute("value")
        first = self.wait(lambda: "1" in board() and board(), "its own start is its goal: it begins scrambled")
        self.find("#fresh").click()
        self.wait(lambda: board() != first and "1" in board(), "so is the next board")
        self.check_console()

    def test_a_text_whose_moves_cannot_be_undone_begins_before_its_goal(self):
        rules = "DOMAIN peg 2 0 1 4 peg peg peg peg 1 1 0 - => 0 0 1 - LABEL right - 0 1 1 => - 1 0 0 LABEL left GOAL 0 1 0 0"
        self.web.post("/definitions", {"name": "pegs", "format": "psvn", "text": rules})
        self.addCleanup(self.puzzlectl, "undefine", "pegs")
        self.open("#/play?puzzle=pegs&analysis=1")
        self.wait(lambda: self.text("#fewest") == "2", "as far before it as moves backwards lead")
        self.find(".game").send_keys("1", "1")
        self.wait(lambda: "the fewest were 2" in self.text(".status"), "it is solved")
        self.check_console()

    def test_chinese_names_and_signs_open_puzzles(self):
        self.web.explore("华容道：横刀立马", metric="step", **{"from": "goals"})
        self.open("#/play?puzzle=华容道：横刀立马,metric:step")
        self.wait(lambda: self.find(".piece.chief"), "Klotski by its Chinese name")
        self.wait(lambda: self.text("#distance") == "116", "and the daemon is asked by it")
        self.find("#metric").send_keys("moves")
        self.wait(lambda: self.text("#distance") == "81", "in moves as its card counts them")
        self.open("#/play?puzzle=数字华容道:3×3&board=1,2,3/4,5,6/7,0,8")
        self.wait(lambda: self.text("#distance") == "1", "sliding tiles, too")
        self.open("#/play?puzzle=二阶魔方&board=solved")
        self.wait(lambda: self.text("h1") == "2×2×2 cube" and self.find(".game .piece"), "a cube, too")
        self.addCleanup(self.puzzlectl, "undefine", "constructor")
        self.web.post("/definitions", {"name": "constructor", "format": "psvn", "text": "1%0A2%0A0 => 1 LABEL go%0AGOAL 1%0A"})
        self.open("#/play?puzzle=constructor&board=0")
        self.wait(lambda: self.text("h1") == "constructor" and self.find(".game .piece"), "one that is called as what every object has")
        self.check_console()

    def test_a_board_without_a_table_is_solved_in_the_background_and_its_way_is_known(self):
        self.open("#/play?puzzle=4x4&board=1,2,3,4/5,6,7,8/9,10,11,12/0,13,14,15")
        self.wait(lambda: self.text("#distance") == "3", "found by a search")
        self.assertEqual(self.text("#fewest"), "3")
        self.assertTrue(self.browser.execute_script("return document.querySelector('#explore-now') === null"), "what cannot be is not offered")
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: self.text("#distance") == "2" and [one.text for one in self.all(".each li")] == ["14 ←: then 1 to go"], "a board on its way")
        self.find(".game").send_keys(Keys.ARROW_LEFT, Keys.ARROW_UP)
        self.wait(lambda: self.text("#distance") == "4" and self.text("#detour") != "", "and one beside it")
        jobs = lambda: [job["request"] for job in self.web.get("/jobs", tools="yes")[1]["jobs"] if "start=1,2,3,4/5,6,7,8/" in job["request"]]
        self.wait(lambda: len(jobs()) == 1, "of all these searches that of the first board is kept")
        self.check_console()

    def test_a_challenge_shows_moves_and_target_and_ends_with_the_next_board(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/0,7,8&analysis=0")
        self.wait(lambda: self.text("#fewest") == "2", "the target")
        for hidden in ("#distance", "#hint", "#solve", ".minimap", ".each"):
            self.assertFalse(self.find(hidden).is_displayed(), hidden)
        self.assertEqual(self.all(".game .marks text"), [])
        self.find(".game").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.wait(lambda: self.text(".status") == "Solved. Moves made: 2 (the fewest were 2)", "the end")
        self.find("#next-board").click()
        self.wait(lambda: self.text("#fewest") == "3" and self.text("#moves") == "0", "a step harder")
        self.find("#analysis").click()
        self.wait(lambda: self.text("#distance") == "3" and "analysis=1" in self.browser.current_url, "the switch tells, and is part of the link")
        self.check_console()

    def test_moves_are_counted_as_the_metric_says(self):
        self.open("#/play?puzzle=sokoban:%23%23%23%23%23%23/%23@ $.%23/%23%23%23%23%23%23,metric:push")
        self.wait(lambda: self.text("#fewest") == "1" and self.text(".numbers dt") == "Pushes", "one push")
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: "%20@$" in self.browser.current_url.replace("+", "%20") or " @$" in self.find("input[name=board]").get_attribute("value"), "a step")
        self.assertEqual(self.text("#moves"), "0")
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: self.text("#moves") == "1" and self.text("#distance") == "0", "a push")
        self.check_console()

    def test_the_metric_is_chosen_in_both_directions_and_the_target_follows(self):
        for puzzle, usual, other, named in (("3x3&board=1,2,3/4,5,6/0,7,8", "2", "1", "multi"), ("klotski:横刀立马", "81", "116", "step"),
                                            ("sokoban:####/%23 .%23/%23  ###/%23*@  %23/%23  $ %23/%23  ###/####".replace("#", "%23"), "33", "8", "push")):
            self.open(f"#/play?puzzle={puzzle}&analysis=0")
            self.wait(lambda: self.text("#fewest") == usual, f"{puzzle}: {usual}")
            counts = lambda: [self.find("#metric").get_attribute("value") == named, f"metric%3A{named}" in self.browser.current_url]
            self.assertEqual(counts(), [False, False])
            choose = lambda value: self.browser.execute_script("const one = document.querySelector('#metric'); one.selectedIndex = arguments[0]; one.dispatchEvent(new Event('change'))", value)
            choose(1)
            self.wait(lambda: self.text("#fewest") == other and counts() == [True, True], f"{puzzle}: {other} by {named}")
            choose(0)
            self.wait(lambda: self.text("#fewest") == usual and counts() == [False, False], f"{puzzle}: {usual} again")
        self.check_console()

    def test_a_pushed_row_of_tiles_is_one_move_where_rows_count(self):
        self.open("#/play?puzzle=3x3,metric:multi&board=1,2,3/4,5,6/0,7,8")
        self.wait(lambda: self.text("#fewest") == "1", "one move")
        self.find("#solve").click()
        slider = self.wait(lambda: self.find(".player input[type=range]"), "the solution")
        self.assertEqual(slider.get_attribute("max"), "1")
        ActionChains(self.browser).move_to_element(self.find('.game [data-piece="8-1"]')).click().perform()
        self.wait(lambda: self.text(".status") == "Solved. Moves made: 1 (the fewest were 1)", "the row at once")
        self.check_console()

    def test_discs_pancakes_tokens_and_jugs_are_moved_by_touching_them(self):
        for puzzle, board, touched, then in (("hanoi:3,3", "1,3,3", ["d1", "peg2"], "3,3,3"), ("pancake:4", "3,2,1,4", ["p1"], "1,2,3,4"),
                                             ("topspin:6,3", "1,4,3,2,5,6", ["t4"], "1,2,3,4,5,6"), ("jugs:3,5,goal:4", "0,2", ["jug0"], "3,2"),
                                             ("jugs:3,5,goal:4", "3,0", ["jug0", "jug1"], "0,3")):
            self.open(f"#/play?puzzle={puzzle}&board={board}")
            self.wait(lambda: len(self.all(".game .moves button")) > 0, f"{puzzle} can be played")
            for piece in touched:
                ActionChains(self.browser).move_to_element(self.find(f'.game [data-piece="{piece}"]')).click().perform()
            self.wait(lambda: self.find("input[name=board]").get_attribute("value") == then, f"{puzzle}: {then}")
        self.check_console()

    def test_puzzles_whose_own_start_is_the_goal_begin_scrambled(self):
        for puzzle in ("topspin:10,4", "pancake:9", "3x4", "2x2", "pancake:2"):
            self.open(f"#/play?puzzle={puzzle}&analysis=0")
            self.wait(lambda: self.find(".game .piece") and self.find("input[name=board]").get_attribute("value") != "", puzzle)
            cells = [int(cell) for cell in self.find("input[name=board]").get_attribute("value").replace("/", ",").split(",")]
            self.assertNotEqual(cells, sorted(cells, key=lambda cell: cell or 99), puzzle)
        self.open("#/play?puzzle=hanoi:3,1")
        self.wait(lambda: self.text("h1") == "Tower of Hanoi: 3 pegs, 1 disc", "one disc is one")
        self.check_console()

    def test_refusals_are_sentences_of_the_language(self):
        self.speak("zh")
        self.open("#/play?puzzle=3x3&board=1,2,3")
        self.wait(lambda: self.text(".remark").startswith("这不是该谜题的局面"), "a board that is none")
        self.console()
        self.check_console()

    def test_a_search_shows_what_it_does_and_can_be_stopped(self):
        self.open("#/play?puzzle=4x4&board=0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1")
        self.wait(lambda: self.find("#cancel-solve").is_displayed(), "no table tells: it searches by itself")
        self.assertIn("Searching: ", self.text(".search"))
        self.find("#cancel-solve").click()
        self.wait(lambda: self.text(".status") == "The search was stopped.", "it has stopped")
        self.assertFalse(self.find(".search").is_displayed())
        self.check_console()

    def test_after_a_refusal_nothing_says_that_it_searches(self):
        self.open("#/play?puzzle=4x4&board=0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1")
        self.wait(lambda: self.find("#cancel-solve").is_displayed(), "no table tells")
        self.find("#cancel-solve").click()
        self.wait(lambda: not self.find(".search").is_displayed(), "the search has ended")
        self.browser.execute_script("""
            const ask = window.fetch;
            const refusal = JSON.stringify({ error: { code: "too-many-jobs", text: "the queue is full" } });
            window.fetch = (address, options) => options?.method !== "POST" ? ask(address, options)
                : Promise.resolve(new Response(refusal, { status: 503, headers: { "Content-Type": "application/json" } }));""")
        self.find("#solve").click()
        self.wait(lambda: "queue is full" in self.text("main"), "the refusal is told")
        self.assertFalse(self.find(".search").is_displayed())
        self.assertNotIn("Searching", self.text("main"))

    def test_nothing_that_was_told_of_a_board_is_told_of_the_next_one(self):
        self.play("1,2,3/4,5,6/0,7,8")
        self.wait(lambda: len(self.all(".each button")) == 2, "each move is told")
        self.browser.execute_script("""
            const ask = window.fetch;
            const refusal = JSON.stringify({ error: { code: "busy", retry: true, text: "128 requests" } });
            window.fetch = (address, options) => options?.method !== "POST" ? ask(address, options) : new Promise((answer) => {
                window.refuse = () => { window.fetch = ask; answer(new Response(refusal, { status: 503 })); };
            });
            window.first = document.querySelector(".each button");""")
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.browser.execute_script("window.first.click()")
        self.assertEqual(self.find("input[name=board]").get_attribute("value"), "1,2,3/4,5,6/7,0,8", "no move of the board before is made")
        self.browser.execute_script("window.refuse()")
        self.wait(lambda: self.text(".remark"), "the refusal is told")
        self.assertEqual((self.text("#distance"), self.browser.execute_script("return document.querySelectorAll('.each button').length")), ("…", 0))
        self.find(".game").send_keys("h")
        self.wait(lambda: self.text(".status") == "Best: tile 8 left", "the best move of this board")
        self.check_console()


if __name__ == "__main__":
    unittest.main()
