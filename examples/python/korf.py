# SPDX-License-Identifier: MIT
"""Korf's random 15-puzzles: optimal lengths and nodes, held against the published lengths. Needs pandas.

    python3 korf.py [--boards N]

The first board waits for the pattern databases to be built, some ten seconds. Goal: the blank first, as Korf has it.
"""

import argparse
import csv
import pathlib

import pandas

import puzzled

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "korf15.csv"
GOAL = "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15"

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--boards", type=int, default=50)
parser.add_argument("--brief", action="store_true", help="for the tests: two boards, without pattern databases")
arguments = parser.parse_args()

with open(DATA, encoding="utf-8") as file:
    rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
if arguments.brief:
    rows = sorted(rows, key=lambda row: int(row["korf_nodes"]))[:2]
rows = rows[: arguments.boards]
keys = {"method": "idastar", "memory": "64M"} if arguments.brief else {}

with puzzled.daemon() as p:
    solutions = list(p.solve_many("4x4", (row["board"] for row in rows), goal=GOAL, **keys))

table = pandas.DataFrame({
    "moves": [solution.moves for solution in solutions],
    "published": [int(row["optimal"]) for row in rows],
    "generated": [int(solution.fields["generated"]) for solution in solutions],
    "seconds": [float(solution.fields["seconds"]) for solution in solutions],
})
print(table.to_string())
print(table[["moves", "generated", "seconds"]].mean().to_string())
assert (table["moves"] == table["published"]).all(), "a length differs from the published one"
