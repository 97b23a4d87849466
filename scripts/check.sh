#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds and tests. Prints a line when a step begins, with the seconds that it took when it
# last passed here, and one when it ends. A step that fails shows what the failed tests say and the end of its output; the
# others still run. What a step could not check here, it says as SKIP with the reason; the last line names such steps.
#
#   scripts/check.sh            what a change needs: all tests, under the sanitizers those that are quick or whose rooms
#                               changed, and the rules that a file must keep
#   scripts/check.sh all        everything that must pass before a change goes in, which is what CI runs
#   scripts/check.sh tidy tsan  only those steps, whole
set -u
cd "$(dirname "$0")/.." || exit 1
. scripts/packages.sh

log=$(mktemp -d)
declare -A asides=() # process groups by their names
end() {
    local group
    for group in "${asides[@]}"; do
        kill -- "-$group" 2>/dev/null
    done
    rm -rf "$log"
}
trap end EXIT

complaint='^\[ *(ERROR|LINE|FAILED) *\]|\*\*\*(Failed|Timeout|Exception|Not Run)|(ERROR|WARNING): [A-Za-z]+Sanitizer|runtime error:|^[^ ]+:[0-9]+:[0-9]+: (error|warning): '

durations=build/check-seconds # a file for each step, with its seconds
mkdir -p $durations

case $* in '') scope=change && export PUZZLED_BRIEF=yes ;; all) scope=all && shift ;; *) scope=named ;; esac

# step NAME WHAT COMMAND…: runs it unless other steps were asked for by name. A word is left in $log/NAME.result.
wanted=("$@")
step() {
    local name=$1 what=$2 started=$SECONDS result=failed last
    shift 2
    [[ $scope != named || " ${wanted[*]} " == *" $name "* ]] || return 0
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
        { grep -E "$complaint" "$log/$name" | head -n 40; sed -n '/^FAILED  /,/^[^ F]/p' "$log/$name" | head -n 60; echo ...; tail -n 40 "$log/$name"; } | sed 's/^/    /'
    else
        grep -hE 'tests passed|[0-9]+ skipped|[0-9]+ checks, |^SKIP' "$log/$name" | sed 's/^/           /'
    fi
}

# A step that a change need not wait for.
more() {
    [ $scope = change ] || step "$@"
}

said() {
    case $1 in failed) echo FAILED ;; skipped) echo "skipped, in whole or in part" ;; *) echo ok ;; esac
}

