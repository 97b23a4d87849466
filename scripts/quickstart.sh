#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a fresh clone to the first explored puzzle: installs what is missing, builds, starts a private daemon in
# a temporary directory, and shows it at work. Nothing is left behind but the build.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

say() {
    printf '\n\033[1m%s\033[0m\n' "$*"
}

# Shows a command as the user would type it, then runs it.
show() {
    printf '\n$ puzzlectl %s\n' "$*"
    build/release/bin/puzzlectl --socket "$socket" "$@"
}

# Runs show and leaves the seconds that it took in $took.
timed() {
    local started=$EPOCHREALTIME
    show "$@"
    took=$(awk -v from="$started" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.3f", to - from }')
}

install_packages "${BUILD_PACKAGES[@]}"

say "Building (a minute or so the first time) …"
cmake --preset release >/dev/null
[ -t 1 ] && quiet=() || quiet=(-- --quiet) # a terminal sees how far it is
cmake --build --preset release --target puzzled puzzlectl puzzled-web "${quiet[@]}"

say "Starting a private puzzled"
coproc exec build/release/bin/puzzled --demo
demo=$COPROC_PID
trap 'kill "$demo" 2>/dev/null; wait "$demo"' EXIT
while read -r word socket && [ "$word" != socket ]; do :; done <&"${COPROC[0]}"
[ -n "$socket" ] || { echo "puzzled did not start; its reason stands above."; exit 1; }

say "Explore every position of the 8-puzzle"
timed explore 3x3
first=$took

say "How many positions are how many moves away?"
show levels 1

say "Solve the hardest board, move by move"
show solve 3x3 8,6,7/2,5,4/3,0,1 --show

say "Ask for the exploration again: the answer is kept"
timed explore 3x3
echo
echo "The first time took $first s from the command line to the answer, the second $took s."

say "That was it. To look around, page included, without leaving a trace: build/release/bin/puzzled --demo"
echo "To go on, start a daemon and try larger things:"
cat <<'NEXT'
  build/release/bin/puzzled --log-level warning &
  build/release/bin/puzzlectl explore 3x4                 # all 239,500,800 positions
  build/release/bin/puzzlectl solve 4x4 "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
  build/release/bin/puzzlectl --help
  build/release/bin/puzzled-web          # the same in the browser: http://127.0.0.1:8372/
NEXT
