#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the same sources a second time, in another directory, under another locale, time zone and umask, and compares the
# packages byte by byte with those of build/package. If fresh.sh has built them with the same versions of all tools, its
# packages are the second build.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build_in DIRECTORY NAME: builds the packages there and leaves the checksums of what came out in NAME.
build_in() {
    (cd "$1" && scripts/package.sh >/dev/null 2>"$work/log") || { tail -n 40 "$work/log"; return 1; }
    (cd "$1/build/package" && sha256sum -- *.deb *.dsc *.tar.xz) >"$work/$2"
}

# The versions of everything that took part in a build.
tools() {
    sed -n '/^Installed-Build-Depends:/,/^Environment:/p' "$1"/*.buildinfo
}

fresh=build/package-fresh
is_as_fresh() {
    cmp -s build/package/puzzled_*.orig.tar.xz $fresh/puzzled_*.orig.tar.xz && [ "$(tools build/package)" = "$(tools $fresh)" ]
}

build_again() {
    mkdir "$copy"
    git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$copy"
    (umask 077; TZ=Asia/Tokyo LC_ALL=C.UTF-8 build_in "$copy" second)
}

copy=$work/a-directory-with-quite-another-and-longer-name
(umask 022; TZ=UTC LC_ALL=C build_in . first)
if is_as_fresh; then
    echo "The second build is that of fresh.sh."
    (cd $fresh && sha256sum -- *.deb *.dsc *.tar.xz) >"$work/second"
else
    build_again
fi
cat "$work/first"
diff "$work/first" "$work/second" || {
    echo "Two builds of the same sources differ."
    exit 1
}
echo "Two builds gave the same bytes."
