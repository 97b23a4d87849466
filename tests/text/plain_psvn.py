# SPDX-License-Identifier: MIT
"""The plainest reading of PSVN: words, dictionaries and no tables. Written from the grammar, not from the C code."""
import re


def words_of(text):
    """Returns the words of a text; comments begin with # or ; at the beginning of a word."""
    found = []
    for line in text.split("\n"):
        for word in line.split():
            if word[0] in "#;":
                break
            found.append(word)
    return found


class Plain:
    """A definition; states are tuples of the names of values."""

    def __init__(self, text):
        self.words = words_of(text)
        named = {}
        while self.words[0].upper() == "DOMAIN":
            self.words.pop(0)
            name, size = self.words.pop(0).upper(), int(self.words.pop(0))
            named[name] = [self.words.pop(0) for _ in range(size)]
        count = int(self.words.pop(0))
        self.kinds = [self.words.pop(0).upper() for _ in range(count)]
        self.values = []
        for kind in self.kinds:
            if kind in named:
                self.values.append(named[kind])
            else:
                first = int(kind.endswith("N"))
                self.values.append([str(i + first) for i in range(int(kind.removesuffix("N")))])
        self.rules, self.goals = [], []
        number = 0
        while self.words:
            if self.words[0].upper() == "GOAL":
                self.words.pop(0)
                self.goals.append(self.side())
                continue
            number += 1
            left = self.side()
            assert self.words.pop(0) == "=>"
            right, label = self.side(), f"rule_{number}"
            if self.words and self.words[0].upper() == "LABEL":
                label = self.words[1]
                del self.words[:2]
            cost = 1
            if self.words and self.words[0].upper() == "COST":
                cost = int(self.words[1])
                del self.words[:2]
            self.rules.append((left, right, label, cost))

    def side(self):
        """Reads one side: None, ("value", its spelling), ("name", name and domain) for each place."""
        cells = []
        for kind, values in zip(self.kinds, self.values):
            word = self.words.pop(0)
            same = [value for value in values if value.upper() == word.upper()]
            cells.append(None if word == "-" else ("value", same[0]) if same else ("name", (word.upper(), kind)))
        return cells

    @staticmethod
    def match(cells, state):
        """Returns what the names stand for; None if the state does not match."""
        bound = {}
        for cell, value in zip(cells, state):
            if cell is None:
                continue
            if cell[0] == "value" and cell[1] != value:
                return None
            if cell[0] == "name" and bound.setdefault(cell[1], value) != value:
                return None
        return bound

    def is_goal(self, state):
        """Returns True if a goal matches."""
        return any(self.match(goal, state) is not None for goal in self.goals)

    def moves(self, state):
        """Returns the set of (word, cost, successor); a successor has the word of the first move that makes it cheapest. The
        word is the rule's label; the second move that has the same one is called label~2."""
        found, numbers = {}, {}
        for left, right, label, cost in self.rules:
            bound = self.match(left, state)
            if bound is None:
                continue
            choices = [bound]
            for place, cell in enumerate(right):
                if cell is not None and cell[0] == "name" and cell[1] not in choices[0]:
                    choices = [{**one, cell[1]: value} for value in self.values[place] for one in choices]
            for one in choices:
                made = tuple(old if cell is None else cell[1] if cell[0] == "value" else one[cell[1]]
                             for cell, old in zip(right, state))
                if made == state:
                    continue
                numbers[label] = numbers.get(label, 0) + 1
                plain = numbers[label] == 1 and not re.search("~[0-9]+$", label)
                word = label if plain else f"{label}~{numbers[label]}"
                if made not in found or cost < found[made][1]:
                    found[made] = word, cost
        return {(*how, made) for made, how in found.items()}

    def has_costs(self):
        """Returns True if a rule that changes something costs other than 1."""
        return any(rule[3] != 1 for rule in self.rules)

    def reached(self, root):
        """Returns all states that moves lead to from the root, with their moves."""
        moves, todo = {}, [root]
        while todo:
            state = todo.pop()
            if state not in moves:
                moves[state] = [(cost, made) for _, cost, made in self.moves(state)]
                todo += [made for _, made in moves[state]]
        return moves

    @staticmethod
    def distances(edges, starts):
        """Returns the least cost of each state that the edges lead to from one of the starts (Bellman and Ford)."""
        found, changed = {start: 0 for start in starts}, set(starts)
        while changed:
            again = set()
            for state in changed:
                for cost, made in edges[state]:
                    if found[state] + cost < found.get(made, found[state] + cost + 1):
                        found[made] = found[state] + cost
                        again.add(made)
            changed = again
        return found

    @staticmethod
    def histogram(distances):
        """Returns how many states are at each distance."""
        counts = [0] * (max(distances.values(), default=0) + 1)
        for distance in distances.values():
            counts[distance] += 1
        return counts

    def levels(self, root):
        """Returns the number of states at each distance from the root."""
        return self.histogram(self.distances(self.reached(root), [root]))

    def to_goals(self, moves):
        """Returns the distance to the nearest goal of each state that has one; moves has all states with their moves."""
        back = {state: [] for state in moves}
        for state, edges in moves.items():
            for cost, made in edges:
                back[made].append((cost, state))
        return self.distances(back, [state for state in moves if self.is_goal(state)])

    def levels_to_goals(self, moves):
        """Returns the number of the states of moves at each distance to the nearest goal."""
        return self.histogram(self.to_goals(moves))
