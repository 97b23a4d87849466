# SPDX-License-Identifier: MIT
# Prints the command lines in the section EXAMPLES of manual pages in scdoc: those in literal blocks, one a line,
# continued lines joined. In a block with prompts only the lines behind one are commands, the rest is output.
function flush_block(    i, prompted) {
    for (i = 1; i <= count; i++)
        prompted += line[i] ~ /^[$#] /
    for (i = 1; i <= count; i++) {
        if (prompted && line[i] !~ /^[$#] /)
            continue
        sub(/^[$#] /, "", line[i])
        print line[i]
    }
    count = 0
}
FNR == 1 { examples = fenced = 0 }
/^# / && !fenced { examples = $2 ~ /^EXAMPLES?$/; next }
/^```/ { fenced = !fenced; if (!fenced) flush_block(); next }
examples && fenced && NF {
    if (continued) line[count] = substr(line[count], 1, length(line[count]) - 1) $0
    else line[++count] = $0
    continued = /\\$/
}
