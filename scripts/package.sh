#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages with dpkg-buildpackage in build/package, from an archive of the sources as they are here,
# and prints their paths. The source package lies beside them. The tests are check.sh's matter.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_packages "${PACKAGE_PACKAGES[@]}" >&2

umask 022 # of the directories in the packages
SOURCE_DATE_EPOCH=$(scripts/release_date.sh)
DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)"
export SOURCE_DATE_EPOCH DEB_BUILD_OPTIONS
version=$(dpkg-parsechangelog -S Version)
archive=puzzled_${version%-*}.orig.tar.xz
here=build/package

# The packages of the very same sources are there already: the same would come out.
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
scripts/source.sh "$new/$archive"
if ! { cmp -s "$new/$archive" "$here/$archive" && ls $here/puzzled_*.changes >/dev/null 2>&1; }; then
    rm -rf $here
    mkdir -p $here
    cp "$new/$archive" $here
    tar --extract --directory $here --file "$here/$archive"
    (cd "$here/puzzled-${version%-*}" && dpkg-buildpackage -us -uc -Pnocheck) >$here/build.log 2>&1 ||
        { tail -n 40 $here/build.log >&2; exit 1; }
fi
ls "$PWD"/$here/*.deb
