#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian packages have what they must, and lintian finds nothing in them or in their source. A puzzle compiles
# against what puzzled-dev has, Python imports what python3-puzzled has. The recipes for other systems are well formed.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/system/checks.sh
. tests/system/checks.sh

wanted_files() {
    cat <<'FILES'
puzzled ./usr/sbin/puzzled
puzzled ./etc/puzzled/puzzled.conf
puzzled ./usr/lib/systemd/system/puzzled.service
puzzled ./usr/lib/systemd/system/puzzled.socket
puzzled ./usr/lib/sysusers.d/puzzled.conf
puzzled ./usr/lib/tmpfiles.d/puzzled.conf
puzzled ./usr/share/doc/puzzled/changelog.Debian.gz
puzzled ./usr/share/doc/puzzled/copyright
puzzled ./usr/share/doc/puzzled/docs/results/README.md
puzzled ./usr/share/doc/puzzled/docs/zh/tutorial.md
puzzled ./usr/share/man/man5/puzzled.conf.5.gz
puzzled ./usr/share/man/man7/puzzled-protocol.7.gz
puzzled ./usr/share/man/man8/puzzled.8.gz
puzzlectl ./usr/bin/puzzlectl
puzzlectl ./usr/share/bash-completion/completions/puzzlectl
puzzlectl ./usr/share/man/man1/puzzlectl.1.gz
puzzlectl ./usr/share/zsh/vendor-completions/_puzzlectl
puzzlectl ./usr/share/puzzled/definitions/cube3.tws
puzzlectl ./usr/share/puzzlectl/korf15.csv
puzzled-web ./usr/sbin/puzzled-web
puzzled-web ./usr/lib/systemd/system/puzzled-web.service
puzzled-web ./usr/share/man/man8/puzzled-web.8.gz
puzzled-web ./usr/share/puzzled-web/index.html
puzzled-web ./usr/share/puzzled-web/texts/cube3.tws
puzzled-mpi ./usr/bin/puzzled-ranks
puzzled-mpi ./usr/share/man/man1/puzzled-ranks.1.gz
puzzled-dev ./usr/include/puzzled/space.h
puzzled-dev ./usr/share/pkgconfig/puzzled.pc
puzzled-dev ./usr/share/doc/puzzled-dev/examples/cube2/cube2.c
python3-puzzled ./usr/lib/python3/dist-packages/puzzled/__init__.py
FILES
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
built=build/package

has() {
    grep -qxF "$2" "$work/$1"
}

# No control script has words of debhelper left that it should have replaced.
scripts_are_complete() {
    ! grep -r '#DEBHELPER#' "$work/root/DEBIAN"
}

compiles_against_dev() {
    local flags
    flags=$(PKG_CONFIG_SYSROOT_DIR=$work/root PKG_CONFIG_LIBDIR=$work/root/usr/share/pkgconfig pkg-config --cflags puzzled) ||
        return 1
    # shellcheck disable=SC2086 # flags are words
    gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -fPIC -shared $flags -o "$work/cube2.so" \
        "$work/root/usr/share/doc/puzzled-dev/examples/cube2/cube2.c"
}

headers_stand_alone() {
    local header
    for header in "$work"/root/usr/include/puzzled/*.h; do
        gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$work/root/usr/include" -x c "$header" || return 1
    done
}

# Every system's recipe is of the version that CMake builds.
same_version() {
    local version
    version=$(sed -n 's/^    VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
    grep -q "^Version: *$version$" packaging/rpm/puzzled.spec && grep -q "^pkgver=$version$" packaging/arch/PKGBUILD &&
        grep -q "^version = \"$version\"$" python/pyproject.toml && grep -q "^version: $version$" CITATION.cff &&
        grep -q "\"version\": \"$version\"" codemeta.json && grep -q "\"version\": \"$version\"" .zenodo.json
}

# with PROGRAM PACKAGE SENTENCE COMMAND…: a check, or SKIP where the program is missing.
with() {
    local program=$1 package=$2
    shift 2
    if command -v "$program" >/dev/null; then check "$@"; else echo "SKIP: $program is missing (Debian's package $package)"; fi
}

check "dpkg-buildpackage makes the packages" scripts/package.sh
for package in puzzled puzzlectl puzzled-web puzzled-mpi puzzled-dev python3-puzzled; do
    dpkg-deb --contents $built/${package}_*.deb | awk '{ print $6 }' >"$work/$package"
    dpkg-deb --raw-extract $built/${package}_*.deb "$work/root"
    check "$package: control scripts are complete" scripts_are_complete
    rm -r "$work/root/DEBIAN"
done
while read -r package file; do
    check "$package has $file" has "$package" "$file"
done < <(wanted_files)
check "each header that is installed compiles alone" headers_stand_alone
check "the plugin example compiles with what pkg-config says of puzzled-dev" compiles_against_dev
check "Python imports what python3-puzzled has" \
    env PYTHONPATH="$work/root/usr/lib/python3/dist-packages" python3 -c 'import puzzled, puzzled.aio'
# They are no upload to Debian's archive: there is no ITP bug to close.
with lintian lintian "lintian finds nothing in the packages and their source" \
    lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning $built/puzzled_*.changes
check "all recipes are of one version" same_version
with rpmspec rpm "rpm reads the spec file" rpmspec --parse packaging/rpm/puzzled.spec
with rpmlint rpmlint "rpmlint finds no error in it" rpmlint packaging/rpm/puzzled.spec
check "bash reads Arch's PKGBUILD" bash -n packaging/arch/PKGBUILD
summary
