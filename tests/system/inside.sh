#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs as root inside the Debian that boot.sh booted: installs the packages and looks at them as an administrator
# would, from the first installation to the purge.
set -u
cd /test || exit 1
# shellcheck source=tests/system/checks.sh
. ./checks.sh

config=/etc/puzzled/puzzled.conf

as() {
    local user=$1
    shift
    runuser -u "$user" -- "$@"
}

ask() {
    as member puzzlectl "$@"
}

# is UNIT PROPERTY VALUE
is() {
    local value
    value=$(systemctl show --property="$2" --value "$1")
    [ "$value" = "$3" ] || { echo "$1 has $2=$value"; return 1; }
}

# What the service wrote since the last call of forget_journal. (Not by cursor: together with --priority,
# journalctl leaves out the first entry after it.)
journal() {
    journalctl --quiet --unit puzzled.service --since "$since" "$@"
}

forget_journal() {
    since=$(date '+%F %T.%6N')
}

# A search that takes several seconds on one thread, and the states that it ends with: the sum of the published
# level counts of the 15-puzzle from the corner, down to depth 22.
long_search=(explore 4x4 depth=23 engine=striped threads=1)
long_states=23102481
endless=(explore 4x4 depth=40 engine=striped threads=1)

job_number() {
    ask --json "$@" | sed -n 's/.*"job": *"*\([0-9]*\).*/\1/p' | head -n 1
}

# The exploration of the 8-puzzle is answered without a search.
is_kept() {
    says '"cached":true' ask --json explore 3x3 --detach
}

has_ended() {
    says '"finished_ms":' ask --json status "$1"
}

job_is() {
    says "\"state\":\"$2\"" ask --json status "$1"
}

# takes_at_most SECONDS COMMAND…
takes_at_most() {
    local limit=$1 from=$EPOCHREALTIME
    shift
    "$@" || return 1
    awk -v from="$from" -v to="$EPOCHREALTIME" -v limit="$limit" \
        'BEGIN { printf "%.2f s\n", to - from; exit to - from > limit }'
}

# service_threads FIELD: the field of ps for every thread of the service.
service_threads() {
    ps -L -o "$1=" -p "$(systemctl show --property=MainPID --value puzzled.service)"
}

uses_huge_pages() {
    awk '/^AnonHugePages/ { huge = $2 } END { print huge " kB"; exit huge == 0 }' \
        "/proc/$(systemctl show --property=MainPID --value puzzled.service)/smaps_rollup"
}

# confined "COMMAND": runs as a service with everything that fences puzzled.service in.
confined() {
    grep -vE '^(Type|Exec|Watchdog|Restart|NotifyAccess|[A-Za-z]*Directory|Also|WantedBy|StartLimit)' \
        /usr/lib/systemd/system/puzzled.service |
        sed "s|^\[Service\]|&\nType=oneshot\nExecStart=/usr/bin/env $1|" >/run/systemd/system/confined.service
    systemctl daemon-reload
    systemctl start confined.service
}

install() {
    dpkg --install "$@"
}

# fetch PATH: what puzzled-web answers.
fetch() {
    exec 3<>/dev/tcp/127.0.0.1/8372 || return 1
    printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:8372\r\nConnection: close\r\n\r\n' "$1" >&3
    cat <&3
    exec 3>&-
}

older_version_is_installed() {
    [ "$(dpkg-query -W -f '${Version}' puzzled)" = 0.0.1-1 ]
}

useradd member
useradd stranger

section "installing an older version"
check "the packages install" install older.deb puzzlectl_*.deb
check "the older version is there" older_version_is_installed
usermod -aG puzzled member
check "the user puzzled exists, with no login shell" says nologin getent passwd puzzled
check "nothing was started" is puzzled.service ActiveState inactive
check "no socket listens" is puzzled.socket ActiveState inactive
check "nothing was enabled" not systemctl --quiet is-enabled puzzled.service puzzled.socket
check "the configuration is sound" puzzled --config $config --check-config
check "the client says how to start the daemon" exits 3 ask ping
check "no unit lacks anything" systemd-analyze verify --man=no puzzled.service puzzled.socket

section "socket activation"
check "the socket can be enabled and started" systemctl enable --now puzzled.socket
check "the service waits for a client" is puzzled.service ActiveState inactive
check "a member of the group reaches it" ask ping
check "that started the service" is puzzled.service ActiveState active
check "somebody else does not reach it" exits 3 as stranger puzzlectl ping
check "and is told of the group" says "members of the group puzzled may connect" as stranger puzzlectl ping
puzzled --socket /run/own.sock --state-dir /root/own --log-level error &
own=$!
check "root has a daemon of its own, too" within 60 puzzlectl --socket /run/own.sock ping
check "nobody is told to join the group root" says "root's own daemon" as stranger puzzlectl --socket /run/own.sock ping
kill $own
wait $own
rm -r /root/own
check "the service runs as puzzled" is puzzled.service User puzzled
check "what it runs is told in its status" not is puzzled.service StatusText ""

