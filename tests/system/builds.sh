#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The builds that packagers make, not our presets: gcc and clang with -O3 and link-time optimisation, and -O3 for 64-bit
# ARM. None may give a warning, and the programs of each must explore and solve. (-O2 without link-time optimisation
# are the preset "release" and Debian's packages.)
#
#   tests/system/builds.sh             all; SKIP for ARM where its compiler or libraries cannot be had
#   tests/system/builds.sh arm64       only the named: gcc-lto clang-lto arm64
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/system/private_daemon.sh
. tests/system/private_daemon.sh
# shellcheck source=tests/system/checks.sh
. tests/system/checks.sh
# shellcheck source=tests/system/roots.sh
. tests/system/roots.sh
. scripts/packages.sh

# With link-time optimisation, gcc warns of what it sees then of only if it is told so when it links.
warnings="-Werror -Wall -Wextra"

# build NAME OPTION…: configures and builds the two programs in build/plain/NAME; fails at a warning.
build() {
    local directory=build/plain/$1
    shift
    cmake -G Ninja -S . -B "$directory" -DPUZZLED_TESTS=OFF -DPUZZLED_BENCH=OFF -DCMAKE_C_FLAGS="$warnings" "$@" || return 1
    cmake --build "$directory" --target puzzled puzzlectl
}

# wrap PROGRAM RUNNER…: makes $work/NAME, which runs the program with the runner in front.
wrap() {
    local program=$1 script
    script=$work/$(basename "$1")
    shift
    printf '#!/bin/sh\nexec %s "$@"\n' "$* $program" >"$script"
    chmod +x "$script"
}

# works NAME RUNNER…: the programs of this build explore and solve.
works() {
    local name=$1
    shift
    wrap "$PWD/build/plain/$name/bin/puzzled" "$@"
    wrap "$PWD/build/plain/$name/bin/puzzlectl" "$@"
    puzzled=$work/puzzled puzzlectl=$work/puzzlectl
    rm -rf "$work/state"
    check "$name: the daemon starts" start_daemon
    check "$name: 3x3 has 181,440 positions" says '"states":181440,' "$puzzlectl" --json explore 3x3
    check "$name: 2x5 has 1,814,400" says '"states":1814400,' "$puzzlectl" --json explore 2x5
    if [ "$name" = arm64 ]; then # by an emulator, which would take minutes for all of it
        check "$name: 3x4 has 35,397,636 to 30 moves" says '"states":35397636,' "$puzzlectl" --json explore 3x4 depth=30
    else
        check "$name: 3x4 has 239,500,800" says '"states":239500800,' "$puzzlectl" --json explore 3x4
        check "$name: its deepest level is 53" says '"depth":53,' "$puzzlectl" --json explore 3x4
    fi
    check "$name: a hardest 8-puzzle takes 31 moves" says 31 "$puzzlectl" solve 3x3 8,6,7/2,5,4/3,0,1
    check "$name: the daemon stops" stop_daemon
}

# arm64_sysroot PACKAGE…: prints the path of an arm64 Debian with these packages, made if it is not in the cache:
# unpacked, not installed.
arm64_sysroot() {
    local cache new deb
    cache=$(cached_root arm64 "$(this_suite)" "$@")
    if [ ! -d "$cache" ]; then
        new=$cache.new.$$
        mkdir -p "$new"
        debootstrap --foreign --arch=arm64 --variant=minbase --include="$(IFS=,; echo "$*")" "$(this_suite)" "$new" \
            >"$work/debootstrap.log" 2>&1 || { rm -rf --one-file-system "$new"; return 1; }
        for deb in "$new"/var/cache/apt/archives/*.deb; do
            dpkg-deb --extract "$deb" "$new"
        done
        rm -rf "$new"/var/cache/apt/archives
        mv -T "$new" "$cache"
    fi
    echo "$cache"
}

arm64() {
    local sysroot runner=qemu-aarch64
    [ "$(id -u)" -eq 0 ] || { echo "SKIP: arm64: debootstrap needs root"; return; }
    for tool in aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu $runner:qemu-user debootstrap:debootstrap; do
        command -v "${tool%:*}" >/dev/null || { echo "SKIP: arm64: Debian's package ${tool#*:} is missing"; return; }
    done
    sysroot=$(arm64_sysroot "${LIBRARY_PACKAGES[@]}") ||
        { echo "SKIP: arm64: $(tail -n 1 "$work/debootstrap.log")"; return; }
    check "arm64: no warning" build arm64 --toolchain cmake/arm64.cmake -DCMAKE_SYSROOT="$sysroot" -DCMAKE_BUILD_TYPE=Release
    works arm64 $runner -L "$sysroot"
}

# native NAME OPTION…
native() {
    check "$1: no warning" build "$@"
    works "$1" env
}

release=-DCMAKE_BUILD_TYPE=Release # -O3
lto=-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
[ $# -gt 0 ] || set -- gcc-lto clang-lto arm64
for name in "$@"; do
    section "$name"
    case $name in
        gcc-lto) native gcc-lto -DCMAKE_C_COMPILER=gcc $release $lto ;;
        clang-lto) native clang-lto -DCMAKE_C_COMPILER=clang $release $lto -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld ;;
        arm64) arm64 ;;
        *) check "there is a build '$name'" false ;;
    esac
done
summary
