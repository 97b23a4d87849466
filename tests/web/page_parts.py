# SPDX-License-Identifier: MIT
"""What the tests of the page share: headless Chromium, one daemon with a table of 3x3, and how a page is looked at."""

import atexit
import os
import tempfile
import unittest

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import web_parts

# Without flooding protection: Chromium drops navigations beyond 200 in ten seconds, and a test makes them as fast as it can.
FLAGS = ["--disable-ipc-flooding-protection", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-quic", "--disable-dev-shm-usage", "--lang=en"]
PATIENCE = int(os.environ.get("PATIENCE", "60"))  # seconds: only a fault takes so long
PICTURES = os.environ.get("PICTURES")


def open_browser(width, height, *flags):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    for flag in [*FLAGS, f"--window-size={width},{height}", f"--user-data-dir={profile.name}", *flags]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.implicitly_wait(10)  # a view is drawn a moment after its address is opened
    browser.profile = profile
    return browser


class Shared:
    """One daemon, one puzzled-web and one browser for all tests of the page: each takes seconds to start."""

    daemon = web = browser = None

    @classmethod
    def begin(cls):
        if cls.browser is None:
            cls.daemon = web_parts.start_daemon()
            cls.web = web_parts.Web(cls.daemon.socket)
            cls.web.explore("3x3")
            cls.browser = open_browser(1100, 900)
            cls.browser.get(cls.web.url + "icon.svg")
            cls.browser.execute_script("localStorage.setItem('analysis', '1')")  # tests of the challenge say so
            cls.browser.get_log("browser")
            atexit.register(cls.end)

    @classmethod
    def end(cls):
        cls.browser.quit()
        cls.browser.profile.cleanup()
        cls.web.end()
        cls.daemon.stop()
        cls.daemon.remove()
        cls.daemon = cls.web = cls.browser = None


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        Shared.begin()
        cls.daemon, cls.web, cls.browser = Shared.daemon, Shared.web, Shared.browser

    def tearDown(self):
        if self.browser.current_url.startswith("http"):
            self.keep(self.id().rsplit(".", 1)[1])
        self.browser.get("about:blank")  # a page whose server has ended goes on asking for it
        self.console()

    def open(self, address, base=None):
        self.browser.get("about:blank")
        self.browser.get((base or self.web.url) + address)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def wait(self, what, why):
        """Waits until what() is true; elements may come and go meanwhile."""
        wait = WebDriverWait(self.browser, PATIENCE, 0.05, [NoSuchElementException, StaleElementReferenceException])
        return wait.until(lambda _: what(), why)

    def keep(self, name):
        if PICTURES:
            os.makedirs(PICTURES, exist_ok=True)
            self.browser.save_screenshot(os.path.join(PICTURES, f"{name}.png"))

    def console(self):
        """What the browser complains about since the last call."""
        return [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def check_console(self):
        self.assertEqual(self.console(), [])

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def narrow(self, width=390, height=844):
        """The window of a phone, until the test ends."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})

    def speak(self, language):
        """Opens pages in "en" or "zh" until the test ends."""
        remember = "localStorage.setItem('language', arguments[0])"
        self.browser.get(self.web.url + "icon.svg")
        self.browser.execute_script(remember, language)

        def back():
            self.browser.get(self.web.url + "icon.svg")
            self.browser.execute_script(remember, "en")

        self.addCleanup(back)
