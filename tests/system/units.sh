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

systemd-analyze verify --man=no "$work"/*
exposure() {
    systemd-analyze security --no-pager --offline=yes --threshold="$2" "$work/$1" | tail -n 1
}
exposure puzzled.service 10
exposure puzzled-web.service 15 # it opens TCP ports
