# SPDX-License-Identifier: MIT
"""A plain interpreter of .tws texts: it knows nothing of coordinates, and turns one state after the other."""


def read(text):
    """Returns the sets as {name: (pieces, turns)}, the solved state, and the moves by name, as the text has them."""
    lines = [line.split() for line in text.splitlines() if line.split() and not line.split()[0].startswith("#")]
    sets, solved, moves = {}, {}, {}
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
    return sets, solved, moves


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


def neighbours(sets, moves, state, metric):
    """Yields the states one move away: all powers of each move, or only the move and its inverse."""
    for name, move in moves.items():
        if is_rotation(name):
            continue
        # The order is that of the move itself, which differently turned or numbered pieces might hide.
        plain = tuple(tuple((i, 0) for i in range(pieces)) for pieces, _ in sets.values())
        powers, power, at = [], do(sets, move, plain), do(sets, move, state)
        while power != plain:
            powers.append(at)
            power, at = do(sets, move, power), do(sets, move, at)
        yield from powers if metric == "turn" else powers[:1] + powers[-1:]


def levels(text, metric, most):
    """Returns how many states each level has; None if there are more than `most`."""
    sets, solved, moves = read(text)
    frontier = {start(sets, solved)}
    seen, counts = set(frontier), []
    while frontier:
        counts.append(len(frontier))
        frontier = {s for state in frontier for s in neighbours(sets, moves, state, metric)} - seen
        seen |= frontier
        if len(seen) > most:
            return None
    return counts
