#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/check.sh, whole or some steps of it, in a minimal Debian in which nothing was ever built: what a contributor
# with a new machine meets. Not a step of check.sh; run it before a release. It checks the last commit.
#
#   tests/system/check_in_root.sh                     all steps
#   tests/system/check_in_root.sh units packages      only those
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=tests/system/roots.sh
. tests/system/roots.sh
need_roots

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
base=$(base_root "$(this_suite)" "$work/debootstrap.log" git sudo) ||
    skip "debootstrap failed: $(tail -n 1 "$work/debootstrap.log")"
copy_root "$base" "$work/root"
git clone --quiet --no-hardlinks . "$work/root/puzzled"

# In a mount namespace of its own, so that nothing stays mounted. Not in a container: steps of check.sh make some. With
# pivot_root and not only chroot, as those containers need a root that is a mount.
# shellcheck disable=SC2016 # the inner shell's words
unshare --mount --propagation private bash -c '
    root=$1
    shift
    mount --bind "$root" "$root"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/run"
    cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
    cd "$root"
    mkdir -p old
    pivot_root . old
    umount --lazy /old
    exec chroot . env -i PATH="$PATH" HOME=/root LANG=C.UTF-8 /puzzled/scripts/check.sh "$@"' \
    bash "$work/root" "$@"
