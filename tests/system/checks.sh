# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the tests that look at the system as an administrator would: each check is a sentence.

checks=0
failures=0

section() {
    echo "-- $*"
}

# check SENTENCE COMMAND…: the command succeeds. What it printed is shown only where it does not.
check() {
    local sentence=$1 output
    shift
    checks=$((checks + 1))
    if output=$("$@" 2>&1); then
        echo "ok      $sentence"
    else
        failures=$((failures + 1))
        echo "FAILED  $sentence"
        printf '%s\n' "$output" | tail -n 15 | sed 's/^/        /'
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
    echo "$checks checks, $failures failed"
    [ "$failures" -eq 0 ]
}
