#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The torture programs for a minute or two, with fixed seeds; by hand they run for hours with others.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset release >/dev/null
cmake --build --preset release >/dev/null
bin=build/release/bin/puzzled
# A few kills: tests/sim has those between any two steps; here the process, the disk and the searches are real.
python3 tests/torture/kills.py "$bin" --kills 10 --seed 1 --behind 60 # this machine may be slow
python3 tests/torture/faults.py "$bin" build/release/lib/libfaults.so --points 3 --seed 1
python3 tests/torture/surroundings.py "$bin" build/release/lib/libfaults.so
python3 tests/torture/memory.py "$bin"
python3 tests/torture/clients.py "$bin" --seconds 6 --idle 500
