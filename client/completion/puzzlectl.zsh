#compdef puzzlectl
# SPDX-License-Identifier: MIT
# zsh completion for puzzlectl, which itself knows what may stand next; file names where that is nothing.

_puzzlectl() {
    local -a found
    found=(${(f)"$(timeout 1 ${words[1]} --complete ${(@)words[2,CURRENT-1]} "$PREFIX" 2>/dev/null)"})
    (( $#found )) && compadd -- $found || _files
}

_puzzlectl "$@"
