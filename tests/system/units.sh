#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shipped units are well formed and harden the service: an exposure of at most 1.0, and 1.5 with TCP, in systemd's own measure.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v systemd-analyze >/dev/null; then
    echo "SKIP: systemd-analyze is missing (Debian's package systemd)"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --preset release >/dev/null
cp build/release/generated/systemd/* "$work"
# The program is not installed here; any that is stands for it.
sed -i -E 's,/usr/local/sbin/puzzled(-web)?,/bin/true,' "$work"/*.service

# The unit names the file that is installed, wherever that is.
for prefix in /usr /usr/local /opt/puzzled; do
    cmake -G Ninja -S . -B "$work/build" -DCMAKE_INSTALL_PREFIX=$prefix -DPUZZLED_TESTS=OFF -DPUZZLED_BENCH=OFF >/dev/null
    named=$(sed -n 's/^ExecStart=.*--config \([^ ]*\)\/puzzled.conf.*/\1/p' "$work/build/generated/systemd/puzzled.service")
    installed=$(sed -n 's/.*DESTINATION "\([^"]*\)" TYPE FILE FILES "[^"]*\/conf\/puzzled.conf".*/\1/p' \
        "$work/build/cmake_install.cmake")
    # shellcheck disable=SC2016 # the file has the variable's name
    [ "${installed//'${CMAKE_INSTALL_PREFIX}'/$prefix}" = "$named" ] ||
        { echo "prefix $prefix: the unit names $named, and the file goes to $installed"; exit 1; }
done
rm -r "$work/build"

systemd-analyze verify --man=no "$work"/*
exposure() {
    systemd-analyze security --no-pager --offline=yes --threshold="$2" "$work/$1" | tail -n 1
}
exposure puzzled.service 10
exposure puzzled-web.service 15 # it opens TCP ports
