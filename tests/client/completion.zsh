#!/usr/bin/env zsh
# SPDX-License-Identifier: MIT
# The completion of zsh in a real zsh with its completion system, in a pseudo-terminal: what Tab does to a line.
#   completion.zsh PUZZLECTL DIRECTORY-OF-THE-COMPLETIONS [COMMAND…]
emulate -R zsh
setopt no_unset
zmodload zsh/zpty
ctl=$1
here=$(mktemp -d)
trap 'rm -rf $here' EXIT
cp $2/puzzlectl.zsh $here/_puzzlectl

# Waits for a text on the screen; $screen becomes all up to it.
await() {
    zpty -r -m shell screen "*$1*" || { print -r -- "the shell ended; it had said: ${screen-}"; exit 1; }
}

# Ctrl-X prints the line between two signs and drops it.
zpty -b shell "TERM=dumb HOME=$here PATH=${ctl:h}:$PATH zsh -f -i"
zpty -w shell "stty rows 200 columns 300; PS1='> '; LISTMAX=1000; fpath=($here \$fpath)
autoload -Uz compinit; compinit -u -d $here/dump
say() { print -r -- \"<<\$BUFFER>>\"; BUFFER= }; zle -N say; bindkey '^X' say; echo rea''dy"
await $'ready\r\n'

# Prints the line after Tab, or the words that Tab lists.
tab() {
    local list
    zpty -w -n shell "puzzlectl $1"$'\t\x18'
    await $'<<*>>\r\n'
    list=${screen#*$'\a\r\r\n'}
    if [[ $list == $screen ]]; then
        print -r -- ${${${screen##*'<<puzzlectl '}%%'>>'*}%% }
    else
        print -r -- ${(o)=list%%$'\r\n'> *}
    fi
}

expect() {
    [[ $2 == $3 ]] || { print -r -- "$1: expected '$3', got '$2'"; exit 1; }
}

expect "a command" "$(tab expl)" explore
expect "several commands" "$(tab exp)" "explore export"
expect "a puzzle" "$(tab 'solve 2x')" "2x2 2x3 2x4 2x5 2x6 2x7"
expect "a puzzle to pin" "$(tab 'pin 3x')" "3x3 3x4 3x5"
expect "a puzzle to unpin" "$(tab 'unpin 3x')" "3x3 3x4 3x5"
expect "a method" "$(tab 'solve 3x3 --method id')" "solve 3x3 --method idastar"
expect "formats" "$(tab 'levels 3x3 --format ')" "csv json md plain png svg text"
expect "a format" "$(tab 'export 3x3 3x3 -f n')" "export 3x3 3x3 -f npy"
touch $here/boards.txt
expect "a file where nothing else is known" "$(tab "solve 3x3 --svg $here/bo")" "solve 3x3 --svg $here/boards.txt"

# Each command takes its time: a few of them, or those that are named.
shift 2
(( $# )) || set -- explore graph jobs pin unpin
for name; do
    known=(${(of)"$($ctl --complete $name --)"})
    expect "options of $name" "$(tab "$name --")" "$known"
done
