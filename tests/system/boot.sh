#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages into a minimal Debian of their own, boots it with systemd-nspawn, and runs inside.sh
# there. The minimal Debian is made once (half a minute, needs a mirror) and kept in the user's cache.
#
#   tests/system/boot.sh             prints what was checked; "SKIP: why" and success where it cannot run
#   tests/system/boot.sh --keep      leaves the root directory there for a look
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tests/system
limit=300 # seconds that the whole inner run may take

skip() {
    echo "SKIP: $*"
    exit 0
}

[ "$(id -u)" -eq 0 ] || skip "booting a container needs root"
for tool in debootstrap:debootstrap systemd-nspawn:systemd-container; do
    command -v "${tool%:*}" >/dev/null || skip "${tool%:*} is missing (Debian's package ${tool#*:})"
done

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
        dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed 's/[|(].*//; s/ //g'
    done | sort -u
}

# base_root PACKAGE…: prints the path of a Debian with these installed, made if it is not there yet.
base_root() {
    local suite cache key new
    # shellcheck source=/dev/null
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    key=$(printf '%s\n' "$suite" "$@" | sha256sum | cut -c -12)
    cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/puzzled/debian-$suite-$key
    if [ ! -d "$cache" ]; then
        new=$cache.new.$$
        mkdir -p "$new"
        debootstrap --variant=minbase --include="$(IFS=,; echo "systemd,systemd-sysv,dbus,procps,$*")" \
            "$suite" "$new" >"$work/debootstrap.log" 2>&1 || {
            umount "$new/proc" 2>/dev/null
            rm -rf --one-file-system "$new"
            return 1
        }
        rm -f "$new"/var/cache/apt/archives/*.deb
        mv -T "$new" "$cache"
    fi
    echo "$cache"
}

# The same package with a lower version, as if it were the last release: what an upgrade starts from.
older_package() {
    local deb=$1 unpacked=$work/older
    dpkg-deb -R "$deb" "$unpacked"
    sed -i 's/^Version: .*/Version: 0.0.1-1/' "$unpacked/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$unpacked" "$2" >/dev/null
}

scripts/package.sh >"$work/debs" 2>"$work/package.log" || { tail -n 40 "$work/package.log"; exit 1; }
mapfile -t debs <"$work/debs"
mapfile -t names < <(needed_packages "${debs[@]}")
base=$(base_root "${names[@]}") || skip "debootstrap failed: $(tail -n 1 "$work/debootstrap.log")"

root=$work/root
cp -a --reflink=auto "$base" "$root"
mkdir "$root/test"
cp "${debs[@]}" $here/inside.sh $here/checks.sh "$root/test/"
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

nspawn=(systemd-nspawn --quiet --directory "$root" --register=no --keep-unit --private-network)
"${nspawn[@]}" --pipe true >"$work/probe" 2>&1 </dev/null ||
    skip "systemd-nspawn cannot run here: $(tail -n 1 "$work/probe")"
timeout --kill-after=10 $limit "${nspawn[@]}" --boot --console=pipe >"$work/console" 2>&1 </dev/null ||
    { echo "The container did not end well:"; tail -n 20 "$work/console"; }

cat "$root/test/output" 2>/dev/null || { echo "Nothing ran inside:"; tail -n 40 "$work/console"; exit 1; }
grep -q '^[0-9]* checks, 0 failed$' "$root/test/output"
