#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the packages puzzled and puzzlectl into a minimal Debian of their own, boots it with systemd-nspawn, and runs inside.sh
# there.
#
#   tests/system/boot.sh             prints what was checked; "SKIP: why" and success where it cannot run
#   tests/system/boot.sh --keep      leaves the root directory there for a look
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tests/system
limit=1200 # seconds that the whole inner run may take

# shellcheck source=tests/system/roots.sh
. $here/roots.sh
need_roots

keep=no
[ "${1:-}" != --keep ] || keep=yes
work=$(mktemp -d)
finish() {
    [ "$keep" = yes ] && { echo "The root directory is $work/root"; return; }
    rm -rf "$work"
}
trap finish EXIT

# Prints the names of the packages that puzzled and puzzlectl need: of alternatives the first.
needed_packages() {
    local deb
    for deb in "$@"; do
        dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed 's/[|(].*//; s/ //g' | grep -vx puzzled
    done | sort -u
}

# older_package DEB FILE: writes DEB to FILE with a lower version, for an upgrade to start from.
older_package() {
    local deb=$1 unpacked=$work/older
    dpkg-deb -R "$deb" "$unpacked"
    sed -i 's/^Version: .*/Version: 0.0.1-1/' "$unpacked/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$unpacked" "$2" >/dev/null
}

scripts/package.sh >"$work/debs" 2>"$work/package.log" || { tail -n 40 "$work/package.log"; exit 1; }
mapfile -t debs < <(grep -E '/(puzzled|puzzlectl|puzzled-web)_' "$work/debs")
mapfile -t names < <(needed_packages "${debs[@]}")
base=$(base_root "$(this_suite)" "$work/debootstrap.log" systemd systemd-sysv dbus procps "${names[@]}") ||
    skip "debootstrap failed: $(tail -n 1 "$work/debootstrap.log")"

root=$work/root
copy_root "$base" "$root"
need_containers "$root"
mkdir "$root/test"
cp "${debs[@]}" $here/inside.sh $here/checks.sh $here/recipes.sh docs/man/puzzled.8.scd "$root/test/"
older_package "$(grep /puzzled_ "$work/debs")" "$root/test/older.deb"
cat >"$root/etc/systemd/system/inside.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
StandardOutput=file:/test/output
StandardError=inherit
ExecStart=/bin/bash /test/inside.sh
ExecStopPost=/bin/systemctl poweroff --force
UNIT
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -s ../inside.service "$root/etc/systemd/system/multi-user.target.wants/"

contain $limit "$root" --private-network --boot --console=pipe >"$work/console" 2>&1 ||
    { echo "The container did not end well:"; tail -n 20 "$work/console"; }

cat "$root/test/output" 2>/dev/null || { echo "Nothing ran inside:"; tail -n 40 "$work/console"; exit 1; }
grep -q '^[0-9]* checks, 0 failed$' "$root/test/output"
