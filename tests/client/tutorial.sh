#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every command of pages with a daemon of its own: each is answered (status 0, or 1 where it is unsolvable). What a page
# leaves running is only estimated. Graphviz is not needed.
#   tutorial.sh PUZZLED PUZZLECTL LEAST PAGE…     LEAST commands must be found
set -eu
puzzled=$1 ctl=$2 least=$3
shift 3
# shellcheck source=tests/client/own_daemon.sh
. "$(dirname "$0")/own_daemon.sh"
puzzlectl() { "$ctl" "$@"; }
command -v dot >/dev/null || dot() { cat; }
# shellcheck disable=SC2034 # the tour's directory, which its commands name
tour=$here
cd "$(dirname "$0")/../.."

count=0
for page in "$@"; do
    while read -r command; do
        status=0
        (eval "${command/--detach/--estimate}") >"$here/out" 2>&1 || status=$?
        [[ $status -ne 5 || $command != *--time* ]] || status=0 # what took longer is left out
        if [ $status -gt 1 ] || { [ ! -s "$here/out" ] && [[ $command != *\$tour* ]]; }; then
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
[ $count -ge "$least" ] || { echo "only $count commands"; exit 1; }
echo "$count commands"
