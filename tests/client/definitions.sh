#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files of puzzles in a puzzle's place, with the real daemon.
#   definitions.sh PUZZLED PUZZLECTL
set -eu
puzzled=$1 ctl=$2
definitions=$(realpath "$(dirname "$0")/../../definitions")
# shellcheck source=tests/client/own_daemon.sh
. "$(dirname "$0")/own_daemon.sh"

# expect WHAT TEXT COMMAND…: what the command prints has the text in it.
expect() {
    local what=$1 text=$2
    shift 2
    "$ctl" "$@" >"$here/out" 2>&1 || true
    grep -qF -- "$text" "$here/out" || { echo "$what: no '$text' in:"; cat "$here/out"; exit 1; }
}

cd "$here"
expect "a file is explored in one go" '"states":4096,"depth":7' --json explore "$definitions/lights4x4.psvn"
expect "a file's name is the puzzle's" '"layout":"lights4x4"' --json result 1
expect "about calls it so" 'puzzle    lights4x4' about lights4x4
expect "and figures" 'lights4x4  job' figures lights4x4
cp "$definitions/lights4x4.psvn" same.psvn
cp same.psvn LOUD.PSVN
expect "an ending in capitals" '"states":4096' --json explore LOUD.PSVN
expect "another name of one puzzle" '"states":4096' --json explore same.psvn
expect "its latest job is found by the one name" '"level":7' --json levels lights4x4
expect "and by the other" '"level":7' --json levels same
expect "some of its moves are another puzzle" '"states":2' --json explore lights4x4 moves=press1
expect "whose jobs are not those of all its moves" '"level":7' --json levels lights4x4
expect "a text is a puzzle without layouts" 'lights4x4 has no layouts with names' puzzles lights4x4
expect "parts: 65,536 lamps by sixteen, as four of 16 presses do nothing new" '"parts":16' --json explore lights4x4 parts=yes
expect "a bounded exploration of a file" '"depth":10' --json explore "$definitions/hanoi8.psvn" --depth 10
expect "a file is solved in one go" '"moves":63' --json solve "$definitions/hanoi8.psvn" 1,1,1,1,1,1,3,3
expect "an answer from the table" 7 distance "$definitions/lights4x4.psvn" "$("$ctl" -q sample lights4x4 7)"
expect "a definition under a name" 'stack is defined: puzzlectl explore stack' define "$definitions/blocks6.psvn" --name stack
expect "the list" 'stack' definitions
expect "the puzzles" 'stack' puzzles
expect "completion of puzzles" 'stack' --complete explore st
expect "completion of definitions" 'stack' --complete undefine st
expect "a definition goes" 'stack is undefined' undefine stack
expect "it is gone" "no puzzle 'stack'" explore stack
expect "nor can it go again" "no definition is named 'stack'" undefine stack
if grep -q plugins "$here/out"; then echo "of a definition's name it tells of plugins:"; cat "$here/out"; exit 1; fi
printf '2 3 3\n0 - => 1 - LABEL up\nGOAL 1 1\n' >'My Game.psvn'
expect "a name is made of the file's" 'my-game is defined' define 'My Game.psvn'
printf '2 3 3\n0 - => 2 - LABEL up\nGOAL 1 1\n' >'My Game.psvn'
expect "a changed file is not taken for the old one" 'with another meaning' define 'My Game.psvn'
expect "unless it stands for the puzzle" '"states":2,' --json explore 'My Game.psvn' --root 0,0
long=a-very-long-name-that-goes-on-and-on
printf '1 3\n0 => 1\nGOAL 1\n' >$long-1.psvn
printf '1 3\n0 => 2\nGOAL 2\n' >$long-2.psvn
expect "a long name of a file" 'is defined: puzzlectl' define $long-1.psvn
expect "another one that begins alike is another puzzle" 'is defined: puzzlectl' define $long-2.psvn
cp $long-1.psvn 华容.psvn
cp $long-2.psvn 汉诺.psvn
expect "other letters" 'is defined: puzzlectl' define 华容.psvn
expect "are other names" 'is defined: puzzlectl' define 汉诺.psvn
expect "moves without a way back" '"reversible":false' --json result "$("$ctl" --json explore my-game root=0,0 | sed 's/.*"job":\([0-9]*\).*/\1/')"
printf '2 3 3\nX Y => A B LABEL go\nGOAL 2 1\n' >jump.psvn
expect "moves of one label have numbers" 'go~6' solve jump.psvn 1,2
printf '1,2\tgo~6\n0,0\tgo,go~5\n' >paths
expect "that verify reads" "$(printf '1,2\t1\toptimal')" verify jump paths
expect "one of several ways" "$(printf '0,0\t2\ttoo long by 1')" verify jump paths
printf 'DOMAIN s 2 on off\n2 s s\nonn - => off -\n- on => - off\nGOAL off off\n' >typo.psvn
expect "a misspelt value" "remark: line 3, column 1: 'onn' is no value, and stands here only: it means any, as - does: is 'on' meant?" define typo.psvn --name typo
expect "on the way" "remark: line 3, column 1: 'onn'" explore typo.psvn root=on,on
expect "without remarks" "typo is defined already" -q define typo.psvn --name typo
! grep -q remark: out || { echo "-q makes a remark"; exit 1; }
expect "with --strict it is refused" "bad-puzzle: line 3, column 1: 'onn' is no value" define typo.psvn --name typo2 --strict
expect "and not defined" "no puzzle 'typo2'" explore typo2
costly=$definitions/slide3x3costs.psvn
expect "moves with costs are explored by cost" '"states":181440,"depth":46,"from":"root","engine":"costs"' --json explore "$costly"
expect "levels by cost, as Dijkstra with a heap counts them" '"level":30,"states":14565' --json levels slide3x3costs
for board in $("$ctl" -q sample slide3x3costs 30 --count 3 --seed 1) 8,6,7,2,5,4,3,B,1; do
    cost=$("$ctl" -q distance slide3x3costs "$board")
    expect "the cheapest solution costs the distance" "\"cost\":$cost," --json solve slide3x3costs "$board"
