#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the documents to the tree: each file that a page names is there, and where an engine's page says that it is;
docs/threads.md names the file of every lock; each verb of the protocol has a request of HTTP and a method in Python, or a page
that says why not; docs/storage.md has every database and the formats of tables; the manual page has each setting (that
conf/puzzled.conf has them, its test says); the Chinese pages give the figures of the English ones."""
import re
import subprocess
import sys
from pathlib import Path

FILES = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split()
SOURCES = [f for f in FILES if f.endswith((".c", ".h")) and f.startswith(("core/", "daemon/", "client/", "web/", "ranks/"))]
# What this page names need not be there: it tells what was.
NOT_HELD = {"CHANGELOG.md"}
NAMED = re.compile(r"`([\w./-]+\.(?:c|h|py|sh|js))`")
LOCK = re.compile(r"^\s*(?:static )?pthread_(?:mutex|rwlock)_t \w+", re.M)
VERB = re.compile(r"^VERB\((\w+), ", re.M)
# Where a verb has a request and a method, how it is found there, and the page that names the other verbs.
VERB_PLACES = [("web/api/route.c", lambda verb: rf"\bVERB_{verb}\b", "docs/web.md"),
               ("python/puzzled/aio.py", lambda verb: rf"\bdef {verb.lower()}\(", "docs/python.md")]


def text_of(name):
    return Path(name).read_text(encoding="utf-8")


def is_there(name):
    return any(file == name or file.endswith("/" + name) for file in FILES)


def missing_files():
    for page in (f for f in FILES if f.endswith(".md") and f not in NOT_HELD):
        for name in NAMED.findall(re.sub(r"^```.*?^```", "", text_of(page), flags=re.S | re.M)):
            if not is_there(name.lstrip("./")):
                yield f"{page}: names {name}, which is not there"


def moved_sources():
    """Where a page introduces its sources, what it names without a folder lies in the folder that the paragraph names."""
    for page in (f for f in FILES if f.startswith("docs/engines/")):
        for paragraph in (p for p in text_of(page).split("\n\n") if "Sources" in p):
            folders = tuple(re.findall(r"`(core/[\w/]*/)`", paragraph))
            for name in (n for n in NAMED.findall(paragraph) if "/" not in n):
                if not any(f.startswith(folders) and f.endswith("/" + name) for f in FILES):
                    yield f"{page}: {name} is not in {' or '.join(folders)}"


def missing_locks():
    page = text_of("docs/threads.md")
    for file in (f for f in SOURCES if LOCK.search(text_of(f))):
        stem = re.escape(Path(file).stem)
        if not re.search(rf"^\| .*`[^`]*\b{stem}\b", page, re.M):
            yield f"docs/threads.md: {file} has a lock that no row names"


def missing_verbs():
    for source, sign, page in VERB_PLACES:
        for verb in VERB.findall(text_of("protocol/vocabulary.inc")):
            if not re.search(sign(verb), text_of(source)) and f"`{verb}`" not in text_of(page):
                yield f"{source}: {verb} is not there, and {page} gives no reason"


def number_of(name, file):
    """Returns the value of an enumeration constant."""
    return re.search(rf"\b{name} =\s*(\d+)", text_of(file))[1]


def missing_stored():
    page = text_of("docs/storage.md")
    store_format = number_of("STORE_FORMAT", "core/store/lmdb/value_codec.h")
    for words in f"now {store_format}\n", f"`puzzled-dump {store_format}`":
        if words not in page:
            yield f"docs/storage.md: the format is {store_format}, but {words.strip()} is not there"
    if f'"puzzled-dump {store_format}\\n"' not in text_of("core/store/maintenance/dump_record.h"):
        yield f"core/store/maintenance/dump_record.h: the mark of a dump is not of format {store_format}"
    for name in re.findall(r'\[DATABASE_\w+\] = "(\w+)"', text_of("core/store/lmdb/value_codec.c")):
        if not re.search(rf"^\| \d `{name}` \| [^|]* \| ", page, re.M):
            yield f"docs/storage.md: the database {name} has no row"
    formats = re.search(r"`u8` format \(([^)]*)\)", page)[1]
    for kind, number in re.findall(r"\bTABLE_([A-Z]+) =\s*(\d+)", text_of("core/explore/explore.h")):
        word = "checkpoint" if kind == "NONE" else kind.lower()
        if not re.search(rf"\b{number} {word}\b", formats):
            yield f"docs/storage.md: the format of tables {number} ({word}) is not told"


def missing_settings():
    for section, key in re.findall(r'^SETTING\(\w+, \w+, "(\w+)", "([\w-]+)"', text_of("daemon/settings/config.inc"), re.M):
        if not re.search(rf"^\*{key}\* ?=", text_of("docs/man/puzzled.conf.5.scd"), re.M):
            yield f"docs/man/puzzled.conf.5.scd: {key} of [{section}] is not there"


UNITS = {" million": 1e6, " 万": 1e4, " thousand million": 1e9, " 亿": 1e8}
FIGURE = re.compile(rf"(\d+(?:,\d{{3}})*(?:\.\d+)?)({'|'.join(UNITS)})?")


def figure(number, unit):
    return round(float(number.replace(",", "")) * UNITS.get(unit, 1), 3)


def speeds_of(page, heading):
    """Returns the numbers of each row of the tables below the heading, in ascending order."""
    rows = re.findall(r"^\|.*", text_of(page).split(heading)[1].split("\n## ")[0], re.M)
    return [sorted(figure(*found) for found in FIGURE.findall(row)) for row in rows]


def large_figures(*pages):
    """The figures from a thousand on that stand in the pages' sentences, and not in their examples."""
    text = "\n".join(re.sub(r"^    .*|`[^`\n]*`|\]\([^)]*\)", "", text_of(page), flags=re.M) for page in pages)
    return {value for value in (figure(*found) for found in FIGURE.findall(text)) if value >= 1000}


def strange_figures():
    """What a Chinese page says in figures stands in its English one, or in the README or the tour."""
    for page in ("README.zh.md", *(f for f in FILES if f.startswith("docs/zh/"))):
        english = {"README.zh.md": "README.md"}.get(page, page.replace("/zh/", "/"))
        for value in sorted(large_figures(page) - large_figures(english, "README.md", "docs/tour.md")):
            yield f"{page}: {value:,.0f} stands in no English page"


def other_figures():
    for page, heading, other, other_heading in (("docs/engines.md", "\n## How fast\n", "docs/zh/engines.md", "\n## 有多快\n"),
                                                ("README.md", "\nIt knows ", "README.zh.md", "\n支持的谜题：")):
        english, chinese = speeds_of(page, heading), speeds_of(other, other_heading)
        if len(english) != len(chinese):
            yield f"{other}: {len(chinese)} rows of figures, {page} has {len(english)}"
        for left, right in (pair for pair in zip(english, chinese) if pair[0] != pair[1]):
            yield f"{other}: a row of figures has {right}, that of {page} {left}"


faults = [*missing_files(), *moved_sources(), *missing_locks(), *missing_verbs(), *missing_stored(), *missing_settings(),
          *other_figures(), *strange_figures()]
print(*faults, sep="\n", end="\n" if faults else "")
if faults:
    sys.exit(1)
print(f"{sum(f.endswith('.md') for f in FILES)} pages name what is there")
