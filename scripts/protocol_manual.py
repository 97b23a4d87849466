#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes puzzled-protocol(7) in scdoc's language from docs/protocol.md: one description for both.

    scripts/protocol_manual.py < docs/protocol.md > puzzled-protocol.7.scd
"""
import re
import sys

HEAD = """puzzled-protocol(7)

# NAME

puzzled-protocol - how clients talk to puzzled, version 1

# DESCRIPTION

"""
TAIL = """# SEE ALSO

*puzzled*(8), *puzzlectl*(1), *puzzled.conf*(5)
"""


def literal(text):
    """Returns a text of which scdoc takes nothing for its own signs."""
    return re.sub(r"([\\*_#\[\]|])", r"\\\1", text)


def styled(text):
    """Returns a paragraph or cell: code becomes bold, emphasis underlined, a link its words."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text.replace(r"\|", "|"))
    return re.sub(r"`([^`]+)`|\*([^* ][^*]*)\*|([^`*]+|.)",
                  lambda found: (f"*{literal(found[1])}*" if found[1] else f"_{literal(found[2])}_" if found[2]
                                 else literal(found[3])), text)


def joined(lines):
    return " ".join(line.strip() for line in lines)


def table(rows):
    """Returns a list of terms, the first column, each with the text of the others; the two first rows are the head."""
    for row in rows[2:]:
        term, *others = re.split(r"(?<!\\)\|", row.strip().strip("|"))
        yield f"{styled(term.strip())}\n\t{'; '.join(styled(one.strip()) for one in others if one.strip())}\n"


def block_of(lines):
    """Returns a block of the page, which blank lines surround, as scdoc wants it; "" for the page's title."""
    first = lines[0]
    if first.startswith("# "):
        return ""
    if first.startswith("## "):
        return first[1:].upper()
    if first.startswith("#"):
        return first[1:]
    if first.startswith("|"):
        return "\n".join(table(lines)).rstrip("\n")
    if first.startswith("    "):
        return "\n".join(["```", *(line[4:] for line in lines), "```"])
    if first.startswith("* "):
        points = re.split(r"^\* ", "\n".join(lines), flags=re.M)[1:]
        return "\n".join(f"- {styled(joined(point.splitlines()))}" for point in points)
    return styled(joined(lines))


def main():
    blocks = [block.splitlines() for block in re.split(r"\n{2,}", sys.stdin.read().strip("\n"))]
    sys.stdout.write(HEAD + "".join(text + "\n\n" for text in map(block_of, blocks) if text) + TAIL)


if __name__ == "__main__":
    main()
