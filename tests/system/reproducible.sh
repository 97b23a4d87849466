#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the same sources a second time, in another directory with a longer name, under another locale, time zone
# and umask, and compares the packages byte by byte with those of build/package.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build_in DIRECTORY NAME: builds the packages there and leaves the checksums of what came out in NAME.
build_in() {
    (cd "$1" && scripts/package.sh >/dev/null 2>"$work/log") || { tail -n 40 "$work/log"; return 1; }
    (cd "$1/build/package" && sha256sum -- *.deb *.dsc *.tar.xz) >"$work/$2"
}

copy=$work/a-directory-with-quite-another-and-longer-name
mkdir "$copy"
git ls-files -z --cached | tar -c --null -T - | tar -x -C "$copy"
(umask 022; TZ=UTC LC_ALL=C build_in . first)
(umask 077; TZ=Asia/Tokyo LC_ALL=C.UTF-8 build_in "$copy" second)
cat "$work/first"
diff "$work/first" "$work/second" || {
    echo "Two builds of the same sources differ."
    exit 1
}
echo "Two builds gave the same bytes."