section "a job"
check "the 8-puzzle is explored" says '"states":181440' ask --json explore 3x3
check "the journal knows which job an entry is about" within 60 says event=job-ended journalctl PUZZLED_JOB=1
check "its hardest board takes 31 moves" says 31 ask distance 3x3 8,6,7/2,5,4/3,0,1

section "the page"
check "its package installs" install puzzled-web_*.deb
check "it was not started" is puzzled-web.service ActiveState inactive
check "nor enabled" not systemctl --quiet is-enabled puzzled-web.service
check "it starts" systemctl start puzzled-web.service
check "the page is served" within 60 says "<!doctype html>" fetch /
check "it reaches the daemon" within 60 says slide:3x3 fetch /api/v1/jobs
check "its package goes" dpkg --purge puzzled-web

section "reload"
forget_journal
sed -i '/^\[log\]/a level = debug' "$config"
check "systemctl reload succeeds" systemctl reload puzzled
check "results are still there" is_kept
check "the daemon sees who connects" within 60 says "uid:$(id -u member)" journal
echo 'nonsense = 1' >>"$config"
check "a wrong configuration is refused" not puzzled --config $config --check-config
check "systemctl reload fails" not systemctl reload puzzled
check "the journal has its file and line, as an error" within 60 says puzzled.conf: journal --priority err
check "the service goes on with the old settings" ask ping
sed -i '/^nonsense/d' "$config"

section "a faulty configuration at a restart"
forget_journal
echo 'nonsense = 1' >>"$config"
check "the restart fails" not systemctl restart puzzled.service
for i in 1 2 3 4 5 6 7 8; do
    check "client $i is told the file and the line" says "puzzled.conf:" ask ping
done
check "the socket still listens" is puzzled.socket SubState listening
sed -i '/^nonsense/d' "$config"
check "with the file mended the next client starts the service" ask ping
check "results are still there" is_kept

section "settings that the socket unit decides"
sed -i 's/^\[daemon\]/&\nsocket-group = nogroup/' "$config"
forget_journal
systemctl restart puzzled.service
check "the start names them" within 60 says 'settings="socket-group"' journal
sed -i '/^socket-group = nogroup/d' "$config"
systemctl restart puzzled.service

section "directories that the unit forbids"
mkdir -p /srv/puzzled
chown puzzled: /srv/puzzled
sed -i 's,^\[daemon\],&\nstate-directory = /srv/puzzled,' "$config"
forget_journal
check "the reload fails" not systemctl reload puzzled.service
check "and names the setting and the drop-in" within 60 says "ReadWritePaths=/srv/puzzled" journal
check "the restart fails" not systemctl restart puzzled.service
check "a client is told the setting" says "[daemon] state-directory: /srv/puzzled" ask ping
mkdir -p /run/systemd/system/puzzled.service.d
printf '[Service]\nReadWritePaths=/srv/puzzled\n' >/run/systemd/system/puzzled.service.d/disk.conf
systemctl daemon-reload
check "with the drop-in the service starts" systemctl restart puzzled.service
check "and keeps its database there" test -s /srv/puzzled/data.mdb
rm -r /run/systemd/system/puzzled.service.d
systemctl daemon-reload
sed -i '/^state-directory = /d' "$config"
systemctl restart puzzled.service
sed -i 's,^\[daemon\],&\nlisten = 127.0.0.1:7845,' "$config"
forget_journal
check "a reload with TCP that the unit forbids fails" not systemctl reload puzzled.service
check "and names the setting, with file and line" within 60 says ": [daemon] listen: cannot listen on 127.0.0.1:7845" journal
check "it fails the start, too" not systemctl restart puzzled.service
check "with the setting's name" within 60 says "[daemon] listen:" journal
sed -i '/^listen = /d' "$config"
check "the service is well again" systemctl restart puzzled.service

section "a cluster"
sed -i 's,^\[cluster\],&\nlaunch = /bin/false {program},' "$config"
systemctl restart puzzled.service
check "the fenced service refuses its jobs and says where to read" says "puzzled(8) has the drop-in that opens it" \
    ask explore 2x4 --cluster
mkdir -p /run/systemd/system/puzzled.service.d
printf '[Service]\nRestrictAddressFamilies=AF_INET\n' >/run/systemd/system/puzzled.service.d/cluster.conf
systemctl daemon-reload
systemctl restart puzzled.service
check "with the drop-in the command is run" says "the command ended with status 1" ask explore 2x4 --cluster
rm -r /run/systemd/system/puzzled.service.d
systemctl daemon-reload
sed -i '/^launch = /d' "$config"
systemctl restart puzzled.service

