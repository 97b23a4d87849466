#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Changed inputs for dumps, ranks' lines, ranks' messages and texts, and hostile visitors of puzzled-web with slow readers
# among them, side by side under AddressSanitizer and UBSan. By hand for hours, with another seed:
#
#   tests/fuzz/brief.sh [SECONDS [SEED]]
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
seed=${2:-1}
bin=build/asan/bin
cmake --preset asan >/dev/null
names=(dump rank_lines rank_messages text)
cmake --build --preset asan --target "${names[@]/#/fuzz_}" puzzled puzzled-web >/dev/null
echo "seed $seed"
running=()
for name in "${names[@]}"; do
    "$bin/fuzz_$name" --seconds "$seconds" --seed "$seed" "tests/fuzz/corpus/$name" &
    running+=($!)
done
# Whoever waits here waits for the processors; visitors.py by itself says how long a visitor may.
# Freed blocks that AddressSanitizer keeps count as memory.
ASAN_OPTIONS=quarantine_size_mb=16 tests/torture/visitors.py "$bin" --seconds "$seconds" --seed "$seed" --patience 100 --kept 400 &
running+=($!)
failed=0
for process in "${running[@]}"; do
    wait "$process" || failed=1
done
exit $failed
