#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole spaces of the definitions that come with puzzled, and of what is seen of the 3×3×3, level by level, against published counts."""
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

# The large ones once; twist/random has the small ones by other engines and threads.
PUZZLES = {"skewb": "skewb", "2x2x2": "cube2", "pyraminx": "pyraminx", "dino": "dino"}


def published(path):
    levels = {}
    with open(path, encoding="utf-8") as file:
        for puzzle, _, states in csv.reader(line for line in file if line[0] != "#"):
            levels.setdefault(puzzle, []).append(int(states))
    return levels


def main(program, source):
    expected = published(source / "tests/data/twisty_levels.csv")
    wrong = 0
    for puzzle, name in PUZZLES.items():
        path = source / f"definitions/{name}.tws"
        for threads in ("1", "2") if puzzle == "skewb" else ("2",):
            run = subprocess.run([program, path, "turn", "ranked", threads], capture_output=True, text=True, check=True)
            levels = [int(line) for line in run.stdout.split()]
            if levels != expected[puzzle]:
                print(f"{puzzle} on {threads} threads: {levels}, published {expected[puzzle]}")
                wrong += 1
    for puzzle, levels in expected.items():
        if puzzle.startswith("cube3-") and sum(levels) < 2_000_000:
            with tempfile.NamedTemporaryFile(suffix=".tws") as file:
                subprocess.run([sys.executable, source / "definitions/generate_twisty.py", puzzle], stdout=file, check=True)
                run = subprocess.run([program, file.name, "turn", "ranked", "2"], capture_output=True, text=True, check=True)
            if [int(line) for line in run.stdout.split()] != levels:
                print(f"{puzzle}: {run.stdout}, expected {levels}")
                wrong += 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