# shellcheck source=tests/system/recipes.sh
. ./recipes.sh

section "a long search"
number=$(job_number "${endless[@]}" --detach)
check "it runs (job $number)" within 60 job_is "$number" running
check "the service's status tells of it" within 60 says "1 jobs running" systemctl show --property=StatusText puzzled.service
check "a short question does not wait for it" ask distance 3x3 8,6,7/2,5,4/3,0,1
check "its threads yield to others (setpriority)" within 60 says 10 service_threads ni
if grep -qF '[never]' /sys/kernel/mm/transparent_hugepage/enabled; then
    echo "        (this kernel gives no huge pages)"
else
    check "its memory lies in huge pages (madvise)" within 60 uses_huge_pages
fi
check "inside the unit's fences a thread may choose its processors" confined "taskset --cpu-list 0 true"
check "but not open a network socket" not confined "bash -c 'exec 3<>/dev/udp/127.0.0.1/9'"

section "restart"
useradd --groups puzzled colleague
check "another member of the group cannot cancel it" says "not yours" as colleague puzzlectl cancel "$number"
check "who submitted it can" ask cancel "$number"
number=$(job_number "${long_search[@]}" --detach)
check "another one runs (job $number)" within 60 job_is "$number" running
sleep 1
check "the service stops within 15 s" takes_at_most 15 systemctl stop puzzled.service
check "it ended cleanly" is puzzled.service Result success
check "a client starts it again" ask ping
check "results are kept" is_kept
check "the search goes on by itself and ends" within 600 has_ended "$number"
check "with the right number of states" says "\"states\":$long_states," ask --json result "$number"

section "the watchdog"
mkdir -p /run/systemd/system/puzzled.service.d
printf '[Service]\nWatchdogSec=5\nTimeoutAbortSec=1\nRestartSec=100ms\n' >/run/systemd/system/puzzled.service.d/test.conf
systemctl daemon-reload
systemctl restart puzzled.service
check "a daemon with a shorter watchdog is well after 6 s" bash -c 'sleep 6; systemctl is-active puzzled.service'
systemctl kill --signal=STOP --kill-who=main puzzled.service
check "one that hangs is restarted" within 60 not is puzzled.service NRestarts 0
check "and answers again" within 60 ask ping
rm -r /run/systemd/system/puzzled.service.d
systemctl daemon-reload

section "TCP from the socket unit"
mkdir -p /run/systemd/system/puzzled.socket.d
printf '[Socket]\nListenStream=127.0.0.1:7845\n' >/run/systemd/system/puzzled.socket.d/tcp.conf
systemctl daemon-reload
systemctl stop puzzled.service
systemctl restart puzzled.socket
check "the fenced service answers on it" as stranger puzzlectl --host 127.0.0.1:7845 ping
check "and on its Unix socket" ask ping
rm -r /run/systemd/system/puzzled.socket.d
systemctl daemon-reload
systemctl stop puzzled.service
systemctl restart puzzled.socket
check "without the drop-in the port is closed" exits 3 puzzlectl --host 127.0.0.1:7845 ping

section "upgrade"
systemctl restart puzzled.service
before=$(systemctl show --property=MainPID --value puzzled.service)
check "the newer version installs over it" install puzzled_*.deb
check "the service runs on" is puzzled.service ActiveState active
check "with the new program" not is puzzled.service MainPID "$before"
check "the changed configuration is kept" grep -q '^level = debug' "$config"
check "results are kept" is_kept

section "an upgrade with a faulty configuration"
echo 'nonsense = 1' >>"$config"
check "the package installs all the same" install puzzled_*.deb
check "the service did not start" not is puzzled.service ActiveState active
check "the socket still listens" is puzzled.socket SubState listening
check "a client is told the file and the line" says "puzzled.conf:" ask ping
sed -i '/^nonsense/d' "$config"
check "with the file mended the next client starts the service" ask ping
check "results are kept" is_kept

section "removal"
check "remove stops the service" dpkg --remove puzzled
check "nothing of it runs" not pgrep -x puzzled
check "the stored answers are kept" test -s /var/lib/puzzled/data.mdb
check "the configuration is kept" test -e "$config"
check "it can be installed again" install puzzled_*.deb
check "the socket that was enabled listens again" is puzzled.socket SubState listening
check "the first client finds the results" is_kept
check "remove stops the service again" dpkg --remove puzzled
check "purge says what it deletes" says "Deleting the stored answers" dpkg --purge puzzled
check "no data is left" test ! -e /var/lib/puzzled
check "no configuration is left" test ! -e /etc/puzzled
check "no link of the units is left" find /etc/systemd/system -name 'puzzled.*' -exec false {} +
check "a second purge of nothing is no error" dpkg --purge puzzled puzzlectl
summary
