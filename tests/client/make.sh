#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make, with the real daemon: boards have as many moves as was asked for, by another search of the daemon's and by a plain one
# in Python; the same seed gives the same boards, and none twice, nor a mirror image.
#   make.sh PUZZLED PUZZLECTL
set -eu
puzzled=$1 ctl=$2
# shellcheck source=tests/client/own_daemon.sh
. "$(dirname "$0")/own_daemon.sh"
plain=$(realpath "$(dirname "$0")")/make_plain.py
definitions=$(realpath "$(dirname "$0")")/../../definitions
cd "$here"

# made COUNT LEAST MOST PUZZLE [OPTION…]: makes boards and holds them to what was asked.
made() {
    local count=$1 least=$2 most=$3 puzzle=$4
    shift 3
    "$ctl" make "$@" --count "$count" --moves "$least-$most" --seed 1 >boards
    [ "$(cut -f1 boards | sort -u | wc -l)" = "$count" ] || { echo "$puzzle: not $count boards:"; cat boards; exit 1; }
    cut -f1,2 boards >told
    cut -f1 boards | "$ctl" solve "$puzzle" - --method bfs | cut -f1,2 >found
    cmp told found || { echo "$puzzle: other moves:"; diff told found; exit 1; }
    case $puzzle in
    rushhour | klotski | sokoban | *.psvn | *.tws) python3 "$plain" "$puzzle" <told ;;
    [0-9]x[0-9]) python3 "$plain" slide <told ;;
    esac
    awk -F '\t' -v least="$least" -v most="$most" '$2 < least || $2 > most { exit 1 }' told
    "$ctl" make "$@" --count "$count" --moves "$least-$most" --seed 1 >again
    cmp boards again || { echo "$puzzle: the same seed gives other boards"; exit 1; }
}
made 3 6 12 rushhour --size 5x5
made 2 10 40 klotski --size 4x4
made 2 5 12 sokoban --size 6x6 --pieces 2
made 2 8 30 3x3 --walls 2
# Boards of more cells than a sliding puzzle has.
made 1 1 20 sokoban --size 7x7 --pieces 2
made 1 1 20 rushhour --size 7x7 --pieces 6
"$ctl" make linkup --size 12x12 --seed 1 >boards
"$ctl" make rushhour --moves 40-60 --tries 400 --seed 2 >boards 2>err || true
grep -q 'state=failed kind=explore puzzle=rushhour' "$here/log" || { echo 'all sets of cars fit into the memory'; exit 1; }
if grep '^<4>' "$here/log"; then echo 'the log warns of sets that were left out'; exit 1; fi
if "$ctl" jobs --tools | grep EXPLORE; then echo 'explorations stay behind'; exit 1; fi
# Positions of one space, from its table or by walks.
made 3 12 14 3x3
made 2 40 60 klotski:classic
made 1 8 9 4x4
made 3 1 1000 hanoi:3,4
made 2 9 11 "$definitions/slide3x3.psvn"
made 2 3 4 "$definitions/pyraminx.tws"
# A bounded table says nothing of the boards behind it.
"$ctl" explore topspin:9,4 --depth 3 >told
made 1 6 8 topspin:9,4
# Sets that are their own boards: the puzzle's name is what is printed.
for puzzle in jugs linkup; do
    "$ctl" make $puzzle --count 9 --moves 2-9 --seed 1 >boards
    [ "$(cut -f1 boards | sort -u | wc -l)" = 9 ] || { cat boards; exit 1; }
    awk -F '\t' '$2 < 2 || $2 > 9 { exit 1 }' boards
    python3 "$plain" $puzzle <boards
done
"$ctl" random 4x4 --count 5 --seed 7 >five
"$ctl" make 4x4 --count 5 --seed 7 | cmp - five || { echo 'random is not the simple case of make'; exit 1; }
"$ctl" make rushhour --size 5x5 --moves 5-9 --seed 2 --csv >out
[ "$(head -1 out)" = board,moves,rating,difficulty ] || { cat out; exit 1; }
"$ctl" make 4x4 --moves 6-8 --count 4 --seed 1 --html sheet.html --svg strip.svg >boards
counts="$(grep -c '<li><svg' sheet.html) $(grep -cE '<li>([0-9]+(↑|↓|←|→)( |&nbsp;)*){6,8}</li>' sheet.html)"
[ "$counts" = '4 4' ] || { cat sheet.html; exit 1; }
"$ctl" make jugs --moves 6 --pieces 2 --seed 1 --html sheet.html >boards
grep -q 'class="c">1\. goal 2: 6 moves, easy<' sheet.html || { echo 'a sheet of jugs does not say the goal'; exit 1; }
"$ctl" make 3x3 --moves 31 --seed 1 --html sheet.html >boards
grep -q '<svg viewBox="0 0 152 ' sheet.html || { echo 'captions are cut at the side of small boards'; exit 1; }
"$ctl" make 3x3 --count 2 --seed 1 --svg any.svg >boards
[ -s any.svg ] || { echo 'boards of any number of moves have no picture'; exit 1; }
for pieces in 3 9 14; do
    "$ctl" make klotski --pieces $pieces --moves 1-200 --tries 400 --seed 3 >boards || true
    blocks=$(cut -f1 boards | cut -d, -f1 | grep -o '[B-Za-z]' | sort -u | wc -l)
    [ ! -s boards ] || [ "$blocks" = $pieces ] || { echo "$blocks blocks for $pieces"; cat boards; exit 1; }
done
for wrong in '3x3 --pieces 3' '3x3 --size 4x4' 'jugs --walls 3' 'klotski --pieces 15'; do
    got=0
    # shellcheck disable=SC2086 # words
    "$ctl" make $wrong >boards 2>err || got=$?
    [ $got = 2 ] || { echo "make $wrong: status $got"; exit 1; }
done
got=0
"$ctl" make foo --moves 3 2>err || got=$?
if [ $got != 4 ] || ! grep -q "bad-puzzle: no puzzle 'foo'" err; then echo "status $got"; cat err; exit 1; fi
got=0
"$ctl" make rushhour --moves 60 --size 4x4 --tries 20 2>err || got=$?
if [ $got != 1 ] || ! grep -q '0 of 1 boards found in 20 tries' err; then echo "status $got"; cat err; exit 1; fi
got=0
"$ctl" make 3x3 --moves 40 2>err || got=$?
if [ $got != 1 ] || ! grep -q 'no board there; how many are where: puzzlectl levels 3x3' err; then echo "status $got"; cat err; exit 1; fi
