# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by inside.sh: the recipes of puzzled(8), word for word, each with the service running and with it stopped.

config=${config:?set by inside.sh}
page=/test/puzzled.8.scd
drop_ins=0 # tested so far

# The command that the manual gives for after a drop-in.
restart_line=$(tr '\n' ' ' <$page | sed -n 's/.*after each, _\(systemctl restart [^_]*\)_.*/\1/p')

# drop_in NUMBER: the manual's drop-in of that number, from 1.
drop_in() {
    awk -v wanted="$1" '
        /^```/ { inside = !inside; if (inside) { first = 1 } else if (mine) { exit } ; next }
        inside && first { first = 0; if (/^\[(Unit|Service|Socket)\]$/) { number++ }; mine = /^\[/ && number == wanted }
        inside && mine { print }' $page
}

count_of_drop_ins() {
    local number=1
    while [ -n "$(drop_in $number)" ]; do
        number=$((number + 1))
    done
    [ $((number - 1)) -eq "$drop_ins" ] || { echo "the page has $((number - 1)), tested are $drop_ins"; return 1; }
}

# The socket is systemd's: it listens, and the service that runs got it.
socket_is_well() {
    is puzzled.socket ActiveState active && ask ping && is puzzled.socket SubState running
}

follow_restart_line() {
    $restart_line && socket_is_well
}

# recipe SENTENCE UNIT SETTING COMMAND…: with the next drop-in of the manual for this unit, and with this line in
# [daemon] or [cluster] ("" for none), the command succeeds.
recipe() {
    local sentence=$1 unit=$2 setting=$3 state
    shift 3
    drop_ins=$((drop_ins + 1))
    mkdir -p "/run/systemd/system/$unit.d"
    for state in active inactive; do
        drop_in $drop_ins >"/run/systemd/system/$unit.d/recipe.conf"
        [ -z "$setting" ] || sed -i "s,^\[\(${setting%%|*}\)\],&\n${setting#*|}," "$config"
        systemctl daemon-reload
        [ $state = active ] || systemctl stop puzzled.service
        check "$sentence: the manual's restart, service $state before" follow_restart_line
        check "$sentence: has its effect" "$@"
        rm "/run/systemd/system/$unit.d/recipe.conf"
        [ -z "$setting" ] || sed -i "\,^${setting#*|}\$,d" "$config"
        systemctl daemon-reload
        check "$sentence: and can be undone" follow_restart_line
    done
    rmdir "/run/systemd/system/$unit.d"
}

socket_has_group() {
    [ "$(stat -c %G /run/puzzled/puzzled.sock)" = "$1" ]
}

plugins_are_loaded() {
    says "event=plugin-refused file=none.so" journal
}

section "the recipes of the manual"
check "it has one restart for all drop-ins" test "$restart_line" = "systemctl restart puzzled.socket puzzled.service"
groupadd puzzlers
usermod -aG puzzlers member
recipe "another group" puzzled.socket "" socket_has_group puzzlers
recipe "a TCP port" puzzled.service "daemon|listen = 127.0.0.1:7845" puzzlectl --host 127.0.0.1:7845 ping
recipe "another disk" puzzled.service "daemon|state-directory = /srv/puzzled" test -s /srv/puzzled/data.mdb
forget_journal
mkdir -p /home/member/plugins
touch /home/member/plugins/none.so
chown -R root: /home/member
recipe "plugins in a home" puzzled.service "daemon|plugin-directory = /home/member/plugins" within 60 plugins_are_loaded
recipe "ranks on this machine" puzzled.service "cluster|launch = /bin/false {program}" \
    says "the command ended with status 1" ask explore 2x4 --cluster
recipe "ranks on other machines" puzzled.service "cluster|launch = /bin/false {program}" \
    says "the command ended with status 1" ask explore 2x4 --cluster
check "these are all drop-ins of the page" count_of_drop_ins

# restore_by_the_manual STATE: its three commands, with the service in that state before.
restore_by_the_manual() {
    rm -f /root/copy.mdb
    puzzled --config "$config" --backup /root/copy.mdb &&
        systemctl stop puzzled.socket puzzled.service &&
        puzzled --config "$config" --restore /root/copy.mdb &&
        systemctl start puzzled.socket &&
        is_kept
}

check "a backup is restored, the service running before" restore_by_the_manual
systemctl stop puzzled.service
check "a backup is restored, the service stopped before" restore_by_the_manual
check "the user of the daemon can make one, too" as puzzled puzzled --config "$config" --backup /tmp/copy.mdb
rm -f /tmp/copy.mdb
check "the socket can be stopped, and the service with it" systemctl stop puzzled.socket
check "nothing runs then" is puzzled.service ActiveState inactive
check "the service alone brings its socket" systemctl start puzzled.service
check "which is systemd's" socket_is_well
check "a reload is no restart" systemctl reload puzzled
