#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes the sources as an archive named puzzled-VERSION.tar.xz, or FILE, that packages of every system are built from.
# The same sources always give the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^    VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
grep -q "^puzzled ($version-[0-9]*) " <(head -n 1 debian/changelog) ||
    { echo "debian/changelog does not begin with version $version" >&2; exit 1; }
file=${1:-puzzled-$version.tar.xz}
# In a checkout what git tracks; elsewhere what lies here.
files() {
    git ls-files -z --cached 2>/dev/null ||
        find . -mindepth 1 \( -path ./build -o -name __pycache__ \) -prune -o ! -type d -printf '%P\0'
}
files | LC_ALL=C sort -z | tar --create --xz --file "$file" --null --files-from - --transform "flags=rSH;s,^,puzzled-$version/," \
    --mtime="@$(scripts/release_date.sh)" --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX
