#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What an administrator meets: faults in the configuration, places that cannot be used, a daemon that is already
# there, signals. Against a private daemon; needs no rights.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/system/private_daemon.sh
. tests/system/checks.sh
build_programs

# refused_by_check TEXT LINE…: the check refuses a configuration of these lines with this text.
refused_by_check() {
    local text=$1
    shift
    printf '%s\n' "$@" >"$work/wrong.conf"
    says "$text" exits 2 "$puzzled" --config "$work/wrong.conf" --check-config
}

# refused TEXT LINE…: so do the check and the daemon.
refused() {
    local text=$1
    refused_by_check "$@" || return 1
    shift
    case $2 in socket\ *) return 0 ;; esac # the flag below is right
    says "$text" exits 2 timeout 60 "$puzzled" --config "$work/wrong.conf" --socket "$work/no.sock" --state-dir "$work/no"
}

# does_not_start TEXT ARGUMENT…
does_not_start() {
    local text=$1
    shift
    says "$text" exits 2 timeout 60 "$puzzled" --foreground --socket "$work/other.sock" \
        --state-dir "$work/other" "$@"
}

# Every key of the shipped file, uncommented.
all_keys_set() {
    sed -n '/^\[/p; s/^#\([a-z-]* =\)/\1/p' conf/puzzled.conf >"$work/all.conf"
    "$puzzled" --config "$work/all.conf" --check-config
}

# The settings of a page, as they stand there.
page_settings() {
    sed -n '/^    \[limits\]/,/^$/s/^    //p' "$1" >"$work/page.conf"
    grep -q = "$work/page.conf" && "$puzzled" --config "$work/page.conf" --check-config
}

other_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# For root: another user, who is no member of root's group, starts a daemon.
no_member() {
    printf '%s\n' "[daemon]" "socket-group = root" >"$work/wrong.conf"
    mkdir "$work/theirs" && chown 65534 "$work/theirs" && chmod 755 "$work" || return 1
    says "[daemon] socket-group: user 65534 is no member of 'root'" timeout 60 "${other_user[@]}" \
        "$puzzled" --config "$work/wrong.conf" --socket "$work/theirs/socket" --state-dir "$work/theirs/state"
}

section "the configuration"
mkdir -m 0777 "$work/open" && chmod 0777 "$work/open"
check "the shipped configuration is sound" "$puzzled" --config conf/puzzled.conf --check-config
check "so it is with every key uncommented" all_keys_set
check "the settings of docs/departments.md are sound" page_settings docs/departments.md
check "a file that is not there" says "cannot read $work/none.conf" "$puzzled" --config "$work/none.conf" --check-config
check "an unknown section" refused "no section [colour]" "[colour]" "red = 1"
check "an unknown key" refused "wrong.conf:2: [limits] has no key 'thread'" "[limits]" "thread = 2"
check "a word for a number" refused "wrong.conf:2:" "[limits]" "threads = many"
check "a number out of range" refused "64" "[limits]" "threads = 65"
check "a wrong unit" refused "wrong.conf:3:" "[limits]" "# how much" "memory = 8X"
check "a line that is none" refused "wrong.conf:2:" "[limits]" "threads"
check "an address that is not loopback" refused "allow-remote-clients-without-authentication" \
    "[daemon]" "listen = 0.0.0.0:7845"
check "a plugin directory that is not there" refused "$work/none: No such file" "[daemon]" "plugin-directory = $work/none"
check "a plugin directory that is a file" refused "is no directory" "[daemon]" "plugin-directory = $PWD/README.md"
check "a plugin directory that others may write to" refused "may be written by others" "[daemon]" "plugin-directory = $work/open"
check "a scratch directory that others may write to" refused "may be written by others" "[store]" "scratch-directory = $work/open"
check "a scratch directory that is a file" refused "[store] scratch-directory: $PWD/README.md" "[store]" "scratch-directory = $PWD/README.md"
check "a scratch directory on a disk that is not mounted" refused "the directory above it is not there" \
    "[store]" "scratch-directory = $work/none/scratch"
printf '%s\n' "[store]" "scratch-directory = /dev/shm/none" >"$work/wrong.conf"
check "on which disk the scratch directory is" says "scratch space: /dev/shm/none, on the disk at /dev/shm, " \
    "$puzzled" --config "$work/wrong.conf" --check-config
check "a key that stands twice" refused "wrong.conf:3: [limits] threads: line 2 sets it already" "[limits]" "threads = 2" "threads = 3"
check "a comment behind a value" refused "wrong.conf:2: '# two' behind a value: a comment needs a line of its own" \
    "[limits]" "threads = 2 # two"
check "an engine that is none" refused "wrong.conf:2: [engine] engine: 'fast' is not one of auto, striped, dense, ranked" \
    "[engine]" "engine = fast"
check "a kernel that is none" refused "wrong.conf:2: [engine] dense-kernel: no kernel 'fast': there are portable" \
    "[engine]" "dense-kernel = fast"
check "stripes that cannot be" refused "wrong.conf:3: [engine] stripes: 3 is no power of two" "[engine]" "" "stripes = 3"
check "a command without its program" refused "wrong.conf:2: [cluster] launch: no {program} in it" \
    "[cluster]" "launch = mpiexec -n 4"