done
expect "distances are called costs" "at a cost of 46 from the" deepest slide3x3costs
expect "of levels, too" "(cost" levels slide3x3costs --plain
expect "no other method" 'whose moves have costs' solve slide3x3costs 8,6,7,2,5,4,3,B,1 --method bfs
expect "positions by class, and how many they stand for" '"all_by_level":"1 18 243 3240 43239"' --json explore cube3 symmetry=yes depth=4
expect "an image is as far" 3 -q distance cube3 "R U2 F'" symmetry=yes
expect "classes have no paths" 'classes have no paths' solve cube3 "R U2 F'" symmetry=yes
expect "nor from a table" 'distances, no paths' path cube3 "R U2 F'" symmetry=yes
expect "a root that has images" 'one state that all symmetries keep' explore cube3 root=U symmetry=yes depth=4
expect "a database with costs and classes" 'all is well' fsck
printf '2 3 3\n0 - = 1 -\n' >bad.psvn
expect "an error has its place" "line 2, column 5: '=' stands where => is missing" explore bad.psvn
head -c 1100000 /dev/zero | tr '\0' x >long.psvn
expect "a long file" 'a definition has 1 MiB at most' explore long.psvn
expect "no such file" 'No such file' explore nothing.psvn
expect "a directory" 'folder.psvn: Is a directory' explore "$(mkdir folder.psvn && echo folder.psvn)"
expect "a file alone is a puzzle" 'gripper6 was not explored yet' "$definitions/gripper6.psvn"
expect "a scramble is undone" '"moves":3,' --json solve "$definitions/cube2.tws" --scramble "U R' F2"
expect "moves that there are" "'X' is no move; there are: U" solve cube2 --scramble "U X"
expect "levels of a file's puzzle" '"level":10,"states":4' --json levels "$definitions/hanoi8.psvn"
expect "a scramble instead of a start" 'a board or --scramble' solve cube2 x --scramble U
expect "a text that comes with the program is defined by its name" 'skewb is defined from now on, by /' solve skewb --scramble UFR
"$ctl" solve skewb --scramble UFR >out 2>&1 || { cat out; exit 1; }
! grep -q defined out || { echo "defined twice:"; cat out; exit 1; }
expect "its name alone is a puzzle" 'pyraminx was not explored yet' pyraminx
expect "a random board of a text" 'start  random:' solve cube2 --random
expect "and of tiles" '"moves":' --json solve 2x3 --random
expect "and of positions" '1,4,8,6,5,7,2,3.0,0,1,1,1,0,0,0' random cube2 --count 3 --seed 5
expect "of no other puzzle, but there is another way" 'puzzlectl make pancake:7' random pancake:7
expect "also to begin with" 'puzzlectl make hanoi:3,4' solve hanoi:3,4 --random
expect "beside no scramble" 'and no --random then' solve cube2 --random --scramble U
printf 'Set PIECE 4 1\nMove a\nPIECE\n2 3 1 4\nEnd\nMove b\nPIECE\n1 3 4 2\nEnd\n' >four.tws
expect "one's own text keeps its name" 'dino is defined' define four.tws --name dino
expect "that names no other one" '"moves":2,' --json solve dino --scramble "a b"
expect "of a path, too" '2  a,b' path four.tws --scramble "a b"
expect "of a distance" '2' distance four --scramble "a b"
expect "and no board beside it" 'a board or --scramble' path four solved --scramble a
expect "bounds that are not there are no empty answer" 'no lower bound is known' heuristic four --scramble "a b"
expect "bounds are made" 'partition' pdb four
expect "a bound of a scramble" '"at_least":' --json heuristic four --scramble "a b"
printf '6\n2 2 2 2 2 2\n1 1 0 - - - => 0 0 1 - - - LABEL j1\n- 0 1 1 - - => - 1 0 0 - - LABEL k2\n- - 0 1 1 - => - - 1 0 0 - LABEL k3\n- - - 0 1 1 => - - - 1 0 0 LABEL k4\n- 1 1 0 - - => - 0 0 1 - - LABEL j2\nGOAL 1 0 0 0 0 0\nGOAL - - - - 0 1\n' >pegs.psvn
expect "moves without a way back are told" 'reversible  no' explore pegs.psvn --root 1,1,0,1,1,1 --from goals
expect "a distance in a space of a root" '1' distance pegs 1,1,0,1,1,1 --root 1,1,0,1,1,1
expect "from the root" '0,1,0,0,1,1' sample pegs 2 --root 1,1,0,1,1,1 --from root
expect "boards that are dead" '0,1,0,1,0,0' deepest pegs --root 1,1,0,1,1,1 --dead 5
expect "a root that is none" 'values given' distance pegs 1,1,0,1,1,1 --root 1,1
# Slide 3x3 beside seventeen variables of sixteen bits, which nothing touches: states of 64 bytes.
{
    zeros=$(printf '0 %.0s' $(seq 17)) opens=$(printf -- '- %.0s' $(seq 17))
    sed -n '/^DOMAIN/p' "$definitions/slide3x3.psvn"
    echo "26 tile tile tile tile tile tile tile tile tile $(printf '65536 %.0s' $(seq 17))"
    sed -n "s/^\\(.*\\) => \\(.*\\) LABEL \\(.*\\)/\\1 $opens => \\2 $opens LABEL \\3/p" "$definitions/slide3x3.psvn"
    sed -n "s/^GOAL \\(.*\\)/GOAL \\1 $zeros/p" "$definitions/slide3x3.psvn"
} >wide.psvn
far=8,6,7,2,5,4,3,B,1,$(printf "0,%.0s" $(seq 16))0
expect "states of 64 bytes" '"states":181440,"depth":31' --json explore wide.psvn --engine striped
expect "their levels" '"level":24,"states":24047' --json levels wide
expect "a distance of theirs" 31 distance wide "$far"
expect "a solution of theirs" '"moves":31' --json solve wide "$far" --method bidirectional
expect "in scratch space" '"states":181440,"depth":31' --json explore wide.psvn --engine striped --planes disk --keep levels
expect "a database with states of 64 bytes" 'all is well' fsck
echo "files stand for puzzles"
