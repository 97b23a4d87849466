#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages puzzled and puzzlectl into build/package/packages and prints their paths.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_packages "${PACKAGE_PACKAGES[@]}" >&2

umask 022 # of the directories in the packages
SOURCE_DATE_EPOCH=$(scripts/release_date.sh)
export SOURCE_DATE_EPOCH
{
    cmake --preset package
    cmake --build --preset package -- --quiet
    rm -f build/package/packages/*.deb
    cpack --preset package
} >&2
ls "$PWD"/build/package/packages/*.deb
