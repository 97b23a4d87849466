#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Solves Korf and Felner's fifty 24-puzzles, the easiest first, and adds a row for each to docs/results/korf24.csv. It may be
# stopped at any time by Ctrl-C or SIGTERM, and goes on where it was, another day or, with build/fifty.checkpoint, on another machine.
#
#   scripts/fifty.sh [threads=N]        hours; nice, one thread unless named, 0.5 GB of memory for one
set -euo pipefail
cd "$(dirname "$0")/.." || exit 1
{ cmake --preset release && cmake --build --preset release --target bench_fifty -- --quiet; } >build/fifty.log 2>&1 ||
    { tail -n 40 build/fifty.log; exit 1; }
exec nice -n 15 build/release/bin/bench_fifty tests/data docs/results/korf24.csv build/fifty.checkpoint \
    "$(git rev-parse --short HEAD)" "$@"
