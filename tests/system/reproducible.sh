#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the last commit twice, in two directories with names of different lengths, under different locales, time
# zones and umasks, and compares the programs and the packages byte by byte.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build_in DIRECTORY: builds the commit there and leaves the checksums of what came out in DIRECTORY.sums.
build_in() {
    mkdir -p "$1"
    git archive HEAD | tar -x -C "$1"
    (cd "$1" && scripts/package.sh >/dev/null 2>build.log) || { tail -n 40 "$1/build.log"; return 1; }
    (cd "$1/build/package" && sha256sum bin/* packages/*.deb) >"$1.sums"
}

(umask 022; TZ=UTC LC_ALL=C build_in "$work/a")
(umask 027; TZ=Asia/Tokyo LC_ALL=C.UTF-8 build_in "$work/another-directory-with-a-longer-name")
cat "$work/a.sums"
diff "$work/a.sums" "$work/another-directory-with-a-longer-name.sums" || {
    echo "Two builds of one commit differ."
    exit 1
}
echo "Two builds of $(git rev-parse --short HEAD) gave the same bytes."
