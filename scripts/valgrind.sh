#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests, and the daemons and clients that they start, under valgrind's memcheck: no use of what was never
# written, no access outside what malloc gave, nothing lost for good. It is twenty to fifty times slower.
#
#   scripts/valgrind.sh             all tests
#   scripts/valgrind.sh -R store    only those with this in their names; options of ctest
#
# Valgrind shows a processor without AVX-512, so the kernels for it are not reached here; ASan and UBSan reach them.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_packages "${CHECK_PACKAGES[@]}" valgrind

cmake --preset valgrind >/dev/null
cmake --build --preset valgrind -- --quiet
exec ctest --preset valgrind "$@"
