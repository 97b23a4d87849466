#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/boxoban.sh with the real daemon: every level has its row and its fewest pushes or moves; what is answered is not asked
# again, and while the daemon is away the script waits for it.
#   boxoban.sh PUZZLED PUZZLECTL SCRIPT
set -eu
puzzled=$1 ctl=$2 script=$3
# shellcheck source=tests/client/own_daemon.sh
. "$(dirname "$0")/own_daemon.sh"
cd "$here"
mkdir -p levels/easy levels/hard/train
printf '%s\n' '; 0' '#######' '#@ $ .#' '#######' '' '; 1' '######' '#    #' '# $@ #' '#.   #' '######' >levels/easy/000.txt
printf '%s\n' '; 0' '#######' '#     #' '# $@$ #' '#.   .#' '#######' >levels/hard/train/000.txt
export OUT=answers PUZZLECTL=$ctl PAUSE=0.2

# rows FILE: its rows without seconds and nodes.
rows() { cut -d, -f1,2 "$1" | tr '\n' ' '; }
holds() { [ "$2" = "$3" ] || { echo "$1: $2, expected $3"; exit 1; }; }

"$script" levels >table
holds pushes "$(rows answers/boxoban-easy-push.csv)" 'id,pushes 000/0,2 000/1,2 '
holds moves "$(rows answers/boxoban-easy-move.csv)" 'id,moves 000/0,3 000/1,4 '
holds table "$(awk '$1 == "easy" && $2 == "move" { print $3, $4, $5, $6 }' table)" '2 2 3.50 4'
holds collections "$(awk 'NR > 1 { print $1 }' table | sort -u | tr '\n' ' ')" 'easy hard/train '
cp answers/boxoban-hard-train-push.csv before

mkdir -p other/plain
sed 's/^;.*//' levels/easy/000.txt >other/plain/000.txt
if OUT=others timeout 60 "$script" other push >again 2>&1; then echo 'levels that are not counted'; exit 1; fi
grep -q "has 0 levels by its lines that begin with ';', but 2 answers" again || { cat again; exit 1; }

kill "$daemon"
wait "$daemon" || true
"$script" levels easy push >again # nothing is left to ask
rm answers/push/hard/train/000.csv
"$script" levels hard/train push >again 2>waiting &
waiter=$!
for _ in $(seq 600); do grep -q 'again in' waiting && break; sleep 0.1; done
"$puzzled" --foreground --socket "$here/socket" --state-dir "$here/state" 2>>"$here/log" &
daemon=$!
wait "$waiter" || { cat waiting log; exit 1; }
holds 'after a restart' "$(rows answers/boxoban-hard-train-push.csv)" "$(rows before)"
