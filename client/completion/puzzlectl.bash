# SPDX-License-Identifier: MIT
# bash completion for puzzlectl: commands, options, puzzles, and the numbers of the jobs that a running daemon has.

_puzzlectl_command() {
    local i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -s | --socket | -H | --host) ((i++)) ;;
        -*) ;;
        *) echo "${COMP_WORDS[i]}"; return ;;
        esac
    done
}

# The connection options given so far, so that the right daemon is asked.
_puzzlectl_ask() {
    local i where=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -s | --socket | -H | --host) where+=("${COMP_WORDS[i]}" "${COMP_WORDS[i + 1]}") ;;
        esac
    done
    timeout 1 "${COMP_WORDS[0]}" "${where[@]}" "$@" 2>/dev/null
}

_puzzlectl() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command words=
    command=$(_puzzlectl_command)
    case $before in
    -s | --socket) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --method) words='auto table bfs bidirectional astar idastar' ;;
    --engine) words='auto striped dense' ;;
    --keep) words='table levels' ;;
    --state) words='queued running done stopped failed cancelled' ;;
    -H | --host | -d | --depth | -m | --memory | -t | --threads | -p | --priority | --time | --timeout) return ;;
    -n | --count | --limit | --seed | --examples | --after | -g | --goal | --root | --partition) return ;;
    *)
        if [[ $word == -* ]]; then
            words=$("${COMP_WORDS[0]}" --names "${command:-explore}" 2>/dev/null | grep '^-')
        elif [[ -z $command || $command == "$word" ]]; then
            words=$("${COMP_WORDS[0]}" --names 2>/dev/null | grep -v '^-')
        else
            case $command in
            explore | solve | distance | path | sample | deepest | pdb)
                words="2x2 2x3 2x4 2x5 2x6 3x3 3x4 3x5 4x4 5x5
                       $(_puzzlectl_ask puzzles | awk 'NR > 1 { print $2 }')" ;;
            levels | status | watch | wait | result | cancel | forget)
                words=$(_puzzlectl_ask jobs | awk '$1 ~ /^[0-9,]+$/ { gsub(",", "", $1); print $1 }') ;;
            help) words=$("${COMP_WORDS[0]}" --names 2>/dev/null | grep -v '^-') ;;
            esac
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _puzzlectl puzzlectl
