#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# promtool, which comes with Debian's prometheus, accepts what the daemon says about itself over HTTP. The package
# is fetched and unpacked, not installed: no service comes with it. It stays in the user's cache.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/system/private_daemon.sh

# Prints the path of promtool, or fails with the reason.
find_promtool() {
    local cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/puzzled/promtool
    if command -v promtool; then
        return
    fi
    if [ ! -x "$cache" ]; then
        (cd "$work" && apt-get download -qq prometheus) >&2 || return 1
        dpkg-deb --fsys-tarfile "$work"/prometheus_*.deb | tar -x -C "$work" ./usr/bin/promtool || return 1
        mkdir -p "$(dirname "$cache")"
        mv "$work/usr/bin/promtool" "$cache"
    fi
    echo "$cache"
}

# Prints the body of an HTTP reply from a Unix socket.
http_get() {
    python3 - "$@" <<'PYTHON' | sed '1,/^\r*$/d'
import socket, sys
with socket.socket(socket.AF_UNIX) as http:
    http.connect(sys.argv[1])
    http.sendall(f"GET {sys.argv[2]} HTTP/1.0\r\n\r\n".encode())
    sys.stdout.write(http.makefile(newline="").read())
PYTHON
}

promtool=$(find_promtool 2>"$work/why") || {
    echo "SKIP: no promtool: $(tail -n 1 "$work/why")"
    exit 0
}
build_programs
printf '[daemon]\nmetrics-listen = %s\n' "$work/metrics.sock" >"$work/puzzled.conf"
start_daemon --config "$work/puzzled.conf"
"$puzzlectl" explore 3x3 >/dev/null
"$puzzlectl" distance 3x3 8,6,7/2,5,4/3,0,1 >/dev/null
http_get "$work/metrics.sock" /metrics >"$work/metrics"
"$promtool" check metrics <"$work/metrics"
for metric in puzzled_requests_total puzzled_request_seconds_bucket puzzled_jobs puzzled_states_explored_total \
    puzzled_states_per_second puzzled_memory_used_bytes puzzled_memory_limit_bytes puzzled_database_used_bytes \
    puzzled_database_free_bytes puzzled_cache_hits_total; do
    grep -q "^$metric" "$work/metrics" || { echo "No $metric in:"; cat "$work/metrics"; exit 1; }
done
"$promtool" check rules conf/monitoring/alerts.yml
# Alerts and the dashboard name what is there.
grep -ohE 'puzzled_[a-z_]+' conf/monitoring/* | sort -u | while read -r metric; do
    grep -q "^$metric" "$work/metrics" || { echo "conf/monitoring names $metric, which is not served"; exit 1; }
done
python3 -c 'import json; json.load(open("conf/monitoring/grafana.json"))'
echo "promtool accepts $(grep -vc '^#' "$work/metrics") values."
