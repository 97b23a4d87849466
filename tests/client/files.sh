#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files to take away, made with the real daemon and read by other programs: export by od, awk and NumPy, graph by dot.
#   files.sh PUZZLED PUZZLECTL
set -eu
puzzled=$1 ctl=$2
levels=$(realpath "$(dirname "$0")/../data/levels")
# shellcheck source=tests/client/own_daemon.sh
. "$(dirname "$0")/own_daemon.sh"

same() {
    cmp "$2" "$3" || { echo "$1: $2 and $3 differ"; exit 1; }
}

cd "$here"
for size in 2x3 2x4; do
    "$ctl" -q explore $size >/dev/null
    "$ctl" export $size $size.bin
    "$ctl" export $size $size.npy
    "$ctl" export $size - --format csv >$size.csv
    "$ctl" levels $size --plain >published
    od -An -v -tu1 -w1 $size.bin | sort -n | uniq -c | awk '{print $2 "\t" $1}' >histogram
    same "distances of $size by level" published histogram
    # The boards of the CSV, asked one by one.
    sed '1d; s/^"//; s/",/\t/' $size.csv >answers
    cut -f1 answers | "$ctl" distance $size - >asked
    same "CSV of $size" answers asked
    cut -f2 answers >lines
    od -An -v -tu1 -w1 $size.bin | tr -d ' ' >bytes
    same "order of $size" lines bytes
    tail -c "$(stat -c %s $size.bin)" $size.npy >tail.bin
    same "NumPy's data of $size" $size.bin tail.bin
done

# Of other puzzles: each board of the CSV at its distance, as many as the levels have.
"$ctl" -q explore pancake:5 >/dev/null
"$ctl" export pancake:5 - --format csv >5.csv
sed '1d; s/^"//; s/",/\t/' 5.csv >answers
cut -f1 answers | "$ctl" distance pancake:5 - >asked
same 'CSV of pancake:5' answers asked
"$ctl" export pancake:5 5.bin
cut -f2 answers >lines
od -An -v -tu2 -w2 5.bin | tr -d ' ' >numbers
same 'order of pancake:5' lines numbers

# PNG by a program that may be missing: words then, and no file.
mkdir bin
printf '#!/bin/sh\nprintf "PNG of "\nexec cat\n' >bin/rsvg-convert
chmod +x bin/rsvg-convert
PATH=$PWD/bin:$PATH "$ctl" -q solve 2x2 3,0/2,1 --png 2x2.png --svg 2x2.svg --caption 'Two & two' >/dev/null
same 'what PNG is made of' <(printf 'PNG of '; cat 2x2.svg) 2x2.png
grep -q '>Two &amp; two</text>' 2x2.svg || { echo 'the caption is not above the boards'; exit 1; }
same 'a chart as PNG' <(printf 'PNG of '; "$ctl" -q levels 2x3 --format svg) <(PATH=$PWD/bin:$PATH "$ctl" -q levels 2x3 --format png)
rm bin/rsvg-convert
PATH=$PWD/bin "$ctl" solve 2x2 3,0/2,1 --png none.png 2>&1 | grep -q 'rsvg-convert, which is not installed here (Debian: librsvg2-bin)' ||
    { echo 'a missing converter is not told'; exit 1; }
[ ! -e none.png ] || { echo 'a file without a picture is left'; exit 1; }

"$ctl" graph 2x3 >2x3.dot
[ "$(grep -c 'label=.*peripheries\|^  n[0-9]* \[' 2x3.dot)" = 360 ] || { echo "graph 2x3 lacks nodes"; exit 1; }
[ "$(grep -c -- ' -- ' 2x3.dot)" = 420 ] || { echo "graph 2x3 lacks edges"; exit 1; }
if command -v dot >/dev/null; then
    "$ctl" graph 2x2 | dot -Tsvg | grep -q '</svg>'
else
    echo "SKIP dot: there is none"
fi

/usr/bin/python3 -c 'import numpy' 2>/dev/null || { echo "SKIP numpy: there is none"; exit 0; }
# Another goal, and a board that stands on its side: that one is answered from the table of 2x5.
goal=1,2,3,4,5/6,7,0,8,9
"$ctl" -q explore 3x3 >/dev/null
"$ctl" -q explore 2x5 >/dev/null
"$ctl" -q explore 2x5 root=$goal >/dev/null
"$ctl" export 3x3 3x3.npy
"$ctl" export 2x5 2x5.npy
"$ctl" export 5x2 5x2.npy
"$ctl" export 2x5 2x5-blank7.npy --goal $goal
/usr/bin/python3 - "$levels" <<'EOF'
import itertools
import sys
import numpy

distances = numpy.load("2x3.npy")
assert distances.shape == (6, 60) and distances.dtype == numpy.uint8, (distances.shape, distances.dtype)
assert distances.max() == 21 and numpy.count_nonzero(distances == 0) == 1
# The number of a board by the rule of puzzlectl(1): its distance is 0 for the goal, 1 for its neighbours.
ranks = {tiles: rank for rank, tiles in enumerate(itertools.permutations(range(1, 6)))}
for board, moves in [((1, 2, 3, 4, 5, 0), 0), ((1, 2, 0, 4, 5, 3), 1), ((1, 2, 3, 4, 0, 5), 1), ((4, 5, 0, 1, 2, 3), 21)]:
    tiles = tuple(tile for tile in board if tile)
    assert distances[board.index(0), ranks[tiles] // 2] == moves, board
for name, published in [("3x3", "3x3"), ("2x5", "2x5"), ("5x2", "2x5"), ("2x5-blank7", "2x5-blank7")]:
    table = numpy.load(f"{name}.npy")
    lines = [line.split(",") for line in open(f"{sys.argv[1]}/{published}.csv") if line[0].isdigit()]
    assert numpy.bincount(table.ravel()).tolist() == [int(count) for _, count in lines], name
EOF
