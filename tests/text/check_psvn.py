#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds definitions against a plain interpreter: levels, moves with their labels, goals, predecessors, canonical texts,
lower bounds by abstractions.

    tests/text/check_psvn.py TEXT_MOVES [COUNT [SEED]]

A definition that fails is made smaller as long as it fails, and shown."""
import itertools
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from plain_psvn import Plain  # pylint: disable=wrong-import-position

STATES_MAX = 600
WIDE = "65536"  # a domain of 16 bits, whose variables are left alone: then a state takes 1, 2, 4 or 8 words


class Maker:
    """Makes a random definition: header and rules, so that rules can be left out."""

    def __init__(self, chance):
        self.chance = chance
        self.domains = {}
        for i in range(chance.randint(0, 2)):
            size = chance.randint(1, 4)
            self.domains[f"Kind{i}"] = chance.sample(["red", "Blue", "1", "3", "?x", "none", "a-b"], size)
        kinds = list(self.domains) + ["2", "3", "3N", "4n", "1"]
        self.places, states = [], 1
        while len(self.places) < 6:
            kind = chance.choice(kinds)
            states *= len(self.values(kind))
            if states > STATES_MAX:
                break
            self.places.append(kind)
        for _ in range(chance.choice([0, 0, 4, 9, 18])):
            self.places.insert(chance.randint(0, len(self.places)), WIDE)
        self.costs = chance.choice([[""], ["", " COST 1"], ["", " COST 0", " COST 2", " cost 3", " COST 7"]])
        if chance.random() < 0.25:
            self.carry()
            return
        self.rules = [self.rule() for _ in range(chance.randint(1, 8))]
        self.goals = [f"GOAL {self.side(0.4, 0.2)}" for _ in range(chance.randint(0, 3))]

    def carry(self):
        """Makes rules that only carry values about, as those of sliding tiles do, and a goal without open places."""
        chance = self.chance
        kind = chance.choice(["2", "3N", "4", "4"])
        self.places = [kind] * {"2": 7, "3N": 5, "4": 4}[kind]
        blank = chance.choice([None, self.values(kind)[0], self.values(kind)[0]])
        most = chance.choice([2, 2, 3])
        self.rules = []
        for _ in range(chance.randint(2, 8)):
            places = chance.sample(range(len(self.places)), chance.randint(2, most))
            words = ["X", "y", "Z"][:len(places)]
            if blank is not None:
                words[0] = blank
            elif chance.random() < 0.2:
                words[0] = chance.choice(self.values(kind))
            left, right = ["-"] * len(self.places), ["-"] * len(self.places)
            for place, word, then in zip(places, words, words[1:] + words[:1]):
                left[place], right[place] = word, then
            if chance.random() < 0.1:
                free = chance.choice([place for place in range(len(self.places)) if place not in places])
                left[free] = chance.choice(self.values(kind))
            self.rules.append(f"{' '.join(left)} => {' '.join(right)}{chance.choice(self.costs)}")
        goal = self.values(kind) + [chance.choice(self.values(kind)) for _ in self.places]
        goal = goal[:len(self.places)]
        chance.shuffle(goal)
        self.goals = [f"GOAL {' '.join(goal)}"]

    def values(self, kind):
        """Returns the values of a domain, in any spelling of its name."""
        if kind in self.domains:
            return self.domains[kind]
        first = int(kind[-1] in "Nn")
        return [str(first + i) for i in range(int(kind.rstrip("Nn")))]

    def side(self, value, name):
        """Returns one side of a rule; value and name are how likely these are."""
        words = []
        for kind in self.places:
            draw = self.chance.random()
            word = "-"
            if kind == WIDE:
                pass
            elif draw < value:
                word = self.chance.choice(self.values(kind))
                word = self.chance.choice([word, word.upper(), word.lower()])
            elif draw < value + name:
                word = self.chance.choice(["X", "y", "Z"])
            words.append(word)
        return " ".join(words)

    def rule(self):
        """Returns a rule, over one line or more, with a label or not."""
        space = self.chance.choice([" ", "\n  ", " ; a comment => - \n "])
        label = self.chance.choice(["", f"{space}LABEL go{self.chance.randint(1, 3)}", " label Put>it(2)", " LABEL go1~2"])
        return f"{self.side(0.3, 0.3)}{space}=>{space}{self.side(0.3, 0.3)}{label}{self.chance.choice(self.costs)}"

    def text(self):
        """Returns the definition as it is now."""
        lines = ["# random"]
        lines += [f"Domain {name} {len(values)} {' '.join(values)}" for name, values in self.domains.items()]
        lines += [str(len(self.places)), " ".join(self.places), *self.rules, *self.goals]
        return "\n".join(lines) + "\n"


class Checker:
    """Runs the program that is checked."""

    def __init__(self, program, folder):
        self.program, self.file = program, Path(folder) / "it.psvn"
        self.bounds = 0  # collections of patterns that were looked at

    def run(self, *words, lines=""):
        """Returns the program's status and output."""
        done = subprocess.run([self.program, self.file, *words], input=lines, capture_output=True, text=True, check=False)
        if done.returncode < 0:
            sys.exit(f"{words} died of signal {-done.returncode} on\n{self.file.read_text(encoding='ascii')}")
        return done.returncode, done.stdout

    def moves(self, mode, states):
        """Returns for each state whether it is a goal, and its moves."""
        status, out = self.run(mode, lines="".join(",".join(state) + "\n" for state in states))
        if status != 0:
            return out
        rows = [line.split() for line in out.splitlines()]
        found = []
        for row in rows:
            best = {}
            for label, cost, made in (word.rsplit(">", 2) for word in row[1:]):
                if made not in best or int(cost) < best[made][1]:
                    best[made] = label, int(cost)
            if len({label for label, _ in best.values()}) < len(best):
                return "two moves have one word"
            found.append((row[0] == "1", {(*how, tuple(made.split(","))) for made, how in best.items()}))
        return found

    def levels_fault(self, plain, state, moves):
        """Returns what differs of the levels from a state, and of those to the goals. moves: of all states."""
        for what in ("levels", "goals")[:1 + bool(plain.goals)]:
            for threads in ["0"] if plain.has_costs() else ["0", "1", "2"]:
                _, out = self.run(what, ",".join(state), threads)
                found = out.split()
                whole = found[:1] == ["whole"]
                if whole and any(state not in (made for _, made in moves[to]) for state in moves for _, to in moves[state]):
                    return "moves cannot be undone"
                expected = (plain.levels(state) if what == "levels" else
                            plain.levels_to_goals(moves if whole else plain.reached(state)))
                if found[whole:] != [str(count) for count in expected]:
                    return f"{what} from {state} by {threads} threads: {found}, not {expected}"
        return ""

    def bounds_fault(self, plain, moves):
        """Returns what is wrong with lower bounds of all states, and with the costs of solutions by them."""
        exact = plain.to_goals(moves)
        for width in ("0", "1", "2", "3"):
            status, out = self.run("bounds", width, lines="".join(",".join(state) + "\n" for state in moves))
            rows = [line.split() for line in out.splitlines()]
            if status == 0 and rows[0][0] == "none":
                continue
            self.bounds += 1
            bound = {state: int(row[0]) if int(row[0]) < 40000 else math.inf for state, row in zip(moves, rows)}
            for state, row in zip(moves, rows):
                distance = exact.get(state, math.inf)
                if bound[state] > distance or any(bound[state] > cost + bound[made] for cost, made in moves[state]):
                    return f"bound {bound[state]} of {state} by {width} atoms, and it is {distance} away"
                if len(row) > 1 and row[1] != ("-" if distance == math.inf else str(distance)):
                    return f"{state} is solved by {row[1]}, and it is {distance} away"
        return ""

    def fault(self, text):
        """Returns what differs from the plain interpreter; "" for nothing."""
        self.file.write_text(text, encoding="ascii")
        plain = Plain(text)
        states = list(itertools.product(*(["0"] if kind == WIDE else values
                                          for kind, values in zip(plain.kinds, plain.values))))
        forward = {state: plain.moves(state) for state in states}
        status, canonical = self.run()
        if not any(forward.values()):
            return "" if "changes anything" in canonical or status == 0 else "no move, and no word of it"
        if status != 0:
            return canonical
        if self.moves("moves", states) != [(plain.is_goal(state), forward[state]) for state in states]:
            return "moves"
        before = {state: set() for state in states}
        for state, moves in forward.items():
            for _, _, made in moves:
                before[made].add(state)
        back = self.moves("backwards", states)
        if isinstance(back, str) or [{made for _, _, made in moves} for _, moves in back] != [before[s] for s in states]:
            return "predecessors"
        moves = {state: [(cost, made) for _, cost, made in edges] for state, edges in forward.items()}
        if plain.goals:
            fault = self.bounds_fault(plain, moves)
            if fault:
                return fault
        for state in random.Random(len(text)).sample(states, min(3, len(states))):
            fault = self.levels_fault(plain, state, moves)
            if fault:
                return fault
        self.file.write_text(canonical, encoding="ascii")
        return "" if self.run() == (0, canonical) else "the canonical text has another canonical text"


def shrink(checker, maker):
    """Leaves out rules and goals as long as the fault stays."""
    for rows in (maker.rules, maker.goals):
        for row in list(rows):
            at = rows.index(row)
            rows.remove(row)
            if (not maker.rules) or not checker.fault(maker.text()):
                rows.insert(at, row)


def main():
    """Returns the exit status."""
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 2026
    moves = 0
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(sys.argv[1], folder)
        for number in range(count):
            maker = Maker(random.Random(f"{seed}-{number}"))
            fault = checker.fault(maker.text())
            if fault:
                shrink(checker, maker)
                print(f"seed {seed}, definition {number}: {checker.fault(maker.text())}\n{maker.text()}")
                return 1
            moves += len(maker.rules)
    print(f"{count} definitions with {moves} rules mean what the plain interpreter says, {checker.bounds} bounds hold")
    if checker.bounds < count // 4:
        print("too few bounds")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
