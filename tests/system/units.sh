#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shipped units are well formed and harden the service: an exposure of at most 1.0, and 1.5 with TCP, in systemd's own measure.
# Wherever they are installed, they name the programs and the configuration that were installed with them.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v systemd-analyze >/dev/null; then
    echo "SKIP: systemd-analyze is missing (Debian's package systemd)"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for prefix in /usr/local /opt/puzzled; do
    rm -rf "${work:?}"/*
    for component in puzzled web; do
        DESTDIR=$work cmake --install build/release --component $component --prefix $prefix >/dev/null
    done
    units=$work$prefix/lib/systemd/system
    sed -n 's/^Exec[A-Z][a-z]*=\([^ ]*puzzled[^ ]*\)\( --config \([^ ]*\)\)\?.*/\1 \3/p' "$units"/*.service | xargs -n 1 | sort -u >"$work/named"
    [ "$(wc -l <"$work/named")" -eq 3 ] || { echo "$prefix: not two programs and a file:" && cat "$work/named" && exit 1; }
    while read -r path; do
        [ -e "$work$path" ] || { echo "$prefix: a unit names $path, which is not installed"; exit 1; }
    done <"$work/named"
done

# The programs are not here; any that is stands for them.
sed -i -E 's,/opt/puzzled/sbin/puzzled(-web)?,/bin/true,' "$units"/*.service
systemd-analyze verify --man=no "$units"/*
exposure() {
    systemd-analyze security --no-pager --offline=yes --threshold="$2" "$units/$1" | tail -n 1
}
exposure puzzled.service 10
exposure puzzled-web.service 15 # it opens TCP ports
