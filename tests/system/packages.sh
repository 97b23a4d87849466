#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian packages have what they must, and lintian finds no error and no warning in them. The headers that a
# program outside may include compile from where they are installed.
set -euo pipefail
cd "$(dirname "$0")/../.."

wanted_files() {
    cat <<'FILES'
puzzled ./usr/sbin/puzzled
puzzled ./etc/puzzled/puzzled.conf
puzzled ./usr/lib/systemd/system/puzzled.service
puzzled ./usr/lib/systemd/system/puzzled.socket
puzzled ./usr/lib/sysusers.d/puzzled.conf
puzzled ./usr/lib/tmpfiles.d/puzzled.conf
puzzled ./usr/share/doc/puzzled/changelog.Debian.gz
puzzled ./usr/share/doc/puzzled/copyright
puzzled ./usr/share/man/man5/puzzled.conf.5.gz
puzzled ./usr/share/man/man7/puzzled-protocol.7.gz
puzzled ./usr/share/man/man8/puzzled.8.gz
puzzlectl ./usr/bin/puzzlectl
puzzlectl ./usr/share/bash-completion/completions/puzzlectl
puzzlectl ./usr/share/man/man1/puzzlectl.1.gz
puzzlectl ./usr/share/zsh/vendor-completions/_puzzlectl
FILES
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/package.sh >"$work/debs" 2>"$work/log" || { tail -n 40 "$work/log"; exit 1; }
for package in puzzled puzzlectl; do
    dpkg-deb -c "$(grep "/${package}_" "$work/debs")" | awk '{ print $6 }' >"$work/$package"
done

bad=0
while read -r package file; do
    grep -qxF "$file" "$work/$package" || { echo "$package lacks $file"; bad=1; }
done < <(wanted_files)

cmake --install build/package --prefix "$work/prefix" --component dev >/dev/null
for header in "$work"/prefix/include/puzzled/*.h; do
    gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$work/prefix/include" -x c "$header" || bad=1
done

if command -v lintian >/dev/null; then
    xargs lintian --allow-root --fail-on error,warning <"$work/debs" || bad=1
else
    echo "SKIP: lintian is missing (Debian's package lintian)"
fi
exit $bad
