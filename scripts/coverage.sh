#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests in a build that counts, and prints the line and branch coverage of core and daemon, the
# least covered files first.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_packages "${CHECK_PACKAGES[@]}" gcovr

cmake --preset coverage >/dev/null
cmake --build --preset coverage -- --quiet
find build/coverage -name '*.gcda' -delete
ctest --preset coverage >build/coverage/tests.log || { tail -n 40 build/coverage/tests.log; exit 1; }
gcovr --root . --object-directory build/coverage --filter 'core/' --filter 'daemon/' --filter 'client/' \
    --exclude-throw-branches --json-summary build/coverage/summary.json >/dev/null
python3 - build/coverage/summary.json <<'PYTHON'
import json
import sys

summary = json.load(open(sys.argv[1], encoding="utf-8"))
print("lines  branches")
for entry in sorted(summary["files"], key=lambda file: file["line_percent"] or 0):
    print(f"{entry['line_percent'] or 0:5.1f}  {entry['branch_percent'] or 0:5.1f}     {entry['filename']}")
print(f"{summary['line_percent']:5.1f}  {summary['branch_percent']:5.1f}     all")
PYTHON
