#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Kills at random moments: a rank, mpiexec, the daemon. What goes on afterwards finds the published levels, nothing is
# left running and nothing on the disk. Needs the release build.
#
#   tests/ranks/kills.sh [N] [SEED]    N kills of each kind (2); SEED repeats the choice of moments
#   PUZZLE=pancake:11 …                of the ranked engine, whose levels are in pancake_levels.csv (3x4, dense)
#   MPI=mpich RANKS=PROGRAM …          on MPICH, with a puzzled-ranks for it (else on Open MPI)
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/system/checks.sh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
mpiexec=mpiexec.${MPI:-openmpi}
kills=${1:-2}
puzzle=${PUZZLE:-3x4}
seed=${2:-$((SRANDOM % 32768))}
RANDOM=$seed
work=$(mktemp -d)
export TMPDIR=$work # a mpiexec that is killed leaves its files there
program=$work/puzzled-ranks # no other run has processes of this name
daemon=
finish() {
    [ -z "$daemon" ] || kill -KILL "$daemon" 2>/dev/null
    pkill -KILL -f "^$program" 2>/dev/null
    rm -rf "$work" "$check_output"
}
trap finish EXIT
mkdir "$work/disk" "$work/state"
cp "${RANKS:-build/release/bin/puzzled-ranks}" "$program"
cp build/release/bin/puzzled "$work/puzzled" # its ranks are those beside it
case $puzzle in
pancake:*) awk -F, -v row="${puzzle#*:}" '$1 == row { for (i = 2; i <= NF; i++) print i - 2 "," $i }' tests/data/pancake_levels.csv ;;
*) grep -E '^[0-9]+,' "tests/data/levels/$puzzle.csv" ;;
esac >"$work/levels"

# Prints the process numbers of the ranks; fails if there are none.
ranks() {
    pgrep -f "^$program explore"
}

ended() {
    ! ranks
}

# A moment within the first two seconds.
moment() {
    sleep "$((RANDOM % 2)).$(printf %03d $((RANDOM % 1000)))"
}

# ---- without a daemon ----

start() {
    "$mpiexec" -n 2 "$program" explore "$puzzle" --threads 1 --memory 512M --scratch "$work/disk" >"$work/out" 2>"$work/errors" &
    job=$!
}

ranks_or_end() {
    ranks || ! kill -0 "$job"
}

# What the ranks printed shows that they are through MPI_Init, in which Open MPI 4.1 waits for ever for one that was killed.
begun_or_end() {
    [ -s "$work/out" ] || ! kill -0 "$job"
}

found() {
    grep -E '^[0-9]+,[0-9]+$' "$work/out" | cmp - "$work/levels" && [ -z "$(ls "$work/disk")" ]
}

# killed rank|mpiexec: starts, kills at some moment, and sees that nothing of it runs on. If the exploration ends first,
# what it found must be right, and the next one starts over.
killed() {
    local victim status=0
    until
        start
        within 120 ranks_or_end
        [ "$1" = mpiexec ] || within 120 begun_or_end
        moment
        kill -0 "$job" 2>/dev/null
    do
        wait "$job" && found || return 1
    done
    victim=$job
    [ "$1" = mpiexec ] || victim=$(ranks | shuf -n 1 --random-source=<(yes "$RANDOM"))
    kill -KILL "$victim" 2>/dev/null
    wait "$job" || status=$?
    [ "$status" -ne 0 ] || found || return 1 # it was over just before
    within 120 ended
}

comes_to_the_end() {
    start
    wait "$job" && found
}

# ---- with a daemon ----

start_daemon() {
    "$work/puzzled" --config "$work/conf" --socket "$work/socket" >>"$work/log" 2>&1 &
    daemon=$!
    within 120 client version
}

client() {
    build/release/bin/puzzlectl --socket "$work/socket" "$@"
}

submit() {
    client explore "$puzzle" --cluster --detach >"$work/out" && number=$(grep -o '[0-9][0-9]*' "$work/out" | head -n 1)
}

job_is() {
    client --json status "$number" | grep -qE "\"state\": *\"($1)\""
}

stored() {
    job_is "done" && client levels "$number" --plain | tr '\t' , | grep -E '^[0-9]+,' | cmp - "$work/levels" &&
        within 120 nothing_kept
}

# Asks again whatever has ended, and waits until the ranks run.
running() {
    for _ in $(seq 200); do
        job_is 'queued|running' && within 5 ranks >/dev/null && return 0
        if job_is "done"; then
            stored && client forget "$number" >"$work/out" || return 1
        fi
        submit || return 1
    done
    echo "the ranks never run"
    return 1
}

daemon_killed() {
    not job_is failed && running || return 1
    moment
    kill -KILL "$daemon"
    wait "$daemon" 2>/dev/null
    start_daemon && { job_is 'queued|running' || stored; }
}

level_known() {
    client --json status "$number" | grep -q '"level":' || not job_is running
}

rank_killed() {
    running && within 120 level_known || return 1
    moment
    pkill -KILL -f -n "^$program explore" || return 0 # it was over just before
    within 120 job_is 'failed|done'
}

job_done() {
    job_is "done" || { running && within 600 job_is 'done|failed' && job_is "done"; } || return 1
    stored
}

# goes_on: the job of the daemon that was killed is not asked again, and ends well.
goes_on() {
    within 600 job_is 'done|failed' && job_is "done" && stored
}

# Prints what there is to know of the job: how it is, what was logged, what each process waits for, and the files.
tell() {
    client status "$number"
    client result "$number"
    tail -n 20 "$work/log"
    ps -o pid=,ppid=,pgid=,stat=,wchan:20=,etimes=,args= -p "$(pgrep -d , -f "$work" || echo $$)"
    ls -lR --time-style=full-iso "$work/disk"
}

# or_tell COMMAND…: if it fails, the job is described.
exec {screen}>&1
or_tell() {
    "$@" || { tell >&"$screen" 2>&1; return 1; }
}

cancelled() {
    running || return 1
    moment
    client cancel "$number" >"$work/out"
    within 120 job_is 'cancelled|done' && within 120 ended && within 120 nothing_kept
}

nothing_kept() {
    local left
    left=$(find "$work/disk" -mindepth 1)
    [ -z "$left" ] || { echo "$left"; return 1; }
}

each() {
    local i sentence=$1
    shift
    for ((i = 1; i <= kills; i++)); do
        check "$sentence ($i)" "$@" || return 1
    done
}

section "kills at random moments, seed $seed"
each "a rank is killed: all ends" killed rank
check "the next one finds the published levels" comes_to_the_end
each "mpiexec is killed: all ends" killed mpiexec
check "the next one finds the published levels" comes_to_the_end

printf '[daemon]\nstate-directory = %s\n[cluster]\nlaunch = %s -n 2 {program} --memory 512M --scratch %s\n' \
    "$work/state" "$mpiexec" "$work/disk" >"$work/conf"
check "a daemon starts" start_daemon
check "a job starts" submit
each "the daemon is killed, and its job goes on" or_tell daemon_killed
check "the job finds the published levels" or_tell goes_on
client forget "$number" >"$work/out"
check "a job starts" submit
each "a rank of the job is killed" or_tell rank_killed
check "the job that is asked again finds the published levels" or_tell job_done
each "a job that is cancelled leaves nothing" or_tell cancelled
check "the daemon ends" kill "$daemon"
wait "$daemon"
daemon=
summary
