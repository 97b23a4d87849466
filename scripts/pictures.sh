#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the pictures in docs/ by the program itself: a terminal whose lines come one after the other, the levels of 3x4, a solution as a
# strip of boards, and a terminal while 2x7 is explored, which takes 6.2 GB of memory. With the word "page" only the page in the
# browser, which takes Debian's package chromium; with "terminal" only the first.
set -euo pipefail
cd "$(dirname "$0")/.." || exit 1
bin=build/release/bin
here=$(mktemp -d)
"$bin/puzzled" --foreground --socket "$here/socket" --state-dir "$here/state" --memory 12G 2>"$here/log" &
daemon=$!
trap 'kill $daemon; wait $daemon || true; rm -rf "$here"' EXIT
export PUZZLED_SOCKET=$here/socket COLUMNS=80
for _ in $(seq 100); do [ -S "$PUZZLED_SOCKET" ] && break; sleep 0.1; done

# terminal [SECONDS]: draws lines as a terminal of 80 columns; with seconds each line comes so much after the one before.
terminal() {
    awk -v pause="${1:-0}" '{ gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); line[NR] = $0 }
        END {
            height = 18 * NR + 28
            print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 700 " height "\" width=\"700\" height=\"" height "\">"
            if (pause > 0)
                print "<style>text { animation: come .2s both } @keyframes come { from { opacity: 0 } }</style>"
            print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d1f21\"/>"
            print "<g font-family=\"monospace\" font-size=\"14\" fill=\"#d5d8d6\" xml:space=\"preserve\">"
            for (i = 1; i <= NR; i++) {
                at += line[i] ~ /^\$/ ? 4 * pause : pause
                delay = pause > 0 ? sprintf(" style=\"animation-delay: %.1fs\"", at) : ""
                print "<text x=\"14\" y=\"" 18 * i + 10 "\"" (line[i] ~ /^\$/ ? " fill=\"#8fc7ff\"" : "") delay ">" line[i] "</text>"
            }
            print "</g>\n</svg>"
        }'
}

# await_level N: waits until 2x7 is at level N or a later one. Fails if it has ended before.
await_level() {
    local shown
    while shown=$("$bin/puzzlectl" status 2x7) && grep -qE '^state +(queued|running)' <<<"$shown"; do
        ! awk -v least="$1" '$1 == "level" { level = $2 } END { exit level < least }' <<<"$shown" || return 0
        sleep 0.1
    done
    echo "2x7 ended before level $1" >&2
    return 1
}

run() {
    echo "\$ puzzlectl $*"
    "$bin/puzzlectl" "$@"
}

# page_picture FILE ADDRESS: the page as a browser shows it.
page_picture() {
    chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --lang=en --user-data-dir="$here/profile" \
        --window-size=1100,720 --virtual-time-budget=10000 --screenshot="$PWD/$1" "$url$2" 2>/dev/null
}

if [ "${1:-}" != page ]; then
    "$bin/puzzlectl" --quiet pdb 4x4 >/dev/null # the first 15-puzzle waits for its databases
    {
        run explore 3x4
        run distance 3x4 0,8,6,9/11,7,10,1/4,3,2,5
        run sample 3x4 40 --count 2 --seed 7
        run solve 4x4 0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1 | cut -c1-80
    } | terminal 0.3 >"$here/terminal.svg"
    mv "$here/terminal.svg" docs/terminal.svg
fi
[ "${1:-}" != terminal ] || exit 0

"$bin/puzzled-web" --socket "$PUZZLED_SOCKET" --listen 127.0.0.1:0 >"$here/url" &
web=$!
trap 'kill $daemon $web; wait $daemon $web || true; rm -rf "$here"' EXIT
for _ in $(seq 100); do [ -s "$here/url" ] && break; sleep 0.1; done
url=$(cat "$here/url")
"$bin/puzzlectl" --quiet explore 3x3 >/dev/null
page_picture docs/page-play.png '#/play?puzzle=3x3&board=8,6,7/2,5,4/3,0,1&analysis=1'
[ "${1:-}" != page ] || exit 0

"$bin/puzzlectl" --quiet explore 3x4 >/dev/null
"$bin/puzzlectl" levels 3x4 --format svg --log >docs/levels-3x4.svg
"$bin/puzzlectl" solve 2x3 4,5,0/1,2,3 --svg docs/solution-2x3.svg >/dev/null
{
    run explore 2x7 --keep levels --detach
    await_level 62
    run status 2x7 | grep -v -e '^rate' -e '^searching' # they depend on the machine
    echo "\$ puzzlectl levels 2x7 | tail -16"
    "$bin/puzzlectl" levels 2x7 | tail -16
} | terminal >"$here/terminal.svg"
mv "$here/terminal.svg" docs/terminal-2x7.svg
"$bin/puzzlectl" cancel 2x7 >/dev/null
