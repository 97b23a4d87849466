#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every command of the tutorials with a daemon of its own: each is answered (status 0, or 1 where it is unsolvable).
#   tutorial.sh PUZZLED PUZZLECTL PAGE…
set -eu
puzzled=$1 ctl=$2
shift 2
# shellcheck source=tests/client/own_daemon.sh
. "$(dirname "$0")/own_daemon.sh"
puzzlectl() { "$ctl" "$@"; }

count=0
for page in "$@"; do
    while read -r command; do
        status=0
        (eval "$command") >"$here/out" 2>&1 || status=$?
        if [ $status -gt 1 ] || [ ! -s "$here/out" ]; then
            echo "$page: $command: status $status"
            cat "$here/out"
            exit 1
        fi
        if [ "$(wc -l <"$here/out")" -gt 200 ]; then
            echo "$page: $command: too many lines for a terminal"
            exit 1
        fi
        count=$((count + 1))
    done < <(sed -n 's/^    \$ \(puzzlectl .*\)/\1/p' "$page")
done
[ $count -ge 28 ] || { echo "only $count commands"; exit 1; }
echo "$count commands"
