# SPDX-License-Identifier: MIT
"""Walks through the whole page in headless Chromium: every puzzle of the start at the sizes of a phone and a desk, every view in Chinese."""

import os
import re
import unittest

from page_parts import PageCase

SIZES = {"phone": (390, 844), "desk": (1280, 800)}

# What may stand in Latin letters on a Chinese page: names, units, keys, and the words in which puzzles are written.
LATIN = re.compile(r"\b(?:puzzled|English|TopSpin|Microban|iPhone|XSB|Tab|Shift|Ctrl|[UDFBRL]{3}|[kMGT]?B|dense|ranked|striped|costs|goal)\b|IDA\*|"
                   r"cube[23]|dino|turned|pyraminx|skewb|metric:\w+", re.A)
NAME = re.compile(r"(?:slide|klotski|rushhour|sokoban|jugs|linkup|pancake|topspin|hanoi|tws|psvn|goal):\S*", re.A)
BOARD = re.compile(r"[A-Zox@#./ $*+-]*[/#.@][A-Zox@#./ $*+-]*|\b[A-Zox]{36}\b")  # letters and signs of a board, in rows or in one

SEEN = """const found = [];
    const walk = (node) => { for (const child of node.childNodes) {
      if (child.nodeType === 3 && child.parentElement.checkVisibility()) found.push(child.data);
      if (child.nodeType !== 1) continue;
      for (const name of ["aria-label", "title", "placeholder", "data-label"]) if (child.hasAttribute(name)) found.push(child.getAttribute(name));
      if (child.tagName !== "OPTION") walk(child);
    } };
    walk(document.body);
    return [document.title, ...found];"""


class Walks(PageCase):
    def start(self):
        """The addresses of the puzzles of the start, each with its boards."""
        self.open("")
        self.wait(lambda: len(self.all("#cards .card .board")) == 16, "all cards")
        return self.browser.execute_script("return [...document.querySelectorAll('#cards a')].map((one) => one.hash)")

    def resize(self, size):
        width, height = SIZES[size]
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})

    def test_each_board_lies_in_the_view_of_a_phone_and_of_a_desk_in_both_languages(self):
        self.console()
        hashes = self.start()
        self.assertEqual(len(hashes), 64)
        for language in ("en", "zh"):
            self.speak(language)
            self.open("")
            for size, (_, height) in SIZES.items():
                self.resize(size)
                for address in hashes[:: 4 if os.environ.get("PUZZLED_BRIEF") else 1]:
                    self.browser.execute_script("document.querySelector('.game')?.remove(); location.hash = arguments[0]", address.replace("?", "?analysis=0&"))
                    # Boards that the daemon draws have one cell until they are there.
                    bottom, wide, top = self.wait(lambda: self.browser.execute_script("""
                        const board = document.querySelector(".game .board:has(.piece)")?.getBoundingClientRect();
                        const page = document.documentElement;
                        return board && [board.bottom, page.scrollWidth - page.clientWidth, board.top];"""), address)
                    self.assertTrue(0 <= top < bottom <= height, f"{address} on a {size} in {language}: {top} to {bottom}")
                    self.assertLessEqual(wide, 0, f"{address} on a {size} in {language}")
        self.check_console()

    def latin(self):
        """The words in Latin letters that a Chinese reader sees or hears."""
        texts = self.browser.execute_script(SEEN)
        return {word for text in texts for word in re.findall(r"[A-Za-z]{2,}", LATIN.sub(" ", BOARD.sub(" ", NAME.sub(" ", text))))}

    def test_a_chinese_page_has_no_word_of_english(self):
        job = self.web.explore("3x3")
        self.web.post("/definitions", {"name": "turned", "format": "tws", "text": "Set A 3 1%0AMove T%0AA%0A2 3 1%0AEnd%0A"})
        solved = self.web.post("/jobs", {"kind": "solve", "puzzle": "3x3", "start": "8,6,7/2,5,4/3,0,1"})[1]["job"]
        plays = [address for address in self.start() if "board=" in address or "level" not in address]
        self.speak("zh")
        views = ["#/home", "#/explore", "#/jobs", f"#/jobs/{job}", f"#/jobs/{solved}", "#/jobs/99999", "#/graph?puzzle=2x2", "#/graph?puzzle=jugs:3,5,goal:4",
                 "#/edit?kind=slide", "#/edit?kind=klotski", "#/edit?kind=sokoban", "#/sheet?puzzle=3x3&depth=9&count=2",
                 "#/sheet?puzzle=3x3&depth=40", "#/explore?puzzle=3x3", *plays[::4]]
        for view in views:
            self.open(view)
            self.wait(lambda: len(self.all("h1")) == 1, view)
            for selector in ("#hint", "#solve", "#bfs", "#layouts summary", "#microban summary", "#estimate"):
                self.browser.execute_script("document.querySelector(arguments[0])?.click()", selector)
            self.wait(lambda: "…" not in self.browser.execute_script("return document.querySelector('#verdict, #distance')?.textContent ?? ''"), view)
            self.assertEqual(self.latin(), set(), view)
        self.console()

    def test_the_daemons_own_words_stand_behind_a_chinese_refusal(self):
        self.speak("zh")
        self.open("#/play?puzzle=3x3&board=1,2,3")
        self.wait(lambda: self.text(".remark").startswith("这不是该谜题的局面：") and "3x3 needs 9" in self.text(".remark [lang=en]"), "both can be read")
        self.console()


if __name__ == "__main__":
    unittest.main()
