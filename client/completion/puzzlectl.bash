# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# bash completion for puzzlectl, which itself knows what may stand next; file names where that is nothing.

_puzzlectl() {
    local line=${COMP_LINE:0:COMP_POINT} words word
    read -ra words <<<"$line"
    [[ $line == *' ' ]] && words+=('')
    mapfile -t COMPREPLY < <(timeout 1 "${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
    # bash splits words at colons and replaces what is behind the last one only.
    word=${words[${#words[@]} - 1]}
    COMPREPLY=("${COMPREPLY[@]// /\\ }") # the name of a table is one word
    [[ $word == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${word%:*}:"}")
}

complete -o default -F _puzzlectl puzzlectl
