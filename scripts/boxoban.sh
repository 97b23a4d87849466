#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Solves DeepMind's Boxoban levels (https://github.com/google-deepmind/boxoban-levels, which you fetch yourself) by a daemon that runs:
# fewest pushes and fewest moves. One file of a thousand levels is one batch, whose answers become a file under OUT; what is there is
# not asked again, so it may be stopped at any time and goes on where it was. While the daemon is away it waits. At the end, and
# where it was stopped, scripts/boxoban.py makes a table and, for each collection and metric, one CSV.
#
#   scripts/boxoban.sh DIR [hard|medium/valid|…]… [push|move]… [KEY=VALUE]…
#       DIR: the clone. Without names all its collections, without a metric both. Keys go to SOLVE: time=60s memory=512M
#       OUT, PUZZLECTL: other places than build/boxoban and build/release/bin/puzzlectl
set -euo pipefail
[ -d "${1-}" ] || { sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 2; }
levels=$1 out=${OUT:-build/boxoban} ctl=${PUZZLECTL:-build/release/bin/puzzlectl}
names=() metrics=() keys=()
for word in "${@:2}"; do
    case $word in
    push | move) metrics+=("$word") ;;
    *=*) keys+=("$word") ;;
    *) names+=("$word") ;;
    esac
done
[ ${#metrics[@]} -gt 0 ] || metrics=(push move)
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd "$levels" && find . -name '[0-9]*.txt' -printf '%P\n' | xargs -n1 dirname | sort -u)

# solve METRIC FILE ANSWERS: asks for every level. Fails if the daemon went away on the way.
solve() {
    local code=0 levels answers
    "$ctl" solve sokoban - --csv --quiet "metric=$1" "${keys[@]}" <"$2" >"$3.part" || code=$?
    case $code in
    2 | 7) exit "$code" ;;
    3 | 6) return 1 ;; # the daemon went away
    esac
    [ "$code" -lt 128 ] || return 1
    levels=$(grep -c '^;' "$2") answers=$(($(wc -l <"$3.part") - 1))
    [ "$levels" = "$answers" ] ||
        { echo "boxoban: $2 has $levels levels by its lines that begin with ';', but $answers answers" >&2; exit 1; }
    mv "$3.part" "$3"
}

for metric in "${metrics[@]}"; do
    for name in "${names[@]}"; do
        mkdir -p "$out/$metric/$name"
        for file in "$levels/$name"/[0-9]*.txt; do
            answers=$out/$metric/$name/$(basename "$file" .txt).csv
            until [ -s "$answers" ] || solve "$metric" "$file" "$answers"; do
                echo "boxoban: $name $(basename "$file") by $metric: again in 5 s" >&2
                sleep "${PAUSE:-5}"
            done
        done
    done
done
python3 "$(dirname "$0")/boxoban.py" "$out"
