#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The completions of bash and zsh, each run in its shell with the real puzzlectl.
#   completion.sh PUZZLECTL DIRECTORY-OF-THE-COMPLETIONS
set -eu
ctl=$1 here=$2
export PUZZLED_SOCKET=/nonexistent/puzzled.sock

expect() {
    [ "$2" = "$3" ] || { printf '%s: expected "%s", got "%s"\n' "$1" "$3" "$2"; exit 1; }
}

in_bash() {
    bash -c '. "$1/puzzlectl.bash"; COMP_LINE=$3; COMP_POINT=${#3}; _puzzlectl; echo "${COMPREPLY[*]}"' - "$here" "$ctl" "$ctl $1"
}

expect "bash: commands" "$(in_bash 'expl')" explore
expect "bash: several commands" "$(in_bash 'exp')" "explore export"
expect "bash: options of a new command" "$(in_bash 'graph 2x3 --m')" --most
expect "bash: a puzzle for pin" "$(in_bash 'pin 3x')" "3x3 3x4 3x5"
expect "bash: options" "$(in_bash 'explore --es')" --estimate
expect "bash: values" "$(in_bash 'solve 3x3 --method ')" "auto table bfs bidirectional astar idastar"
stub=$(mktemp)
trap 'rm -f "$stub"' EXIT
printf '#!/bin/sh\necho "slide:2x2 root=1,2/3,0"\n' >"$stub"
chmod +x "$stub"
expect "bash: a table's name is one word" "$(ctl=$stub in_bash 'pin sl')" 'slide:2x2\ root=1,2/3,0'
expect "bash: formats" "$(in_bash 'levels 3x3 --format ')" "text plain csv md json svg png"
expect "bash: formats that begin so" "$(in_bash 'export 3x3 3x3 -f n')" npy
expect "bash: puzzles" "$(in_bash 'solve 2x')" "2x2 2x3 2x4 2x5 2x6 2x7"

command -v zsh >/dev/null || { echo "SKIP zsh: there is none"; exit 0; }
zsh -f "${0%.sh}.zsh" "$ctl" "$here"
