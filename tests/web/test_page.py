# SPDX-License-Identifier: MIT
"""The page in headless Chromium: every view, a puzzle solved by keys, a job watched to its end, a daemon that restarts."""

import contextlib
import os
import socket
import socketserver
import threading
import unittest
from urllib.parse import unquote_plus

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import web_parts
from page_parts import PATIENCE, PICTURES, PageCase, open_browser

ARROWS = {"U": Keys.ARROW_UP, "D": Keys.ARROW_DOWN, "L": Keys.ARROW_LEFT, "R": Keys.ARROW_RIGHT}


class Page(PageCase):
    def test_play_a_puzzle_is_solved_by_keys(self):
        board = self.web.get("/sample", puzzle="3x3", depth=9, count=1, seed=5)[1]["boards"][0]["board"]
        path = self.web.get("/path", puzzle="3x3", start=board)[1]["path"]
        self.open(f"#/play?puzzle=3x3&board={board}")
        self.wait(lambda: self.text("#distance") == "9", "the distance is shown")
        game = self.find(".game")
        game.send_keys("h")
        self.wait(lambda: self.find(".piece.hinted"), "a best move is marked")
        for number, move in enumerate(path, 1):
            game.send_keys(ARROWS[move])
            self.wait(lambda left=9 - number: self.text("#distance") == str(left), "the distance falls with every move")
        self.assertEqual(self.text("#moves"), "9")
        self.assertIn("Solved. Moves made: 9", self.text(".status"))
        self.check_console()

    def test_play_a_tile_is_dragged(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        self.wait(lambda: self.text("#distance") == "1", "the distance is shown")
        tile = self.find('.game [data-piece="8-1"]')
        ActionChains(self.browser).drag_and_drop_by_offset(tile, -tile.size["width"], 0).perform()
        self.wait(lambda: self.text("#distance") == "0", "the tile has gone where it was dragged")
        self.check_console()

    def test_play_scrambles_to_an_exact_distance_and_plays_the_solution(self):
        self.open("#/play?puzzle=3X3")
        self.wait(lambda: self.text("#distance").isdigit() and self.text("#distance") != "0", "a scrambled board is shown first")
        depth = self.find("input[name=depth]")
        depth.clear()
        depth.send_keys("31")
        self.find("#scramble").click()
        self.wait(lambda: self.text("#distance") == "31", "one of the two hardest boards")
        self.find("#solve").click()
        slider = self.wait(lambda: self.find(".player input[type=range]"), "the solution can be played")
        self.assertEqual(slider.get_attribute("max"), "31")
        slider.send_keys(Keys.END)
        self.assertIn("Move 31 of 31", self.text(".player .caption"))
        self.check_console()

    def test_start_shows_a_card_with_a_picture_for_each_puzzle(self):
        self.open("")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#cards .card .board")) == 16, "sixteen cards")
        self.find("#layouts summary").click()
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#layouts .card")) == 60, "all layouts of Klotski")
        self.find("#microban summary").click()
        self.wait(lambda: len(self.all("#microban .card")) == 155, "all levels of Microban")
        self.assertIn("8 pushes, 33 moves", self.text("#microban .card"))
        self.find("#cards .card").click()
        self.wait(lambda: self.find(".each button"), "the 8-puzzle, with each move's distance")
        self.check_console()

    def test_a_name_alone_opens_the_puzzle_of_its_card(self):
        for name, puzzle in (("推箱子", "sokoban:#######/"), ("jugs", "jugs:3,5,goal:4"), ("15-puzzle", "4x4"), ("八数码", "3x3")):
            self.open("")
            self.browser.execute_script("arguments[0].closest('details').open = true", self.find("#view form"))
            self.find("#view input[name=puzzle]").send_keys(name, Keys.ENTER)
            self.wait(lambda puzzle=puzzle: unquote_plus(self.browser.current_url).split("puzzle=")[-1].startswith(puzzle), name)
            self.find("#view svg")
        for view, names in (("play", ("sokoban", "汉诺塔", "数字华容道")), ("graph", ("jugs",)), ("edit", ("sokoban", "rushhour"))):
            for name in names:
                self.open(f"#/{view}?puzzle={name}")
                self.wait(lambda: self.find("#view svg .piece"), f"{view} {name}")
        self.check_console()

    def test_play_tells_how_far_each_move_leads_and_undoes_moves(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        texts = lambda: {one.text for one in self.browser.find_elements(By.CSS_SELECTOR, ".each button")}
        self.wait(lambda: texts() == {"8 ←: then 0 to go", "7 →: then 2 to go", "5 ↓: then 2 to go"}, "each move's distance")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".minimap .here")) == 1, "the level of this board is marked")
        next(one for one in self.browser.find_elements(By.CSS_SELECTOR, ".each button") if one.text.startswith("7")).click()
        self.wait(lambda: self.text("#distance") == "2", "the move is made")
        self.find("#undo").click()
        self.wait(lambda: self.text("#distance") == "1" and self.text("#moves") == "0", "and undone")
        self.find("#redo").click()
        self.wait(lambda: self.text("#distance") == "2" and self.text("#moves") == "1", "and made again")
        self.check_console()

    def test_play_a_text_that_is_no_board_is_refused_in_words(self):
        self.open("#/play?puzzle=3x3&board=1,2,3")
        self.wait(lambda: "3x3 needs 9" in self.text(".remark"), "the daemon's words")
        self.assertFalse(any(one.is_displayed() for one in self.all("#fresh, #hint, #scramble")), "nothing can be done with it")
        self.console()
        self.open("#/play?puzzle=9999x9999")
        self.wait(lambda: "9999x9999" in self.text(".remark"), "nor is it drawn")
        self.console()

    def test_a_board_without_a_solution_is_told_so_at_once(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/8,7,0&analysis=0")
        self.wait(lambda: self.text(".status") == "This board has no solution.", "nobody looks for one in vain")
        self.check_console()

    def test_rows_that_are_pasted_stay_rows(self):
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        self.addCleanup(self.browser.execute_cdp_cmd, "Browser.resetPermissions", {})
        for puzzle, rows, read in (("klotski:横刀立马", "\nH A A I\r\nH A A I\r\nJ B B K\r\nJ N O K\r\nP . . Q\r\n", "HAAI/HAAI/JBBK/JNOK/P@@Q"),
                                   ("rushhour:BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo", "AA...O\nP..Q.O\nPXXQ.O\nP..Q..\nB...CC\nB.RRR.", "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo"),
                                   ("2x3", "[[4,1,2],\n [5,0,3]]", "4,1,2/5,0,3")):
            self.open(f"#/play?puzzle={puzzle}")
            self.wait(lambda: self.find(".game .piece"), "it is there")
            self.browser.execute_script("document.querySelector('details.other').open = true; return navigator.clipboard.writeText(arguments[0])", rows)
            field = self.find("details.other input[name=board]")
            field.send_keys(Keys.CONTROL, "av")
            field.send_keys(Keys.ENTER)
            self.wait(lambda: self.browser.current_url.endswith(f"board={read}") or self.find("input[name=board]").get_attribute("value") == read, f"{read} is read")
            self.wait(lambda: self.find(".game .piece"), "and shown")
        self.open("#/explore")
        self.browser.execute_script("return navigator.clipboard.writeText('#####\\n#@$.#\\n#####')")
        field = self.find("input[name=puzzle]")
        field.clear()
        field.send_keys("sokoban", Keys.CONTROL, "v")
        self.assertEqual(field.get_attribute("value"), "sokoban:#####/#@$.#/#####")
        self.check_console()

    def test_a_board_of_other_walls_or_pieces_is_a_puzzle_of_its_own(self):
        for puzzle, board in (("sokoban", "#####/#@$.#/#####"), ("rushhour", "AA...O/P..Q.O/PXXQ.O/P..Q../B...CC/B.RRR."), ("klotski", "NAAO/PAAQ/BBCC/@@RS")):
            self.open(f"#/play?puzzle={puzzle}")
            self.wait(lambda: self.find(".game .piece"), "that of the card")
            self.browser.execute_script("document.querySelector('details.other').open = true")
            field = self.find("details.other input[name=board]")
            field.clear()
            field.send_keys(board, Keys.ENTER)
            self.wait(lambda: f"puzzle={puzzle}:{board}" in unquote_plus(self.browser.current_url), board)
            self.wait(lambda: self.find(".game .piece"), "and shown")
        self.console()

    def test_play_takes_a_board_in_each_notation_that_the_daemon_reads(self):
        for puzzle, typed, read in (("3x3", "867254301", "8,6,7/2,5,4/3,0,1"), ("3x3", "8 6 7 2 5 4 3 x 1", "8,6,7/2,5,4/3,0,1"),
                                    ("pancake:3", "2,0,1", "3,1,2"), ("klotski:横刀立马", "zAAI/zAAI/JBBK/JNOK/P..Q", "HAAI/HAAI/JBBK/JNOK/P@@Q")):
            self.open(f"#/play?puzzle={puzzle}&board={typed}")
            self.wait(lambda: self.find(".game .piece"), f"{typed} is shown")
            self.assertEqual(self.find("input[name=board]").get_attribute("value"), read)
        self.open("#/play?puzzle=sokoban:%23%23%23%23%23%23/%23@$.-%23/%23%23%23%23%23%23,metric:push&board=%23%23%23%23%23%23/%23--*@%23/%23%23%23%23%23%23")
        self.wait(lambda: self.find(".piece.player"), "a player who may walk elsewhere")
        self.assertIn("*@", self.find("input[name=board]").get_attribute("value"), "stays where he was")
        self.check_console()

    def test_play_other_puzzles_by_their_rules(self):
        self.open("#/play?puzzle=klotski:横刀立马")
        self.wait(lambda: self.find('.game [data-piece="P"]'), "the classic layout")
        self.find('.game [data-piece="P"]').click()
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: self.text("#moves") == "1", "the chosen block has moved")
        self.assertEqual(self.text(".numbers dt").lower(), "moves")
        self.web.explore("jugs:3,5,goal:4", **{"from": "goals"})
        self.open("#/play?puzzle=jugs:3,5,goal:4")
        self.wait(lambda: self.text("#distance") == "6", "the distance to the nearest goal")
        game = self.wait(lambda: self.find(".game"), "the jugs")
        for label in ["Fill 2", "Pour 2 into 1", "Empty 1", "Pour 2 into 1", "Fill 2", "Pour 2 into 1"]:
            number = next(one.text for one in self.browser.find_elements(By.CSS_SELECTOR, ".moves button") if one.text.endswith(label))
            game.send_keys(number[0])
        self.assertIn("Solved. Moves made: 6", self.text(".status"))
        self.open("#/play?puzzle=linkup-unknown:2x2")
        self.wait(lambda: "linkup" in self.text(".remark"), "a puzzle that is none is refused in words")
        self.console()
        self.open("#/play?puzzle=sokoban:%23%23%23%23%23/%23@$.%23/%23%23%23%23%23")
        self.wait(lambda: self.find(".piece.player"), "the level").click()
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.assertIn("Solved. Moves made: 1", self.text(".status"))
        self.check_console()

    def test_explore_watches_a_job_to_its_end(self):
        self.open("#/explore")
        puzzle = self.find("input[name=puzzle]")
        puzzle.clear()
        puzzle.send_keys("3x4")
        self.find("input[name=memory]").send_keys("300M")
        self.find("#start").click()
        state = lambda: self.find("#job-state").get_attribute("data-state")
        self.wait(lambda: state() in ("running", "done"), "it runs")
        self.wait(lambda: state() == "done", "it ends")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".chart .bar")) == 54, "a bar for each level")
        self.assertEqual(self.text("[data-key=states]"), "239,500,800")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".gallery .board")) == 18, "all the deepest boards")
        tall = self.find(".chart .bar:nth-of-type(2)").size["height"]
        self.find("input[name=log]").click()
        self.assertGreater(self.find(".chart .bar:nth-of-type(2)").size["height"], tall)
        self.browser.refresh()
        self.wait(lambda: self.find("input[name=memory]").get_attribute("value") == "300M" and state() == "done", "it is there again, as it was asked")
        self.check_console()

    def test_an_estimate_says_what_is_too_large_and_what_is_not_known(self):
        for puzzle, said in (("5x4", "Too large here"), ("jugs:3,5", "not known ahead; engine striped")):
            self.open(f"#/explore?puzzle={puzzle}")
            self.find("#estimate").click()
            self.wait(lambda said=said: said in self.text(".status"), said)

    def test_an_exploration_of_known_size_tells_how_long_it_takes_and_its_bar_only_grows(self):
        job = self.web.post("/jobs", {"kind": "explore", "puzzle": "pancake:12", "threads": 1, "keep": "levels"})[1]["job"]
        self.open(f"#/jobs/{job}")
        self.browser.execute_script("""const bar = document.querySelector("progress");
            window.seen = [];
            new MutationObserver(() => window.seen.push(bar.value)).observe(bar, { attributes: true, attributeFilter: ["value"] });""")
        self.wait(lambda: "of 479,001,600 positions · about " in self.text("#job-left") and self.text("#job-left").endswith(" left"), "how long it will take")
        self.wait(lambda: len(self.browser.execute_script("return window.seen")) > 4, "the bar grows")
        seen = self.browser.execute_script("return window.seen")
        self.assertEqual(seen, sorted(seen))
        self.web.post(f"/jobs/{job}/cancel")
        self.wait(lambda: self.find("#job-state").get_attribute("data-state") == "cancelled", "it has ended")
        self.assertEqual(self.text("#job-left"), "")
        self.check_console()

    def test_jobs_are_listed_cancelled_and_shown(self):
        job = self.web.post("/jobs", {"kind": "explore", "puzzle": "4x4", "depth": 60})[1]["job"]
        self.open("#/jobs")
        row = f'tr[data-job="{job}"]'
        self.wait(lambda: self.find(row), "the job is in the list")
        # At once: a job that has ended meanwhile has another button.
        self.browser.execute_script("const one = document.querySelector(arguments[0]); one.focus(); if (one.textContent === 'Cancel') one.click();",
                                    f"{row} button")
        self.wait(lambda: self.find(f"{row} td[data-state]").get_attribute("data-state") in ("cancelled", "stopped"), "it has ended")
        self.assertEqual(self.browser.execute_script("return document.activeElement.closest('tr')?.dataset.job"), str(job), "the keys stay on its row")
        self.wait(lambda: self.find(f"{row} a"), "its address").click()
        self.wait(lambda: "slide:4x4" in self.text(".panel h2"), "the job by its address")
        self.check_console()

    def test_a_job_that_stopped_says_why_and_what_is_proven(self):
        job = self.web.post("/jobs", {"kind": "solve", "puzzle": "4x4", "start": "0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1", "time": "1ms"})[1]["job"]
        self.open(f"#/jobs/{job}")
        self.wait(lambda: self.text("#job-state") == "stopped: its time was over", "why")
        self.assertRegex(self.text("[data-key=at_least]"), "≥ [3-7][0-9]")
        self.check_console()

    def test_each_number_of_a_job_has_a_name_of_its_own(self):
        job = self.web.post("/jobs", {"kind": "pdb", "puzzle": "3x4", "partition": "5-6"})[1]["job"]
        self.open(f"#/jobs/{job}")
        self.wait(lambda: self.find("#job-state").get_attribute("data-state") == "done" and self.find("[data-key=table_bytes]"), "its databases")
        names = [one.text for one in self.all(".panel .numbers dt")]
        self.assertEqual(len(set(names)), len(names), names)
        self.assertIn("Databases", names)
        self.check_console()

    def test_while_a_checkpoint_is_read_no_states_are_told(self):
        self.open("")
        told = self.browser.execute_async_script("""const [done] = arguments;
            window.EventSource = class { addEventListener() {} close() {} constructor() { setTimeout(() => {
              this.onmessage({ data: JSON.stringify({ job: 1, state: "running", phase: "load", level: 0, states: 0, bytes: 4096, done: 0.1 }) });
              done([...document.querySelectorAll(".panel dd")].map((one) => one.dataset.key)); }); } };
            import("./js/parts/panel.js").then(({ Panel }) => document.getElementById("view").append(new Panel(1).element));""")
        self.assertEqual(told, ["phase", "bytes"])

    def test_an_address_of_no_job_is_the_list(self):
        for address in ("#/jobs/x", "#/jobs/0", "#/jobs/1.5"):
            self.open(address)
            self.wait(lambda: self.text("h1") == "Jobs" and self.find("table.jobs tbody tr"), address)
        self.open("#/explore?puzzle=2x3&job=x")
        self.wait(lambda: self.find("#start"), "an exploration that may be begun")
        self.assertEqual(self.browser.execute_script("return document.querySelector('main').innerText.includes('NaN')"), False)
        self.check_console()

    def test_graph_draws_a_small_space(self):
        self.open("#/graph?puzzle=2x3")
        self.wait(lambda: "360 boards" in self.text("#graph-status"), "all boards of 2x3")
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".graph a")), 360)
        self.assertIn("up to 21 moves", self.text("#graph-status"))
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".graph rect.goal")), 1)
        self.check_console()

    def test_the_language_changes_and_stays(self):
        self.open("#/jobs")
        self.wait(lambda: self.text("nav [aria-current]") == "Jobs", "English first")
        self.find("#language").click()
        self.wait(lambda: self.text("nav [aria-current]") == "任务", "then Chinese")
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("id"), "language", "which keeps the focus")
        self.keep("chinese")
        self.open("#/play")
        self.wait(lambda: self.text("nav [aria-current]") == "游玩", "also when it is opened again")
        self.find("#language").click()
        self.check_console()

    def test_the_page_outlives_a_restart_of_the_daemon(self):
        self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8")
        self.wait(lambda: self.text("#distance") == "1", "the distance is shown")
        self.check_console()
        self.daemon.kill()
        self.wait(lambda: self.find("#notice").is_displayed(), "the page says that the daemon is gone")
        self.keep("without_daemon")
        self.browser.execute_script("location.hash = '#/graph?puzzle=2x2'")
        self.wait(lambda: "does not answer" in self.text("#graph-status"), "no graph without it")
        self.browser.execute_script("location.hash = '#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8'")
        self.wait(lambda: "does not answer" in self.text(".remark"), "nor a board")
        self.daemon.start()
        self.wait(lambda: not self.find("#notice").is_displayed(), "the page finds it again")
        self.wait(lambda: self.text("#distance") == "1", "and asks again")
        self.console()  # the requests that failed meanwhile
        self.find(".game").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: self.text("#distance") == "0", "distances are there again")
        self.check_console()

    def test_what_may_have_ended_the_daemon_is_not_asked_again_by_the_page(self):
        asked = []
        path = os.path.join(self.daemon.directory, "brittle")

        class Brittle(socketserver.StreamRequestHandler):
            """The daemon, which ends when it is asked for a distance."""

            def handle(self):
                with socket.socket(socket.AF_UNIX) as daemon:
                    daemon.connect(server.real)
                    for line in self.rfile:
                        if line.startswith(b"DISTANCE") or b" DISTANCE" in line:
                            asked.append(line)
                            return
                        daemon.sendall(line)
                        daemon.settimeout(1)
                        with contextlib.suppress(TimeoutError):
                            while data := daemon.recv(65536):
                                self.wfile.write(data)
                                daemon.settimeout(0.1)

        with socketserver.ThreadingUnixStreamServer(path, Brittle) as server:
            server.real, server.daemon_threads = self.daemon.socket, True
            threading.Thread(target=server.serve_forever).start()
            self.addCleanup(server.shutdown)
            web = web_parts.Web(path)
            self.addCleanup(web.end)
            self.open("#/play?puzzle=3x3&board=1,2,3/4,5,6/7,0,8", web.url)
            self.wait(lambda: "lost" in self.text(".remark"), "it says so")
            probes = lambda: self.browser.execute_script("return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/version')).length")
            before = probes()
            self.wait(lambda: probes() > before + 1, "the page asks whether the daemon is there")
            self.assertEqual(len(asked), 1)
            server.shutdown()
        self.console()

    def test_what_is_typed_outlives_a_restart_of_the_daemon(self):
        self.open("#/explore?puzzle=2x3")
        self.find("input[name=root]").send_keys("1,2,3/4,0,5")
        self.daemon.kill()
        self.find("#start").click()
        self.wait(lambda: "does not answer" in self.text(".status") and self.find("#notice").is_displayed(), "no exploration without it")
        self.daemon.start()
        self.wait(lambda: not self.find("#notice").is_displayed(), "the page finds it again")
        self.console()  # the request that failed
        self.assertEqual(self.find("input[name=root]").get_attribute("value"), "1,2,3/4,0,5")
        self.check_console()

    def test_the_page_works_below_a_path_of_a_proxy(self):
        proxy = web_parts.Proxy(self.web)
        self.open("#/play?puzzle=3x3&board=8,6,7/2,5,4/3,0,1&analysis=1", proxy.url)
        self.wait(lambda: self.text("#distance") == "31", "the API is found below the path")
        self.check_console()
        self.browser.get("about:blank")
        proxy.end()


class Phone(unittest.TestCase):
    def test_views_fit_a_phone_in_the_dark(self):
        daemon = web_parts.start_daemon()
        web = web_parts.Web(daemon.socket, "--read-only", "--rate", "0")
        browser = open_browser(500, 900, "--blink-settings=preferredColorScheme=0")
        for view in ["play?puzzle=2x3", "explore", "jobs", "graph?puzzle=2x2"]:
            browser.get("about:blank")
            browser.get(f"{web.url}#/{view}")
            WebDriverWait(browser, PATIENCE).until(lambda _: browser.find_elements(By.CSS_SELECTOR, "main > *"))
            wide = browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            self.assertLessEqual(wide, 0, view)
            if PICTURES:
                browser.save_screenshot(os.path.join(PICTURES, f"phone_{view.split('?')[0]}.png"))
        background = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        self.assertEqual(background, "rgb(20, 24, 31)")
        complaints = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
        browser.quit()
        browser.profile.cleanup()
        web.end()
        daemon.stop()
        daemon.remove()
        self.assertEqual(complaints, [])


if __name__ == "__main__":
    unittest.main()
