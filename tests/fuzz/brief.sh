#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Changed inputs for dumps, ranks' lines and ranks' messages, side by side under AddressSanitizer and UBSan. By hand for
# hours, with another seed:
#
#   tests/fuzz/brief.sh [SECONDS [SEED]]
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
seed=${2:-1}
bin=build/asan/bin
cmake --preset asan >/dev/null
targets=(fuzz_dump fuzz_rank_lines fuzz_rank_messages)
cmake --build --preset asan --target "${targets[@]}" >/dev/null
echo "seed $seed"
running=()
for name in dump rank_lines rank_messages; do
    $bin/fuzz_$name --seconds "$seconds" --seed "$seed" tests/fuzz/corpus/$name &
    running+=($!)
done
failed=0
for process in "${running[@]}"; do
    wait "$process" || failed=1
done
exit $failed
