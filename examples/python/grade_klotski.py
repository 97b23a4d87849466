# SPDX-License-Identifier: MIT
"""Grades Klotski layouts: optimal lengths in both metrics, and how many positions can be reached.

    python3 grade_klotski.py [LAYOUT …]
"""

import argparse

import puzzled

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("layouts", nargs="*", default=["横刀立马", "指挥若定", "将拥曹营", "齐头并进", "兵分三路"])
parser.add_argument("--brief", action="store_true", help="for the tests: the first two layouts")
arguments = parser.parse_args()
layouts = arguments.layouts[:2] if arguments.brief else arguments.layouts

print("moves  steps  positions  layout")
with puzzled.daemon() as p:
    for layout in layouts:
        moves = p.solve(f"klotski:{layout}").moves
        steps = p.solve(f"klotski:{layout}", metric="step").moves
        positions = p.explore(f"klotski:{layout}", keep="levels").states
        print(f"{moves:5}  {steps:5}  {positions:9,}  {layout}")
