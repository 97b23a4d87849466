#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plain breadth-first searches, of another make than the daemon's: holds "BOARD\tMOVES…" lines of make to them.

make_plain.py rushhour|sokoban|slide|jugs < boards
"""
import sys


def rushhour(text):
    side = round(len(text) ** 0.5)
    cars, walls = {}, set()
    for i, sign in enumerate(text):
        if sign == "x":
            walls.add(i)
        elif sign != "o":
            cars.setdefault(sign, []).append(i)
    names = sorted(cars)
    lies = [cars[name][1] - cars[name][0] == 1 for name in names]

    def moves(state):
        taken = walls.union(*state)
        for number, car in enumerate(state):
            step = 1 if lies[number] else side
            for way in (step, -step):
                moved = car
                while True:
                    end = moved[-1] if way > 0 else moved[0]
                    to = end + way
                    if not 0 <= to < side * side or to in taken or (lies[number] and to // side != end // side):
                        break
                    moved = tuple(cell + way for cell in moved)
                    yield state[:number] + (moved,) + state[number + 1:]

    return tuple(tuple(cars[name]) for name in names), moves, lambda state: state[0][-1] % side == side - 1


def slide(text):
    rows = [row.split(",") for row in text.split("/")]
    cells = {(y, x): cell for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "#"}
    places = list(cells)
    goal = tuple(str(i + 1) for i in range(len(places) - 1)) + ("0",)

    def moves(state):
        blank = state.index("0")
        y, x = places[blank]
        for place in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
            if place in cells:
                after, other = list(state), places.index(place)
                after[blank], after[other] = after[other], after[blank]
                yield tuple(after)

    return tuple(cells.values()), moves, lambda state: state == goal


def sokoban(text):
    level = {(y, x): sign for y, row in enumerate(text.replace("|", "/").split("/")) for x, sign in enumerate(row)}
    where = lambda signs: frozenset(place for place, sign in level.items() if sign in signs)
    walls, goals = where("#"), where(".o*+")

    def area(boxes, player):
        found, rest = {player}, [player]
        for y, x in rest:
            for place in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if place not in found and place not in boxes and place not in walls:
                    found.add(place)
                    rest.append(place)
        return found

    def moves(state):
        boxes, player = state
        reached = area(boxes, player)
        for y, x in boxes:
            for dy, dx in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                to = (y + dy, x + dx)
                if (y - dy, x - dx) in reached and to not in walls and to not in boxes:
                    after = boxes - {(y, x)} | {to}
                    yield after, min(area(after, (y, x)))

    boxes, (player,) = where("$*"), where("@+")
    return (boxes, min(area(boxes, player))), moves, lambda state: state[0] == goals


def jugs(text):
    sizes, goal = text.removeprefix("jugs:").split(",goal:")
    sizes = [int(size) for size in sizes.split(",")]

    def moves(state):
        for i, held in enumerate(state):
            for amount in (0, sizes[i]):
                yield state[:i] + (amount,) + state[i + 1:]
            for j in range(len(state)):
                poured = min(held, sizes[j] - state[j]) if i != j else 0
                after = list(state)
                after[i] -= poured
                after[j] += poured
                yield tuple(after)

    return (0,) * len(sizes), moves, lambda state: int(goal) in state


def fewest(start, moves, solved):
    level, seen, count = [start], {start}, 0
    while level:
        if any(map(solved, level)):
            return count
        level = [after for after in {after for state in level for after in moves(state)} if after not in seen]
        seen.update(level)
        count += 1
    return -1


for line in sys.stdin:
    board, told = line.rstrip("\n").split("\t")[:2]
    found = fewest(*globals()[sys.argv[1]](board))
    if found != int(told):
        sys.exit(f"{sys.argv[1]} {board}: {told} moves by make, {found} by a plain search")
