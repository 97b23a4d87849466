#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# verify, with the real daemon: lines of every kind, and solutions of any length.
#   verify.sh PUZZLED PUZZLECTL
set -eu
puzzled=$1 ctl=$2
# shellcheck source=tests/client/own_daemon.sh
. "$(dirname "$0")/own_daemon.sh"
cd "$here"

# verdicts WHAT STATUS EXPECTED PUZZLE: the file 'claims' gets this status and output.
verdicts() {
    local what=$1 status=$2 expected=$3 got=0
    shift 3
    "$ctl" verify "$@" claims >out 2>&1 || got=$?
    [ "$(cut -c1-200 out)" = "$expected" ] || { echo "$what:"; cat out; exit 1; }
    [ "$got" = "$status" ] || { echo "$what: status $got"; exit 1; }
}
# many COUNT TEXT
many() {
    head -c $(($1 * ${#2})) < <(yes "$2" | tr -d '\n')
}

level='#####/#@$.#/#####'
printf '# remarks\n#\n%s\t1.2:R\n%s 1.2:R\n%s\t1.2:L\n' "$level" "$level" "$level" >claims
verdicts 'levels begin with a wall' 1 "$(printf '%s\t1\toptimal\n%s\t1\toptimal\n%s\t\twrong: %s' \
    "$level" "$level" "$level" "path=: move 1, '1.2:L', cannot be made")" sokoban metric=push
printf '# remarks/or what\n######|#@ $.#|###### 1.3:R\n# #####/# #@$.#/# ##### 1.4:R\n' >claims
verdicts 'rows with bars, and a blank behind the first wall' 0 \
    "$(printf '%s\t1\toptimal\n' '######|#@-$.#|######' '#-#####/#-#@$.#/#-#####')" sokoban
printf '#,1/2,0\t\n#,1/0,2 R\n# walls/and remarks\n' >claims
verdicts 'boards with walls, and a solved one' 0 "$(printf '#,1/2,0\t0\toptimal\n#,1/0,2\t1\toptimal')" slide:2x2 'goal=#,1/2,0'
printf '123456780\t\n123456780\t0\t\na title\t123456780\t0\t\n123456708\t\n' >claims
verdicts 'no moves' 1 "$(printf '123456780\t0\toptimal\n%.0s' 1 2 3; printf '%s' \
    $'123456708\t\twrong: it ends at 1,2,3/4,5,6/7,0,8, which is no goal' | sed 's/\t\t/\t0\t/')" 3x3
printf '# nothing\n\n# but remarks\n' >claims
verdicts 'only remarks' 7 'puzzlectl: input: every line is a remark: no solution' 3x3
printf '\377\3761\0\n\0' >claims
verdicts 'another encoding' 7 'puzzlectl: input: claims: the boards cannot be read: they are in UTF-16; text must be in UTF-8' 3x3
printf '123456708\tr\n123456708\tR2\n123456708\t8\n1234\tR\n123456708\n123456708\tR\n' >claims
got=0
"$ctl" verify 3x3 claims >out || got=$?
words=$(cut -f3 out | cut -d: -f1 | tr '\n' ' ')
[ "$got $words" = '4 unreadable unreadable unreadable unreadable unreadable optimal ' ] ||
    { echo 'other notations:'; cat out; exit 1; }
printf '123456708\t%sR\n123456708\t%sU\n' "$(many 2500 LR)" "$(many 2500 RL)D" >claims
verdicts 'thousands of moves' 1 "$(printf '123456708\t5001\ttoo long by 5000\n123456708\t\twrong: %s' \
    "after 4500 moves: path=: move 501, 'D', cannot be made")" 3x3
printf '3,1,2\t%s3,2\n' "$(many 3000 2,)" >claims
verdicts 'more bytes than a request has' 1 "$(printf '3,1,2\t3002\ttoo long by 3000')" pancake:3
printf '2 3 3\n0 - -> 1 - LABEL near COST 1\n0 - -> 2 - LABEL far COST 9\n1 - -> 2 - LABEL on COST 2\nGOAL 2 0\n' |
    sed 's/->/=>/' >dear.psvn
"$ctl" define dear.psvn >/dev/null
printf '0,0\tfar\n0,0\tnear,on\n' >claims
verdicts 'costs count, not moves' 1 "$(printf '0,0\t9\ttoo long by 6\n0,0\t3\toptimal')" dear
printf '2\n2 2\n0 - => 1 - LABEL a\n0 - => 1 - LABEL b\n0 - => 1 - LABEL far COST 7\nGOAL 1 0\n' >twins.psvn
"$ctl" define twins.psvn >/dev/null
printf '0,0\ta\n0,0\tb\n0,0\tfar\n0,0\tc\n' >claims
verdicts 'each of two moves to one state has its word' 1 \
    "$(printf '0,0\t1\toptimal\n0,0\t1\toptimal\n0,0\t7\ttoo long by 6\n0,0\t\twrong: %s' "path=: move 1, 'c', cannot be made")" twins
printf 'Name alike\nSet P 5 1\nSolved\nP\n1 1 1 2 3\nEnd\nMove D\nP\n4 2 3 1 5\nEnd\nMove E\nP\n4 3 2 1 5\nEnd\nMove F\nP\n2 3 4 5 1\nEnd\n' >alike.tws
"$ctl" define alike.tws >/dev/null
printf '2,1,1,1,3\tE\n2,1,1,1,3\tD\n' >claims
verdicts 'also of a twisty puzzle' 0 "$(printf '2,1,1,1,3\t1\toptimal\n%.0s' 1 2)" alike
