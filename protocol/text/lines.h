/* SPDX-License-Identifier: MIT */
/* The lines of a text that comes piece by piece. A line ends with LF, CR LF or CR; a byte order mark is left
 * out. In a text that begins with a tag of .slc each tag begins a line, too, without its '<'. */
#ifndef LINES_H
#define LINES_H

#include "protocol/text/text.h"

struct lines {
    struct text in;
    size_t used;
    unsigned number; /* of the line that was given last, from 1 */
    bool ended, begun, tagged, cut_tag, skips_lf;
    char failure[160]; /* why the text cannot be read; "" if it can */
};

enum lines_answer { LINES_LINE, LINES_NOT_YET, LINES_END, LINES_NO_MEMORY, LINES_FAILED };

void lines_feed(struct lines *lines, const char *bytes, size_t length);
/* Nothing is fed any more: what is left is the last line. */
void lines_end(struct lines *lines);
/* Gives the next line, without what steers a terminal; malloc'd, the caller frees it. LINES_NOT_YET: more
 * must be fed. LINES_FAILED: the text is not in UTF-8; `failure` says which line, and what it may be in. */
enum lines_answer lines_next(struct lines *lines, char **line);
void lines_clear(struct lines *lines);

#endif
