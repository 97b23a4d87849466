# SPDX-License-Identifier: MIT
"""Grades Klotski layouts: optimal lengths in both metrics, wrong turns on the way, and how many positions can be reached.

    python3 grade_klotski.py [LAYOUT …]
"""

import argparse

import puzzled

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("layouts", nargs="*", default=["横刀立马", "指挥若定", "将拥曹营", "齐头并进", "兵分三路"])
parser.add_argument("--brief", action="store_true", help="for the tests: the first two layouts")
arguments = parser.parse_args()
layouts = arguments.layouts[:2] if arguments.brief else arguments.layouts

print("moves  steps  wrong turns  positions  layout")
with puzzled.daemon() as p:
    for layout in layouts:
        grade = p.grade(f"klotski:{layout}")
        positions = p.explore(f"klotski:{layout}", keep="levels").states
        print(f"{grade.solution.moves:5}  {grade.other_moves:5}  {grade.wrong_turns:11}  {positions:9,}  {layout}")