check "a group that is not there" refused "wrong.conf:2: [daemon] socket-group: there is no group 'nogroups'" \
    "[daemon]" "socket-group = nogroups"
if [ "$(id -u)" = 0 ] && "${other_user[@]}" test -x "$puzzled"; then
    check "a group that the user is no member of" no_member
fi
check "a socket in no directory" refused "wrong.conf:2: [daemon] socket: there is no directory $work/none" \
    "[daemon]" "socket = $work/none/socket"
check "a socket's path that is too long" refused "wrong.conf:2: [daemon] socket: the path is longer than 107 bytes" \
    "[daemon]" "socket = /run/$(printf '%0120d' 0)"
check "a file where the socket should be" refused "$PWD/README.md is there and is no socket" "[daemon]" "socket = $PWD/README.md"
check "scrapes where clients come" refused_by_check "[daemon] metrics-listen: clients come to 127.0.0.1:7845" \
    "[daemon]" "listen = 127.0.0.1:7845" "metrics-listen = 127.0.0.1:7845"
check "scrapes at the clients' socket" refused_by_check "metrics-listen: clients come to $work/a" \
    "[daemon]" "socket = $work/a" "metrics-listen = $work/a"
check "a database of no size" refused "wrong.conf:2: [store] size: less than 1M" "[store]" "size = 1"
check "memory for a client with which nothing runs" refused "wrong.conf:2: [limits] memory-per-client: less than 4M" \
    "[limits]" "memory-per-client = 1"
check "an address with its line" refused "wrong.conf:2: [daemon] listen:" "[daemon]" "listen = 0.0.0.0:7845"
check "a flag that is wrong" says "--threads" "$puzzled" --threads none --check-config
check "an unexpected argument" exits 2 "$puzzled" --check-config now

check "a dump of no jobs" says "--dump needs the numbers of jobs" exits 2 "$puzzled" --dump "$work/dump"
check "a dump of what is no job" says "'-3' is no number of a job" exits 2 "$puzzled" --dump "$work/dump" -- 3 -3
check "two tasks at once" says "exclude each other" exits 2 "$puzzled" --check-config --backup "$work/dump"
check "a demo in a directory that is to stay" says "leave --socket and --state-dir out" exits 2 \
    "$puzzled" --demo --state-dir "$work/demo"
check "none of these made anything" not test -e "$work/dump" -o -e "$work/demo"
mkfifo "$work/pipe"
check "an import of a pipe" says "$work/pipe is no regular file" exits 1 timeout 60 "$puzzled" --state-dir "$work/no" --import "$work/pipe"
check "an import of a directory" says "$work is no regular file" exits 1 "$puzzled" --state-dir "$work/no" --import "$work"

section "places"
printf x >"$work/file"
check "a state directory that is a file" does_not_start "$work/file" --state-dir "$work/file"
check "a socket in a directory that is not there" does_not_start "$work/none" --socket "$work/none/of/this"
check "a file where the socket should be" does_not_start "$work/file" --socket "$work/file"
check "a socket path that is too long" does_not_start "longer" --socket "$work/$(printf '%0120d' 0)"

section "a daemon that runs"
start_daemon --listen 127.0.0.1:0
port=$(sed -n 's/.*event=ready.* port=\([0-9]*\).*/\1/p' "$work/log")
check "another one on its socket" does_not_start "$PUZZLED_SOCKET" --socket "$PUZZLED_SOCKET"
check "another one on its port" does_not_start "$port" --listen "127.0.0.1:$port"
check "another one on its database" does_not_start "$work/state" --state-dir "$work/state"
check "it does not mind" "$puzzlectl" ping
printf '%s\n' "[daemon]" "plugin-directory = $work/none" >"$work/wrong.conf"
check "a backup beside it, while the directory of plugins is away" "$puzzled" --config "$work/wrong.conf" --state-dir "$work/state" \
    --backup "$work/copy"
check "its port answers" "$puzzlectl" --host "127.0.0.1:$port" ping
check "its socket is not for everybody" test "$(stat -c %a "$PUZZLED_SOCKET" | tail -c 2)" = 0

section "signals"
check "a job runs" says '"states":181440' "$puzzlectl" --json explore 3x3
kill -HUP "$daemon"
check "SIGHUP leaves it well" within 60 says "event=reload" cat "$work/log"
check "SIGTERM ends it well" stop_daemon
check "its socket is gone" test ! -e "$PUZZLED_SOCKET"
start_daemon
check "results are there after a restart" says '"cached":true' "$puzzlectl" --json explore 3x3 --detach
"$puzzlectl" explore 4x4 depth=40 engine=striped threads=1 --detach >/dev/null # it does not end for long
"$puzzlectl" watch 2 >"$work/waiter" 2>&1 &
waiter=$!
check "a client watches a search" within 60 test -s "$work/waiter"
check "SIGTERM during a search ends it well" stop_daemon
wait "$waiter"
check "the client that watched learns why" says shutting-down cat "$work/waiter"
start_daemon
check "the search goes on" within 60 says running "$puzzlectl" --json jobs
{ kill -KILL "$daemon" && wait "$daemon"; } 2>/dev/null
check "a socket left by a killed daemon does not keep the next from starting" start_daemon

summary
