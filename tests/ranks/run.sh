#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# puzzled-ranks against the published levels and against one process, on Open MPI and on MPICH; and how it ends when
# something is wrong. There are more ranks than processors here, so this says nothing of speed.
#
#   tests/ranks/run.sh [change]    of a change only that small spaces of each engine are the same on several ranks
set -u
cd "$(dirname "$0")/../.." || exit 1
. scripts/packages.sh
. tests/system/checks.sh
install_packages "${BUILD_PACKAGES[@]}" "${RANKS_PACKAGES[@]}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
work=$(mktemp -d)
export TMPDIR=$work # a mpiexec that is killed leaves its files there
daemon=
finish() {
    [ -z "$daemon" ] || kill -KILL "$daemon" 2>/dev/null
    pkill -KILL -f "^$work/puzzled-ranks" 2>/dev/null
    rm -rf "$work" "$check_output"
}
trap finish EXIT

if ! { cmake --preset release && cmake --build --preset release; } >"$work/build" 2>&1; then
    tail "$work/build"
    exit 1
fi

# build_ranks COMPILER PROGRAM [FLAG…]: against the libraries of the build.
build_ranks() {
    local compiler=$1 program=$2 libraries=build/release/core
    shift 2
    "$compiler" -std=c17 -D_GNU_SOURCE -O2 "$@" -Iranks -Icore -Icore/include -I. -Ibuild/release/generated ranks/*.c \
        $libraries/store/libpuzzled_store.a $libraries/explore/libpuzzled_explore.a build/release/protocol/libpuzzled_protocol.a \
        $libraries/space/libpuzzled_space.a $libraries/board/libpuzzled_board.a $libraries/base/libpuzzled_base.a \
        -llmdb -lxxhash -lmd -lm -lpthread -ldl -o "$program"
}

openmpi() {
    timeout 900 mpiexec.openmpi "$@"
}

mpich() {
    timeout 900 mpiexec.mpich "$@"
}

threads=1 # of a rank
# explore RANKS PUZZLE…: the levels are in $work/RANKS.csv, and with examples and deepest boards in $work/RANKS.
explore() {
    local ranks=$1
    shift
    "$mpi" -n "$ranks" "$program" explore "$@" --threads $threads --memory 512M --report "$work/report" >"$work/$ranks.csv" || return
    without_job "$work/report" >"$work/$ranks"
}

# The records of a dump but for the first, which says when the job ran and how long it took (docs/storage.md).
without_job() {
    local mark=15 head=8 length
    length=$((16#$(od -An -tx1 -j $((mark + 4)) -N 4 "$1" | tr -d ' ')))
    tail -c +$((mark + head + length + 1)) "$1"
}

same_as_one() {
    explore "$@" && cmp "$work/1" "$work/$1"
}

# The rows of a report are those of a file, as far as it goes.
published() {
    grep -E '^[0-9]+,[0-9]+$' "$work/1.csv" >"$work/rows"
    grep -E '^[0-9]+,[0-9]+$' "$1" | head -n "$(wc -l <"$work/rows")" | cmp - "$work/rows"
}

# agree FILE "RANKS…" PUZZLE…: one process finds what is published, and all others what it found.
agree() {
    local file=$1 counts=$2 ranks
    shift 2
    check "$*: one process explores it" explore 1 "$@"
    [ "$file" = - ] || check "$*: one process finds the published levels" published "$file"
    for ranks in $counts; do
        check "$*: $ranks ranks find the same levels, examples and deepest boards" same_as_one "$ranks" "$@"
    done
}

# refused STATUS TEXT COMMAND…: it fails with that exit status, and says that, once.
refused() {
    local expected=$1 text=$2 status=0
    shift 2
    "$@" >"$work/said" 2>&1 || status=$?
    cat "$work/said"
    [ "$status" -eq "$expected" ] && [ "$(grep -c '^puzzled-ranks: ' "$work/said")" -eq 1 ] &&
        grep -qF "puzzled-ranks: $text" "$work/said"
}

# Starts three ranks that do not end by themselves for long, as $job, and waits until they have found some levels.
begin_long() {
    rm -f "$work/out" # of the run before, which also had these levels
    "mpiexec.$mpi" -n 3 "$program" explore 5x5 --threads 1 --memory 2G >"$work/out" 2>&1 &
    job=$!
    within 120 grep -q '^9,' "$work/out"
}

# Prints the process number of a rank that runs with these words (pgrep's pattern).
a_rank() {
    pgrep -f "^$program explore $1" | tail -n 1
}

# One of three ranks is killed when they have found some levels.
killed() {
    local status=0 job
    begin_long && kill -KILL "$(a_rank 5x5)" || return 1
    wait "$job" || status=$?
    cat "$work/out"
    # MPICH names at times another rank, which ends since it lost the first.
    [ "$status" -ne 0 ] && grep -qi 'killed\|signal 9\|bad termination' "$work/out"
}

# on_two_disks PUZZLE SETTING…: 3x4, of which rank 1 makes 216 writes to its scratch space, or pancake:10, of which it
# makes some thousand. One fails as the settings say (tests/torture/faults.c).
on_two_disks() {
    local puzzle=$1
    shift
    openmpi -n 1 "$program" explore "$puzzle" --threads 1 --memory 512M --scratch "$work/disk" : \
        -n 1 env LD_PRELOAD="$PWD/build/release/lib/libfaults.so" FAULT_CALL=write "$@" \
        "$program" explore "$puzzle" --threads 1 --memory 512M --scratch "$work/disk"
}

# has_gone_on PUZZLE: it goes on from the levels that were made, and finds what one process found.
has_gone_on() {
    [ -s "$work/disk/place" ] && same_as_one 2 "$1" --scratch "$work/disk" && [ -z "$(ls "$work/disk")" ]
}

# The lock of one that runs is waited for some seconds, then the other one is refused.
shared_folder() {
    local lock status=0
    mkdir "$work/disk/rank-0"
    exec {lock}<"$work/disk/rank-0"
    flock "$lock"
    refused 1 "rank 0: $work/disk/rank-0: another exploration uses it" openmpi -n 2 "$program" explore 2x6 --scratch "$work/disk" ||
        status=1
    exec {lock}<&-
    return $status
}

# The folder of a daemon's job goes, as another run of it ends, just before a rank makes its own in it.
folder_goes() {
    mkdir "$work/gone"
    LD_PRELOAD=$work/gone.so "$program" explore 3x3 --daemon --seed 7 --scratch "$work/gone" >"$work/out"
    tail -n 1 "$work/out"
    grep -q '^OK complete=yes' "$work/out" && rmdir "$work/gone"
}

all_ended() {
    ! pgrep -f "^$program explore"
}

# halt_rank PATTERN: stops (SIGSTOP) a rank with these words, so that the others come to wait for it at a level's end.
halt_rank() {
    kill -STOP "$(a_rank "$1")" && sleep 0.5
}

# The end of mpiexec by SIGTERM, while ranks wait for one that stands still. MPICH's exit status is 0 at times, so the
# report tells that it was cut off: its last line is not there.
ended_while_waiting() {
    local job
    begin_long && halt_rank 5x5 || return 1
    kill "$job"
    wait "$job"
    within 120 all_ended && not grep '^# [0-9]* states' "$work/out"
}

section "Open MPI"
mpi=openmpi
program=$work/puzzled-ranks
cp build/release/bin/puzzled-ranks "$program"
cp build/release/bin/puzzled "$work/puzzled" # its ranks are those beside it
mkdir "$work/plugins" "$work/disk"
check "the cube plugin compiles" gcc -shared -fPIC -O2 -Icore/include examples/cube2/cube2.c -o "$work/plugins/cube2.so"
for size in 2x2 2x3 2x4 3x3; do
    agree tests/data/levels/$size.csv "2 3 4 7" $size
done
agree tests/data/levels/2x5.csv "2 3 4 7" 2x5
agree - 3 klotski:横刀立马
numbered() {
    awk -F, -v row="$2" '$1 == row { for (i = 2; i <= NF; i++) print i - 2 "," $i }' "$1"
}
numbered tests/data/pancake_levels.csv 9 >"$work/pancake-9"
agree "$work/pancake-9" "2 3 7" pancake:9
if [ "${1-}" = change ]; then
    summary
    exit
fi
agree tests/data/levels/2x6.csv "2 3 4 7" 2x6
agree tests/data/levels/3x4.csv "2 7" 3x4
check "3x4: two ranks on disk find the same levels, examples and deepest boards" same_as_one 2 3x4 --scratch "$work/disk"
agree tests/data/levels/3x4.csv 3 3x4 --depth 25
agree tests/data/levels/4x4-first-levels.csv "2 4" 4x4 --depth 22
printf '%s\n' 0,1 1,6 2,27 3,120 4,534 5,2256 6,8969 7,33058 8,114149 9,360508 10,930588 11,1350852 12,782536 13,90280 \
    14,276 >"$work/cube"
agree "$work/cube" 4 cube2 metric=quarter --plugins "$work/plugins"

# goes_on PUZZLE WRITE: rank 1 is killed at that write, three times: each run comes further than the one before.
goes_on() {
    local run
    for run in 1 2 3; do
        not on_two_disks "$1" FAULT_AT="$2" FAULT_KILL=1 || { echo "run $run was not killed"; return 1; }
    done
    has_gone_on "$1"
}

check "3x4: one process explores it" explore 1 3x4
check "3x4: two ranks that were killed three times go on, and leave nothing on the disk" goes_on 3x4 60

# The ranked engine, on one thread and on two.
numbered tests/data/pancake_levels.csv 10 >"$work/pancake-10"
sed -n 's/^2x2x2,//p' tests/data/twisty_levels.csv >"$work/2x2x2"
sed -n 's/^pyraminx,//p' tests/data/twisty_levels.csv >"$work/pyraminx"
agree - "2 3" pancake:7,burnt:yes
agree - 3 topspin:9,3
agree "$work/2x2x2" "2 3" cube2 metric=turn --define definitions/cube2.tws
threads=2
agree "$work/pancake-9" "2 3" pancake:9
agree - "2 3" topspin:11,4
threads=1
agree "$work/pyraminx" 3 pyraminx metric=turn --define definitions/pyraminx.tws
agree "$work/pancake-10" "2 4" pancake:10
check "pancake:10: three ranks on disk find the same levels, examples and deepest boards" same_as_one 3 pancake:10 --scratch "$work/disk"
check "pancake:10: two ranks that were killed three times go on, and leave nothing on the disk" goes_on pancake:10 500

section "Open MPI: a daemon"

# daemon_with LAUNCH…: a daemon that has a cluster.
daemon_with() {
    printf '[daemon]\nstate-directory = %s\n[cluster]\nlaunch = %s\n' "$work/state" "$*" >"$work/conf"
    "$work/puzzled" --config "$work/conf" --socket "$work/socket" >"$work/log" 2>&1 &
    daemon=$!
    within 120 client version
}

client() {
    build/release/bin/puzzlectl --socket "$work/socket" "$@"
}

# What is stored of a job: its levels with examples.
stored() {
    client levels "$1" --examples 16 --plain
}

imported() {
    openmpi -n 2 "$program" explore 2x6 root=1,3,2,4,5,6/7,8,9,10,11,0 --threads 1 --memory 512M --report "$work/report" &&
        "$work/puzzled" --config "$work/conf" --import "$work/report"
}

answered() {
    client explore 2x6 --root 1,3,2,4,5,6/7,8,9,10,11,0 --keep levels | grep -q 'job 1 done' && stored 1 >"$work/stored" &&
        [ "$(grep -c . "$work/stored")" -eq 81 ]
}

clustered() {
    client explore 3x4 --cluster >"$work/out" && grep -q '^ranks  *3$' <(client result 2) &&
        client levels 2 --plain | tr '\t' , >"$work/rows" && grep -E '^[0-9]' tests/data/levels/3x4.csv | cmp - "$work/rows"
}

# A job that does not end for long, as $number; it has found a level.
long_job() {
    client explore 5x5 --depth 60 --cluster --detach "$@" >"$work/out" && number=$(grep -o '[0-9][0-9]*' "$work/out" | head -n 1) &&
        within 120 level_known
}

# A daemon's definition, which the ranks read from rank 0's standard input: it is published under another name than theirs.
defined() {
    client define definitions/cube2.tws --name two >"$work/out" && client explore two metric=turn --cluster >"$work/out" &&
        client levels 3 --plain | tr '\t' , >"$work/rows" && cmp "$work/2x2x2" "$work/rows"
}

# Rules that each forget something, in a text of more than one piece: 40 KB, most of them a comment.
defined_large() {
    { cat definitions/gripper6.psvn; printf '# %39s\n' {1..1000}; } >"$work/large.psvn"
    client explore "$work/large.psvn" --cluster >"$work/out" && client levels 4 --plain >"$work/rows" &&
        client explore large --keep table >"$work/out" && client levels 5 --plain | cmp - "$work/rows"
}

lost_rank() {
    long_job && kill -KILL "$(a_rank "--request=EXPLORE 5x5.*--daemon")" && within 120 says 'signal 9' client result "$number"
}

# How a job ends while its ranks wait for one that stands still.
halted_job() {
    long_job "$@" && halt_rank "--request=EXPLORE 5x5.*--daemon"
}

level_known() {
    client --json status "$number" | grep -q '"level":[1-9]'
}

no_ranks() {
    ! pgrep -f "^$program explore --request=EXPLORE 5x5.*--daemon"
}

cancelled() {
    halted_job && client cancel "$number" && within 120 no_ranks && within 120 says cancelled client result "$number"
}

# On a slow machine the time may be over before a rank can be halted.
timed_out() {
    halted_job --time 5s
    within 120 says time client result "$number" && within 120 no_ranks
}

daemon_ends_with_ranks() {
    halted_job && daemon_ends && within 120 no_ranks
}

daemon_is_killed() {
    kill -KILL "$daemon" && not wait "$daemon" && daemon=
}

daemon_ends() {
    kill "$daemon" && wait "$daemon" && daemon=
}

# The daemon is killed, and this script has a rank's folder as soon as the rank has died, as if it had not yet.
on_disk=(mpiexec.openmpi -n 2 '{program}' --memory 512M --scratch "$work/disk")
kept_behind() {
    long_job && touch "$(echo "$work/disk"/job-*/rank-1)/file" || return 1 # it will not be empty
    exec 9<"$(echo "$work/disk"/job-*/rank-1)"
    daemon_is_killed && flock --timeout 120 9
}

