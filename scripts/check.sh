#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds everything and runs every test. Prints a line when a step begins, with the seconds that
# it took when it last passed here, and one when it ends. A step that fails shows what the failed tests say and the end
# of its output; the others still run. What a step could not check here, it says as SKIP with the reason; the last line
# names such steps. Steps that mostly wait for a mirror or for one processor run beside the others.
#
#   scripts/check.sh            all steps
#   scripts/check.sh tidy tsan  only those
set -u
cd "$(dirname "$0")/.." || exit 1
. scripts/packages.sh

log=$(mktemp -d)
beside=
trap '[ -z "$beside" ] || kill -- "-$beside" 2>/dev/null; rm -rf "$log"' EXIT

complaint='^\[ *(ERROR|LINE|FAILED) *\]|\*\*\*(Failed|Timeout|Exception|Not Run)|(ERROR|WARNING): [A-Za-z]+Sanitizer|runtime error:|^[^ ]+:[0-9]+:[0-9]+: (error|warning): '

durations=build/check-seconds # a file for each step, with its seconds
mkdir -p $durations

is_wanted() {
    local word
    [ ${#wanted[@]} -gt 0 ] || return 0
    for word in "${wanted[@]}"; do
        [ "$word" != "$1" ] || return 0
    done
    return 1
}

# step NAME WHAT COMMAND…: runs it unless other steps were asked for by name. A word is left in $log/NAME.result.
wanted=("$@")
step() {
    local name=$1 what=$2 started=$SECONDS result=failed last
    shift 2
    is_wanted "$name" || return 0
    last=$(cat "$durations/$name" 2>/dev/null)
    printf '%-10s %s%s …\n' "$name" "$what" "${last:+ (last time $last s)}"
    if "$@" >"$log/$name" 2>&1; then
        result=ok
        ! grep -q '^SKIP' "$log/$name" || result=skipped
        echo $((SECONDS - started)) >"$durations/$name"
    fi
    echo $result >"$log/$name.result"
    printf '%-10s %s (%d s)\n' "$name" "$(said $result)" $((SECONDS - started))
    if [ $result = failed ]; then
        { grep -E "$complaint" "$log/$name" | head -n 40; echo ...; tail -n 40 "$log/$name"; } | sed 's/^/    /'
    else
        grep -hE 'tests passed|[0-9]+ skipped|[0-9]+ checks, |^SKIP' "$log/$name" | sed 's/^/           /'
    fi
}

said() {
    case $1 in failed) echo FAILED ;; skipped) echo "skipped, in whole or in part" ;; *) echo ok ;; esac
}

# Prints the names of the steps with that result.
with_result() {
    (cd "$log" && grep -lx "$1" ./*.result 2>/dev/null | sed 's,^\./,,; s,\.result$,,' | xargs)
}

build() {
    cmake --preset "$1" && cmake --build --preset "$1"
}

build_and_test() {
    build "$1" && ctest --preset "$1" --no-tests=error
}

# with_release COMMAND…: for a step that takes the programs as they are and may be asked for alone.
with_release() {
    build release && "$@"
}

# Each header must compile with nothing before it.
headers() {
    local header bad=0
    build release >/dev/null || return 1
    while read -r header; do
        # The last three are bodies with parameters, which those that include them define.
        case $header in examples/* | */kernel_staged.h | */codec_lines.h | */sokoban_pushes.h) continue ;; esac
        printf '#include "%s"\nextern int not_empty;\n' "$PWD/$header" | gcc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror \
            -fsyntax-only -DTEST_DATA='""' -Icore -Icore/include -I. -Itests/unit -Itests/fuzz \
            -Ibuild/release/generated -x c - || { echo "not alone: $header"; bad=1; }
    done < <(git ls-files -- '*.h')
    return $bad
}

spdx() {
    local without
    without=$(git ls-files -- '*.c' '*.h' '*.sh' '*.py' '*.cmake' '*CMakeLists.txt' \
        'debian/rules' 'debian/puzzled.p*' 'packaging/*' 'systemd/*' | xargs grep -L 'SPDX-License-Identifier')
    [ -z "$without" ] || { echo "without an SPDX line:"; echo "$without"; return 1; }
}

