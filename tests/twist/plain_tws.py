# SPDX-License-Identifier: MIT
"""A plain interpreter of .tws texts: it knows nothing of coordinates, and turns one state after the other.

    tests/twist/plain_tws.py FILE METRIC DEPTH    how many states each level has, down to a depth"""
import re
import sys
from pathlib import Path


def read(text):
    """Returns the sets as {name: (pieces, turns)}, the solved state, the moves by name, as the text has them, and what is
    illegal as {(set, place): pieces}."""
    lines = [re.sub(r"(^|\s)#.*", "", line).split() for line in text.splitlines()]
    lines = [words for words in lines if words]
    sets, solved, moves, illegal, sequences = {}, {}, {}, {}, []
    while lines:
        words = lines.pop(0)
        if words[0] == "Set":
            sets[words[1]] = (int(words[2]), int(words[3]))
        elif words[0] in ("Solved", "Move"):
            section = solved if words[0] == "Solved" else moves.setdefault(words[1], {})
            while lines[0] != ["End"]:
                name = lines.pop(0)[0]
                numbers = [lines.pop(0)]
                if lines[0][0][0] in "?0123456789":
                    numbers.append(lines.pop(0))
                section[name] = numbers
            lines.pop(0)
        elif words[0] == "Illegal":
            illegal.setdefault((list(sets).index(words[1]), int(words[2]) - 1), set()).update(words[3:])
        elif words[0] in ("MoveSequence", "MoveAlias"):
            sequences.append((words[0], words[1], " ".join(words[2:]).replace(",", " ").split()))
    while sequences:
        kind, name, words = one = next(one for one in sequences if all(word_of(moves, word) for word in one[2]))
        sequences.remove(one)
        moves[name] = joined(sets, moves, words)
        if kind == "MoveAlias" and (len(words) > 1 or is_rotation(word_of(moves, words[0])[0])):
            moves[name]["for scrambles"] = []
    return sets, solved, moves, illegal


def word_of(moves, word):
    """Returns the name of a move, and how many times a word does it, backwards if negative; None if it is no move."""
    if word in moves:
        return word, 1
    for name in moves:
        power = re.fullmatch(r"(\d*)('?)", word[len(name):]) if word.startswith(name) else None
        if power:
            return name, int(power[1] or 1) * (-1 if power[2] else 1)
    return None


def joined(sets, moves, words):
    """Returns the move that does these words one after the other."""
    plain = state = tuple(tuple((i, 0) for i in range(pieces)) for pieces, _ in sets.values())
    for word in words:
        name, times = word_of(moves, word)
        if times < 0:
            order, at = 1, do(sets, moves[name], plain)
            while at != plain:
                order, at = order + 1, do(sets, moves[name], at)
            times %= order
        for _ in range(times):
            state = do(sets, moves[name], state)
    move = {}
    for name, pieces in zip(sets, state):
        turn = [0] * len(pieces)
        for source, added in pieces:
            turn[source] = added
        move[name] = [[str(source + 1) for source, _ in pieces], list(map(str, turn))]
    return move


def start(sets, solved):
    """Returns the solved state: for each set a tuple of (piece, turn), where None is not to be seen."""
    state = []
    for name, (pieces, _) in sets.items():
        numbers = solved.get(name, [[str(i + 1) for i in range(pieces)]])
        turns = numbers[1] if len(numbers) > 1 else ["0"] * pieces
        state.append(tuple((piece, None if "?" in (piece, turn) else int(turn))
                           for piece, turn in zip(numbers[0], turns)))
    return tuple(state)


def do(sets, move, state):
    """Place i takes the piece from src[i], which is turned by f[src[i]]."""
    result = []
    for (name, (_, turns)), pieces in zip(sets.items(), state):
        if name not in move:
            result.append(pieces)
            continue
        source = [int(number) - 1 for number in move[name][0]]
        turn = [int(number) for number in move[name][1]] if len(move[name]) > 1 else [0] * len(source)
        result.append(tuple((pieces[i][0], None if pieces[i][1] is None else (pieces[i][1] + turn[i]) % turns)
                            for i in source))
    return tuple(result)


def is_rotation(name):
    return name in ("x", "y", "z") or (name[0].isupper() and len(name) > 1 and name[-1] == "v")


def is_legal(illegal, state):
    return all(state[number][place][0] not in pieces for (number, place), pieces in illegal.items())


def neighbours(sets, moves, illegal, state, metric):
    """Yields the states one move away: all powers of each move, or only the move and its inverse."""
    for name, move in moves.items():
        if is_rotation(name) or "for scrambles" in move:
            continue
        # The order is that of the move itself, which differently turned or numbered pieces might hide.
        plain = tuple(tuple((i, 0) for i in range(pieces)) for pieces, _ in sets.values())
        powers, power, at = [], do(sets, move, plain), do(sets, move, state)
        while power != plain:
            powers.append(at)
            power, at = do(sets, move, power), do(sets, move, at)
        yield from (at for at in (powers if metric == "turn" else powers[:1] + powers[-1:]) if is_legal(illegal, at))


def levels(text, metric, most, depth=None):
    """Returns how many states each level has; None if there are more than `most`, or if the solved state is illegal."""
    sets, solved, moves, illegal = read(text)
    frontier = {start(sets, solved)}
    seen, counts = set(frontier), []
    if not all(is_legal(illegal, state) for state in frontier):
        return None
    while frontier:
        counts.append(len(frontier))
        if depth is not None and len(counts) > depth:
            break
        frontier = {s for state in frontier for s in neighbours(sets, moves, illegal, state, metric)} - seen
        seen |= frontier
        if len(seen) > most:
            return None
    return counts


if __name__ == "__main__":
    print(levels(Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2], 10 ** 8, int(sys.argv[3])))
