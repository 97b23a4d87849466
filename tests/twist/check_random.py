#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Level counts of random definitions: by both engines, both metrics, one and three threads, and a plain interpreter. Lower bounds
by abstractions against all distances."""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import plain_tws

DEFINITIONS, MOST_STATES = 50, 3000


def random_move(chance, sets):
    """Returns the lines of a move of few pieces: a cycle or two in some sets, with random turns."""
    lines = []
    for name, (pieces, turns) in sets.items():
        if chance.random() < 0.25:
            continue
        source = list(range(1, pieces + 1))
        for _ in range(chance.randint(0, 2)):
            cycle = chance.sample(range(pieces), min(pieces, chance.randint(2, 4)))
            first = source[cycle[0]]
            for a, b in zip(cycle, cycle[1:]):
                source[a] = source[b]
            source[cycle[-1]] = first
        lines += [name, " ".join(map(str, source))]
        if turns > 1 and chance.random() < 0.7:
            lines.append(" ".join(str(chance.randrange(turns) if chance.random() < 0.4 else 0) for _ in source))
    return lines


def random_solved(chance, sets):
    lines = []
    for name, (pieces, turns) in sets.items():
        way = chance.random()
        if way < 0.4:
            continue
        kinds = chance.randint(1, pieces)
        numbers = [str(chance.randint(1, kinds)) for _ in range(pieces)] if way < 0.8 else \
            [chance.choice(["?", str(i + 1)]) for i in range(pieces)]
        lines += [name, " ".join(numbers)]
        if turns > 1 and way < 0.6:
            kept = chance.random() < 0.5
            blind = {number for number in numbers if not kept and chance.random() < 0.3}
            lines.append(" ".join("?" if n in blind else str(chance.randrange(turns)) for n in numbers))
    return lines


def given_pieces(lines, name, pieces):
    """Returns the different numbers of a set's pieces."""
    solved = lines[lines.index("Solved"):lines.index("End")]
    numbers = solved[solved.index(name) + 1].split() if name in solved else map(str, range(1, pieces + 1))
    return sorted({number for number in numbers if number != "?"})


def random_text(chance):
    sets = {f"S{i}": (chance.choice([2, 3, 4, 5, 6, 8, 9]), chance.choice([1, 1, 2, 3, 4]))
            for i in range(chance.randint(1, 3))}
    if chance.random() < 0.1:
        sets["WIDE"] = (70, 1)  # more pieces than a state has bytes
    lines = ["# random", "Name random"] + [f"Set {name} {p} {t}" for name, (p, t) in sets.items()]
    lines += ["Solved", *random_solved(chance, sets), "End"]
    names = chance.sample(["U", "R", "F2", "mid", "x", "Bv", "D"], chance.randint(1, 4))
    for name in names:
        lines += [f"Move {name}", *random_move(chance, sets), "End"]
    word = chance.choice(names)
    if chance.random() < 0.2:
        lines.append(f"MoveSequence Mix {word} {chance.choice(names)}2' Other,{word}'")
        lines.append(f"MoveAlias Other {word}'  # known further down")
    if chance.random() < 0.2:
        lines.append(f"MoveSequence Twice {word} {word}")
    if chance.random() < 0.25:
        name, (pieces, _) = chance.choice(list(sets.items()))
        place = chance.randint(1, pieces)
        lines += [f"Illegal {name} {place} {piece}" for piece in given_pieces(lines, name, pieces)
                  if chance.random() < 0.4]
    return "\n".join(lines) + "\n"


def found(program, path, metric, engine, threads):
    run = subprocess.run([program, path, metric, engine, str(threads)], capture_output=True, text=True, check=False)
    return [int(line) for line in run.stdout.split()] if run.returncode == 0 else run.stderr.strip()


def random_orbits(chance, text):
    """An abstraction by orbits: some moves or powers, and what is dropped of sets."""
    lines = [line.split() for line in text.splitlines()]
    moves = [line[1] + chance.choice(["", "", "2", "3"]) for line in lines
             if line[:1] in (["Move"], ["MoveSequence"]) and line[1] not in ("x", "Bv") and chance.random() < 0.6]
    sets = [line[1] + chance.choice(["", ",pieces", ",turns"]) for line in lines
            if line[:1] == ["Set"] and chance.random() < 0.3]
    return "/".join(["orbits", ",".join(moves), *sets])


def bounds_that_hold(program, path, seed, text):
    """By how many of four widths, and abstractions by orbits, there is a bound; each is checked by the program."""
    bounds = 0
    chance = random.Random(seed)
    for width in [*range(4), "orbits", *(random_orbits(chance, text) for _ in range(2))]:
        run = subprocess.run([program, path, "turn", "bounds", str(width)], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"{seed}, bounds by {width}: {run.stderr}{text}")
        bounds += run.stdout[:4] != "none"
    return bounds


def shrink(program, folder, text, metric, engine, threads):
    """Leaves out moves as long as the answers differ."""
    parts = text.split("Move ")
    for i in range(len(parts) - 1, 0, -1):
        smaller = "Move ".join(parts[:i] + parts[i + 1:])
        path = folder / "smaller.tws"
        path.write_text(smaller)
        if len(parts) > 2 and plain_tws.levels(smaller, metric, MOST_STATES) not in (
                None, found(program, path, metric, engine, threads)):
            return shrink(program, folder, smaller, metric, engine, threads)
    return text


def main(program, first, count):
    seed, checked, refused, bounded = first, 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while checked < count:
            text = random_text(random.Random(seed))
            seed += 1
            expected = {metric: plain_tws.levels(text, metric, MOST_STATES) for metric in ("turn", "quarter")}
            if None in expected.values() or len(expected["turn"]) < 3:
                continue
            path = folder / "random.tws"
            path.write_text(text)
            for metric, engine, threads in [("turn", "ranked", 1), ("turn", "ranked", 3), ("turn", "striped", 1),
                                            ("quarter", "ranked", 1)]:
                answer = found(program, path, metric, engine, threads)
                if engine == "ranked" and "has no ranking function" in str(answer):
                    refused += 1
                    continue
                if "a state takes more than 512 bits" in str(answer):
                    break  # a text too large for any search
                if answer != expected[metric]:
                    sys.exit(f"seed {seed - 1}, {metric}, {engine}, {threads} threads: {answer}, "
                             f"expected {expected[metric]}\n"
                             + shrink(program, folder, text, metric, engine, threads))
            else:
                checked += 1
                bounded += bounds_that_hold(program, path, f"seed {seed - 1}", text)
    print(f"{checked} definitions, {refused} times without numbers, {bounded} bounds hold")
    return 1 if refused > count or bounded < count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1,
                  int(sys.argv[4]) if len(sys.argv) > 4 else DEFINITIONS))
