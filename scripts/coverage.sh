#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests, and the torture programs that let the daemon end by itself, in a build that counts; prints the line
# and branch coverage of core, daemon and client, the least covered files first. Counting with atomics makes the
# engines many times slower: a quarter of an hour on two quiet processors.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_packages "${CHECK_PACKAGES[@]}" gcovr

cmake --preset coverage >/dev/null
cmake --build --preset coverage -- --quiet
find build/coverage -name '*.gcda' -delete
ctest --preset coverage >build/coverage/tests.log || { tail -n 40 build/coverage/tests.log; exit 1; }
{
    python3 tests/torture/faults.py build/coverage/bin/puzzled build/coverage/lib/libfaults.so --points 20 --gently
    python3 tests/torture/surroundings.py build/coverage/bin/puzzled build/coverage/lib/libfaults.so
    python3 tests/torture/clients.py build/coverage/bin/puzzled --seconds 10 --idle 100
    PUZZLED_PRESET=coverage tests/system/admin.sh
} >build/coverage/torture.log || { tail -n 40 build/coverage/torture.log; exit 1; }
gcovr --root . --object-directory build/coverage --filter 'core/' --filter 'daemon/' --filter 'client/' \
    --exclude-throw-branches --json-summary build/coverage/summary.json >/dev/null
python3 - build/coverage/summary.json <<'PYTHON'
import json
import sys

summary = json.load(open(sys.argv[1], encoding="utf-8"))
print("lines  branches")
for entry in sorted(summary["files"], key=lambda file: file["line_percent"] or 0):
    print(f"{entry['line_percent'] or 0:5.1f}  {entry['branch_percent'] or 0:5.1f}     {entry['filename']}")
for name, parts in (("core and daemon", ("core/", "daemon/")), ("client", ("client/",))):
    files = [file for file in summary["files"] if file["filename"].startswith(parts)]
    percent = [100 * sum(file[f"{what}_covered"] for file in files) / sum(file[f"{what}_total"] for file in files)
               for what in ("line", "branch")]
    print(f"{percent[0]:5.1f}  {percent[1]:5.1f}     {name}")
PYTHON
