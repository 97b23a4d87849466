#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the definitions of this folder that are PSVN texts, and others like them:

    definitions/generate.py hanoi 3 5 > hanoi.psvn

Without arguments it lists the puzzles and their numbers."""
import itertools
import sys


def rule(places, left, right, label):
    """Returns one rule; left and right map places to words, and what is not in them is open."""
    def side(words):
        return " ".join(str(words.get(place, "-")) for place in range(places))
    return f"{side(left)} => {side(right)} LABEL {label}"


def text(source, domains, kinds, rules, goals):
    """Returns a whole definition."""
    return "\n".join([f"# {source}", *domains, str(len(kinds)), " ".join(kinds), *rules,
                      *("GOAL " + " ".join(map(str, goal)) for goal in goals)]) + "\n"


def hanoi(pegs, discs):
    """A variable for each disc, the smallest first: its peg."""
    rules = []
    for disc in range(discs):
        for start, end in itertools.permutations(range(1, pegs + 1), 2):
            others = [peg for peg in range(1, pegs + 1) if peg not in (start, end)]
            for smaller in itertools.product(others, repeat=disc):
                left = {**dict(enumerate(smaller)), disc: start}
                rules.append(rule(discs, left, {disc: end}, f"{disc + 1}from{start}>{end}"))
    return text(f"Tower of Hanoi (Edouard Lucas, 1883), {discs} discs on {pegs} pegs", [],
                [f"{pegs}N"] * discs, rules, [[pegs] * discs])


def towers(pegs, discs):
    """A variable for each disc and peg: is the disc there? One rule for each disc and pair of pegs."""
    def at(disc, peg):
        return disc * pegs + peg
    rules = []
    for disc in range(discs):
        for start, end in itertools.permutations(range(pegs), 2):
            clear = {at(small, peg): 0 for small in range(disc) for peg in (start, end)}
            rules.append(rule(pegs * discs, {**clear, at(disc, start): 1, at(disc, end): 0},
                              {at(disc, start): 0, at(disc, end): 1}, f"{disc + 1}from{start + 1}>{end + 1}"))
    goal = [int(peg == pegs - 1) for _ in range(discs) for peg in range(pegs)]
    return text(f"Tower of Hanoi, {discs} discs on {pegs} pegs, two values a variable", [], ["2"] * (pegs * discs),
                rules, [goal])


def pancake(count):
    """A variable for each place from the top: its pancake."""
    rules = [rule(count, {i: f"V{i}" for i in range(flip)}, {i: f"V{flip - 1 - i}" for i in range(flip)}, str(flip))
             for flip in range(2, count + 1)]
    return text(f"Pancake sorting (Jacob E. Goodman, 1975), {count} pancakes", [], [f"{count}N"] * count, rules,
                [range(1, count + 1)])


def topspin(count, run):
    """A variable for each place behind token 1: turning the whole ring is no move, as in the built-in puzzle."""
    rules = []
    for first in range(count):
        ring = list(range(count))
        places = [(first + i) % count for i in range(run)]
        for place, source in zip(places, reversed(places)):
            ring[place] = source
        zero = ring.index(0)
        turned = [ring[(zero + 1 + i) % count] - 1 for i in range(count - 1)]
        moved = [i for i in range(count - 1) if turned[i] != i]
        rules.append(rule(count - 1, {i: f"V{i}" for i in range(count - 1)}, {i: f"V{turned[i]}" for i in moved},
                          f"turn{first + 1}"))
    return text(f"TopSpin (Ferdinand Lammertink, 1988), {count} tokens, a turnstile of {run}",
                [f"DOMAIN token {count - 1} " + " ".join(str(i) for i in range(2, count + 1))],
                ["token"] * (count - 1), rules, [range(2, count + 1)])


def slide(rows, columns, upright=1):
    """A variable for each cell: its tile, or B for the blank. upright: what a move up or down costs."""
    cells = rows * columns
    rules = []
    for cell in range(cells):
        row, column = divmod(cell, columns)
        for word, down, right in (("U", -1, 0), ("D", 1, 0), ("L", 0, -1), ("R", 0, 1)):
            if 0 <= row + down < rows and 0 <= column + right < columns:
                other = cell + down * columns + right
                cost = f" COST {upright}" if down != 0 and upright != 1 else ""
                rules.append(rule(cells, {cell: "B", other: "X"}, {cell: "X", other: "B"}, word + cost))
    costs = f", up and down at a cost of {upright}" if upright != 1 else ""
    return text(f"Sliding tiles (Noyes Palmer Chapman, 1874), {rows} x {columns}; a move is that of the blank{costs}",
                [f"DOMAIN tile {cells} B " + " ".join(str(i) for i in range(1, cells))], ["tile"] * cells, rules,
                [[*range(1, cells), "B"]])


def lights(rows, columns):
    """A variable for each lamp. A press turns a lamp and its neighbours: a rule for each of their states."""
    cells = rows * columns
    rules = []
    for cell in range(cells):
        row, column = divmod(cell, columns)
        cross = [(row + r) * columns + column + c for r, c in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
                 if 0 <= row + r < rows and 0 <= column + c < columns]
        for lamps in itertools.product((0, 1), repeat=len(cross)):
            rules.append(rule(cells, dict(zip(cross, lamps)), {i: 1 - lamp for i, lamp in zip(cross, lamps)},
                              f"press{cell + 1}"))
    return text(f"Lights Out (Tiger Electronics, 1995), {rows} x {columns}", [], ["2"] * cells, rules, [[0] * cells])


def arrow(count):
    """A variable for each arrow, up or down. A move turns two neighbours."""
    rules = [rule(count, {i: a, i + 1: b}, {i: 1 - a, i + 1: 1 - b}, f"flip{i + 1}")
             for i in range(count - 1) for a, b in itertools.product((0, 1), repeat=2)]
    return text(f"Arrow puzzle, {count} arrows, as in Robert Holte's PSVN examples", [], ["2"] * count, rules,
                [[0] * count])


def gripper(balls):
    """The robot's room, its two grippers, and where each ball is: room A, room B, or in a gripper."""
    places = 3 + balls
    rules = [rule(places, {0: a}, {0: b}, f"go-{b}") for a, b in (("A", "B"), ("B", "A"))]
    for ball in range(balls):
        for hand, side in ((1, "left"), (2, "right")):
            free, held = {hand: "empty"}, {hand: ball + 1}
            rules.append(rule(places, {0: "R", **free, 3 + ball: "R"}, {**held, 3 + ball: "held"},
                              f"pick-{ball + 1}-{side}"))
            rules.append(rule(places, {0: "R", **held, 3 + ball: "held"}, {**free, 3 + ball: "R"},
                              f"drop-{ball + 1}-{side}"))
    return text(f"Gripper (first International Planning Competition, 1998), {balls} balls",
                ["DOMAIN room 3 A B held", f"DOMAIN hand {balls + 1} empty " + " ".join(map(str, range(1, balls + 1)))],
                ["room", "hand", "hand"] + ["room"] * balls, rules, [["A", "empty", "empty"] + ["B"] * balls])


