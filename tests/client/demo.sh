#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# puzzled --demo answers, and leaves neither process nor file: at Ctrl-C, SIGTERM, the end of its terminal, and when its
# daemon or its page dies. Without puzzled-web it goes on without a page. What it says is typed as it stands.
#   demo.sh PUZZLED
set -u
puzzled=$1
here=$(mktemp -d)
trap 'kill "$demo" 2>/dev/null; wait; rm -rf "$here"' EXIT
mkdir "$here/tmp"
export TMPDIR=$here/tmp

wrong() {
    echo "$1"
    cat "$here/said" "$here/errors"
    exit 1
}

# begin PROGRAM: until it says what to type; its children are in $children, the daemon first.
begin() {
    rm -f "$here/said" # or what the demo before said is read, until the shell that starts this one has emptied it
    PATH=/nowhere "$1" --demo >"$here/said" 2>"$here/errors" &
    demo=$!
    for _ in $(seq 1200); do
        grep -qs 'play 3x3' "$here/said" && break
        kill -0 "$demo" 2>/dev/null || wrong "the demo did not begin"
        sleep 0.05
    done
    read -ra children <"/proc/$demo/task/$demo/children"
    eval "$(grep '^  export ' "$here/said")"
    [ "$(puzzlectl distance 3x3 867254301)" = 31 ] || wrong "the demo does not answer"
}

# ended STATUS: the demo ends with it, and nothing of it is left.
ended() {
    wait "$demo"
    [ $? = "$1" ] || wrong "the exit status is not $1"
    for child in "${children[@]}"; do
        [ ! -e "/proc/$child" ] || wrong "process $child is left"
    done
    [ -z "$(ls "$TMPDIR")" ] || wrong "files are left: $(ls -R "$TMPDIR")"
}

for signal in INT TERM HUP; do
    begin "$puzzled"
    kill -"$signal" "$demo"
    ended 0
done
begin "$puzzled"
with_page=${#children[@]}
kill -KILL "${children[0]}"
ended 1
if [ "$with_page" = 2 ]; then
    begin "$puzzled"
    grep -q '^  page    http://127.0.0.1:[0-9]*/$' "$here/said" || wrong "the demo does not tell its page"
    kill -KILL "${children[1]}"
    ended 1
fi
cp "$puzzled" "$here/puzzled"
begin "$here/puzzled"
grep -q 'puzzled-web did not start' "$here/said" || wrong "the demo does not say that it has no page"
[ "${#children[@]}" = 1 ] || wrong "the demo has more than its daemon"
kill -INT "$demo"
ended 0
puzzlectl ping 2>&1 | grep -q "start one there:  $puzzled --socket" || { echo "puzzlectl does not name the puzzled beside it"; exit 1; }
puzzlectl --host localhost:1 ping 2>&1 | grep -q -- '--listen 127.0.0.1:1$' || { echo "puzzlectl names an address that puzzled does not take"; exit 1; }
