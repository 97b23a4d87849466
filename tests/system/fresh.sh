#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The README's first command works on a new machine: in a minimal Debian in which nothing was ever built, as root and
# as a user with sudo. The packages that scripts/package.sh makes can be installed there. The user gets the object
# files that root made, as they are the same: he installs, configures and links. Needs a mirror.
#
#   tests/system/fresh.sh             the Debian release of this machine
#   tests/system/fresh.sh trixie      another one
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/system/roots.sh
. tests/system/roots.sh
# shellcheck source=tests/system/checks.sh
. tests/system/checks.sh
need_roots

suite=${1:-$(this_suite)}
limit=1800 # seconds for one command in the container
work=$(mktemp -d)
mkdir "$work/archives"
trap 'rm -rf "$work"' EXIT

# fresh_root NAME: makes $work/NAME, a Debian with git and sudo, and leaves the sources in /puzzled there. What is
# installed there need not survive a loss of power.
fresh_root() {
    copy_root "$base" "$work/$1" && mkdir "$work/$1/puzzled" || return 1
    echo force-unsafe-io >"$work/$1/etc/dpkg/dpkg.cfg.d/fresh"
    git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$work/$1/puzzled"
}

# in_root NAME COMMAND…: packages are fetched once for all roots.
in_root() {
    local name=$1
    shift
    contain $limit "$work/$name" --bind="$work/archives:/var/cache/apt/archives" --pipe --chdir /puzzled "$@"
}

add_user_with_sudo() {
    in_root user bash -c '
        useradd --create-home --groups sudo member
        echo "member ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/member
        chown -R member: /puzzled'
}

# The build of root, without what cmake found out about the machine and without the programs.
hand_over_objects() {
    local build=$work/user/puzzled/build/release
    mkdir -p "$build" && cp -a "$work/root/puzzled/build/release/." "$build" &&
        (cd "$build" && rm -r CMakeCache.txt CMakeFiles bin)
}

explores() {
    says "181,440" "$@"
}

# The packages of these sources, which are built once for all steps of the check.
install_packages_in_root() {
    scripts/package.sh | xargs cp -t "$work/root/srv" &&
        in_root root bash -c 'apt-get install -y -qq --no-install-recommends /srv/*.deb'
}

base=$(base_root "$suite" "$work/debootstrap.log" git sudo) ||
    skip "debootstrap failed: $(tail -n 1 "$work/debootstrap.log")"
need_containers "$base"

section "$suite, root"
check "the sources are there" fresh_root root
check "scripts/quickstart.sh installs, builds and explores" explores in_root root scripts/quickstart.sh
check "the packages can be installed" install_packages_in_root
check "the daemon checks its configuration" in_root root puzzled --config /etc/puzzled/puzzled.conf --check-config
check "the client is there" in_root root puzzlectl --version
check "so is its manual page" in_root root ls /usr/share/man/man1/puzzlectl.1.gz

section "$suite, a user with sudo"
check "the sources are there" fresh_root user
check "who may install nothing is told what to install" \
    says "as root, run: apt-get install gcc" in_root user runuser -u nobody -- scripts/quickstart.sh
check "so are the object files that root made" hand_over_objects
rm -rf "$work/root"
check "there is a user with sudo" add_user_with_sudo
check "scripts/quickstart.sh installs, builds and explores" \
    explores in_root user runuser -u member -- scripts/quickstart.sh
summary
