/* SPDX-License-Identifier: MIT */
/* Boards from standard input, one per line. They are read as they come, without waiting while there are
 * answers to print. */
#ifndef LINES_H
#define LINES_H

#include "protocol/text/text.h"

struct lines {
    int fd;
    struct text in;
    size_t used;
    bool ended;
    bool begun;    /* the first line was cut */
    int failure;   /* errno of a read that failed, EILSEQ after a zero byte, 0 for none */
    bool indented; /* keep blanks at the beginning of a line, and */
    bool whole;    /* those at both ends, but for a CR */
};

enum lines_answer { LINES_LINE, LINES_NOT_YET, LINES_END, LINES_NO_MEMORY, LINES_FAILED };

/* Gives the next line without the blanks around it, "" for a blank one; malloc'd, the caller frees it.
 * LINES_NOT_YET only if wait is false; LINES_FAILED if the input cannot be read: `failure` says why. A byte
 * order mark before the first line is left out. */
enum lines_answer lines_next(struct lines *lines, bool wait, char **line);
void lines_clear(struct lines *lines);

#endif
