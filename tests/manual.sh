#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every option in a program's help stands in its manual page, and every option that the page lists in its help.
#   manual.sh PROGRAM PAGE
set -eu
program=$1 page=$2
options_of() { grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u; }
help=$("$program" --help)
commands=$(sed -n 's/^  \([a-z]\+\) .*/\1/p' <<<"$help")
options=$({ echo "$help"; for command in $commands; do "$program" help "$command"; done; } | options_of)
[ "$(wc -l <<<"$options")" -ge 10 ] || { echo "the help has few options:"; echo "$options"; exit 1; }
missing=$(while read -r option; do grep -qE -- "[* ]$option\*" "$page" || echo "$option"; done <<<"$options")
[ -z "$missing" ] || { echo "not in $page:"; echo "$missing"; exit 1; }
listed=$(grep -E '^(\*-[a-zA-Z]\*, )?\*--' "$page" | grep -oE -- '^(\*-[a-zA-Z]\*, )?\*--[a-z-]+\*(, \*--[a-z-]+\*)*' | grep -oE -- '--[a-z-]+' | sort -u)
unknown=$(comm -13 <(echo "$options") <(echo "$listed"))
[ -z "$unknown" ] || { echo "only in $page:"; echo "$unknown"; exit 1; }
