# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by the tests that need a Debian of their own. A minimal Debian is made once with debootstrap, which needs a
# mirror and a minute, and kept in the user's cache. The tests change copies of it only.

skip() {
    echo "SKIP: $*"
    exit 0
}

# Ends the test with SKIP on a machine that cannot make or run such a root.
need_roots() {
    local tool
    [ "$(id -u)" -eq 0 ] || skip "a Debian in a container needs root"
    for tool in debootstrap:debootstrap systemd-nspawn:systemd-container; do
        command -v "${tool%:*}" >/dev/null || skip "${tool%:*} is missing (Debian's package ${tool#*:})"
    done
}

# Prints the name of this machine's Debian release.
this_suite() {
    # shellcheck source=/dev/null
    (. /etc/os-release && echo "$VERSION_CODENAME")
}

# cached_root KIND SUITE PACKAGE…: prints the path in the cache of a root with these packages. Another list of
# packages is another path.
cached_root() {
    local kind=$1 suite=$2 key
    shift 2
    key=$(printf '%s\n' "$suite" "$@" | sha256sum | cut -c -12)
    echo "${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/puzzled/$kind-$suite-$key"
}

# base_root SUITE LOG PACKAGE…: prints the path of a minimal Debian with these packages. It is made if it is not in
# the cache; what debootstrap then says goes to LOG.
base_root() {
    local suite=$1 log=$2 cache new
    shift 2
    cache=$(cached_root debian "$suite" "$@")
    if [ ! -d "$cache" ]; then
        new=$cache.new.$$
        mkdir -p "$new"
        debootstrap --variant=minbase --include="$(IFS=,; echo "$*")" "$suite" "$new" >"$log" 2>&1 || {
            umount "$new/proc" 2>/dev/null
            rm -rf --one-file-system "$new"
            return 1
        }
        rm -f "$new"/var/cache/apt/archives/*.deb
        mv -T "$new" "$cache"
    fi
    echo "$cache"
}

# copy_root BASE ROOT
copy_root() {
    cp -a --reflink=auto "$1" "$2"
}

# contain SECONDS ROOT OPTION… [COMMAND…]: systemd-nspawn with what these tests have in common, for so long at most.
contain() {
    local limit=$1 root=$2
    shift 2
    timeout --kill-after=10 "$limit" systemd-nspawn --quiet --directory "$root" --register=no --keep-unit "$@" </dev/null
}

# Ends the test with SKIP where systemd-nspawn does not run, in another container for example.
need_containers() {
    local why
    why=$(contain 60 "$1" --private-network --pipe true 2>&1) ||
        skip "systemd-nspawn cannot run here: $(tail -n 1 <<<"$why")"
}
