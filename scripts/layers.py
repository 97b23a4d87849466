#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what each part of the source tree includes against the table below, which says what it may know."""
import re
import subprocess
import sys
from pathlib import Path

# Part: the headers that it may include besides its own, as folders ("base/") or single files. A part within another
# one (core/explore/dense) may also include what stands beside it in the outer part only where its own row says so.
MAY_INCLUDE = {
    "core/include": "",
    "core/base": "puzzled/",
    "core/board": "puzzled/ base/",
    "core/space": "puzzled/ base/ board/",
    "core/space/text": "puzzled/ base/ space/options.h",
    "core/explore": "puzzled/ base/ board/ space/",
    "core/explore/checkpoint": "puzzled/ base/ space/ explore/control.h explore/explore.h",
    "core/explore/dense": "puzzled/ base/ board/ space/ explore/agree.h explore/control.h explore/exchange.h"
                          " explore/explore.h explore/post.h explore/checkpoint/ explore/pieces/",
    "core/explore/pieces": "puzzled/ base/",
    "core/explore/striped": "puzzled/ base/ board/ space/ explore/agree.h explore/control.h explore/exchange.h"
                            " explore/explore.h explore/post.h explore/checkpoint/",
    "core/solve": "puzzled/ base/ board/ space/ explore/",
    # solve/solve.h: patterns.h implements the archive that it declares, and calls nothing of it.
    "core/store": "puzzled/ base/ explore/control.h explore/explore.h explore/checkpoint/ solve/solve.h",
    "core/answer": "puzzled/ base/ board/ space/ explore/ solve/ store/",
    "protocol": "puzzled/ explore/words.h solve/words.h store/words.h",
    "daemon": "puzzled/ base/ board/ space/ explore/control.h explore/explore.h explore/graph.h"
              " explore/checkpoint/ solve/solve.h store/ answer/ protocol/ version.h",
    "client": "puzzled/ board/ protocol/ version.h",
    "web": "puzzled/ protocol/ version.h",
    # MPI's side of explore/exchange.h, and a program around explore_run. It writes its results as a dump, without LMDB.
    "ranks": "puzzled/ base/ space/ explore/agree.h explore/exchange.h explore/explore.h explore/checkpoint/checkpoint.h"
             " store/dump_put.h protocol/ version.h",
}

# Libraries and system headers that only some parts may know.
ONLY_IN = {
    "lmdb.h": ["core/store"],
    "xxhash.h": ["core/space/text", "core/store", "core/explore/pieces", "daemon"],
    "jansson.h": ["client", "protocol", "web"],
    "microhttpd.h": ["web"],
    "mpi.h": ["ranks"],
    "ini.h": ["daemon"],
    "event2/": ["daemon", "web"],
    "systemd/": ["daemon"],
    "sys/socket.h": ["daemon", "client", "web"],
    "sys/un.h": ["daemon", "client", "web"],
    "netinet/": ["daemon", "client", "web"],
    "arpa/": ["daemon", "client", "web"],
    "netdb.h": ["daemon", "client"],
}


def part_of(file):
    """Returns the longest row of the table that the file lies in; None for a file in no part."""
    rows = [part for part in MAY_INCLUDE if file.startswith(part + "/")]
    return max(rows, key=len, default=None)


def own_prefix(part):
    """Returns the text that includes of the part's own headers begin with."""
    return "puzzled/" if part == "core/include" else part.removeprefix("core/") + "/"


def allowed(file, part, name):
    """Returns True if the table lets this file of this part include "name"."""
    if "/" not in name and (Path(file).parent / name).exists():
        return True
    return any(name == word or word.endswith("/") and name.startswith(word)
               for word in [own_prefix(part), *MAY_INCLUDE[part].split()])


def faults(file):
    """Yields the includes of a file that its part may not have, as (line number, text)."""
    part = part_of(file)
    if part is None:
        yield 1, "lies in no part of the table in scripts/layers.py"
        return
    for number, line in enumerate(Path(file).read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r'#\s*include\s+([<"])([^>"]+)', line)
        if not found:
            continue
        name = found[2]
        if found[1] == '"' and not allowed(file, part, name):
            yield number, f'{part} may not include "{name}"'
        for library, parts in ONLY_IN.items():
            if found[1] == "<" and name.startswith(library) and part not in parts:
                yield number, f"{part} may not include <{name}>"


def main():
    """Prints every fault; returns the exit status."""
    files = subprocess.run(["git", "ls-files", "core", "protocol", "daemon", "client", "web", "ranks"],
                           check=True, capture_output=True, text=True).stdout.split()
    sources = [file for file in files if file.endswith((".c", ".h")) and Path(file).exists()]
    found = [f"{file}:{line}: {text}" for file in sources for line, text in faults(file)]
    print("\n".join(found) if found else f"{len(sources)} files include what they may")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
