# SPDX-License-Identifier: MIT
"""The plainest reading of PSVN: words, dictionaries and no tables. Written from the grammar, not from the C code."""


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
            if self.words and self.words[0].upper() == "COST":
                assert self.words[1] == "1"
                del self.words[:2]
            self.rules.append((left, right, label))

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
        """Returns the set of (label, successor); a successor has the label of the first rule that makes it."""
        found = {}
        for left, right, label in self.rules:
            bound = self.match(left, state)
            if bound is None:
                continue
            choices = [bound]
            for place, cell in enumerate(right):
                if cell is not None and cell[0] == "name" and cell[1] not in choices[0]:
                    choices = [{**one, cell[1]: value} for one in choices for value in self.values[place]]
            for one in choices:
                made = tuple(old if cell is None else cell[1] if cell[0] == "value" else one[cell[1]]
                             for cell, old in zip(right, state))
                if made != state:
                    found.setdefault(made, label)
        return {(label, made) for made, label in found.items()}

    def levels(self, root):
        """Returns the number of states at each distance."""
        seen, level, counts = {root}, [root], []
        while level:
            counts.append(len(level))
            level = sorted({made for state in level for _, made in self.moves(state)} - seen)
            seen.update(level)
        return counts
