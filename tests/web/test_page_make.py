# SPDX-License-Identifier: MIT
"""Make in headless Chromium: it begins with an example of each puzzle, keeps, shares and saves boards, and makes them as hard as wanted."""

import unittest
import urllib.parse

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import web_parts
from page_parts import PageCase

SAVED = """window.saved = {};
    let blob = null;
    const make = URL.createObjectURL;
    URL.createObjectURL = (one) => { blob = one; return make.call(URL, one); };
    HTMLAnchorElement.prototype.click = function () {
      const keep = (text) => { window.saved[this.download.split(".").at(-1)] = text; };
      if (this.href.startsWith("data:")) keep(atob(this.href.split(",")[1]).slice(0, 8));
      else blob.text().then(keep);
    };"""


class Make(PageCase):
    def verdict(self, wanted):
        try:
            self.wait(lambda: wanted in self.text("#verdict"), wanted)
        except TimeoutException as error:
            raise AssertionError(f"{self.text('#verdict')!r} instead of {wanted!r}, at {self.browser.current_url}") from error

    def graded(self, wanted):
        """Until the figures are there, what is below them moves, and a click may miss it."""
        self.verdict(wanted)
        self.wait(lambda: self.find("#grade dd"), "its figures")

    def test_each_editor_begins_with_an_example_that_is_judged(self):
        for kind in ("slide", "klotski", "rushhour", "sokoban", "turns"):
            self.open(f"#/edit?kind={kind}")
            self.verdict("Fewest moves: ")
            self.assertGreater(len(self.all(".preview .piece")), 3, kind)
            self.keep(f"make_{kind}")
        self.check_console()

    def test_nine_tiles_in_a_line_are_three_rows(self):
        self.open("#/edit?board=867254301")
        self.verdict("Fewest moves: 31.")
        self.check_console()

    def test_each_editor_takes_boards_from_a_text_in_the_notations_of_files(self):
        for kind, text, board, verdict in (("slide", "8 6 7\n2 5 4\n3 _ 1\n", "8,6,7/2,5,4/3,0,1", "Fewest moves: 31."), ("slide", "412503", "", "3x3 needs 9"),
                                           ("klotski", "H A A I\nH A A I\nJ B B K\nJ N O K\nP . . Q\n", "HAAI/HAAI/JBBK/JNOK/P@@Q", "Fewest moves: 81."),
                                           ("rushhour", "60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332", "BCCxoo/BooDEE/FAADoo/FoGHHI/JJGooI/KKLLLI", "Fewest moves: 60."),
                                           ("turns", "2,0,1,5,4,3", "3,1,2,6,5,4", "Fewest moves: 5.")):
            self.open(f"#/edit?kind={kind}")
            self.verdict("Fewest moves: ")
            self.browser.execute_script("document.querySelector('.columns details').open = true")
            self.find("textarea").send_keys(text)
            self.find("#xsb-take").click()
            self.wait(lambda: verdict in self.text("#verdict") or verdict in self.text("details .caption"), f"{text}: {verdict}")
            self.assertIn(board, urllib.parse.unquote(self.browser.current_url))
        self.console()

    def test_a_board_without_the_red_car_is_told_so_and_kept(self):
        self.open("#/edit?kind=rushhour")
        self.find("#edit-size").click()
        self.verdict("no car A")
        self.find("#edit-keep").click()
        self.open("#/edit?kind=__proto__")  # no editor
        self.graded("Fewest moves: ")
        self.wait(lambda: self.find("#kept a"), "it is kept")
        self.find("#kept button").click()
        self.check_console()

    def test_cars_are_painted_and_the_board_is_played(self):
        self.open("#/edit?kind=rushhour")
        self.find("#edit-size").click()
        cells = self.all(".cells button")
        self.find("input[value=chief]").click()
        drag = lambda first, last: self.browser.execute_script("""const [first, last] = arguments;
            const event = (name, at) => at.dispatchEvent(new PointerEvent(name, { bubbles: true, clientX: at.getBoundingClientRect().x + 5, clientY: at.getBoundingClientRect().y + 5 }));
            event("pointerdown", first); event("pointermove", last); event("pointerup", last);""", cells[first], cells[last])
        drag(12, 13)
        self.verdict("Fewest moves: 1.")
        self.find("input[value=block]").click()
        drag(11, 17)
        self.verdict("Fewest moves: 2.")
        self.find("#edit-play").click()
        self.wait(lambda: self.find(".game [data-piece=A]"), "it is played")
        self.check_console()

    def test_cars_are_painted_by_keys(self):
        self.open("#/edit?kind=rushhour")
        self.verdict("Fewest moves: ")
        self.find("#edit-size").click()
        self.find("input[value=chief]").click()
        self.all(".cells button")[12].send_keys(Keys.ENTER, Keys.ARROW_RIGHT)
        keys = lambda *names: self.browser.switch_to.active_element.send_keys(*names)
        keys(Keys.ENTER)
        self.verdict("Fewest moves: 1.")
        self.find("input[value=block]").click()
        self.all(".cells button")[11].send_keys(Keys.ENTER, Keys.ARROW_DOWN)
        keys(Keys.ENTER)
        self.verdict("Fewest moves: 2.")
        keys(Keys.ENTER, Keys.ENTER)
        self.verdict("Fewest moves: 1.")
        self.check_console()

    def test_a_board_is_kept_shared_and_saved(self):
        self.open("#/edit?kind=klotski")
        self.verdict("Fewest moves: 81.")
        self.browser.execute_script(SAVED)
        for ending in ("png", "svg", "txt"):
            self.find(f"#edit-{ending}").click()
        files = lambda: self.browser.execute_script("return window.saved")
        by_ending = self.wait(lambda: len(files()) == 3 and files(), "three files")
        self.assertEqual(by_ending["txt"], "HAAI\nHAAI\nJBBK\nJNOK\nP@@Q\n")
        self.assertTrue(by_ending["svg"].startswith("<svg") and by_ending["svg"].count("<rect") > 10)
        self.assertIn("PNG", by_ending["png"][:8])
        self.find("#edit-keep").click()
        self.find("#edit-keep").click()  # once
        self.open("#/edit?kind=slide")
        self.graded("Fewest moves: ")
        link = self.wait(lambda: self.find("#kept a"), "it is kept")
        self.assertEqual(len(self.all("#kept li")), 1)
        link.click()
        self.graded("Fewest moves: 81.")
        self.find("#kept button").click()
        self.wait(lambda: self.browser.execute_script("return document.querySelectorAll('#kept li').length") == 0, "and removed")
        self.check_console()

    def test_a_browser_that_keeps_nothing_shows_the_page(self):
        script = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } })"})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", script)
        self.open("#/edit?kind=slide")
        self.graded("Fewest moves: ")
        self.find("#edit-keep").click()
        self.wait(lambda: len(self.all("#kept li")) == 1, "the page remembers a board while it is open")
        self.find("#language").click()
        self.wait(lambda: self.find("html").get_attribute("lang") == "zh" and len(self.all("#kept li")) == 1, "also in the other language")
        self.check_console()

    def test_a_board_of_the_same_pieces_is_made_as_far_as_wanted(self):
        self.open("#/edit?kind=rushhour")
        self.verdict("Fewest moves: ")
        away = self.find("input[name=away]")
        for moves, told in (("4", "Fewest moves: 4."), ("999", "the farthest are")):
            away.clear()
            away.send_keys(moves)
            self.find("#edit-make").click()
            self.verdict(told)
        self.check_console()

    def test_a_board_that_is_changed_while_another_is_looked_for_stays(self):
        self.open("#/edit?kind=slide")
        self.verdict("Fewest moves: ")
        self.browser.execute_script("""const ask = window.fetch;
            const changed = new Promise((go) => { window.change = go; });
            window.fetch = (url, options) => (String(url).includes("/sample") ? changed : Promise.resolve()).then(() => ask(url, options)).finally(() => {
              if (String(url).includes("/sample")) window.sampled = true;
            });""")
        self.find("#edit-make").click()
        for cell in self.all(".cells button")[:2]:
            cell.send_keys(Keys.ENTER)
        self.browser.execute_script("window.change()")
        self.wait(lambda: self.browser.execute_script("return window.sampled"), "a board is found")
        self.verdict("The board is sound.")
        self.wait(lambda: "board=5%2C1%2C2" in self.browser.current_url, "the changed one stands there")
        self.assertEqual([cell.text for cell in self.all(".cells button")[:3]], ["5", "1", "2"])
        self.check_console()

    def test_where_nothing_is_searched_no_search_is_told_of(self):
        web = web_parts.Web(self.daemon.socket, "--read-only", "--rate", "0")
        self.addCleanup(web.end)
        for base, address in ((web.url, "kind=slide&board=1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15"), (None, "puzzle=linkup:AB/BA,from:0:0,to:1:1,turns:3")):
            self.open(f"#/edit?{address}", base)
            self.wait(lambda: self.text("#verdict") == "The board is sound.", address)
        self.assertEqual([entry for entry in self.console() if "422" not in entry], [])
        self.browser.get("about:blank")

    def test_twisty_puzzles_of_the_page_are_made_too(self):
        self.open("#/edit?puzzle=skewb")
        self.wait(lambda: len(self.all(".columns > div:first-child .piece.sticker")) == 30, "its net, which the page brings")
        self.verdict("Fewest moves: 0.")
        self.find(".moves button").click()
        self.verdict("Fewest moves: 1.")
        self.check_console()

    def test_moves_make_boards_of_puzzles_from_texts(self):
        self.web.explore("pancake:5")
        self.open("#/edit?puzzle=pancake:5")
        self.verdict("Fewest moves: 0.")
        self.wait(lambda: len(self.all(".moves button")) >= 4, "its moves")
        next(one for one in self.find(".moves").find_elements(By.TAG_NAME, "button") if one.text == "5").click()
        self.verdict("Fewest moves: 1.")
        self.find("#edit-scramble").click()
        self.wait(lambda: "Fewest moves: 1." not in self.text("#verdict"), "another board")
        self.check_console()


if __name__ == "__main__":
    unittest.main()
