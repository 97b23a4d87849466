# SPDX-License-Identifier: MIT
"""What teachers and makers use, in headless Chromium: the search step by step, printed sheets, the editor, the phone."""

import re
import unittest
import urllib.parse
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import web_parts
from page_parts import PageCase

PAGE = Path("web/page")


class Lessons(PageCase):
    def test_graph_shows_breadth_first_search_step_by_step(self):
        self.open("#/graph?puzzle=2x2")
        self.find("#bfs").click()
        states = lambda: sorted(one.get_attribute("data-state") for one in self.all(".graph a") if one.get_attribute("data-state") != "unseen")
        self.wait(lambda: states() == ["frontier"], "only the first board is known")
        focused = lambda: self.browser.switch_to.active_element.get_attribute("id")
        self.assertEqual(focused(), "bfs-next", "the keys go on from there")
        self.find("#bfs-next").click()
        self.assertEqual(states(), ["current", "frontier", "frontier"])
        self.assertEqual(self.text("#bfs-status"), "Level 0: 2 in the frontier, 1 taken, 3 found.")
        self.find("#bfs-level").click()  # the ring of twelve boards: two in each level between the first and the last
        self.assertEqual(self.text("#bfs-status"), "Level 1: 2 in the frontier, 3 taken, 5 found.")
        self.find(".player input[type=range]").send_keys(Keys.END)
        self.assertEqual(self.text("#bfs-status"), "Level 6: 0 in the frontier, 12 taken, 12 found.")
        self.browser.execute_script("location.hash = '#/jobs'")
        self.wait(lambda: self.find("table.jobs"), "another view")
        self.assertEqual(focused(), "view", "and from its beginning")
        self.check_console()

    def test_a_sheet_has_boards_of_one_distance_and_their_solutions(self):
        self.open("#/sheet?puzzle=3x3&depth=9&count=4&seed=3")
        self.wait(lambda: len(self.all(".boards .board")) == 4, "four boards")
        for board in self.all(".sheet .boards .board"):
            self.assertAlmostEqual(board.rect["width"], board.rect["height"], delta=1, msg="nothing beside the tiles looks like a cell")
        solutions = [one.text.split("  ") for one in self.all(".solutions li")]
        self.assertEqual([len(re.findall(r"\d", " ".join(moves))) for moves in solutions], [9] * 4)
        # Chrome's print would show a dialog: the pages are told by the style sheet.
        self.assertEqual(len(self.all(".sheet .page")), 2)
        self.open("#/sheet?puzzle=3x3&depth=40")
        self.wait(lambda: "the farthest are 31" in self.text(".status"), "no board is so far")
        self.check_console()

    def test_a_sheet_says_what_the_goal_is_where_its_boards_do_not(self):
        self.open("#/sheet?puzzle=jugs:3,5,goal:4&depth=5&count=2")
        self.wait(lambda: len(self.all(".boards .board")) == 2, "two boards")
        self.assertEqual(self.text(".sheet .aim strong"), "4 litres")
        self.open("#/sheet?puzzle=3x3,goal:1:2:3/8:0:4/7:6:5&depth=9&count=2")
        self.wait(lambda: len(self.all(".boards .board")) == 2, "two boards")
        self.assertEqual(len(self.all(".sheet .aim .board")), 1)
        self.check_console()

    def drag(self, first, last):
        cells = self.all(".cells button")
        ActionChains(self.browser).click_and_hold(cells[first]).move_to_element(cells[last]).release().perform()

    def verdict(self, wanted):
        self.wait(lambda: wanted in self.text("#verdict"), wanted)

    def test_tiles_are_dragged_to_other_places_and_the_board_is_judged(self):
        self.open("#/edit?kind=slide&board=1,2,3/4,5,6/7,8,0")
        self.verdict("Fewest moves: 0.")
        self.drag(0, 1)
        self.verdict("It has no solution.")
        self.drag(3, 4)
        self.verdict("farther than")
        board = "2,1,3/5,4,6/7,8,0"
        moves = self.web.get("/distance", puzzle="3x3", start=board)[1]["moves"]
        self.verdict(f"Fewest moves: {moves}.")
        self.find("#edit-play").click()
        self.wait(lambda: self.text("#distance") == str(moves), "it is played")
        self.check_console()

    def test_other_searches_of_the_same_board_are_shown_with_their_counts(self):
        self.open("#/graph?puzzle=3x3&board=1,2,3/4,5,6/0,7,8")  # the daemon's own way: a depth that is seen at once
        self.wait(lambda: "90 boards" in self.text("#graph-status"), "6 levels")
        self.find("#bfs").click()
        self.assertEqual(self.text("#search-counts"),  # two moves: A* and IDA* go straight, Manhattan distance is exact there
                         "To the goal breadth-first search takes 7 boards. To the goal A* takes 3 boards. To the goal IDA* takes 3 boards.")
        self.find("select[name=method]").send_keys("IDA")
        self.find("#bfs-next").click()
        self.find("#bfs-next").click()
        self.assertEqual(self.text("#bfs-status"), "Bound 2: 1 board on the path, 2 taken in all.")
        self.assertEqual([one.text for one in self.all("#queue li")], ["1,2,3/4,5,6/0,7,8"])
        self.check_console()

    def test_a_move_that_cannot_be_undone_is_drawn_once_it_is_taken(self):
        self.open("#/graph?puzzle=jugs:3,5,goal:4")
        self.find("#bfs").click()
        self.find("#bfs-next").click()
        shown = lambda: len(self.all(".graph .move.done"))
        self.assertEqual(shown(), 2, "both jugs are filled: no line leads back to the empty ones yet")
        self.assertEqual(len(self.all("#queue li")), 2)
        self.check_console()

    def test_as_many_farthest_boards_are_shown_as_are_told(self):
        for puzzle, title, shown, rest in (("pancake:5", "The farthest boards: 20 at 5 moves", 20, []), ("pancake:7", "The farthest boards: 35 at 8 moves", 24, ["and 11 more"])):
            self.open(f"#/jobs/{self.web.explore(puzzle)}")
            self.wait(lambda: self.text("h3") == title and len(self.all(".gallery li")) == shown, title)
            self.browser.implicitly_wait(0)
            self.assertEqual([one.text for one in self.all(".gallery + .caption")], rest)
            self.browser.implicitly_wait(10)
        self.check_console()

    def test_the_first_levels_of_a_wide_graph_are_seen_together(self):
        self.open("#/graph?puzzle=3x3&board=1,2,3/4,0,5/7,8,6")
        self.wait(lambda: len(self.all(".graph a")) > 100, "a graph that is wider than the window")
        window = self.find(".scroll").rect
        for node in self.all(".graph a .ground")[:5]:
            self.assertTrue(window["x"] <= node.rect["x"] and node.rect["x"] + node.rect["width"] <= window["x"] + window["width"], node.rect)
        self.check_console()

    def test_boards_of_a_graph_are_large_enough_to_be_read_and_as_long_as_they_are(self):
        for puzzle, long in (("2x3", True), ("hanoi:3,3&board=1,1,1", True), ("jugs:3,5,goal:4", False), ("2x2", None)):
            self.open(f"#/graph?puzzle={puzzle}")
            self.wait(lambda: self.all(".graph .board .piece"), puzzle)
            width, height = self.browser.execute_script("const { width, height } = document.querySelector('.graph .board').viewBox.baseVal, box = document.querySelector('.graph .edge').getBBox(); return [box.width, box.height * width / height / box.width > 0.99 ? box.height : 0]")
            self.assertGreater(width * height, 59 * 59, puzzle)
            self.assertEqual(abs(width - height) < 1 and None if long is None else width > height, long, puzzle)

    def test_the_menu_lies_over_the_page_on_a_phone(self):
        self.narrow(360)
        for language in ("en", "zh"):
            self.speak(language)
            self.open("#/jobs")
            height = self.wait(lambda: self.find("header"), "the header").size["height"]
            self.find(".menu summary").click()
            self.wait(lambda: len([one for one in self.all(".menu a") if one.is_displayed()]) == 2, "two views")
            self.assertEqual(self.find("header").size["height"], height)
            self.assertLess(height, 64, "one line")
            self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 360)
            self.assertTrue(self.browser.execute_script("const nav = document.querySelector('nav'); return nav.scrollWidth === nav.clientWidth"), "and all of it is seen")
        self.console()

    def test_a_sheet_of_a_puzzle_without_a_table_has_boards_that_were_solved(self):
        self.open("#/sheet?puzzle=4x4&depth=6&count=2")
        self.wait(lambda: len(self.all(".sheet .boards .board")) == 2, "two boards")
        self.assertEqual([len(re.findall("[↑↓←→]", one.text)) for one in self.all(".sheet .solutions li")], [6, 6])
        self.open("#/sheet?puzzle=2x4,goal:0:1:2:3:4:5:6:7&depth=37&count=2")
        self.wait(lambda: self.text(".status") == "Only 0 boards at 37 moves were found.", "none is as far")
        latest = lambda: max((job["job"] for job in self.web.get("/jobs", tools="yes", limit=1000)[1]["jobs"]), default=0)
        begun = latest()
        self.open("#/sheet?puzzle=5x5&depth=40&count=30")
        self.wait(lambda: latest() > begun, "boards are solved")
        self.browser.execute_script("location.hash = '#/home'")
        self.wait(lambda: not any(job["state"] in ("queued", "running") for job in self.web.get("/jobs", tools="yes", limit=1000)[1]["jobs"]), "none any more")
        begun = latest()
        self.browser.execute_async_script("setTimeout(arguments[0], 1000)")
        self.assertLessEqual(latest(), begun, "once the sheet is left")
        self.check_console()

    def test_a_sheet_of_klotski_is_explored_first_and_no_column_is_cut(self):
        self.open("#/sheet?puzzle=klotski:横刀立马&depth=20&count=3")
        self.wait(lambda: len(self.all(".sheet .boards .board")) == 3, "three boards")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"media": ""})
        self.narrow(718, 1000)  # A4 between its margins
        left = min(one.rect["x"] for one in self.all(".sheet .boards li"))
        right = max(one.rect["x"] + one.rect["width"] for one in self.all(".sheet .boards .board"))
        self.assertGreaterEqual(left, 24, "there is room for the numbers")
        self.assertLessEqual(right, 717, "and for the frames")
        self.check_console()

    def test_the_easy_and_hard_boards_of_the_start_need_the_moves_that_are_said(self):
        for puzzle, stickers in (("cube3", 54), ("cube2", 24), ("pyraminx", 36), ("skewb", 30)):
            self.open(f"#/play?puzzle={puzzle}")  # which defines it
            self.wait(lambda: len(self.all(".game .piece.sticker")) == stickers, puzzle)
        self.open("")
        cards = self.wait(lambda: self.all("#cards > li"), "the cards")
        self.assertEqual([len(card.find_elements("css selector", ".levels a")) for card in cards], [3] * len(cards))
        links = [(one.get_attribute("href"), int(re.search(r": (\d+)", one.text)[1])) for one in self.all(".levels a")]
        self.assertEqual([one.text for one in self.all(".levels a") if "linkup" in one.get_attribute("href")], ["easy: 0 turns", "middle: 1 turn", "hard: 2 turns"])
        for link, moves in links:
            given = dict(urllib.parse.parse_qsl(link.split("?", 1)[1]))
            if given["puzzle"] == "cube3" and moves > 4:
                continue  # more than a minute without databases
            metric = {"sokoban": ",metric:move"}.get(given["puzzle"].split(":")[0], "")
            start = {"start": given["board"]} if "board" in given else {}
            job = self.web.post("/jobs", {"kind": "solve", "puzzle": given["puzzle"] + metric, **start})[1]["job"]
            while self.web.get(f"/jobs/{job}/wait", timeout="30s")[1]["state"] in ("queued", "running"):
                pass
            result = self.web.get(f"/jobs/{job}/result")[1]
            self.assertEqual(result.get("turns", result.get("moves")), moves, link)

    def test_blocks_are_painted(self):
        self.open("#/edit?kind=klotski")
        self.verdict("Fewest moves: 81.")
        self.find("#edit-size").click()
        self.find("input[value=chief]").click()
        self.drag(0, 5)
        self.verdict("Fewest moves: 1.")  # a block goes any way in one move
        self.find("input[value=block]").click()
        self.drag(8, 11)
        self.verdict("It has no solution.")
        self.all(".cells button")[9].click()
        self.verdict("Fewest moves: 1.")
        self.check_console()

    def test_levels_of_sokoban_are_pasted_and_painted(self):
        self.open("#/edit?kind=sokoban")
        area = self.find("textarea")
        self.find("#xsb-take").click()
        self.wait(lambda: "There is no board in this text." in self.text("main"), "an empty text")
        text = Path("tests/data/microban.xsb").read_text(encoding="utf-8")
        self.browser.execute_script("arguments[0].value = arguments[1]", area, text)
        self.find("#xsb-take").click()
        self.wait(lambda: len(self.all("select[name=level] option")) == 155, "all levels of the text")
        self.verdict("Fewest moves: 33.")  # Microban's first, as tests/data/microban.csv has it
        figure = lambda key: self.text(f"#grade [data-key={key}]")
        self.wait(lambda: figure("other_moves") == "8", "its pushes")
        self.assertEqual((figure("must_move"), figure("box_changes"), figure("decomposition")), ("2", "3", "3"))
        self.assertEqual([job for job in self.web.get("/jobs")[1]["jobs"] if "tool=page" in job["request"]], [])
        self.find("input[value=wall]").click()
        self.all(".cells button")[1 * 6 + 2].click()  # over the only goal but one
        self.verdict("no board")
        self.console()

    def test_jobs_are_cards_on_a_phone(self):
        self.narrow()
        self.open("#/jobs")
        card = self.wait(lambda: self.find(".jobs tbody tr"), "a job")
        self.assertFalse(self.browser.execute_script("return document.querySelector('.jobs thead').checkVisibility()"))
        self.assertLessEqual(card.size["width"], 390)
        self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390)
        self.open(f"#/jobs/{self.web.explore('klotski:横刀立马', depth=2)}")
        self.wait(lambda: self.find(".panel figcaption"), "the chart of a puzzle with a long name")
        self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390)
        self.check_console()

    def test_in_a_class_each_browser_manages_its_own_jobs(self):
        web = web_parts.Web(self.daemon.socket, "--class", "5s,64M", "--rate", "0")
        self.addCleanup(web.end)
        self.open("#/explore?puzzle=2x4", web.url)
        self.wait(lambda: self.find("#start"), "the form").click()
        self.wait(lambda: self.find("#job-state").get_attribute("data-state") == "done", "it ends")
        own = re.search(r"job=(\d+)", self.browser.current_url)[1]
        other = web.post("/jobs", {"kind": "solve", "puzzle": "3x3", "start": "8,6,7/2,5,4/3,0,1"})[1]["job"]
        self.open("#/jobs", web.url)
        buttons = lambda job: [one.text for one in self.wait(lambda: self.find(f'tr[data-job="{job}"]'), "a row").find_elements("css selector", "button")]
        self.browser.implicitly_wait(0)
        self.addCleanup(self.browser.implicitly_wait, 10)
        self.assertEqual((buttons(own), buttons(other)), (["Forget"], []))
        self.check_console()
        self.browser.get("about:blank")

    def test_a_visitor_of_a_class_has_so_many_searches_at_once_and_is_told_so(self):
        web = web_parts.Web(self.daemon.socket, "--class", "60s,64M", "--rate", "0")
        self.addCleanup(web.end)
        rest = "/15,11,10,14/3,7,2,5/4,8,6,1"
        ask = """const [starts, done] = arguments;
            Promise.all(starts.map((start) => fetch("api/v1/jobs", { method: "POST", headers: { "Content-Type": "application/json", "X-Puzzled": "1" },
              body: JSON.stringify({ kind: "solve", puzzle: "4x4", start, method: "idastar", partition: "manhattan" }) }).then((one) => one.json()))).then(done);"""
        self.open("#/home", web.url)
        answers = self.browser.execute_async_script(ask, [row + rest for row in ("0,12,9,13", "12,0,9,13", "12,9,0,13", "12,9,13,0")])
        for answer in answers:
            self.addCleanup(self.web.post, f"/jobs/{answer['job']}/cancel")
        self.open("#/play?puzzle=4x4&board=12,9,13,14/15,11,10,0/3,7,2,5/4,8,6,1&analysis=0", web.url)
        words = "You have 4 searches here, and one visitor may have no more at once: wait until one ends, or stop one."
        self.wait(lambda: self.text(".remark") == words, "in the page's words")
        self.assertEqual([entry for entry in self.console() if "429" not in entry], [])  # the browser notes the refusal

    def test_a_page_that_asks_too_soon_asks_again(self):
        web = web_parts.Web(self.daemon.socket, "--read-only", "--rate", "2")
        self.addCleanup(web.end)
        self.assertIn(429, [web.get("/version")[0] for _ in range(40)], "others of the same address ask as well")
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8&analysis=1", web.url)
        self.wait(lambda: self.text("#distance") == "1", "a board and its distance")
        self.assertEqual(self.text(".remark"), "")
        self.assertEqual([entry for entry in self.console() if "429" not in entry], [])
        self.browser.get("about:blank")

    def test_letters_of_a_chart_keep_their_size_on_a_phone(self):
        job = self.web.explore("3x3")
        self.narrow()
        self.open(f"#/jobs/{job}")
        self.wait(lambda: self.find(".chart .level"), "the chart")
        height = self.browser.execute_script("return document.querySelector('.chart .level').getBoundingClientRect().height")
        self.assertGreater(height, 9)

    def test_a_long_name_breaks_on_a_phone(self):
        self.narrow()
        for language in ("en", "zh"):
            self.speak(language)
            self.open(f"#/play?puzzle={'a' * 120}")
            self.wait(lambda: self.text(".remark"), "a puzzle that is none")
            self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390)
        self.console()

    def test_each_view_has_one_heading_and_fits_a_phone_in_both_languages(self):
        self.narrow()
        for language in ("en", "zh"):
            self.speak(language)
            for view in ("home", "play?puzzle=3x3", "play?puzzle=jugs:3,5,goal:4", "explore", "jobs", "graph?puzzle=2x2", "edit?kind=sokoban", "sheet?puzzle=2x3&depth=9"):
                self.open(f"#/{view}")
                self.wait(lambda: len(self.all("h1")) == 1, f"one h1 in {view}")
                wide = self.browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                self.assertLessEqual(wide, 0, f"{view} in {language}")
        self.console()

    def test_embedded_there_is_the_view_alone(self):
        self.open("?embed=1#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        self.wait(lambda: self.text("#distance") == "1", "the board")
        self.assertFalse(self.find("header").is_displayed())
        self.check_console()

    def test_a_frame_speaks_the_language_of_its_address_and_copies_links_to_the_whole_page(self):
        self.speak("en")
        self.open("?embed=1&lang=zh#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        self.wait(lambda: self.text("#undo") == "撤销", "Chinese")
        # In a frame of another site the clipboard is there, and refuses.
        self.browser.execute_script("""navigator.clipboard.writeText = () => Promise.reject(new DOMException("permissions policy", "NotAllowedError"));
            document.addEventListener("copy", () => { window.copied = document.activeElement.value; });""")
        self.find("#share").click()
        self.wait(lambda: self.text(".status") == "已复制本局面的链接。", "a link is copied")
        copied = self.browser.execute_script("return window.copied")
        self.assertEqual(copied, self.browser.current_url.replace("?embed=1&lang=zh", "?lang=zh"))
        self.open(copied.removeprefix(self.web.url))
        self.wait(lambda: self.find("header").is_displayed() and self.text("#undo") == "撤销", "the whole page")
        self.find("#language").click()
        self.wait(lambda: self.text("#undo") == "Undo" and "?lang=en#" in self.browser.current_url, "another language is chosen, and stays")
        self.check_console()


class Files(unittest.TestCase):
    """What can be told without a browser."""

    def test_each_text_is_there_once_in_both_languages_and_each_is_used(self):
        rows = {}
        for file in (PAGE / "js/words").glob("*.js"):
            for key, english, chinese in re.findall(r'^  "?([\w-]+)"?: \["(.*?)",\s*"(.*)"\],', file.read_text(encoding="utf-8"), re.M):
                self.assertNotIn(key, rows, f"{key} stands twice")
                self.assertEqual(set(re.findall(r"\{\d\}", english)), set(re.findall(r"\{\d\}", chinese)), key)
                rows[key] = chinese
        code = "\n".join(file.read_text(encoding="utf-8") for file in PAGE.glob("js/**/*.js") if file.parent.name != "words")
        for key in re.findall(r'\bt\("([\w-]+)"', code):
            self.assertIn(key, rows)
        begins = tuple(re.findall(r"(?:(?:t|has)\(`|`(?=\w+-))([\w-]+)\$\{", code))  # keys that are put together
        ends = tuple(re.findall(r"t\(`\$\{\w+\}(\w+)`", code))
        for key in rows.keys() - {"queued", "running", "done", "stopped", "failed", "cancelled"}:  # states of jobs
            self.assertTrue(f'"{key}"' in code or key.startswith(begins) or key.endswith(ends), f"{key} is never shown")

    def test_pieces_and_borders_stand_out_at_least_three_to_one(self):
        def light(colour):
            parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            red, green, blue = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue

        def contrast(one, other):
            low, high = sorted((light(one), light(other)))
            return (high + 0.05) / (low + 0.05)

        sheets = [(PAGE / name).read_text(encoding="utf-8") for name in ("style.css", "pieces.css", "boards.css")]
        colours = lambda texts: dict(pair for text in texts for pair in re.findall(r"--([\w-]+): (#[0-9a-f]{6})", text))
        dark = r"@media \(prefers-color-scheme: dark\) \{.*?\n\}"
        day = colours([re.sub(dark, "", text, flags=re.S) for text in sheets])
        night = {**day, **colours([part for text in sheets for part in re.findall(dark, text, re.S)])}
        for mode in (day, night):
            for piece in ("tile", "wall", "chief", "block1", "block2", "block3", "block4", "box", "home", "water"):
                self.assertGreaterEqual(contrast(mode[piece], mode["floor"]), 3, piece)
                self.assertGreaterEqual(contrast(mode["mark"], mode[piece]), 3, f"the mark on {piece}")
                self.assertGreaterEqual(contrast(mode["tile-ink"], mode[piece]), 3, f"the text on {piece}")
            for mark in ("line", "accent", "soft", "good", "bad", "here"):
                for ground in ("paper", "panel"):
                    self.assertGreaterEqual(contrast(mode[mark], mode[ground]), 3, f"{mark} on {ground}")

    def test_without_javascript_there_is_something_to_read(self):
        page = (PAGE / "index.html").read_text(encoding="utf-8")
        plain = page[page.index("<noscript>"):page.index("</noscript>")]
        for wanted in ("puzzlectl solve", "api/v1/openapi.json", "华容道"):
            self.assertIn(wanted, plain)


if __name__ == "__main__":
    unittest.main()
