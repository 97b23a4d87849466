#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives each level of XSokoban whose fewest pushes are not known some processor time, those first whose bound is nearest to a
published solution, and writes what is found or proven into its row of docs/results/xsokoban.csv. A level that has had as much
time, or that memory stopped, is left out unless it is named: so it may be stopped at any time, and another day goes on with more.
A search that is cut off begins again. `scripts/results.py --page` writes the table of docs/notebook/sokoban.md from the file.

  scripts/xsokoban.py LEVELS [SECONDS [MEBIBYTES [LEVEL…]]]
      LEVELS: a file of all ninety, of which none is shipped. From Debian's cavepacker-data:
              sed -s '$G' /usr/share/games/cavepacker/maps/xsokoban*.sok >LEVELS
      1200 s and 8192 MiB a level unless named. ROWS, BENCH: other places than the CSV and build/release/bin/bench_sokoban"""
import csv
import os
import subprocess
import sys
from pathlib import Path

ROWS = Path(os.environ.get("ROWS", "docs/results/xsokoban.csv"))
BENCH = os.environ.get("BENCH", "build/release/bin/bench_sokoban")
FEWEST, LEAST, PUBLISHED = "fewest pushes", "at least", "pushes of a published solution"


def read():
    """Returns the remarks at the top of the file and its rows."""
    lines = ROWS.read_text(encoding="utf-8").splitlines(keepends=True)
    remarks = [line for line in lines if line.startswith("#")]
    return remarks, list(csv.DictReader(lines[len(remarks):]))


def write(remarks, rows):
    """Writes the file anew, whole or not at all."""
    draft = ROWS.with_suffix(".new")
    with draft.open("w", encoding="utf-8", newline="") as file:
        file.writelines(remarks)
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    draft.replace(ROWS)


def gap(row):
    """Returns how far the bound is from a published solution; those without one come last, by number."""
    published = int(row[PUBLISHED]) - int(row[LEAST]) if row[PUBLISHED] else 10**6
    return published, int(row["level"])


def search(row, levels, seconds, mebibytes):
    """Searches for the level's solution and notes what is new in its row."""
    number = row["level"]
    done = subprocess.run([BENCH, "solve", "push", levels, number, number, seconds, mebibytes],
                          capture_output=True, text=True, check=True)
    _, length, expanded, _, used, _, ended = done.stdout.splitlines()[1].split()
    solved = not length.startswith(">=")
    least = max(int(length.lstrip(">=")), int(row[LEAST]))
    if row[PUBLISHED] and least > int(row[PUBLISHED]) or solved and int(length) < least:
        sys.exit(f"xsokoban.py: level {number}: {length} pushes contradict its row")
    row[LEAST] = str(least)
    if solved or row[PUBLISHED] == row[LEAST]:
        row[FEWEST] = row[LEAST]
    if solved or float(used) >= float(row["seconds"]) or ended == "memory":
        row.update({"search": "solved" if solved else ended, "expanded": expanded, "seconds": used})
    print(",".join(row.values()), flush=True)


def main(levels, seconds="1200", mebibytes="8192", *named):
    """Searches the levels that are open."""
    os.nice(15)
    remarks, rows = read()
    for row in sorted(rows, key=gap):
        had = float(row["seconds"]) >= float(seconds) or row["search"] == "memory"
        if not row[FEWEST] and (row["level"] in named or not named and not had):
            search(row, levels, seconds, mebibytes)
            write(remarks, rows)
    known = sum(row[FEWEST] != "" for row in rows)
    print(f"{known} of {len(rows)} levels have their fewest pushes, {sum(row['search'] == 'solved' for row in rows)} by a search")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
