/* SPDX-License-Identifier: MIT */
/* Boards from standard input, one a line, read as they come: never waiting while there are answers to print.
 */
#ifndef LINES_H
#define LINES_H

#include "protocol/text.h"

struct lines {
    int fd;
    struct text in;
    size_t used;
    bool ended;
    bool indented; /* blanks at the beginning of a line stay */
};

enum lines_answer { LINES_LINE, LINES_NOT_YET, LINES_END, LINES_NO_MEMORY };

/* The next line, "" for a blank one, without the blanks around it; malloc'd, the caller frees it.
 * LINES_NOT_YET only when wait is false. A read that fails ends the input. */
enum lines_answer lines_next(struct lines *lines, bool wait, char **line);
void lines_clear(struct lines *lines);

#endif
