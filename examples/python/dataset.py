# SPDX-License-Identifier: MIT
"""A sliding puzzle as arrays to learn from: every state, its value, and all of its best moves.

    python3 dataset.py [--size 3x3] [--out FILE.npz]
"""

import argparse
import itertools

import numpy

import puzzled

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # U D L R: the way the blank goes


def solvable_boards(rows, columns):
    """Returns every board from which the usual goal can be reached, in the order of EXPORT, as (N, cells) uint8.

    By the blank's cell, then by the tiles in row order; of the ranks 2r and 2r+1 one is solvable.
    """
    cells = rows * columns
    tiles = numpy.array(list(itertools.permutations(range(1, cells))), dtype=numpy.uint8)
    odd = numpy.zeros(len(tiles), dtype=bool)
    for i, j in itertools.combinations(range(cells - 1), 2):
        odd ^= tiles[:, i] > tiles[:, j]
    boards = []
    for blank in range(cells):
        # A row that the blank goes up or down changes the parity of the tiles where rows have an even number of cells.
        wanted = columns % 2 == 0 and (rows - 1 - blank // columns) % 2 == 1
        boards.append(numpy.insert(tiles[odd == wanted], blank, 0, axis=1))
    return numpy.concatenate(boards)


def dataset(client, rows, columns):
    """Returns (states, values, best): boards (N, cells), moves to the goal (N,), and which of U D L R are best (N, 4)."""
    client.explore(f"{rows}x{columns}")
    states = solvable_boards(rows, columns)
    values = client.export(f"{rows}x{columns}").reshape(-1)
    cells = rows * columns
    keys = (states.astype(numpy.int64) * 64 ** numpy.arange(cells)[::-1]).sum(axis=1)
    order = numpy.argsort(keys)
    best = numpy.zeros((len(states), 4), dtype=bool)
    blanks = states.argmin(axis=1)
    for move, (down, right) in enumerate(STEPS):
        row, column = blanks // columns + down, blanks % columns + right
        which = numpy.flatnonzero((row >= 0) & (row < rows) & (column >= 0) & (column < columns))
        to = (row * columns + column)[which]
        tile = states[which, to].astype(numpy.int64)
        moved = keys[which] + tile * (64 ** (cells - 1 - blanks[which]) - 64 ** (cells - 1 - to))
        next_to = order[numpy.searchsorted(keys, moved, sorter=order)]
        best[which, move] = values[next_to].astype(int) == values[which].astype(int) - 1
    return states, values, best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="3x3", help="up to 9 cells in a few seconds")
    parser.add_argument("--out", help="write states, values and best to this .npz")
    arguments = parser.parse_args()
    rows, columns = map(int, arguments.size.split("x"))
    with puzzled.daemon() as client:
        states, values, best = dataset(client, rows, columns)
    print(f"{len(states):,} states, values 0 to {values.max()}, {best.sum(axis=1).mean():.4f} best moves on average")
    if arguments.out:
        numpy.savez_compressed(arguments.out, states=states, values=values, best=best)


if __name__ == "__main__":
    main()
