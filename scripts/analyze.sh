#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reads core, daemon, client, web and ranks with two analysers that look along the paths of a program: gcc -fanalyzer and cppcheck.
# clang's own comes with clang-tidy (scripts/check.sh tidy). Nothing may be found; what is left out stands here:
#
#   -Wanalyzer-malloc-leak: gcc 12 loses sight of a pointer that it has seen stored in an array of structs or handed on
#     inside another object, and reports it as lost. Leaks are looked for at run time instead, by LeakSanitizer
#     (scripts/check.sh asan) and valgrind (scripts/valgrind.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_packages "${CHECK_PACKAGES[@]}"

# What else is left out in single files: "file option" and the reason.
exceptions=(
    # A key's words are copied in and out by loops of a constant length of which it thinks that they may not run.
    "core/explore/striped/visited/segment.c -Wno-analyzer-use-of-uninitialized-value"
    "core/explore/striped/visited/visited_hash.c -Wno-analyzer-use-of-uninitialized-value"
    # A rule's cells lie in the model's array, which psvn.c has filled for as many places.
    "core/space/text/psvn/psvn_rules.c -Wno-analyzer-use-of-uninitialized-value"
    # As many numbers of a cluster are read as were written, which it does not see where their count is a variable.
    "core/space/sokoban/sokoban_clusters.c -Wno-analyzer-use-of-uninitialized-value"
    # Their functions are not inlined here, so that gcc does not see that there is a word at least. The release build, where
    # they are, warns of the same.
    "core/space/sokoban/sokoban_reach.c -Wno-maybe-uninitialized"
    "core/space/sokoban/sokoban_avx512.c -Wno-maybe-uninitialized"
    # Where a vector is shifted, gcc 12 compares the count with 1, 2 or 3 and not with the bits of an element.
    "core/space/sokoban/sokoban_avx512.c -Wno-analyzer-shift-count-overflow"
)

# Prints one command a line: that of the build, with the analyser and without an output.
commands() {
    python3 - build/release/compile_commands.json "${exceptions[@]}" <<'PYTHON'
import json
import os
import shlex
import sys

exceptions = [line.split() for line in sys.argv[2:]]
for entry in json.load(open(sys.argv[1], encoding="utf-8")):
    name = os.path.relpath(entry["file"])
    if not name.startswith(("core/", "daemon/", "client/", "ranks/", "web/")):
        continue
    words = shlex.split(entry["command"])
    words[words.index("-o") + 1] = "/dev/null"
    words += ["-g0", "-DPUZZLED_ANALYSED", "-fanalyzer", "-fdiagnostics-path-format=none", "-Wno-analyzer-malloc-leak"]
    words += [option for file, option in exceptions if file == name]
    print(shlex.join(["cd", entry["directory"]]), "&&", shlex.join(words))
PYTHON
}

cmake --preset release >/dev/null
commands | tr '\n' '\0' | xargs -0 -P "$(nproc)" -n 1 bash -c
echo "gcc -fanalyzer: nothing found in $(commands | wc -l) files"

cppcheck -j "$(nproc)" --std=c11 --enable=warning,performance,portability --inline-suppr --quiet --error-exitcode=1 \
    -D_GNU_SOURCE -DNDEBUG -Icore -Icore/include -I. -Iranks -Ibuild/release/generated core protocol daemon client web ranks
echo "cppcheck: nothing found"
