# SPDX-License-Identifier: MIT
"""The 8-puzzle's histogram: how many boards are how many moves from the goal. Writes histogram.svg where asked to.

    python3 histogram.py [--svg FILE]
"""

import argparse

import puzzled

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--svg", help="write the chart to this file")
arguments = parser.parse_args()

with puzzled.daemon() as p:
    found = p.explore("3x3")

for level, count in enumerate(found.levels):
    print(f"{level:3} {count:7,} {'#' * (60 * count // max(found.levels))}")
print(f"{found.states:,} boards, {found.levels.mean:.2f} moves on average, {found.depth} at most")
if arguments.svg:
    with open(arguments.svg, "w", encoding="utf-8") as file:
        file.write(found.levels.to_svg())
