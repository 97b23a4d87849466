#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Definitions that are written from geometry, drawn after random moves: held against stickers that are turned in space, of
which each knows only where it is and where it looks."""
import random
import subprocess
import sys
from pathlib import Path


def turn(stickers, move):
    """Carries stickers, a colour by (set, place, face)."""
    carry, rotate = move
    return {(name, carry(name, place), rotate(name, place, face)): colour for (name, place, face), colour in stickers.items()}


def main(program, source):
    sys.path.insert(0, str(source / "definitions"))
    import generate_twisty as geometry
    choose = random.Random(1)
    wrong = 0
    for puzzle, make in geometry.PUZZLES.items():
        sets, moves, *_ = make()
        sticker, colours = geometry.NETS[puzzle][:2]
        solved = {(name, place, face): colours[face] for name, pieces in sets.items()
                  for place, faces in geometry.order_stickers(name, pieces, moves).items() for face in faces}
        for _ in range(8):
            words, stickers = [], solved
            for _ in range(choose.randint(1, 12)):
                word, times = choose.choice([move for move in moves if move not in "xyz"]), choose.randint(1, 2)
                words.append(word if times == 1 else word + "2")
                for _ in range(times):
                    stickers = turn(stickers, moves[word])
            run = subprocess.run([program, source / f"definitions/{puzzle}.tws", "turn", "draw", " ".join(words)], capture_output=True, text=True, check=True)
            drawn = sorted(line for line in run.stdout.split("\n")[:len(solved)])
            boxes = {key: sticker(*key) for key in stickers}
            expected = sorted(f"sticker-{colour}{'-' + boxes[key][0] if boxes[key][0] else ''} {boxes[key][1]:.4g} {boxes[key][2]:.4g}"
                              for key, colour in stickers.items())
            if drawn != expected:
                print(f"{puzzle} {' '.join(words)}: {set(drawn) ^ set(expected)}")
                wrong += 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
