#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the definition of a twisty puzzle from its geometry: cube2, cube3, cube5, pyraminx, skewb or dino; of LRX, lrx12; or of what
is left of the 3×3×3 where only this is seen, cube3-twists-flips-slice: of the corners their places (corners) and turns (twists), of the
edges their places (edges), which four belong between U and D (slice), and their turns (flips). U, D, R2, L2, F2, B2 change no turn.

A piece is a point with stickers, directions in the order of the clock as seen from outside. A move is a third or a
quarter of a turn about an axis, of the pieces that lie on one side of a plane. Its turn is by how many stickers a piece
is ahead of the place that it comes to. Comments that begin with #net say where each sticker lies when the surface is unfolded
(docs/twisty.md): puzzled draws by them.
"""
import sys
from itertools import permutations, product


def rotate(axis, quarter, point):
    """Turns a point clockwise about an axis, as seen from its end: a quarter about a face's, a third about a corner's."""
    x, y, z = axis
    if quarter:
        px, py, pz = (a * b for a, b in zip(axis, point))
        along = tuple(a * (px + py + pz) for a in axis)
        cross = (point[1] * z - point[2] * y, point[2] * x - point[0] * z, point[0] * y - point[1] * x)
        return tuple(a + b for a, b in zip(along, cross))
    # By conjugation with a mirror of each negative coordinate; each one reverses the sense.
    a, b, c = point[0] * x, point[1] * y, point[2] * z
    a, b, c = (b, c, a) if x * y * z > 0 else (c, a, b)
    return (a * x, b * y, c * z)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def clockwise(point, first):
    """Returns the three stickers of a corner in clockwise order."""
    corner = tuple(1 if x > 0 else -1 for x in point)
    second = rotate(corner, False, first)
    return [first, second, rotate(corner, False, second)]


def layer(axis, quarter, least, most=9):
    """Returns a move of the pieces that lie that far along the axis."""
    return lambda name, point: rotate(axis, quarter, point) if least <= dot(axis, point) <= most else point, \
        lambda name, point, sticker: rotate(axis, quarter, sticker) if least <= dot(axis, point) <= most else sticker


def spot(axis, only):
    """Returns a move that turns the one piece of a set on its axis."""
    return lambda name, point: point, \
        lambda name, point, sticker: (rotate(axis, False, sticker) if name == only and point == axis else sticker)


FACES = {"U": (0, 0, 1), "R": (1, 0, 0), "F": (0, -1, 0), "D": (0, 0, -1), "L": (-1, 0, 0), "B": (0, 1, 0)}
CORNERS = list(product((1, -1), repeat=3))
EVEN = [c for c in CORNERS if c[0] * c[1] * c[2] > 0]  # the corners of a tetrahedron
TIPS = dict(zip("ULRB", EVEN))


def corner_name(corner):
    """Returns the letters of the three faces that meet in a corner of a cube."""
    return "".join(letter for letter in "UDFBRL" if dot(FACES[letter], corner) > 0)


def cube_corners(corners):
    return {point: clockwise(point, (0, 0, point[2])) for point in corners}


def cube2():
    return {"CORNER": cube_corners(CORNERS)}, {name: layer(face, True, 1) for name, face in FACES.items()}


def faces_at(point, surface):
    """Returns the faces that a piece lies in, of a cube of which the surface is so far from the centre."""
    return [face for face in FACES.values() if dot(face, point) == surface]


# Words of scrambles, by moves and turns of the whole cube: two layers, and the one between two faces.
WIDE = {"r": "L x", "l": "R x'", "u": "D y", "d": "U y'", "f": "B z", "b": "F z'", "M": "L' R x'", "E": "D' U y'", "S": "F' B z"}
WIDE.update({name.upper() + "w": words for name, words in WIDE.items() if name.islower()})


def cube3_edges():
    return {p: faces_at(p, 1) for p in product((-1, 0, 1), repeat=3) if p.count(0) == 1}


def cube3():
    """The 3×3×3. The six centres stay where they are: they are no pieces."""
    turns = {name: layer(FACES[face], True, -9) for name, face in (("x", "R"), ("y", "U"), ("z", "F"))}
    return {"CORNER": cube_corners(CORNERS), "EDGE": cube3_edges()}, {**cube2()[1], **turns}, None, WIDE


def cube5():
    """The 5×5×5 without the six centres that stay. A layer turns alone: U the outer one, 2U the one below."""
    at = [p for p in product(range(-2, 3), repeat=3) if 2 in map(abs, p)]
    shapes = {"CORNER": [2, 2, 2], "EDGE": [0, 2, 2], "WING": [1, 2, 2], "X": [1, 1, 2], "T": [0, 1, 2]}
    sets = {name: {p: [None] for p in at if sorted(map(abs, p)) == shape} for name, shape in shapes.items()}
    sets["CORNER"] = cube_corners(sets["CORNER"])
    sets["EDGE"] = {p: [tuple(2 * x for x in face) for face in faces_at(p, 2)] for p in sets["EDGE"]}
    outer = {name: layer(face, True, 2) for name, face in FACES.items()}
    inner = {"2" + name: layer(face, True, 1, 1) for name, face in FACES.items()}
    colour = list(FACES.values())
    alike = {name: [colour.index(faces_at(p, 2)[0]) + 1 for p in sorted(sets[name], reverse=True)] for name in "XT"}
    return sets, {**outer, **inner}, alike


def dino():
    edges = {point: [None] for point in {p for s in product((1, -1), repeat=2) for p in permutations((*s, 0))}}
    return {"EDGE": edges}, {corner_name(c): layer(c, False, 2) for c in CORNERS}


def skewb():
    centers = {face: [None] for face in FACES.values()}
    sets = {"CORNER": cube_corners(EVEN), "OTHER": cube_corners(c for c in CORNERS if c not in EVEN), "CENTER": centers}
    return sets, {corner_name(c): layer(c, False, 1) for c in CORNERS}


def pyraminx():
    opposite = {name: tuple(-x for x in v) for name, v in TIPS.items()}
    faces = opposite.values()
    tips = {v: clockwise(v, next(f for f in faces if dot(f, v) > 0)) for v in EVEN}
    edges = {point: [f for f in faces if dot(f, point) > 0] for point in FACES.values()}
    # The layer opposite to a corner, and the corner's tip.
    moves = {name: layer(face, False, 1) for name, face in opposite.items()}
    moves.update({name.lower(): spot(v, "TIP") for name, v in TIPS.items()})
    return {"TIP": tips, "AXIAL": dict(tips), "EDGE": edges}, moves


# ---- the net ----

COLOURS = dict(zip(FACES.values(), ("white", "red", "green", "yellow", "orange", "blue")))
# Of each face of a cube: the directions that are right and down on the net, and where it lies there, in faces.
LAID = {"U": ("R", "F", 1, 0), "L": ("F", "D", 0, 1), "F": ("R", "D", 1, 1), "R": ("B", "D", 2, 1), "B": ("L", "D", 3, 1), "D": ("R", "B", 1, 2)}
BETWEEN = 0.2  # cells between two faces


def on_face(face, point, step, cells):
    """Returns where a point of a cube lies on the net, which face its column and row count from, and both."""
    right, down, column, row = LAID[next(name for name, normal in FACES.items() if normal == face)]
    middle = (cells - 1) / 2
    x, y = dot(FACES[right], point) / step + middle, dot(FACES[down], point) / step + middle
    return column * (cells + BETWEEN), row * (cells + BETWEEN), x, y


def square(cells, step=1):
    """Returns a sticker of a cube with so many cells along a side: its shape, place and size."""
    def sticker(_name, point, face):
        left, top, x, y = on_face(face, point, step, cells)
        return "", left + x, top + y, 1, 1
    return sticker


def centre_square(sticker):
    """The six centres that are no pieces."""
    return [(COLOURS[face], *sticker("", face, face)) for face in FACES.values()]


def skewb_sticker(name, point, face):
    left, top, x, y = on_face(face, point, 2, 2)
    if name == "CENTER":
        return "diamond", left, top, 2, 2
    return ("upper" if y < 0.5 else "lower") + ("left" if x < 0.5 else "right"), left + x, top + y, 1, 1


def dino_sticker(_name, point, face):
    left, top, x, y = on_face(face, point, 2, 2)
    if x == 0.5:
        return ("down" if y == 0 else "up"), left, top + y, 2, 1
    return ("right" if x == 0 else "left"), left + x, top, 1, 2


def pyraminx_sticker(name, point, face):
    """The front face points up, the others hang at its sides."""
    high = 3 * 3 ** 0.5 / 2
    missing = next(key for key, tip in TIPS.items() if dot(tip, face) < -1)
    flat = {"B": {"U": (3.5, 0), "L": (2, high), "R": (5, high)}, "L": {"U": (4, 0), "B": (7, 0), "R": (5.5, high)},
            "R": {"B": (0, 0), "U": (3, 0), "L": (1.5, high)}, "U": {"L": (2, high + 0.4), "R": (5, high + 0.4), "B": (3.5, 2 * high + 0.4)}}[missing]
    middle = tuple(sum(xs) / 3 for xs in zip(*flat.values()))
    near = [at for key, at in flat.items() if dot(TIPS[key], point) > 0]
    far = [at for at in flat.values() if at not in near]

    def part(a, b):  # a third of the way
        return tuple((2 * x + y) / 3 for x, y in zip(a, b))
    if name == "EDGE":
        corners = [part(*near), part(*near[::-1]), middle]
    else:
        corners = [near[0] if name == "TIP" else middle, part(near[0], far[0]), part(near[0], far[1])]
    xs, ys = zip(*corners)
    return ("up" if sum(ys) / 3 > (min(ys) + max(ys)) / 2 else "down"), min(xs), min(ys), 1, high / 3


def order_stickers(name, pieces, moves):
    """Returns the faces that the stickers of each place lie on: of pieces that do not turn in the order in which moves carry them."""
    if pieces[next(iter(pieces))] != [None]:
        return {place: [tuple((x > 0) - (x < 0) for x in sticker) for sticker in stickers] for place, stickers in pieces.items()}
    ordered = {}
    for begin in pieces:
        if begin not in ordered:
            ordered[begin] = faces_at(begin, max(map(abs, begin)))
        waiting = [begin]
        while waiting:
            place = waiting.pop()
            for carry, turn in moves.values():
                to, stickers = carry(name, place), [turn(name, place, sticker) for sticker in ordered[place]]
                if to not in ordered:
                    ordered[to] = stickers
                    waiting.append(to)
                assert ordered[to] == stickers, "a piece turns, and its set has no turns"
    return ordered


def write_net(sets, moves, sticker, colours, fixed=()):
    """Prints the comments that say where stickers lie: sticker(set, place, face) gives shape, place and size."""
    def word(colour, shape, x, y, width, height):
        size = "" if width == height == 1 else f",{width:.4g},{height:.4g}"
        return colour + ("-" + shape if shape else "") + f":{x:.4g},{y:.4g}{size}"
    for name, pieces in sets.items():
        ordered = order_stickers(name, pieces, moves)
        places = sorted(pieces, reverse=True)
        print("#net", name, *(word(colours[face], *sticker(name, place, face)) for place in places for face in ordered[place]))
    if fixed:
        print("#net -", *(word(*one) for one in fixed))


def write(sets, moves, alike=None, aliases=None):
    """Prints a definition. alike: of sets in which pieces look alike, the number of each. aliases: words of scrambles."""
    for name, pieces in sets.items():
        print("Set", name, len(pieces), len(next(iter(pieces.values()))))
    if alike:
        print("Solved")
        for name, numbers in alike.items():
            print(name)
            print(*numbers)
        print("End")
    for move, (carry, turn) in moves.items():
        print("Move", move)
        for name, pieces in sets.items():
            places = sorted(pieces, reverse=True)
            source, ahead = [0] * len(places), [0] * len(places)
            for i, place in enumerate(places):
                to = carry(name, place)
                source[places.index(to)] = i + 1
                stickers = pieces[place]
                if len(stickers) > 1:
                    ahead[i] = pieces[to].index(turn(name, place, stickers[0])) % len(stickers)
            if source == list(range(1, len(places) + 1)) and not any(ahead):
                continue
            print(name)
            print(*source)
            if any(ahead):
                print(*ahead)
        print("End")
    for alias, words in (aliases or {}).items():
        print("MoveAlias", alias, words)


TRIANGLES = {tuple(-x for x in v): colour for v, colour in zip(EVEN, ("yellow", "blue", "red", "green"))}
NETS = {"cube2": (square(2, 2), COLOURS), "cube3": (square(3), COLOURS, centre_square(square(3))), "dino": (dino_sticker, COLOURS),
        "cube5": (square(5), COLOURS, centre_square(square(5))), "skewb": (skewb_sticker, COLOURS),
        "pyraminx": (pyraminx_sticker, TRIANGLES)}
PUZZLES = {"cube2": cube2, "cube3": cube3, "cube5": cube5, "dino": dino, "skewb": skewb, "pyraminx": pyraminx}


def write_seen(seen):
    """Prints the 3×3×3 of which only what the words name is seen. A turned edge has its U or D, else its F or B, elsewhere."""
    edges = {p: sorted(faces, key=lambda face: "UDFBRL".index(corner_name(face))) for p, faces in cube3_edges().items()}
    sets = {"CORNER": cube_corners(CORNERS), "EDGE": edges}
    for name, turns in (("CORNER", "twists"), ("EDGE", "flips")):
        if turns not in seen:
            sets[name] = {place: [None] for place in sets[name]}
    slices = [1 + (place[2] == 0) * ("slice" in seen) for place in sorted(edges, reverse=True)]
    write(sets, cube2()[1], {"CORNER": range(1, 9) if "corners" in seen else [1] * 8, "EDGE": range(1, 13) if "edges" in seen else slices})


def write_lrx(pieces):
    """Prints LRX: pieces in a row; L turns the row as a ring by one place, X swaps the first two. metric=quarter has L, L' and X."""
    row = list(range(1, pieces + 1))
    print(f"Set PIECE {pieces} 1")
    for move, source in (("L", row[1:] + row[:1]), ("X", [2, 1] + row[2:])):
        print(f"Move {move}\nPIECE\n{' '.join(map(str, source))}\nEnd")


def main():
    """Prints the definition that the argument names."""
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    is_lrx = name.startswith("lrx") and name[3:].isdigit() and 3 <= int(name[3:]) <= 128
    if not is_lrx and not name.startswith("cube3-") and name not in PUZZLES:
        sys.exit("usage: generate_twisty.py lrxN|cube3-[corners|twists|edges|slice|flips]-…|" + "|".join(PUZZLES))
    print(f"# {name}, written by generate_twisty.py")
    if is_lrx:
        write_lrx(int(name[3:]))
    elif name.startswith("cube3-"):
        write_seen(name.split("-")[1:])
    else:
        made = PUZZLES[name]()
        write_net(*made[:2], *NETS[name])
        write(*made)


if __name__ == "__main__":
    main()