job_waits() {
    daemon_with "${on_disk[@]}" 9<&- && within 120 says '"phase":"wait"' client --json status "$number" &&
        within 120 grep -q "event=ranks-wait .*/rank-.: another exploration uses it" "$work/log"
}

job_goes_on() {
    exec 9<&-
    within 120 level_known && client cancel "$number" && within 120 nothing_kept
}

nothing_kept() {
    [ -z "$(ls "$work/disk")" ]
}

# The end of the daemon before its child has asked to be told of it.
died_early() {
    local child
    LD_PRELOAD=$work/late.so daemon_with sh -c "\"touch $work/begun\"" '{program}' &&
        client explore 3x3 --cluster --detach >"$work/out" && within 120 pgrep -P "$daemon" &&
        child=$(pgrep -P "$daemon") && daemon_is_killed && touch "$work/dead" &&
        within 120 gone "$child" && [ ! -e "$work/begun" ]
}

gone() {
    [[ ! $(ps -o stat= -p "$1") =~ ^[^Z] ]]
}

mkdir "$work/state"
printf '[daemon]\nstate-directory = %s\n' "$work/state" >"$work/conf"
check "a report is imported" imported
check "a daemon starts" daemon_with "mpiexec.openmpi -n 3 {program} --memory 2G"
check "the imported job answers its question" answered
check "an exploration on the cluster finds the published levels" clustered
check "a definition of the daemon's reaches the ranks, which find the published levels" defined
check "a definition in many pieces, too, and a local job finds the same" defined_large
check "a rank that is killed fails the job with mpiexec's words" lost_rank
check "CANCEL is seen while the ranks wait for one that stands still" cancelled
check "and so is a limit of time" timed_out
check "and the end of the daemon" daemon_ends_with_ranks
rm -r "$work/state" && mkdir "$work/state"
check "a daemon starts whose ranks have scratch space" daemon_with "${on_disk[@]}"
check "it is killed, and a rank's folder is not free yet" kept_behind
check "the next daemon's job waits for the rank's folder and says so" job_waits
check "when it is free the job goes on, and leaves nothing when it is cancelled" job_goes_on
check "the daemon ends" daemon_ends
printf '%s\n' '#include <stdarg.h>' '#include <sys/prctl.h>' '#include <sys/syscall.h>' '#include <unistd.h>' \
    'int prctl(int option, ...) { va_list all; va_start(all, option); unsigned long value = va_arg(all, unsigned long);' \
    'va_end(all); while (option == PR_SET_PDEATHSIG && access(DEAD, F_OK) != 0) usleep(10000);' \
    'return (int)syscall(SYS_prctl, option, value, 0, 0, 0); }' >"$work/late.c"
