#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every option that a command of puzzlectl takes stands in the manual page.
#   manual.sh PUZZLECTL PAGE
set -eu
ctl=$1 page=$2
options=$(for command in $("$ctl" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    "$ctl" help "$command" | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+'
done | sort -u)
[ "$(wc -l <<<"$options")" -ge 40 ] || { echo "the help has few options:"; echo "$options"; exit 1; }
missing=$(while read -r option; do grep -qE -- "[* ]$option\*" "$page" || echo "$option"; done <<<"$options")
[ -z "$missing" ] || { echo "not in $page:"; echo "$missing"; exit 1; }
