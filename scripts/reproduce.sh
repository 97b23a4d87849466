#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs again what docs/results, docs/engines.md and paper.md print, compares number by number, and says how far times are from the
# printed ones.
#
#   scripts/reproduce.sh                   the spaces that take seconds
#   scripts/reproduce.sh all figures       every space, and the figures of docs/engines.md: hours, on a quiet machine
#   scripts/reproduce.sh slide-2x7-1       one space by its name in docs/results/spaces.txt
#   scripts/reproduce.sh --write NAME…     writes their files again; --page writes the tables of pages from the files
set -u
cd "$(dirname "$0")/.." || exit 1
[ "${1:-}" != --page ] || exec /usr/bin/python3 scripts/results.py --page
. tests/system/private_daemon.sh
plugins=() memory=()
# build_plugin NAME: builds an example and puts it where the daemon looks.
build_plugin() {
    { cmake -S "examples/$1" -B "$work/$1" -DCMAKE_BUILD_TYPE=Release -DPUZZLED_INCLUDE_DIR="$PWD/core/include" &&
        cmake --build "$work/$1"; } >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log"; exit 1; }
    install -D -t "$work/plugins" "$work/$1/$1.so"
    plugins=(--plugin-directory "$work/plugins")
}
case " $* " in *" figures "*) # some of them come from the benchmarks
    { cmake --preset release && cmake --build --preset release --target bench_solve bench_spaces bench_striped -- --quiet; } >"$work/build.log" 2>&1 ||
        { tail -n 40 "$work/build.log"; exit 1; }
    build_plugin cube2
    memory=(--memory 18G) ;; # for 2x7 in memory
*) # an exploration may have three quarters of the daemon's memory
    most=$(awk -F ' [|] ' -v words=" $* " '
        match($2, /memory=[0-9]+G/) && words ~ " (all|" $1 "|" $3 ") " { at = substr($2, RSTART + 7, RLENGTH - 8) + 0; if (at > most) most = at }
        END { print most + 0 }' docs/results/spaces.txt)
    [ "$most" = 0 ] || memory=(--memory "$((most * 4 / 3 + 1))G") ;;
esac
case " $* " in *" all "* | *" hand "* | *" first-infinite-"*) build_plugin infinite ;; esac
build_programs
start_daemon --log-level warning "${memory[@]}" "${plugins[@]}" || exit 1
PUZZLED_BIN=$PWD/build/$preset/bin /usr/bin/python3 scripts/results.py "$@"
