#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints SOURCE_DATE_EPOCH: what the environment says, else the date of the last release in Debian's changelog
# (the argument, or the project's own).
set -eu

if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
    echo "$SOURCE_DATE_EPOCH"
    exit
fi
changelog=${1:-$(dirname "$0")/../debian/changelog}
date -u -d "$(sed -n 's/^ -- .*>  //p' "$changelog" | head -n 1)" +%s
