# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the tests that need a daemon of their own, with its program in $puzzled and puzzlectl in $ctl: starts it in the
# directory $here, which goes with it at exit.
# shellcheck disable=SC2154 # they are of the test
here=$(mktemp -d)
"$puzzled" --foreground --socket "$here/socket" --state-dir "$here/state" 2>"$here/log" &
daemon=$!
trap 'kill $daemon; wait $daemon || true; rm -rf "$here"' EXIT
export PUZZLED_SOCKET=$here/socket
for _ in $(seq 1200); do "$ctl" ping >/dev/null 2>&1 && break; sleep 0.1; done
"$ctl" ping >/dev/null || { echo "puzzled did not start:"; cat "$here/log"; exit 1; }
