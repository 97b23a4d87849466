#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/xsokoban.py: open levels are searched, those first whose bound is nearest to a published solution; a bound that reaches one is
# the length; what had as much time, or was stopped by memory, is not searched again unless it is named; no row loses what it had.
#   xsokoban.sh BENCH_SOKOBAN SCRIPT
set -eu
bench=$1 script=$2 here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
export ROWS=rows.csv
holds() { [ "$2" = "$3" ] || { printf '%s:\n%s\nexpected:\n%s\n' "$1" "$2" "$3"; exit 1; }; }
head='# what: a test
level,fewest pushes,at least,pushes of a published solution,search,expanded,seconds'

# rows ROW…: writes the file.
rows() { printf '%s\n' "$head" "$@" >rows.csv; }

printf '%s\n' '#######' '#@ $ .#' '#######' >levels
rows 1,,1,,stopped,0,0.000
BENCH=$bench python3 "$script" levels 5 64 >out
holds solved "$(cut -d, -f1-6 rows.csv | tail -n 1)" 1,2,2,,solved,2
holds ends "$(tail -n 1 out)" '1 of 1 levels have their fewest pushes, 1 by a search'

# A search in whose place the answers stand here: level, bound, expanded, generated, seconds, MB, what ended it.
cat >bench <<'END'
#!/bin/sh
echo header
grep "^$4 " answers
END
chmod +x bench
printf '%s\n' '1 >=20 7 9 5.0 1 time' '2 >=30 7 9 5.0 1 time' '3 >=11 7 9 5.0 1 time' '4 >=50 8 9 2.0 1 memory' >answers
rows 1,,18,24,stopped,5,0.100 2,,28,30,stopped,5,0.100 3,,12,,stopped,50,9.000 4,,40,,stopped,5,0.100 5,9,9,9,solved,5,0.100
BENCH=./bench python3 "$script" levels 5 64 >out
holds order "$(cut -d, -f1 out | head -n 3 | tr '\n' ' ')" '2 1 4 '
holds rows "$(cat rows.csv)" "$head
1,,20,24,time,7,5.0
2,30,30,30,time,7,5.0
3,,12,,stopped,50,9.000
4,,50,,memory,8,2.0
5,9,9,9,solved,5,0.100"
BENCH=./bench python3 "$script" levels 5 64 >out
holds 'nothing is left' "$(wc -l <out)" 1
BENCH=./bench python3 "$script" levels 10 64 3 4 >out
holds named "$(grep -c '^[34],' out)" 2
holds kept "$(grep '^3,' rows.csv)" 3,,12,,stopped,50,9.000

echo '1 19 7 9 5.0 1 astar' >answers
if BENCH=./bench python3 "$script" levels 10 64 1 >out 2>&1; then echo 'fewer pushes than were proven passed'; exit 1; fi
