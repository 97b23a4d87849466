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
tar --create --xz --file "$file" --exclude-vcs --exclude=./build --exclude=./.ci --exclude=__pycache__ --exclude='*.deb' \
    --exclude='*.tar.xz' --transform "s,^\.,puzzled-$version," --sort=name --mtime="@$(scripts/release_date.sh)" \
    --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX .
