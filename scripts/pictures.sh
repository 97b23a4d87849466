#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the pictures in docs/ by the program itself: the levels of 3x4, and a solution as a strip of boards.
set -eu
cd "$(dirname "$0")/.." || exit 1
bin=build/release/bin
here=$(mktemp -d)
"$bin/puzzled" --foreground --socket "$here/socket" --state-dir "$here/state" 2>"$here/log" &
daemon=$!
trap 'kill $daemon; wait $daemon || true; rm -rf "$here"' EXIT
export PUZZLED_SOCKET=$here/socket
for _ in $(seq 100); do [ -S "$PUZZLED_SOCKET" ] && break; sleep 0.1; done
"$bin/puzzlectl" --quiet explore 3x4 >/dev/null
"$bin/puzzlectl" levels 3x4 --format svg --log >docs/levels-3x4.svg
"$bin/puzzlectl" solve 2x3 4,5,0/1,2,3 --svg docs/solution-2x3.svg >/dev/null