check "a late prctl() compiles" gcc -shared -fPIC -O2 -D_GNU_SOURCE -DDEAD="\"$work/dead\"" "$work/late.c" -o "$work/late.so"
check "a command whose daemon died before it was ready does not begin" died_early

section "Open MPI: what is wrong"
echo '#define PUZZLED_VERSION "9.9.9"' >"$work/version.h"
check "a program of another version compiles" build_ranks mpicc.openmpi "$work/other" -I"$work"
check "ranks of another version are refused" refused 1 "rank 1 runs version 9.9.9, rank 0 " \
    openmpi -n 1 "$program" explore 3x3 : -n 1 "$work/other" explore 3x3
check "ranks with another puzzle are refused" refused 2 "rank 2 explores slide:3x4, rank 0 slide:3x3" \
    openmpi -n 2 "$program" explore 3x3 : -n 1 "$program" explore 3x4
mkdir "$work/others"
check "a cube plugin with fewer moves compiles" gcc -shared -fPIC -O2 -Icore/include -x c \
    <(sed 's/half ? TURNS : 6/6/' examples/cube2/cube2.c) -o "$work/others/cube2.so"
check "ranks with different plugins are refused" refused 1 "rank 1 has another plugin of cube2:half than rank 0" \
    openmpi -n 1 "$program" explore cube2 metric=half --plugins "$work/plugins" : \
    -n 1 "$program" explore cube2 metric=half --plugins "$work/others"