# clang's own warnings are among what clang-tidy reports: nothing has to be built with clang for them.
tidy() {
    cmake --preset clang >/dev/null || return 1
    python3 - build/clang/compile_commands.json <<'PYTHON' | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build/clang
import json, sys
print(*dict.fromkeys(entry["file"] for entry in json.load(open(sys.argv[1]))), sep="\n")
PYTHON
}

# The steps that have directories of their own, at a low priority: what they need of the processors they take when the
# others wait. The first ones wait for a mirror most. Of the others, the last ones wait most: tidy runs beside them.
beside() {
    step fresh "the README's first command works on a new Debian" tests/system/fresh.sh
    step packages "the Debian packages are whole; lintian; the recipes of other systems" tests/system/packages.sh
    step same "two builds of one commit give the same bytes" tests/system/reproducible.sh
    step builds "builds with link-time optimisation by gcc and clang, and for arm64 under qemu" tests/system/builds.sh
    step tidy "clang-tidy, and the warnings of clang as errors" tidy
}

install_packages "${CHECK_PACKAGES[@]}"
step spdx "a licence line in every file" spdx
step shell "shellcheck" bash -c 'git ls-files -- "*.sh" .ci/run debian/puzzled.p* packaging/arch/PKGBUILD | xargs shellcheck -x'
step format "clang-format" bash -c 'git ls-files -- "*.c" "*.h" | xargs clang-format --dry-run -Werror'
step layers "each layer includes only what it may know" scripts/layers.py
set -m # a process group of its own, which ends with this script
(renice -n 10 $BASHPID >/dev/null; beside) &
beside=$!
set +m
step docs "files, locks and verbs stand in the pages that must name them; results are as their page says" \
    bash -c 'scripts/docs.py && scripts/results.py --look'
step release "gcc, warnings as errors, and all tests" build_and_test release
step headers "each header compiles alone" headers
step asan "all tests under AddressSanitizer and UBSan" build_and_test asan
step fuzz "changed dumps, ranks' lines and messages, texts, and visitors of puzzled-web, a minute each" tests/fuzz/brief.sh
step tsan "all tests under ThreadSanitizer" build_and_test tsan
step analyze "gcc -fanalyzer and cppcheck" scripts/analyze.sh
step torture "kills, failing calls and hostile clients, briefly" tests/torture/brief.sh
step model "two minutes of the model-based tester" tests/model/brief.sh
step python "the Python client: types, tests, examples" with_release tests/python/run.sh build/release/bin/puzzled
step web "puzzled-web: its API, hostile clients, its page in Chromium" with_release tests/web/run.sh build/release/bin
step ranks "puzzled-ranks on Open MPI and MPICH finds what one process finds" tests/ranks/run.sh
step results "the spaces of docs/results that take seconds have the printed numbers" scripts/reproduce.sh
step units "the systemd units are sound and harden the service" tests/system/units.sh
step admin "what an administrator meets" tests/system/admin.sh
step metrics "promtool accepts the metrics" tests/system/metrics.sh
step examples "the examples of the manual pages run" tests/system/man_examples.sh
wait "$beside"
beside=
step boot "a Debian boots with the packages and runs the service" tests/system/boot.sh

failed=$(with_result failed)
for word in "${wanted[@]}"; do
    [ -e "$log/$word.result" ] || { echo "No step is called '$word'; their names: $(sed -n 's/^ *step \([a-z]*\) .*/\1/p' "$0" | xargs)"; failed=${failed:+$failed }$word; }
done
skipped=$(with_result skipped)
count() { echo $#; }
[ -z "$failed" ] || echo "Failed: $failed"
# shellcheck disable=SC2046,SC2086 # names are words
echo "$(count $(with_result ok)) passed, $(count $skipped) skipped in whole or in part${skipped:+ ($skipped)}, $(count $failed) failed, in $((SECONDS / 60)) min $((SECONDS % 60)) s"
kept=${XDG_CACHE_HOME:-$HOME/.cache}/puzzled # by tests/system/roots.sh
[ ! -d "$kept" ] || echo "Debian systems for the next run are kept in $kept ($(du -sh "$kept" | cut -f1)); builds are in $PWD/build"
[ -z "$failed" ]