# Prints the names of the steps with that result.
with_result() {
    (cd "$log" && grep -lx "$1" ./*.result 2>/dev/null | sed 's,^\./,,; s,\.result$,,' | xargs)
}

# Steps that run beside each other may ask for the same build.
build() {
    (flock 9 && cmake --preset "$1" && cmake --build --preset "$1") 9>"build/$1.lock"
}

# Prints what differs from the main line: from where this branch left it, with what is not committed.
changed_files() {
    local base
    base=$(git merge-base HEAD '@{upstream}' 2>/dev/null || git merge-base HEAD origin/HEAD 2>/dev/null) || base=HEAD
    git diff --name-only "$base"
    git ls-files --others --exclude-standard
}

# all_tests PRESET: for a change without those that only ask more of the same.
all_tests() {
    local left_out=none
    [ $scope != change ] || left_out=many
    build "$1" && ctest --preset "$1" --no-tests=error -LE $left_out
}

# tests PRESET: for a change those that are quick or of a room that changed; a test has its room as a label.
tests() {
    local rooms
    [ $scope = change ] || { all_tests "$1"; return; }
    rooms=$(changed_files | tr / '\n' | sort -u | paste -sd '|')
    build "$1" && ctest --preset "$1" --no-tests=error -L "^(quick|$rooms)\$" -LE many
}

# Each commit plays seeds of its own. The asserts of the preset debug are on.
simulate() {
    cmake --preset debug && cmake --build --preset debug --target puzzled_sim && build/debug/bin/puzzled_sim tests/sim/seeds/* &&
        build/debug/bin/puzzled_sim --seconds 60 --seed "$(git rev-list --count HEAD)000"
}

# with_release COMMAND…: for a step that takes the programs as they are and may be asked for alone.
with_release() {
    build release && "$@"
}

# Each header must compile with nothing before it; the last five are bodies with parameters, which their users define.
headers() {
    build release >/dev/null || return 1
    echo 'extern int not_empty;' >"$log/empty.c"
    git ls-files -- '*.h' | grep -vE '^examples/|/(kernel_staged|kernel_orbits|kernel_bits|codec_lines|sokoban_pushes)\.h$' |
        xargs -P "$(nproc)" -I{} gcc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -fsyntax-only '-DTEST_DATA=""' '-DPUZZLED_SLOW_DISK=""' \
            -Icore -Icore/include -I. -Itests -Itests/unit -Itests/fuzz -Ibuild/release/generated -include "$PWD/{}" "$log/empty.c"
}

spdx() {
    local without
    without=$(git ls-files -- '*.c' '*.h' '*.inc' '*.in' '*.js' '*.css' '*.html' '*.sh' '*.py' '*.cmake' '*CMakeLists.txt' \
        'client/completion/*' 'debian/rules' 'debian/puzzled*.p*' 'packaging/*' 'systemd/*' 'conf/*.*' ':!*.json' |
        xargs grep -L 'SPDX-License-Identifier')
    [ -z "$without" ] || { echo "without an SPDX line:"; echo "$without"; return 1; }
}

# clang's own warnings are among what clang-tidy reports: nothing has to be built with clang for them.
tidy() {
    local changed=()
    if [ $scope = change ]; then
        mapfile -t changed < <(changed_files | grep '\.[chi][nc]*$')
        [ ${#changed[@]} -gt 0 ] || { echo "0 files changed"; return; }
    fi
    cmake --preset clang >/dev/null && scripts/tidy.py "${changed[@]}"
}

# aside NAME [NICENESS]: runs that function in a process group of its own, which ends with this script.
aside() {
    set -m
    (renice -n "${2:-0}" $BASHPID >/dev/null; "$1") &
    asides[$1]=$!
    set +m
}

# join NAME: waits until that function has ended.
join() {
    wait "${asides[$1]}"
    unset "asides[$1]"
}

# The steps that wait much: for a browser, and for ranks that talk. Tests and builds take the processors meanwhile.
visitors() {
    step python "the Python client: types, tests, examples" with_release tests/python/run.sh build/release/bin/puzzled
    step web "puzzled-web: its API, hostile clients, its page in Chromium" with_release tests/web/run.sh build/release/bin
    step ranks "puzzled-ranks on Open MPI and MPICH finds what one process finds" tests/ranks/run.sh $scope
}

# The steps that have directories of their own, at a low priority: what they need of the processors they take when the
# others wait. The first ones wait for a mirror most. Of the others, the last ones wait most: tidy runs beside them.
beside() {
    more packages "the Debian packages are whole; lintian; the recipes of other systems" tests/system/packages.sh
    more fresh "the README's first command, and the packages, work on a new Debian" tests/system/fresh.sh
    more same "two builds of one commit give the same bytes" tests/system/reproducible.sh
    more builds "builds with link-time optimisation by gcc and clang, and for arm64 under qemu" tests/system/builds.sh
    step tidy "clang-tidy, and the warnings of clang as errors" tidy
}

install_packages "${CHECK_PACKAGES[@]}"
step spdx "a licence line in every file" spdx
step shell "shellcheck" bash -c 'git grep -lE "^#!.*[ /](ba)?sh$|^# shellcheck shell=" | xargs shellcheck -x'
step format "clang-format" bash -c 'git ls-files -- "*.c" "*.h" | xargs clang-format --dry-run -Werror'
step layers "each layer includes only what it may know" scripts/layers.py
aside beside 10
step docs "files, locks and verbs stand in the pages that must name them; results are as their page says" \
    bash -c 'scripts/docs.py && scripts/results.py --look'
[ $scope = named ] || build release >"$log/build" 2>&1 # what the visitors run; the step tells what is wrong with it
aside visitors
step release "gcc, warnings as errors, and all tests" all_tests release
step headers "each header compiles alone" headers
step asan "AddressSanitizer and UBSan" tests asan
more fuzz "changed dumps, ranks' lines and messages, texts, and visitors of puzzled-web, a minute each" tests/fuzz/brief.sh
step tsan "ThreadSanitizer" tests tsan
more analyze "gcc -fanalyzer and cppcheck" scripts/analyze.sh
more torture "kills, failing calls and hostile clients, briefly" tests/torture/brief.sh
more sim "the whole daemon on one thread, simulated from seeds: those that found something, and a minute of others" simulate
more model "a minute of the model-based tester" tests/model/brief.sh
join visitors # which may build the programs that the next steps build
more results "the spaces of docs/results that take seconds have the printed numbers" scripts/reproduce.sh
more units "the systemd units are sound and harden the service" with_release tests/system/units.sh
more admin "what an administrator meets" tests/system/admin.sh
more metrics "promtool accepts the metrics" tests/system/metrics.sh
more examples "the examples of the manual pages run" tests/system/man_examples.sh
join beside
more boot "a Debian boots with the packages and runs the service" tests/system/boot.sh

failed=$(with_result failed)
for word in "${wanted[@]}"; do
    [ -e "$log/$word.result" ] || { echo "No step is called '$word'; their names: $(sed -n 's/^ *\(step\|more\) \([a-z]*\) ".*/\2/p' "$0" | xargs)"; failed=${failed:+$failed }$word; }
done
skipped=$(with_result skipped)
count() { echo $#; }
[ -z "$failed" ] || echo "Failed: $failed"
# shellcheck disable=SC2046,SC2086 # names are words
echo "$(count $(with_result ok)) passed, $(count $skipped) skipped in whole or in part${skipped:+ ($skipped)}, $(count $failed) failed, in $((SECONDS / 60)) min $((SECONDS % 60)) s"
kept=${XDG_CACHE_HOME:-$HOME/.cache}/puzzled # by tests/system/roots.sh
[ ! -d "$kept" ] || echo "Debian systems for the next run are kept in $kept ($(du -sh "$kept" | cut -f1)); builds are in $PWD/build"
[ -z "$failed" ]
