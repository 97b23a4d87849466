#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The examples of the manual pages work as they stand there: command lines are run in their order, against a
# private daemon for each page; settings pass --check-config.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/system/private_daemon.sh
. tests/system/checks.sh
build_programs
PATH=$(dirname "$puzzlectl"):$PATH

examples_of() {
    awk -f tests/system/examples.awk "$1" | sed "s,/tmp/,$work/,g"
}

# An answer that there is none, and a search that met its limit, are answers too.
runs() {
    local status=0
    timeout 600 bash -c "set -o pipefail; $1" </dev/null || status=$?
    case $status in 0 | 1 | 5) ;; *) echo "exit status $status"; return 1 ;; esac
}

# The demo runs until it is interrupted.
demonstrates() {
    timeout --preserve-status --signal=INT 5 bash -c "exec $1" </dev/null
}

# A line that ends in & starts a daemon, which the next lines find at its socket.
starts() {
    local socket=${1##*--socket }
    bash -c "exec ${1% &}" </dev/null 2>>"$work/log" &
    daemon=$!
    within 120 "$puzzlectl" --socket "${socket%% *}" ping
}

run_commands() {
    local line
    while IFS= read -r line <&3; do
        case $line in
            *\&) check "$line" starts "$line" ;;
            *--demo) check "$line" demonstrates "$line" ;;
            *) check "$line" runs "$line" ;;
        esac
    done 3< <(examples_of "$1")
}

check_settings() {
    examples_of "$1" >"$work/example.conf"
    check "the settings are sound" "$puzzled" --config "$work/example.conf" --check-config
}

for page in docs/man/*.scd; do
    [ -n "$(examples_of "$page")" ] || continue
    section "$(basename "$page" .scd)"
    rm -rf "$work/state"
    case $page in
        *.1.scd)
            start_daemon --log-level warning
            run_commands "$page"
            check "the daemon is well afterwards" stop_daemon
            ;;
        *.5.scd) check_settings "$page" ;;
        *.8.scd)
            run_commands "$page"
            check "the daemon is well afterwards" stop_daemon
            ;;
        *) check "its examples are of a kind that this test runs" false ;;
    esac
done
summary
