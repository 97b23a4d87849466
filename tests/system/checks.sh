# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the tests that look at the system as an administrator would: each check is a sentence.

checks=0
failures=0

section() {
    echo "-- $*"
}

# check SENTENCE COMMAND…: the command succeeds. What it printed is shown only where it does not. It runs in this
# shell, so that it may start and await processes.
check_output=$(mktemp)
check() {
    local sentence=$1
    shift
    checks=$((checks + 1))
    if "$@" >"$check_output" 2>&1; then
        echo "ok      $sentence"
    else
        failures=$((failures + 1))
        echo "FAILED  $sentence"
        tail -n 15 "$check_output" | sed 's/^/        /'
    fi
}

not() {
    ! "$@"
}

# within SECONDS COMMAND…: the command succeeds at some time until then. The last attempt's output is printed.
within() {
    local end=$((SECONDS + $1)) output
    shift
    until output=$("$@" 2>&1); do
        [ "$SECONDS" -lt "$end" ] || { echo "$output"; return 1; }
        sleep 0.1
    done
}

# says TEXT COMMAND…: the command's output has the text in it, whatever its exit status.
says() {
    local text=$1 output
    shift
    output=$("$@" 2>&1)
    grep -qF -- "$text" <<<"$output" || { echo "no '$text' in:"; echo "$output"; return 1; }
}

# exits STATUS COMMAND…
exits() {
    local wanted=$1 status=0
    shift
    "$@" || status=$?
    [ "$status" -eq "$wanted" ] || { echo "exit status $status instead of $wanted"; return 1; }
}

# Prints the last line, by which the outer scripts know that all checks were reached; the exit status.
summary() {
    rm -f "$check_output"
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
}