check "an unknown puzzle is refused, and says how a text and a plugin are given" refused 1 "rank 0: no puzzle 'cube2.tws'; there \
are: slide, klotski, rushhour, jugs, sokoban, linkup, pancake, topspin, hanoi; a text is --define NAME.tws and its bare NAME, a \
plugin is in --plugins DIR" \
    openmpi -n 3 "$program" explore cube2.tws
check "too little memory on one rank is refused" refused 1 "rank 1: needs" \
    openmpi -n 1 "$program" explore 3x3 : -n 1 "$program" explore 3x3 --memory 10K
check "and so it is with scratch space" refused 1 "rank 1: needs" openmpi -n 1 "$program" explore 3x4 --scratch "$work/disk" : \
    -n 1 "$program" explore 3x4 --scratch "$work/disk" --memory 10K
check "a puzzle that is too large is refused with the depth that fits the ranks together" refused 1 "rank 0: needs 506.5G, limit 1.0G; depth=26 fits" \
    openmpi -n 2 "$program" explore 4x4 --memory 1G
check "fewer stripes of states than ranks are refused" refused 1 "rank 0: memory= has room for 4 stripes" \
    openmpi -n 8 "$program" explore klotski:横刀立马 --engine striped --threads 16 --memory 3M
check "a report that cannot be written is refused" refused 1 "rank 0: /nonexistent/file: No such file" \
    openmpi -n 2 "$program" explore 3x3 --report /nonexistent/file
