# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the tests that need a daemon of their own: builds the release preset (or $PUZZLED_PRESET), makes a directory, and ends the
# daemon and removes the directory at exit. Working directory: the repository's root.

preset=${PUZZLED_PRESET:-release} # the coverage runs the same with its own
puzzled=$PWD/build/$preset/bin/puzzled
puzzlectl=$PWD/build/$preset/bin/puzzlectl
work=$(mktemp -d)
daemon=

export PUZZLED_SOCKET=$work/puzzled.sock

build_programs() {
    { cmake --preset "$preset" && cmake --build --preset "$preset" --target puzzled puzzlectl -- --quiet; } \
        >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log"; exit 1; }
}

# start_daemon ARGUMENT…: starts it and waits until it answers; its log is $work/log.
start_daemon() {
    "$puzzled" --foreground --socket "$PUZZLED_SOCKET" --state-dir "$work/state" "$@" 2>>"$work/log" &
    daemon=$!
    for _ in $(seq 2400); do
        "$puzzlectl" ping >/dev/null 2>&1 && return 0
        kill -0 "$daemon" 2>/dev/null || break
        sleep 0.05
    done
    echo "puzzled did not start:"
    cat "$work/log"
    return 1
}

stop_daemon() {
    [ -n "$daemon" ] || return 0
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" || return 1
    daemon=
}

end_of_test() {
    [ -z "$daemon" ] || { kill -KILL "$daemon" && wait "$daemon"; } 2>/dev/null || true
    rm -rf "$work"
}
trap end_of_test EXIT
