#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plain breadth-first searches, of another make than the daemon's: holds "BOARD\tMOVES…" lines of make to them. Of Rush Hour
and Klotski it visits each board's whole space, too: no other board, nor its mirror image, may lie in it.

make_plain.py rushhour|klotski|sokoban|slide|jugs|linkup|FILE.psvn|FILE.tws < boards
"""
import functools
import pathlib
import sys

for part in ("text", "twist"):
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / part))
import plain_psvn
import plain_tws

spaces = []  # of boards of blocks: all their states


def blocks(text, lanes):
    """A state is the set of its pieces, a piece the number whose bits are its cells."""
    side = round(len(text) ** 0.5)
    rows = text.split("/") if "/" in text else [text[i:i + side] for i in range(0, side * side, side)]
    high, wide = len(rows), len(rows[0])
    pieces, walls = {}, set()
    for i, sign in enumerate("".join(rows)):
        if sign == ("x" if lanes else "#"):
            walls.add(i)
        elif sign != ("o" if lanes else "@"):
            pieces[sign] = pieces.get(sign, 0) | 1 << i

    def cells(piece):
        return [divmod(i, wide) for i in range(high * wide) if piece >> i & 1]

    def piece_of(places):
        return sum(1 << y * wide + x for y, x in places)

    @functools.cache
    def steps(piece):
        lies = lanes and piece >> 1 & piece and len({y for y, _ in cells(piece)}) == 1
        moved = [[(y + dy, x + dx) for y, x in cells(piece)] for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0))
                 if not lanes or lies == (dy == 0)]
        return [piece_of(places) for places in moved
                if all(0 <= y < high and 0 <= x < wide and y * wide + x not in walls for y, x in places)]

    def moves(state):
        taken = sum(state)
        for piece in state:
            reached = [piece]
            for at in reached:
                reached += [to for to in steps(at) if not to & taken & ~piece and to not in reached]
            for to in reached[1:]:
                yield state - {piece} | {to}

    def mirrored(state):
        return frozenset(piece_of((high - 1 - y, x) if lanes else (y, wide - 1 - x) for y, x in cells(piece)) for piece in state)

    if lanes:
        places = cells(pieces["A"])
        goal = piece_of((y, wide - 1 - x) for (y, _), x in zip(places, range(len(places))))
    else:
        goal = piece_of((y, x) for y in (high - 2, high - 1) for x in (wide // 2 - 1, wide // 2))
    begin = frozenset(pieces.values())
    for space in spaces:
        if begin in space or mirrored(begin) in space:
            sys.exit(f"{text} lies in the space of another board")
    spaces.append(whole_space(begin, moves))
    return begin, moves, lambda state: goal in state


def whole_space(begin, moves):
    found, rest = {begin}, [begin]
    for state in rest:
        fresh = set(moves(state)) - found
        found |= fresh
        rest += fresh
    return found


def rushhour(text):
    return blocks(text, True)


def klotski(text):
    return blocks(text, False)


def linkup(text):
    """A move is a line without a turn."""
    board, *words = text.removeprefix("linkup:").split(",")
    rows = board.split("/")
    tiles = {(y, x) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "."}
    ends = dict(word.split(":", 1) for word in words)
    begin, end = (tuple(map(int, ends[name].split(":"))) for name in ("from", "to"))

    def moves(at):
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            y, x = at[0] + dy, at[1] + dx
            while -1 <= y <= len(rows) and -1 <= x <= len(rows[0]) and ((y, x) not in tiles or (y, x) == end):
                yield y, x
                y, x = y + dy, x + dx

    return begin, moves, lambda at: at == end


def psvn(text, file):
    plain = plain_psvn.Plain(file.read_text())
    return tuple(text.split(",")), lambda state: [made for _, _, made in plain.moves(state)], plain.is_goal


def tws(text, file):
    sets, solved, moves, illegal = plain_tws.read(file.read_text())
    end = plain_tws.start(sets, solved)
    state = []
    for part in text.split("/"):
        pieces, _, turns = part.partition(".")
        state.append(tuple(zip(pieces.split(","), map(int, turns.split(",")))))
    return tuple(state), lambda at: plain_tws.neighbours(sets, moves, illegal, at, "turn"), lambda at: at == end


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
    file = pathlib.Path(sys.argv[1])
    reader = globals()[file.suffix[1:] or sys.argv[1]]
    found = fewest(*(reader(board, file) if file.suffix else reader(board))) - (reader is linkup)
    if found != int(told):
        sys.exit(f"{sys.argv[1]} {board}: {told} moves by make, {found} by a plain search")