check "a report on a full disk is refused" refused 1 "rank 0: /dev/full: the dump: No space left" \
    openmpi -n 2 "$program" explore 3x3 --report /dev/full
check "a full standard output is told from the report's disk" refused 1 "standard output: No space left" \
    openmpi -n 1 bash -c "'$program' explore 3x3 --report '$work/report' >/dev/full"
check "a scratch directory that is missing on one rank is refused" refused 1 "rank 1: /nonexistent: No such file" \
    openmpi -n 1 "$program" explore 2x6 --scratch "$work/disk" : -n 1 "$program" explore 2x6 --scratch /nonexistent
check "3x4: one process explores it" explore 1 3x4
check "a full disk on one rank stops all with its words" refused 1 "rank 1: scratch space: cannot write a piece: No space left" \
    on_two_disks 3x4 FAULT_AT=90 FAULT_FOREVER=1
check "more ranks do not begin anew where they were cut off" refused 1 "rank 0: cannot go on from what was saved: it is of 2 ranks; " \
    openmpi -n 3 "$program" explore 3x4 --scratch "$work/disk"
check "nor does a search without checkpoints" refused 1 "rank 0: $work/disk holds an exploration that was cut off; " \
    openmpi -n 2 "$program" explore 3x3 --engine striped --scratch "$work/disk"
