#compdef puzzlectl
# SPDX-License-Identifier: MIT
# zsh completion for puzzlectl: commands, options, puzzles, and the numbers of the jobs that a running daemon has.

_puzzlectl() {
    local command word previous=${words[CURRENT-1]} i
    local -a found
    for ((i = 2; i < CURRENT; i++)); do
        case ${words[i]} in
        -s | --socket | -H | --host) ((i++)) ;;
        -*) ;;
        *) command=${words[i]}; break ;;
        esac
    done
    case $previous in
    -s | --socket) _files; return ;;
    --method) compadd auto table bfs bidirectional astar idastar; return ;;
    --engine) compadd auto striped dense; return ;;
    --keep) compadd table levels; return ;;
    --state) compadd queued running done stopped failed cancelled; return ;;
    esac
    if [[ $PREFIX == -* ]]; then
        found=(${(f)"$(${words[1]} --names ${command:-explore} 2>/dev/null | grep '^-')"})
    elif [[ -z $command ]]; then
        found=(${(f)"$(${words[1]} --names 2>/dev/null | grep -v '^-')"})
    else
        case $command in
        explore | solve | distance | path | sample | deepest | pdb)
            found=(2x2 2x3 2x4 2x5 2x6 3x3 3x4 3x5 4x4 5x5
                ${(f)"$(timeout 1 ${words[1]} puzzles 2>/dev/null | awk 'NR > 1 { print $2 }')"}) ;;
        levels | status | watch | wait | result | cancel | forget)
            found=(${(f)"$(timeout 1 ${words[1]} jobs 2>/dev/null | awk '$1 ~ /^[0-9,]+$/ { gsub(",", "", $1); print $1 }')"}) ;;
        esac
    fi
    compadd -a found
}

_puzzlectl "$@"
