#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the model-based tester once found, and then a minute of new runs, two at a time; before a release it runs for an
# hour with another seed: tests/model/run.py build/release/bin/puzzled --faults build/release/lib/libfaults.so --seconds 3600
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset release >/dev/null
cmake --build --preset release --target puzzled puzzled-web plugin_faulty faults >/dev/null
puzzled=build/release/bin/puzzled
faults=build/release/lib/libfaults.so
tests/model/replay "$puzzled" --faults "$faults" tests/model/regressions/*.json
seed=${1:-1}
half=$((${2:-60} / 2))
tests/model/run.py "$puzzled" --faults "$faults" --seed $((seed + 1000)) --seconds $half &
tests/model/run.py "$puzzled" --faults "$faults" --seed "$seed" --seconds $half
wait $!