def blocks(count):
    """What the hand holds, and for each block what it stands on and what stands on it."""
    names = [f"b{i + 1}" for i in range(count)]
    places = 1 + 2 * count
    on, top = (lambda b: 1 + 2 * b), (lambda b: 2 + 2 * b)
    rules = []
    for b in range(count):
        clear, held = {0: "none", top(b): "none"}, {0: names[b], on(b): "none", top(b): "none"}
        rules.append(rule(places, {**clear, on(b): "table"}, {0: names[b], on(b): "none"}, f"pick-{names[b]}"))
        rules.append(rule(places, held, {0: "none", on(b): "table"}, f"put-{names[b]}"))
        for c in range(count):
            if c != b:
                rules.append(rule(places, {**clear, on(b): names[c], top(c): names[b]},
                                  {0: names[b], on(b): "none", top(c): "none"}, f"unstack-{names[b]}-{names[c]}"))
                rules.append(rule(places, {**held, top(c): "none"},
                                  {0: "none", on(b): names[c], top(c): names[b]}, f"stack-{names[b]}-{names[c]}"))
    goal = ["none"]
    for b in range(count):
        goal += [names[b + 1] if b + 1 < count else "table", names[b - 1] if b > 0 else "none"]
    return text(f"Blocks world (Terry Winograd, 1971), {count} blocks, one hand",
                [f"DOMAIN thing {count + 2} none table " + " ".join(names)], ["thing"] * places, rules, [goal])


PUZZLES = {"hanoi": (hanoi, "pegs discs"), "towers": (towers, "pegs discs"), "pancake": (pancake, "pancakes"),
           "topspin": (topspin, "tokens turnstile"), "slide": (slide, "rows columns"),
           "slidecosts": (slide, "rows columns upright"), "lights": (lights, "rows columns"), "arrow": (arrow, "arrows"),
           "gripper": (gripper, "balls"), "blocks": (blocks, "blocks")}


def main():
    """Writes the definition that the arguments name."""
    known = PUZZLES.get(sys.argv[1] if len(sys.argv) > 1 else "")
    if known is None or len(sys.argv) - 2 != len(known[1].split()):
        sys.exit("usage: generate.py PUZZLE NUMBERS\n" + "\n".join(f"  {name} {row[1]}" for name, row in PUZZLES.items()))
    sys.stdout.write(known[0](*map(int, sys.argv[2:])))


if __name__ == "__main__":
    main()
