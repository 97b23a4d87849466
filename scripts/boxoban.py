#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up the answers that scripts/boxoban.sh has collected: prints a table, and writes it as OUT/boxoban.csv, a CSV for each
collection and metric (id, length, nodes, seconds and a checksum of the path), and one of all histograms. The checksum of a
collection is of its lines "id,length", which nobody's machine changes.

  scripts/boxoban.py OUT"""
import csv
import hashlib
import sys
from collections import Counter
from pathlib import Path


def answers(folder):
    """Yields the id and the answer of each level, in their order."""
    for file in sorted(folder.glob("*.csv")):
        with file.open(newline="") as lines:
            for row in csv.DictReader(lines):
                yield f"{file.stem}/{row['title']}", row


def collect(out, metric, folder):
    """Writes the CSV of a collection; returns its figures and its lengths."""
    name = folder.relative_to(out / metric).as_posix()
    lengths, nodes, seconds, levels, lines = Counter(), 0, 0.0, 0, hashlib.sha256()
    with (out / f"boxoban-{name.replace('/', '-')}-{metric}.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["id", {"push": "pushes", "move": "moves"}[metric], "nodes", "seconds", "path_sha256"])
        for level, row in answers(folder):
            solved = row["moves"].isdigit()
            levels += 1
            lines.update(f"{level},{row['moves']}\n".encode())
            nodes += int(row["nodes"] or 0)
            seconds += float(row["seconds"] or 0)
            if solved:
                lengths[int(row["moves"])] += 1
            digest = hashlib.sha256(row["path"].encode()).hexdigest()[:16] if solved else ""
            table.writerow([level, row["moves"], row["nodes"], row["seconds"], digest])
    solved = sum(lengths.values())
    mean = sum(length * count for length, count in lengths.items()) / solved if solved else 0
    return [name, metric, levels, solved, f"{mean:.2f}", max(lengths, default=0), nodes, f"{seconds:.0f}",
            lines.hexdigest()[:16]], lengths


def main(out):
    """Adds up all collections."""
    rows = [["collection", "metric", "levels", "solved", "mean", "greatest", "nodes", "seconds", "sha256"]]
    with (out / "boxoban-histogram.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["collection", "metric", "length", "levels"])
        for metric in ("push", "move"):
            for folder in sorted({file.parent for file in (out / metric).rglob("*.csv")}):
                row, lengths = collect(out, metric, folder)
                rows.append(row)
                table.writerows([row[0], metric, length, lengths[length]] for length in sorted(lengths))
    with (out / "boxoban.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    width = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).ljust(width[i]) if i < 2 else str(cell).rjust(width[i]) for i, cell in enumerate(row)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