check "and when there is room again, they go on from there" has_gone_on 3x4
check "pancake:10: one process explores it" explore 1 pancake:10
check "a full disk on one rank stops the ranked engine, too" refused 1 \
    "rank 1: scratch space: cannot read or write a block of states: No space left" on_two_disks pancake:10 FAULT_AT=900 FAULT_FOREVER=1
check "and when there is room again, they go on from there" has_gone_on pancake:10
check "a definition that is missing is refused" refused 1 "rank 0: --define: definitions/none.tws: No such file" \
    openmpi -n 2 "$program" explore none --define definitions/none.tws
check "a definition with costs is refused, and says who explores it" refused 1 \
    "rank 0: cluster=yes is for puzzles whose moves all cost one: a daemon explores this without it, by engine=costs" \
    openmpi -n 2 "$program" explore slide3x3costs --define definitions/slide3x3costs.psvn
check "engine=ranked is refused for what it cannot share" refused 1 "rank 0: the ranked engine: ranks share permutation puzzles only" \
    openmpi -n 2 "$program" explore hanoi:3,4 --engine ranked
mkdir "$work/disk/place"
check "a place that cannot be read is refused by its name" refused 1 "rank 0: $work/disk/place: Is a directory" \
    openmpi -n 2 "$program" explore 2x6 --scratch "$work/disk"
rmdir "$work/disk/place"
check "two explorations do not share a rank's folder" shared_folder
printf '%s\n' '#include <fcntl.h>' '#include <string.h>' '#include <sys/stat.h>' '#include <sys/syscall.h>' '#include <unistd.h>' \
    'int mkdir(const char *path, mode_t mode) { static int gone; const char *rank = strstr(path, "/rank-"); char above[4096] = "";' \
    'if (rank != NULL && !gone++ && rmdir(memcpy(above, path, (size_t)(rank - path))) != 0) return -1;' \
    'return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode); }' >"$work/gone.c"
check "a mkdir() whose folder goes compiles" gcc -shared -fPIC -O2 "$work/gone.c" -o "$work/gone.so"
check "a job's folder that goes while a rank makes its own is made again" folder_goes
check "an unknown option is refused" refused 2 "rank 0: unknown option '--dpeth'" \
    openmpi -n 2 "$program" explore 3x3 --dpeth 4
check "a daemon's key is refused by its name" refused 2 "rank 0: time= is for a daemon" openmpi -n 2 "$program" explore 3x3 time=5s
check "when a rank is killed the whole ends and says so" killed
check "SIGTERM ends all while they wait for a rank that stands still" ended_while_waiting

section "MPICH"
mpi=mpich
program=$work/puzzled-ranks-mpich
check "it compiles without warnings" build_ranks mpicc.mpich "$program" -Wall -Wextra -Werror
agree tests/data/levels/3x3.csv "2 7" 3x3
agree tests/data/levels/2x6.csv "3" 2x6
agree "$work/pancake-9" 3 pancake:9
agree tests/data/levels/4x4-first-levels.csv 3 4x4 --depth 20
check "when a rank is killed the whole ends and says so" killed
check "SIGTERM ends all while they wait for a rank that stands still" ended_while_waiting

tests/ranks/kills.sh 1 || failures=$((failures + 1))
PUZZLE=pancake:11 tests/ranks/kills.sh 1 || failures=$((failures + 1))
echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
