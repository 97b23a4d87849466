#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the floor plan: what each room of the source tree includes, against the table below, which says what it may know;
how many files a room has; that docs/architecture.md names each room; and that no files need each other in a circle."""
import re
import subprocess
import sys
from pathlib import Path

# A room, and the headers that it may include besides its own and puzzled/: folders ("base/", with the rooms in them) or single files.
# A room within another one (core/explore/dense) may include what stands in the outer one only where its row says so.
MAY_INCLUDE = {
    "core/include": "",
    "core/base": "",
    "core/base/table": "base/budget.h",
    "core/board": "base/",
    "core/space": "base/ board/",
    "core/space/check": "base/ space/guard.h space/registry.h",
    "core/space/text": "base/ space/guard.h space/making.h space/options.h space/twist/",
    "core/space/twist": "base/",
    "core/explore": "base/ space/",
    "core/explore/exchange": "base/",
    "core/explore/disk": "base/",
    "core/explore/key": "base/",
    "core/explore/sample": "base/ space/registry.h explore/exchange/ explore/key/",
    "core/explore/checkpoint": "base/ space/ explore/explore.h explore/run/monitor.h",
    "core/explore/table": "base/ space/ explore/explore.h explore/key/",
    "core/explore/run": "base/ space/guard.h explore/disk/ explore/exchange/ explore/control.h explore/explore.h explore/checkpoint/",
    "core/explore/dense/index": "base/ board/",
    "core/explore/dense/kernel": "base/ explore/dense/index/",
    "core/explore/dense/plane": "base/ explore/dense/index/",
    "core/explore/dense/pieces": "base/ explore/disk/",
    "core/solve": "base/ board/ space/ explore/",
    # patterns.h implements the archive that solve/ declares.
    "core/store": "base/ explore/control.h explore/explore.h solve/pattern_archive.h solve/solve_words.h",
    "core/store/lmdb": "base/ store/store.h",
    "core/store/engine": "base/ store/store.h store/lmdb/",
    "core/store/table": "base/ explore/ store/lmdb/ store/engine/",
    "core/store/record": "base/ store/store.h store/lmdb/ store/engine/ store/table/",
    "core/answer": "base/ board/ space/ explore/ solve/ store/",
    "core/answer/verify": "base/ space/ explore/ store/ answer/",
    "protocol": "explore/explore.h explore/explore_words.h solve/solve_words.h store/job_facts.h",
    "protocol/text": "",
    "daemon": "base/ board/ space/ explore/control.h explore/explore.h explore/graph.h"
              " explore/question_plan.h explore/checkpoint/ solve/solve.h store/ answer/ protocol/ version.h",
    "daemon/settings": "base/ explore/explore.h protocol/",
    "daemon/host": "base/ protocol/",
    "daemon/pool": "base/",
    "daemon/define": "base/ space/ store/ daemon/",
    "daemon/net": "base/ protocol/ daemon/settings/ daemon/host/",
    "client": "board/ protocol/ version.h",
    "client/session": "protocol/",
    "client/show": "board/ protocol/ client/session/ pieces_style.h",
    "client/jobs": "protocol/ client/session/ client/show/ version.h",
    "client/many": "protocol/ client/session/ client/show/ client/jobs/",
    "web": "protocol/ version.h",
    "web/api": "protocol/ version.h",
    # MPI's side of explore/exchange/, and a program around explore_run. It writes its results as a dump, without LMDB.
    "ranks": "base/ space/ explore/exchange/ explore/explore.h explore/question_plan.h"
             " explore/checkpoint/checkpoint.h explore/disk/scratch_store.h"
             " store/maintenance/dump_record.h protocol/ version.h",
}

# A room of core/explore/ without a row is an engine. It may include the rooms that all engines share, and no other engine.
ENGINE_MAY_INCLUDE = ("base/ board/ space/ explore/explore.h explore/checkpoint/ explore/disk/"
                      " explore/exchange/ explore/key/ explore/run/ explore/sample/ explore/table/")

# Libraries and system headers that only some rooms may know, with the rooms in them.
ONLY_IN = {
    "lmdb.h": ["core/store"],
    "sha2.h": ["core/space/text"],
    "xxhash.h": ["core/explore/exchange", "core/store", "core/explore/disk", "daemon"],
    "jansson.h": ["protocol", "web"],
    "microhttpd.h": ["web"],
    "mpi.h": ["ranks"],
    "ini.h": ["daemon"],
    "event2/": ["daemon", "web"],
    "systemd/": ["daemon"],
    "sys/socket.h": ["daemon", "client", "web", "protocol"],
    "sys/un.h": ["daemon", "client", "web"],
    "netinet/": ["daemon", "client", "web", "protocol"],
    "arpa/": ["web", "protocol"],
    "netdb.h": ["client"],
}

ROOM_FILES = 20


def room_of(file):
    """Returns the innermost folder of the file that has a row or is an engine; None for a file in no room."""
    folders = map(str, Path(file).parents)
    return next((one for one in folders if one in MAY_INCLUDE or re.fullmatch("core/explore/[^/]+", one)), None)


def allowed(file, room, name):
    """Returns True if the table lets this file of this room include "name"."""
    if "/" not in name and (Path(file).parent / name).exists():
        return True
    return any(name == word or word.endswith("/") and name.startswith(word)
               for word in ["puzzled/", room.removeprefix("core/") + "/", *MAY_INCLUDE.get(room, ENGINE_MAY_INCLUDE).split()])


def includes(file):
    """Yields (line number, opening sign, name) of each include of a file."""
    for number, line in enumerate(Path(file).read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r'#\s*include\s+([<"])([^>"]+)', line)
        if found:
            yield number, found[1], found[2]


def faults(file):
    """Yields the includes of a file that its room may not have, as (line number, text)."""
    room = room_of(file)
    if room is None:
        yield 1, "lies in no room of the table in scripts/layers.py"
        return
    for number, sign, name in includes(file):
        if sign == '"' and not allowed(file, room, name):
            yield number, f'{room} may not include "{name}"'
        for library, rooms in ONLY_IN.items():
            if sign == "<" and name.startswith(library) and not any(file.startswith(one + "/") for one in rooms):
                yield number, f"{room} may not include <{name}>"


def crowded(files):
    """Yields each folder with more files than a room may have."""
    folders = [str(Path(file).parent) for file in files]
    for folder in sorted(set(folders)):
        if folders.count(folder) > ROOM_FILES:
            yield f"{folder}: {folders.count(folder)} files, a room has at most {ROOM_FILES}"


def unnamed(files):
    """Yields each room that docs/architecture.md does not name, by its path or the last part of it."""
    plan = Path("docs/architecture.md").read_text(encoding="utf-8")
    named = {word.rstrip("/") for word in re.findall(r"`([a-z/_]+)`", plan)}
    for folder in sorted({str(Path(file).parent) for file in files}):
        if not any(folder == word or folder.endswith("/" + word) for word in named):
            yield f"{folder}: docs/architecture.md does not say what this room is for"


def needs(sources):
    """Returns for each unit, a .c with its .h, the set of units that it includes."""
    units = {source.rsplit(".", 1)[0] for source in sources}
    graph = {unit: set() for unit in units}
    for source in sources:
        unit = source.rsplit(".", 1)[0]
        for _, sign, name in includes(source):
            stem = name.rsplit(".", 1)[0]
            for other in (str(Path(source).parent / stem), "core/" + stem, "core/include/" + stem, stem):
                if sign == '"' and other in units and other != unit:
                    graph[unit].add(other)
                    break
    return graph


def circles(graph):
    """Returns the sets of two or more units that all reach each other."""
    def reached(start):
        seen, todo = set(), [start]
        while todo:
            for other in graph[todo.pop()] - seen:
                seen.add(other)
                todo.append(other)
        return seen
    reach = {unit: reached(unit) for unit in graph}
    found = {frozenset(other for other in reach[unit] if unit in reach[other]) for unit in graph if unit in reach[unit]}
    return sorted(sorted(circle) for circle in found)


def main():
    """Prints every fault; returns the exit status."""
    files = subprocess.run(["git", "ls-files", "core", "protocol", "daemon", "client", "web", "ranks"],
                           check=True, capture_output=True, text=True).stdout.split()
    sources = [file for file in files if file.endswith((".c", ".h")) and Path(file).exists()]
    found = [f"{file}:{line}: {text}" for file in sources for line, text in faults(file)]
    found += crowded([file for file in files if "/page/" not in file and Path(file).exists()])
    found += unnamed(sources)
    found += ["these files need each other: " + " ".join(circle) for circle in circles(needs(sources))]
    print("\n".join(found) if found else f"{len(sources)} files include what they may, and none in a circle")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
